"""Rows with their classes and weights, and parts of them."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import sparse

from likely.families import Gaussian
from likely.families.observations import Line, Observations
from likely.statistics import Frame

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 1, 2, 0, 1, 0], np.int32)


def test_rows_without_weights_weigh_one_each():
    assert Observations(X, Y, 3).weights.tolist() == [1.0] * 6
    assert Observations(X[:0], Y[:0], 3).weights.shape == (0,)


def test_weights_are_those_that_were_given():
    weight = np.linspace(0, 1, 6)
    assert Observations(X, Y, 3, weight).weights is weight


@pytest.mark.parametrize("rows", [slice(0, 6), slice(2, 5), slice(4, 100), slice(3, 3), slice(None, None, 2)])
@pytest.mark.parametrize("weight", [None, np.array([0.0, 0.5, 1.0, 2.0, 3.0, 4.0])])
def test_a_part_has_the_cells_classes_and_weights_of_its_rows(rows, weight):
    part = Observations(X, Y, 3, weight).part(rows)
    assert part.cells.tolist() == X[rows].tolist()
    assert part.y.tolist() == Y[rows].tolist()
    assert (part.weight is None) == (weight is None)
    assert part.weights.tolist() == (np.ones(6) if weight is None else weight)[rows].tolist()


def test_a_part_knows_all_classes_and_which_columns_are_whole():
    whole = np.array([True, False])
    part = Observations(X, Y, 3, whole=whole).part(slice(0, 1))
    assert part.classes == 3
    assert part.whole is whole
    assert Observations(X, Y, 3, whole=True).part(slice(0, 1)).whole is True


def test_a_part_of_sparse_rows_is_sparse():
    part = Observations(sparse.csr_array(X), Y, 3).part(slice(1, 4))
    assert sparse.issparse(part.cells)
    assert part.cells.toarray().tolist() == X[1:4].tolist()


def test_parts_count_together_what_the_whole_counts():
    seen, frame = Observations(X, Y, 3, np.array([0.5, 1.0, 1.0, 2.0, 3.0, 0.0])), Frame(range(2))
    whole = Gaussian().count(seen, frame)
    first, second = (Gaussian().count(seen.part(rows), frame) for rows in (slice(0, 2), slice(2, 6)))
    np.testing.assert_allclose(first.n + second.n, whole.n)
    sums = [counted.n * counted.mean for counted in (first, second, whole)]
    np.testing.assert_allclose(sums[0] + sums[1], sums[2])


def test_observations_stay_as_they_are():
    seen = Observations(X, Y, 3)
    with pytest.raises(FrozenInstanceError):
        seen.classes = 4
    assert seen != Observations(X, Y, 3)  # rather than an array of comparisons
    assert seen == seen


def test_a_line_gives_scores_in_the_order_of_its_features():
    weights, bias, features = Line(np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([0.5, 0.0]), [(0, None), (1, "a")])
    assert len(features) == weights.shape[1]
    assert (weights @ [3.0, 4.0] + bias).tolist() == [11.5, -4.0]
