"""Sums and differences of tallies, as dictionaries add up."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likely import _native

from .kernels import call


def parts(tally, words):
    """{(word, class): total} as arrays, with the words in that order."""
    rows = [sorted((k, total) for (of, k), total in tally.items() if of == word) for word in words]
    cells = [cell for row in rows for cell in row]
    starts = np.cumsum([0] + [len(row) for row in rows])
    return starts, np.array([k for k, _ in cells], np.int32), np.array([total for _, total in cells], np.float64)


def added(one, other, sign, words="abcd", others="dbca", more=0):
    at = np.array([words.index(word) for word in others], np.int64)
    starts, classes, totals, *short = _native.add_tallies(
        *parts(one, words), *parts(other, others), at, len(words) + more, sign
    )
    assert (starts[0], starts[-1], len(starts)) == (0, len(classes), len(words) + more + 1)
    named = [*words, *range(more)]
    found = {
        (word, int(classes[i])): totals[i]
        for word, (a, b) in zip(named, pairwise(starts), strict=True)
        for i in range(a, b)
    }
    assert len(found) == len(classes)
    assert all(np.all(np.diff(classes[a:b]) > 0) for a, b in pairwise(starts))
    return found, tuple(short)


tallies = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 4)), st.integers(1, 50).map(float), max_size=12
)


@given(tallies, tallies, st.integers(0, 3))
def test_added(one, other, more):
    found, short = added(one, other, 1.0, more=more)
    assert found == dict(Counter(one) + Counter(other))
    assert short == (-1, -1)


@given(tallies, tallies)
@example({("a", 0): 2.0}, {("a", 0): 3.0})
@example({("a", 1): 2.0, ("b", 0): 1.0}, {("b", 0): 2.0, ("a", 4): 1.0})
def test_subtracted(one, other):
    found, short = added(one, other, -1.0)
    left = Counter(one)
    left.subtract(other)
    assert found == {cell: total for cell, total in left.items() if total > 0}
    first = min((cell for cell, total in left.items() if total < 0), default=("e", -1))
    assert short == (first[1], "abcde".index(first[0]) if first[1] >= 0 else -1)


@given(tallies, tallies)
def test_what_was_added_can_be_subtracted(one, other):
    both, _ = added(one, other, 1.0)
    assert added(both, other, -1.0) == (one, (-1, -1))


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_what_rounding_leaves_is_nothing(scale):
    """0.1 + 0.2 - 0.3 is 5.6e-17, and 0.3 - (0.1 + 0.2) as much less than nothing."""
    for more, less in ((0.1 + 0.2, 0.3), (0.3, 0.1 + 0.2)):
        assert added({("a", 0): more * scale}, {("a", 0): less * scale}, -1.0) == ({}, (-1, -1))


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_more_than_rounding_is_something(scale):
    assert added({("a", 0): 1.00001 * scale}, {("a", 0): scale}, -1.0)[0] == {
        ("a", 0): pytest.approx(1e-5 * scale, 1e-6)
    }
    assert added({("a", 3): scale}, {("a", 3): 1.00001 * scale}, -1.0) == ({}, (3, 0))


def test_nothing_is_never_enough():
    assert added({}, {("c", 4): 1e-300}, -1.0) == ({}, (4, 2))


def test_of_no_words():
    assert added({}, {}, 1.0, "", "") == ({}, (-1, -1))


STARTS = [[0, 1], [0, 1, 1], [0, 3, 2], [0, -1, 2], [1, 1, 2], [0, 2, 1], [0, 1, 3], []]


@pytest.mark.parametrize("at", [0, 3])
@pytest.mark.parametrize("starts", STARTS, ids=str)
def test_a_tally_that_does_not_fit(at, starts):
    with pytest.raises(ValueError, match=r"^a tally (does not fit|is not in order)$"):
        call("add_tallies", at, np.array(starts, np.int64))


@pytest.mark.parametrize("at", [[0, 2], [-1, 0], [0, 0], [0, 2**63 - 1], [-(2**63), 0]], ids=str)
def test_words_of_another_tally_that_do_not_fit(at):
    with pytest.raises(ValueError, match=r"^the words do not fit$"):
        call("add_tallies", 6, np.array(at))


@pytest.mark.parametrize("size", [0, 1])
def test_fewer_words_than_there_are(size):
    with pytest.raises(ValueError, match=r"^the words do not fit$"):
        call("add_tallies", 7, size)
