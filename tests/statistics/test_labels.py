"""Two sets of names in one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.statistics import union

labels = st.sets(st.integers(-20, 20)).map(lambda found: np.array(sorted(found), np.int64))
words = st.sets(st.text(max_size=2)).map(lambda found: np.array(sorted(found), object))


def text(*values: str) -> np.ndarray:
    return np.array(values, object)


@given(st.one_of(st.tuples(labels, labels), st.tuples(words, words)))
def test_a_union_is_sorted_and_holds_both_where_it_says(pair):
    mine, theirs = pair
    both, at, other_at = union(mine, theirs)
    assert both.tolist() == sorted({*mine.tolist(), *theirs.tolist()})
    for part, place in ((mine, at), (theirs, other_at)):
        if place is None:
            assert part.tolist() == both.tolist()
        else:
            assert place.size == len(both)
            assert both[place.at].tolist() == part.tolist()


def test_nothing_moves_between_equal_sets():
    mine = text("a", "b")
    both, *places = union(mine, text("a", "b"))
    assert both is mine
    assert places == [None, None]


def test_a_larger_set_stays_where_it_is():
    both, mine, theirs = union(np.array([1, 3]), np.array([1, 2, 3]))
    assert (both.tolist(), mine.at.tolist(), theirs) == ([1, 2, 3], [0, 2], None)


def test_text_and_numbers_do_not_mix():
    with pytest.raises(TypeError, match=r"^text and numbers do not mix: 'a', 'b' and 1, 2, 3$"):
        union(text("a", "b"), np.array([1, 2, 3, 4]))


def test_nothing_mixes_with_anything():
    both, *_ = union(np.zeros(0), text("a"))
    assert both.tolist() == ["a"]


@pytest.mark.parametrize("other", [np.array([1.5, 2.0]), np.array([2, 5], np.int32)])
def test_numbers_of_different_types_are_one_set(other):
    both, *_ = union(np.array([1, 2]), other)
    assert both.tolist() == sorted({1, 2, *other.tolist()})
