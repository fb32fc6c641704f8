"""Sums of a column, and how often it was seen."""

import numpy as np
import pytest
from scipy import sparse

from likely.families import Multinomial, Poisson
from likely.families.family import Observations
from likely.statistics import Frame, NeverLearned, Totals

A = Totals(np.array([[5, 1]]), np.array([[2, 3]]))
B = Totals(np.array([[2, 1]]), np.array([[1, 1]]))


def count(x: object, y: list[int], weight: list[float] | None = None) -> Totals:
    weights = None if weight is None else np.array(weight)
    block = x if sparse.issparse(x) else np.asarray(x)
    family = Multinomial() if sparse.issparse(x) else Poisson()
    return family.count(Observations(block, np.array(y, np.int32), 2, weights), Frame(range(block.shape[1])))


def test_values_are_summed_and_counted_for_their_class():
    counted = count([[1.0, np.nan], [4.0, 2.0], [3.0, 3.0]], [0, 1, 1])
    assert counted.total.tolist() == [[1, 0], [7, 5]]
    assert counted.seen.tolist() == [[1, 0], [2, 2]]


@pytest.mark.parametrize(
    ("x", "weight", "of_total", "of_seen"),
    [
        ([[1, 2]], None, np.int64, np.int64),
        ([[1.0, 2.0]], None, np.float64, np.int64),
        ([[1, 2]], [1.0], np.float64, np.float64),
    ],
)
def test_what_is_whole_is_kept_as_integers(x, weight, of_total, of_seen):
    counted = count(x, [0], weight)
    assert (counted.total.dtype, counted.seen.dtype) == (of_total, of_seen)


def test_weights_count():
    counted = count([[1.0], [2.0], [np.nan]], [0, 0, 0], [0.5, 2.0, 9.0])
    assert (counted.total[0].item(), counted.seen[0].item()) == (4.5, 2.5)


def test_a_sparse_block_is_seen_once_for_all_columns():
    counted = count(sparse.csr_array(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]])), [0, 0])
    assert counted.total.tolist() == [[1, 2, 0], [0, 0, 0]]
    assert counted.seen.tolist() == [[2], [0]]


def test_they_add_and_subtract():
    assert ((A + B).total.tolist(), (A + B).seen.tolist()) == ([[7, 2]], [[3, 4]])
    assert ((A - B).total.tolist(), (A - B).seen.tolist()) == ([[3, 0]], [[1, 2]])


def test_dense_and_sparse_sums_add():
    """The one column of the sparse stands for all of the dense."""
    sparse_ = Totals(np.array([[1, 1]]), np.array([[4]]))
    assert (A + sparse_).seen.tolist() == (sparse_ + A).seen.tolist() == [[6, 7]]


@pytest.mark.parametrize(
    "less", [Totals(np.array([[6, 0]]), np.array([[1, 1]])), Totals(np.array([[0, 0]]), np.array([[0, 4]]))]
)
def test_less_than_nothing_is_refused_of_sums_and_of_numbers(less):
    with pytest.raises(NeverLearned):
        A - less


def test_they_scale():
    assert ((A * 0.5).total.tolist(), (A * 0.5).seen.tolist()) == ([[2.5, 0.5]], [[1, 1.5]])


def test_present_is_what_was_seen():
    assert A.present is A.seen
