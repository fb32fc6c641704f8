"""What cells and words of many rows add, an entry each."""

import numpy as np
from numpy.testing import assert_array_equal

from likely.families.effects import Effects, first_seen, joined


def effects(parts, titles):
    return Effects.of_cells(np.array(parts, float), titles, lambda row, at: f"{titles[at]}{row}")


TWO = effects([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], ["a", "b"])  # rows x classes x columns


def test_every_cell_is_an_entry():
    assert_array_equal(TWO.rows, [0, 0, 1, 1])
    assert_array_equal(TWO.adds, [[1, 3], [2, 4], [5, 7], [6, 8]])
    assert [(reason.column, reason.value) for reason in TWO.reasons()] == [
        ("a", "a0"), ("b", "b0"), ("a", "a1"), ("b", "b1"),
    ]  # fmt: skip
    assert_array_equal(TWO.sums(2), [[3, 7], [11, 15]])


def test_some_entries_keep_their_values():
    some = TWO.some(np.array([3, 0]))
    assert [(reason.column, reason.value, *reason.contributions) for reason in some.reasons()] == [
        ("b", "b1", 6, 8), ("a", "a0", 1, 3),
    ]  # fmt: skip


def test_entries_of_one_row_and_title_are_joined_with_the_first_value():
    other = Effects(np.array([1]), ["b"], np.array([0]), np.array([[10.0, 20.0]]), lambda at: "other")
    found = list(joined([TWO, other]).reasons())
    assert [(reason.column, reason.value, *reason.contributions) for reason in found] == [
        ("a", "a0", 1, 3), ("b", "b0", 2, 4), ("a", "a1", 5, 7), ("b", "b1", 16, 28),
    ]  # fmt: skip
    last = list(joined([other, TWO], ["a", "b"]).reasons())[-1]
    assert (last.value, *last.contributions) == ("other", 16, 28)


def test_nothing_is_joined_to_nothing():
    none = TWO.some(np.array([], np.intp))
    assert list(joined([none, none]).reasons()) == []


def test_numbers_in_the_order_in_which_they_come():
    found, at = first_seen(np.array([7, 3, 7, 9]))
    assert_array_equal(found, [7, 3, 9])
    assert_array_equal(at, [0, 1, 0, 2])
