"""Log odds of texts left out, by several pseudocounts at once, against a count of the others in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import call, reading
from .test_text import KNOWN, STOP, table_of
from .test_texts_left_out import close, counted_texts, plain

SEVERAL = ([0.01], [1.0, 0.001], [0.5, 2.0, 1e-3, 30.0])
READINGS = {
    "words": reading(),
    "once": reading(binary=True),
    "the root of a text": reading(sublinear=True, root=True),
    "pairs too, roots": reading((1, 2), sublinear=True, root=True),
    "buckets": reading(hashing=3),
}


def left_out(texts, y, weight, classes, how, pseudocounts, stop=None, known=None, minimum=1.0, which=None):
    """Scores and lengths of each pseudocount."""
    held, codes = _native.Texts(tuple(texts)), np.array(y, np.int32)
    given_words = table_of(known)
    words, *table = _native.tally_texts(held, 0, len(texts), codes, weight, classes, how, table_of(stop), given_words)
    known_words = None if how[-1] else words if known is None else given_words
    whole = (*how[:-2], False, how[-1])
    _, *read = _native.rows_of_texts(held, 0, len(texts), whole, table_of(stop), known_words)
    which = np.arange(len(texts)) if which is None else np.array(which, np.int64)
    out, lengths = np.full((len(which), len(pseudocounts), classes), np.nan), np.full(len(which), np.nan)
    rest = codes[which], None if weight is None else weight[which], np.array(pseudocounts)
    fixed = bool(how[-1]) or known is not None
    _native.odds_left_out(*read, which, how[-2], *table, *rest, minimum, fixed, out, lengths)
    return [(out[:, at], lengths) for at in range(len(pseudocounts))]


@pytest.mark.parametrize("how", READINGS.values(), ids=READINGS)
@settings(max_examples=25)
@given(
    rows=counted_texts,
    weighted=st.booleans(),
    stop=st.sampled_from([None, STOP]),
    known=st.sampled_from([None, KNOWN, []]),
    pseudocounts=st.sampled_from(SEVERAL),
)
def test_left_out_is_a_count_of_the_others(how, rows, weighted, stop, known, pseudocounts):
    texts, y, weight = ([row[at] for row in rows] for at in range(3))
    known = None if how[-1] else known
    of_rows = weight if weighted else [1.0] * len(rows)
    found = left_out(texts, y, np.array(weight) if weighted else None, 4, how, pseudocounts, stop, known)
    for count, scores in zip(pseudocounts, found, strict=True):
        close(scores, plain(texts, y, of_rows, 4, how, stop or (), known, (1.0, 1.0, count), 1))


@pytest.mark.parametrize("pseudocounts", [*SEVERAL, [1e-100, 1e100]], ids=str)
def test_long_texts(pseudocounts):
    """More tokens that count alike than one product can hold; and many that count otherwise."""
    rng = np.random.default_rng(2)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.3, size) % 400) for size in (0, 63, 64, 65, 300, 1000, 129, 500)]
    y, weight = [0, 1, 2, 0, 1, 2, 0, 1], [0.5, 1.0, 2.0, 0.0, 1.5, 1.0, 3.0, 0.25]
    how = reading((1, 2), sublinear=True, root=True)
    found = left_out(texts, y, np.array(weight), 3, how, pseudocounts)
    for count, scores in zip(pseudocounts, found, strict=True):
        close(scores, plain(texts, y, weight, 3, how, (), None, (1.0, 1.0, count), 1))


@pytest.mark.parametrize("heavy", [1e20, 1e90])
def test_heavy_texts(heavy):
    texts, y, weight = ["aa bb aa", "aa cc", "bb cc aa", "cc cc"], [0, 0, 1, 1], [heavy, 3 * heavy, heavy, 2 * heavy]
    found = left_out(texts, y, np.array(weight), 2, reading(sublinear=True), [0.01, 1.0])
    for count, scores in zip((0.01, 1.0), found, strict=True):
        close(scores, plain(texts, y, weight, 2, reading(sublinear=True), (), None, (1.0, 1.0, count), 1))


@pytest.mark.parametrize("minimum", [1.5, 2.0, 3.0])
def test_words_of_which_less_than_the_minimum_is_left_add_nothing(minimum):
    texts, y = ["aa bb", "aa aa", "cc bb", "bb aa cc"], [0, 1, 1, 0]
    ((scores, lengths),) = left_out(texts, y, None, 2, reading(), [0.3], minimum=minimum)
    close((scores, lengths), plain(texts, y, [1.0] * 4, 2, reading(), (), None, (1.0, 1.0, 0.3), minimum))


def test_some_rows_in_any_order():
    texts, y = ["aa bb", "aa aa", None, "cc bb", "bb aa cc"], [0, 1, 1, 1, 0]
    ((all_scores, all_lengths),) = left_out(texts, y, None, 2, reading(root=True), [0.3])
    for which in ([3, 0], [4, 4, 2], []):
        ((scores, lengths),) = left_out(texts, y, None, 2, reading(root=True), [0.3], which=which)
        np.testing.assert_array_equal(scores, all_scores[which])
        np.testing.assert_array_equal(lengths, all_lengths[which])


def test_words_of_which_nothing_was_counted_are_none():
    """As those of texts without weight, which are numbered all the same."""
    y, weight, found = np.array([0, 1, 0], np.int32), np.array([1.0, 2.0, 0.0]), []
    for last, size in (([3, 0], 4), ([0], 3)):  # the last text with a word of its own, or without it
        ids = np.array([0, 1, 0, 2, *last], np.int32)
        rows = np.array([0, 2, 4, len(ids)]), ids, np.ones(len(ids))
        table = _native.tally_rows(*rows, size, False, y, weight, 2)
        out, lengths = np.zeros((3, 1, 2)), np.zeros(3)
        rest = y, weight, np.array([0.5]), 1.0, False, out, lengths
        _native.odds_left_out(*rows, np.arange(3), False, *table, *rest)
        found.append(out)
    np.testing.assert_array_equal(*found)


# Arguments


@pytest.mark.parametrize("which", [[-1, 0], [0, 2], [0, 2**62], [-(2**63), 0]], ids=str)
def test_rows_that_are_not_there(which):
    with pytest.raises(ValueError, match=r"^there is no such row$"):
        call("odds_left_out", 3, np.array(which, np.int64))


@pytest.mark.parametrize("number", [0.0, -1.0, 1e-101, 1e101, np.nan, np.inf])
def test_numbers_that_are_no_pseudocount(number):
    with pytest.raises(ValueError, match=r"^a pseudocount is from 1e-100 to 1e100$"):
        call("odds_left_out", 10, np.array([number, 1.0]))


def test_five_counts_are_too_many_and_none_too_few():
    for count in (0, 5):
        with pytest.raises(ValueError, match=r"^(one to four pseudocounts are needed|the output does not fit)$"):
            call("odds_left_out", 10, np.ones(count))


def test_counts_that_are_too_large():
    with pytest.raises(ValueError, match=r"^the counts are too large$"):
        call("odds_left_out", 7, np.full(2, 1e100))
