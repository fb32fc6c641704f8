"""Statistics add, subtract and scale, and counting is a homomorphism. Held for every registered family."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from likely.statistics import NeverLearned

from .cases import assert_same, cases, every_family, missing


def pieces(data: Any, rows: int) -> list[np.ndarray]:
    """The rows in any order, parted anywhere: a list of positions for each piece, some of them empty."""
    order = np.array(data.draw(st.permutations(range(rows))), np.intp)
    cuts = sorted(data.draw(st.lists(st.integers(0, rows), max_size=4)))
    return np.split(order, cuts)


def two(data: Any, rows: int) -> tuple[slice, slice]:
    cut = data.draw(st.integers(0, rows))
    return slice(0, cut), slice(cut, rows)


@every_family()
@given(data=st.data())
def test_nothing_is_neutral(family, data):
    """a + 0 = 0 + a = a - 0 = a, to the bit: 0 is the statistics of no rows."""
    case = data.draw(cases(family))
    all_rows, nothing = case.count(), case.count(slice(0, 0))
    for result in (all_rows + nothing, nothing + all_rows, all_rows - nothing):
        for name, array in all_rows.arrays().items():
            np.testing.assert_array_equal(result.arrays()[name], array)


@every_family()
@given(data=st.data())
def test_addition_commutes(family, data):
    """a + b = b + a."""
    case = data.draw(cases(family))
    first, second = (case.count(rows) for rows in two(data, len(case.y)))
    assert_same(first + second, second + first)


@every_family()
@given(data=st.data())
def test_addition_associates(family, data):
    """(a + b) + c = a + (b + c)."""
    case = data.draw(cases(family))
    a, b, c = (case.count(rows) for rows in (slice(0, 2), slice(2, 5), slice(5, None)))
    assert_same((a + b) + c, a + (b + c))


@every_family()
@given(data=st.data())
def test_counting_two_tables_is_adding_their_counts(family, data):
    """count(A ++ B) = count(A) + count(B)."""
    case = data.draw(cases(family))
    first, second = two(data, len(case.y))
    assert_same(case.count(), case.count(first) + case.count(second))


@every_family()
@given(data=st.data())
def test_pieces_in_any_order_are_all_rows_at_once(family, data):
    """However rows are shuffled and parted, their counts add to the count of all."""
    case = data.draw(cases(family))
    total = case.count(slice(0, 0))
    for rows in pieces(data, len(case.y)):
        total = total + case.count(rows)
    assert_same(total, case.count())


@every_family()
@given(data=st.data())
def test_what_is_added_can_be_subtracted(family, data):
    """(a + b) - b = a."""
    case = data.draw(cases(family))
    first, second = (case.count(rows) for rows in two(data, len(case.y)))
    assert_same((first + second) - second, first)


@every_family()
@given(data=st.data())
def test_rows_forgotten_in_any_pieces_leave_the_others(family, data):
    """Learned at once, some rows can be forgotten in any order and pieces."""
    case = data.draw(cases(family))
    left, *gone = pieces(data, len(case.y))
    rest = case.count()
    for rows in gone:
        rest = rest - case.count(rows)
    assert_same(rest, case.count(left))


@every_family()
@given(data=st.data())
def test_unweighted_rows_forgotten_one_by_one_leave_nothing(family, data):
    """Whole numbers are exact: not a trace is left."""
    case = data.draw(cases(family, weighted=False))
    rest = case.count()
    for row in data.draw(st.permutations(range(len(case.y)))):
        rest = rest - case.count([row])
    assert_same(rest, case.count(slice(0, 0)))


@every_family()
@given(data=st.data())
def test_weight_two_is_the_row_twice(family, data):
    case = data.draw(cases(family, weighted=False))
    twice = case.count(np.repeat(np.arange(len(case.y)), 2))
    weighed = replace(case, weight=np.full(len(case.y), 2.0)).count()
    assert_same(weighed, twice)
    assert_same(case.count() * 2, twice)


@every_family()
@given(data=st.data())
def test_weight_nought_is_no_row(family, data):
    case = data.draw(cases(family, weighted=True))
    assert_same(case.count(), case.count(np.flatnonzero(case.weight)))


@every_family()
@given(data=st.data())
def test_weight_one_is_no_weight(family, data):
    case = data.draw(cases(family, weighted=False))
    assert_same(replace(case, weight=np.ones(len(case.y))).count(), case.count())


@every_family()
@given(data=st.data(), factor=st.sampled_from([0.25, 0.99, 1.0, 3.0]))
def test_scaling_distributes(family, data, factor):
    """(a + b) * f = a * f + b * f."""
    case = data.draw(cases(family))
    first, second = (case.count(rows) for rows in two(data, len(case.y)))
    assert_same((first + second) * factor, first * factor + second * factor)


@every_family()
@given(data=st.data())
def test_a_missing_cell_is_not_counted(family, data):
    """A column with missing cells is counted as the rows in which it is present."""
    case = data.draw(cases(family))
    for j in range(case.cells.shape[1]):
        column = replace(case, cells=case.cells[:, [j]], frame=case.frame.of([j]))
        assert_same(column.count(), column.count(~missing(case.cells[:, j])))


@every_family()
@given(data=st.data())
def test_forgetting_more_than_was_learned_raises(family, data):
    """NeverLearned names the class, and the statistics stay as they were."""
    case = data.draw(cases(family))
    row = data.draw(st.integers(0, len(case.y) - 1))
    more, known = case.count([row]), case.count(np.arange(len(case.y)) != row)
    assume(more.present.any())
    before = {name: array.copy() for name, array in known.arrays().items()}
    with pytest.raises(NeverLearned) as caught:
        known - (known + more)
    assert caught.value.of_class == case.y[row]
    for name, array in known.arrays().items():
        np.testing.assert_array_equal(array, before[name])
