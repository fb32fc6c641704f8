"""Cells of columns of different sizes, each with one more for values not seen before."""

import numpy as np

from likely.families import Categorical
from likely.families.shares import CellCounts, Shares
from likely.priors import Laplace
from likely.statistics import Counts, Frame

from .blocks import block_of


def cells(unseen: bool) -> CellCounts:
    frame = Frame(["x", "z"], cells=(np.array(["a", "b", "c"]), np.array(["u", "v"])))
    counts = Counts(np.array([[1, 1, 0, 2, 0], [1, 0, 1, 1, 1]]))
    return CellCounts(Laplace(), unseen, block_of(Categorical(), counts, frame))


def test_counts_keep_a_cell_for_unseen_values_in_each_column() -> None:
    found = cells(unseen=True)
    assert found.starts.tolist() == [0, 4, 7]
    assert found.counts.tolist() == [[1, 1, 0, 0, 2, 0, 0], [1, 0, 1, 0, 1, 1, 0]]
    assert found.pseudocounts.tolist() == [1] * 7


def test_the_cell_of_unseen_values_may_have_no_pseudocount() -> None:
    assert cells(unseen=False).pseudocounts.tolist() == [1, 1, 1, 0, 1, 1, 0]


def test_sums_by_column_are_repeated_for_each_of_its_cells() -> None:
    found = cells(unseen=True)
    assert found.by_column(found.counts).tolist() == [[2] * 7] * 2


def test_an_impossible_cell_in_a_column_without_weight_scores_nothing() -> None:
    shares = Shares(np.log([[0.5, 0.5, 0.25, 0.75]]), np.array([0, 2, 4]), np.array([1.0, 2.0]))
    np.testing.assert_allclose(shares.scores, np.log([[0.5, 0.5, 0.25**2, 0.75**2]]))
    with np.errstate(divide="ignore"):
        impossible = Shares(np.log([[1.0, 0.0]]), np.array([0, 2]), np.array([0.0]))
    assert impossible.scores.tolist() == [[0.0, 0.0]]
