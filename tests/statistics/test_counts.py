"""Counts per class and cell."""

import numpy as np
import pytest

from likely.families import Categorical
from likely.families.family import Observations
from likely.statistics import Counts, Frame, NeverLearned

A = Counts(np.array([[3, 0], [1, 2]]))
B = Counts(np.array([[1, 0], [0, 2]]))


def count(codes: list[list[int]], y: list[int], weight: list[float] | None = None) -> Counts:
    frame = Frame(range(len(codes[0])), cells=tuple(np.arange(3) for _ in codes[0]))
    weights = None if weight is None else np.array(weight)
    return Categorical().count(Observations(np.array(codes, np.int32), np.array(y, np.int32), 2, weights), frame)


def test_each_cell_is_counted_for_its_class():
    counted = count([[0, 2], [0, 1], [2, -1]], [0, 1, 1])
    assert counted.table.tolist() == [[1, 0, 0, 0, 0, 1], [1, 0, 1, 0, 1, 0]]


def test_rows_without_weights_make_integers():
    assert count([[0]], [0]).table.dtype == np.int64


def test_rows_with_weights_make_floats():
    counted = count([[0], [0], [1]], [0, 0, 1], [0.5, 0.25, 2.0])
    assert counted.table.dtype == np.float64
    assert counted.table.tolist() == [[0.75, 0, 0], [0, 2, 0]]


def test_sums_and_differences_of_integers_are_integers():
    assert (A + B).table.tolist() == [[4, 0], [1, 4]]
    assert (A - B).table.tolist() == [[2, 0], [1, 0]]
    assert (A + B).table.dtype == (A - B).table.dtype == np.int64


def test_integers_are_exact_beyond_what_floats_hold():
    large = Counts(np.array([[2**53]]))
    assert ((large + Counts(np.array([[1]]))) - large).table.item() == 1


def test_less_than_nothing_is_refused_with_its_place():
    with pytest.raises(NeverLearned) as caught:
        A - Counts(np.array([[0, 0], [0, 3]]))
    assert (caught.value.of_class, caught.value.cell) == (1, 1)
    assert str(caught.value) == (
        "some of these rows were never learned: class 1 would be left with less than nothing; nothing was forgotten"
    )


def test_sums_of_weights_may_round():
    """0.1 + 0.2 less 0.3 is not quite nothing, and less 0.1 and 0.2 in turn not either; but never below."""
    weights = [Counts(np.array([[w]])) for w in (0.1, 0.2, 0.3)]
    left = weights[0] + weights[1] + weights[2] - Counts(np.array([[0.6]]))
    assert left.table.item() >= 0
    left = weights[0] + weights[1] - weights[1] - weights[0]
    assert left.table.item() == pytest.approx(0, abs=1e-15)


def test_a_weight_that_was_never_there_is_not_rounding():
    with pytest.raises(NeverLearned):
        Counts(np.array([[0.3]])) - Counts(np.array([[0.31]]))


def test_they_scale():
    assert (A * 0.5).table.tolist() == [[1.5, 0], [0.5, 1]]


def test_operations_leave_their_operands_alone():
    a, b = Counts(np.array([[3]])), Counts(np.array([[1]]))
    _ = a + b, a - b, a * 2
    assert (a.table.item(), b.table.item()) == (3, 1)


def test_present_is_what_was_counted():
    assert A.present.tolist() == A.table.tolist()
