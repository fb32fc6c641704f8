"""Texts as numbers of words in their order, rows of words and pairs, and tallies of rows, as plain Python has them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import call, reading
from .test_tally import plain_tally
from .test_text import STOP, counts_of, labels, lists_of_texts, plain_rows, table_of, tokens_of

COUNTED = {
    "as they are": {},
    "once": {"binary": True},
    "sublinear": {"sublinear": True},
    "the root of a text": {"sublinear": True, "root": True},
}
every_count = pytest.mark.parametrize("counted", COUNTED.values(), ids=COUNTED)


def sequences(texts, stop=None):
    held = _native.Texts(tuple(texts))
    words, starts, ids = _native.tokens_of_texts(held, 0, len(texts), reading(), table_of(stop))
    named = labels(words, reading())
    return named, starts, ids, [[named[i] for i in ids[a:b]] for a, b in pairwise(starts)]


def rows(texts, how):
    """With the names of the numbers, those of pairs found by the order in which they come."""
    named, starts, ids, words = sequences(texts)
    size, *found = _native.rows_of_tokens(starts, ids, len(named), how)
    if how[4] == 2:
        named = [*named, *dict.fromkeys(f"{a} {b}" for text in words for a, b in pairwise(text))]
    assert size == len(named)
    return named, found


@given(lists_of_texts, st.sampled_from([None, STOP]))
def test_words_come_in_their_order(texts, stop):
    named, _, _, found = sequences(texts, stop)
    assert found == [[] if text is None else tokens_of(text, reading(), stop or ()) for text in texts]
    assert named == list(dict.fromkeys(word for text in found for word in text))


@given(lists_of_texts, st.data())
def test_a_part_of_the_texts(texts, data):
    a = data.draw(st.integers(0, len(texts)))
    b = data.draw(st.integers(a, len(texts)))
    words, starts, ids = _native.tokens_of_texts(_native.Texts(tuple(texts)), a, b, reading(), None)
    named, *alone, _ = sequences(texts[a:b])
    assert labels(words, reading()) == named
    for one, other in zip((starts, ids), alone, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("longest", [1, 2])
@every_count
@given(lists_of_texts)
def test_rows_are_those_of_the_texts_in_their_whole_length(longest, counted, texts):
    how, whole = reading((1, longest), **counted), reading((1, longest), **{**counted, "root": False})
    named, (starts, ids, counts) = rows(texts, how)
    found = [dict(zip((named[i] for i in ids[a:b]), counts[a:b], strict=True)) for a, b in pairwise(starts)]
    assert found == [pytest.approx(row, rel=1e-15) for row in plain_rows(texts, whole, (), None)]


def test_many_pairs():
    """The table of pairs grows, and one may come in two texts."""
    rng = np.random.default_rng(1)
    texts = [
        " ".join(f"w{i}" for i in rng.integers(0, 300, size)) for size in (0, 1, 2, 63, 64, 65, 66, 129, 9000, 500)
    ]
    how = reading((1, 2), sublinear=True)
    named, (starts, ids, counts) = rows(texts, how)
    assert len(named) > 5000
    for text, (a, b) in zip(texts, pairwise(starts), strict=True):
        found = dict(zip((named[i] for i in ids[a:b]), counts[a:b], strict=True))
        assert found == pytest.approx(counts_of(tokens_of(text, how), how), rel=1e-15)


@pytest.mark.parametrize("longest", [1, 2])
@every_count
@settings(max_examples=50)
@given(lists_of_texts, st.data())
def test_a_tally_of_rows_is_that_of_the_texts(longest, counted, texts, data):
    how, n = reading((1, longest), **counted), len(texts)
    y = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    weight = data.draw(st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n))
    named, read = rows(texts, how)
    given_weight = None if weight is None else np.array(weight)
    starts, at, totals = _native.tally_rows(*read, len(named), how[-2], np.array(y, np.int32), given_weight, 5)
    assert len(starts) == len(named) + 1
    found = {}
    for token, (a, b) in zip(named, pairwise(starts), strict=True):
        assert np.all(np.diff(at[a:b]) > 0)
        found |= {(token, int(k)): total for k, total in zip(at[a:b], totals[a:b], strict=True)}
    expected = plain_tally(texts, y, [1.0] * n if weight is None else weight, how, (), None)
    assert found == pytest.approx(expected, rel=1e-14)


# Arguments

NO_ROWS = [[0, 2, 1], [0, -1, 2], [1, 1, 2], [0, 1, 3], [0, 1], [0, 3, 2], []]


@pytest.mark.parametrize("name", ["rows_of_tokens", "tally_rows", "odds_left_out", "rare_odds_left_out"])
@pytest.mark.parametrize("starts", NO_ROWS, ids=str)
def test_rows_that_do_not_fit(name, starts):
    with pytest.raises(
        ValueError, match=r"^(the rows (do not fit|are not in order)|one class code per row is needed)$"
    ):
        call(name, 0, np.array(starts, np.int64))


@pytest.mark.parametrize("name", ["rows_of_tokens", "tally_rows", "odds_left_out", "rare_odds_left_out"])
@pytest.mark.parametrize("number", [-1, 2, 2**31 - 1])
def test_rows_of_words_that_are_not_there(name, number):
    with pytest.raises(ValueError, match=r"^a token is out of range$"):
        call(name, 1, np.array([0, number], np.int32))


@pytest.mark.parametrize("wrong", [(1, 3), (2, 2), (1, 100)])
def test_rows_of_longer_runs_of_words(wrong):
    with pytest.raises(ValueError, match=r"^rows are of words, or of pairs of them too$"):
        call("rows_of_tokens", 3, reading(wrong))


def test_too_many_words():
    with pytest.raises(ValueError, match=r"^there are too many words or classes$"):
        call("tally_rows", 3, 2**31)
    with pytest.raises(ValueError, match=r"^there are too many words or classes$"):
        call("tally_rows", 7, 2**31)
