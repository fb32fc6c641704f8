"""What all statistics share: their place in a larger frame, exact integers, no less than nothing."""

import numpy as np
import pytest

from likely.statistics import Counts, Moments, NeverLearned, Placement, Statistics, Totals
from likely.statistics.sums import exact, subtracted

TABLE = np.array([[1, 2], [3, 4]])

examples = pytest.mark.parametrize(
    "statistics",
    [Counts(TABLE), Totals(TABLE, TABLE), Totals(TABLE, TABLE[:, :1]), Moments(TABLE, TABLE / 2, TABLE / 4)],
    ids=["Counts", "Totals", "Totals-sparse", "Moments"],
)


def at(size: int, *places: int) -> Placement:
    return Placement(size, np.array(places))


@examples
def test_arrays_are_all_there_is(statistics):
    again = type(statistics)(**statistics.arrays())
    assert again.arrays().keys() == statistics.arrays().keys()
    assert statistics.classes == 2


def test_statistics_are_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Statistics()


@examples
def test_without_a_place_they_stay(statistics):
    assert statistics.placed(None, None) is statistics


@examples
def test_new_classes_are_rows_of_zeros(statistics):
    placed = statistics.placed(at(4, 2, 0), None)
    for name, array in statistics.arrays().items():
        larger = placed.arrays()[name]
        assert larger.dtype == array.dtype
        np.testing.assert_array_equal(larger[[2, 0]], array)
        assert not larger[[1, 3]].any()


@examples
def test_new_cells_are_columns_of_zeros(statistics):
    """But what is one column for all cells stays one."""
    placed = statistics.placed(None, at(3, 0, 2))
    for name, array in statistics.arrays().items():
        larger = placed.arrays()[name]
        if array.shape[1] == 1:
            np.testing.assert_array_equal(larger, array)
        else:
            np.testing.assert_array_equal(larger[:, [0, 2]], array)
            assert not larger[:, 1].any()


def test_classes_and_cells_at_once():
    placed = Counts(TABLE).placed(at(3, 0, 2), at(3, 1, 2))
    assert placed.table.tolist() == [[0, 1, 2], [0, 0, 0], [0, 3, 4]]


def test_a_single_cell_is_placed_like_any():
    placed = Counts(np.array([[5]])).placed(None, at(3, 1))
    assert placed.table.tolist() == [[0, 5, 0]]


@examples
def test_placing_makes_room_and_adds_nothing(statistics):
    placed = statistics.placed(at(4, 1, 3), at(5, 0, 4))
    assert placed.classes == 4
    np.testing.assert_array_equal(placed.present.sum(), statistics.present.sum())


@examples
def test_placing_commutes_with_adding(statistics):
    """In a larger frame the sum is the sum."""
    classes, cells = at(3, 0, 2), at(4, 1, 3)
    first = (statistics + statistics).placed(classes, cells)
    second = statistics.placed(classes, cells) + statistics.placed(classes, cells)
    for name, array in first.arrays().items():
        np.testing.assert_array_equal(second.arrays()[name], array)


def test_integers_subtract_exactly():
    left = subtracted(np.array([[5, 3]]), np.array([[5, 1]]))
    assert (left.dtype, left.tolist()) == (np.int64, [[0, 2]])


def test_one_less_than_nothing_is_refused():
    with pytest.raises(NeverLearned) as caught:
        subtracted(np.array([[5, 3], [0, 0]]), np.array([[5, 1], [0, 1]]))
    assert (caught.value.of_class, caught.value.cell) == (1, 1)


@pytest.mark.parametrize("less", [1.0 + 1e-10, 1.0])
def test_floats_may_fall_below_nothing_by_rounding(less):
    assert subtracted(np.array([[1.0]]), np.array([[less]])).item() == 0.0


def test_floats_may_not_fall_below_nothing_by_more():
    with pytest.raises(NeverLearned):
        subtracted(np.array([[1.0]]), np.array([[1.0 + 1e-8]]))


def test_whole_sums_become_integers():
    assert exact(np.array([2.0]), True).dtype == np.int64
    assert exact(np.array([2.0]), False).dtype == np.float64


def test_never_learned_is_a_value_error():
    error = NeverLearned(2, 7)
    assert isinstance(error, ValueError)
    assert (error.of_class, error.cell) == (2, 7)


@examples
def test_the_sums_of_some_classes(statistics):
    part = statistics.of_some_classes(slice(1, 2))
    assert part.classes == 1
    for name, array in part.arrays().items():
        np.testing.assert_array_equal(array, statistics.arrays()[name][1:2])


# What a model file may hold


@examples
def test_sums_of_so_many_classes_and_cells_are_accepted(statistics):
    statistics.check(2, 2)


@examples
@pytest.mark.parametrize(("classes", "cells"), [(3, 2), (1, 2), (2, 3), (2, 1)])
def test_sums_of_another_shape_are_refused(statistics, classes, cells):
    with pytest.raises(ValueError, match=r"^the shape of '\w+' is \(2, \d\), not "):
        statistics.check(classes, cells)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (np.array([[1.0, -1.0], [1.0, 1.0]]), "'table' are below 0"),
        (np.array([[1.0, np.nan], [1.0, 1.0]]), "'table' are not finite"),
        (np.array([[1.0, np.inf], [1.0, 1.0]]), "'table' are not finite"),
        (np.array([["1", "2"], ["3", "4"]]), "'table' are no numbers"),
        (np.array([[True, False], [True, True]]), "'table' are no numbers"),
    ],
)
def test_what_is_no_sum_is_refused(table, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        Counts(table).check(2, 2)


def test_means_and_products_may_be_below_nothing():
    below = -np.ones((2, 2))
    Moments(TABLE, below, TABLE / 4).check(2, 2)
    with pytest.raises(ValueError, match=r"^'m2' are below 0$"):
        Moments(TABLE, below, below, TABLE / 1.0).check(2, 2)


def test_what_rounding_leaves_of_weights_is_nothing_but_a_light_row_is_something():
    assert subtracted(np.array([[0.1 + 0.1 + 0.1]]) - 0.1, np.array([[0.2]])).tolist() == [[0.0]]
    assert subtracted(np.array([[1.0 + 1e-9]]), np.array([[1.0]])).item() == pytest.approx(1e-9, rel=1e-6)
    assert subtracted(np.array([[2**60 + 1]]), np.array([[2**60]])).tolist() == [[1]]
