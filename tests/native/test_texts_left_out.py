"""Scores of texts as if each had never been counted, against a count of the others in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import call, numbered, reading
from .test_tally import plain_tally
from .test_text import KNOWN, READINGS, STOP, counts_of, lists_of_texts, numbers_of, some_texts, table_of

EVENTS = {
    "odds": (1.0, 1.0, 0.01),
    "multinomial": (1.0, 0.0, 1.0),
    "complement": (0.0, 1.0, 0.3),
    "parts of both": (0.5, 2.0, 0.7),
    "multinomial, no pseudocount": (1.0, 0.0, 0.0),
    "complement, no pseudocount": (0.0, 1.0, 0.0),
}
every_event = pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
every_reading = pytest.mark.parametrize("how", READINGS.values(), ids=READINGS)

# What the answer is


def log(x):
    return math.log(x) if x > 0 else -math.inf


def of_token(totals, token, k, classes, size, event):
    """What a token of which something is left tells of a class."""
    own, others, a = event
    here, of_class = totals.get((token, k), 0.0), sum(n for (_, of), n in totals.items() if of == k)
    elsewhere = sum(totals.get((token, of), 0.0) for of in range(classes) if of != k)
    outside = sum(n for (_, of), n in totals.items() if of != k)
    told = 0.0
    if own:
        told += own * (log(here + a) - (log(of_class + a * size) if of_class + a * size > 0 else 0.0))
    if others:
        told -= others * (log(elsewhere + a) - (log(outside + a * size) if outside + a * size > 0 else 0.0))
    return told


def plain(texts, y, weight, classes, how, stop, known, event, minimum):
    """Scores and lengths, the others counted anew for every text."""
    scores, lengths = np.zeros((len(texts), classes)), np.zeros(len(texts))
    whole = (*how[:-2], False, how[-1])  # as it is, and not as its root
    for row, text in enumerate(texts):
        others = [i for i in range(len(texts)) if i != row]
        totals = plain_tally(*([part[i] for i in others] for part in (texts, y, weight)), how, stop, known)
        left = {token for token, _ in totals}
        in_all = {token: sum(totals.get((token, k), 0.0) for k in range(classes)) for token in left}
        fixed = range(how[-1]) if how[-1] else known
        size = len(left) if fixed is None else len(fixed)
        counts = counts_of(numbers_of(text, how, stop, known), whole)
        counts = {token: x for token, x in counts.items() if fixed is not None or token in left}
        if minimum > 1:
            counts = {token: x for token, x in counts.items() if in_all.get(token, 0.0) >= minimum}
        if not counts:
            continue
        share = 1 / math.sqrt(sum(counts.values())) if how[-2] else 1.0
        lengths[row] = share * sum(counts.values())
        for k in range(classes):
            scores[row, k] = sum(
                share * x * of_token(totals, token, k, classes, size, event) for token, x in counts.items()
            )
    return scores, lengths


# What the kernel says


def left_out(texts, y, weight, classes, how, stop, known, event, minimum, part=None, start=0.0):
    held, codes = _native.Texts(tuple(texts)), np.array(y, np.int32)
    given = table_of(known)
    words, *table = _native.tally_texts(held, 0, len(texts), codes, weight, classes, how, table_of(stop), given)
    a, b = part or (0, len(texts))
    found = np.full((b - a, classes), start), np.full(b - a, np.nan)
    known_words = None if how[-1] else words if known is None else given
    rest = codes[a:b], None if weight is None else weight[a:b], event, minimum, bool(how[-1]) or known is not None
    _native.score_texts_left_out(held, a, b, how, table_of(stop), known_words, *table, *rest, *found)
    return found


def close(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert not np.isnan(one).any()
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


counted_texts = st.lists(
    st.tuples(some_texts, st.integers(0, 3), st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])), max_size=6
)


@every_reading
@every_event
@settings(max_examples=10)
@given(counted_texts, st.booleans(), st.sampled_from([None, STOP]), st.sampled_from([None, KNOWN, []]))
def test_left_out_is_a_count_of_the_others(how, event, rows, weighted, stop, known):
    texts, y, weight = ([row[at] for row in rows] for at in range(3))
    known = None if how[-1] else known
    given = np.array(weight) if weighted else None
    expected = plain(texts, y, weight if weighted else [1.0] * len(rows), 4, how, stop or (), known, event, 1)
    close(left_out(texts, y, given, 4, how, stop, known, event, 1.0), expected)
    begun, _ = left_out(texts, y, given, 4, how, stop, known, event, 1.0, start=-1.5)
    close([begun + 1.5], expected[:1])


@every_event
@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(st.lists(st.sampled_from(["aa", "bb", "cc"]), max_size=5), st.integers(0, 2)), max_size=7),
    how=st.sampled_from([reading(), reading(binary=True), reading(sublinear=True), reading(root=True)]),
    minimum=st.sampled_from([1.0, 1.5, 2.0, 3.0]),
)
def test_of_what_less_than_the_minimum_is_left_nothing_is_told(event, rows, how, minimum):
    texts, y = [" ".join(words) for words, _ in rows], [k for _, k in rows]
    expected = plain(texts, y, [1.0] * len(rows), 3, how, (), None, event, minimum)
    close(left_out(texts, y, None, 3, how, None, None, event, minimum), expected)


@every_event
@pytest.mark.parametrize("minimum", [2.0, 3.0])
@pytest.mark.parametrize("how", [reading(), reading(hashing=3)], ids=["words given", "buckets"])
def test_what_is_fixed_is_known_however_little_is_left(event, minimum, how):
    texts, y, known = ["aa bb", "aa aa", "cc", "bb aa"], [0, 1, 1, 0], None if how[-1] else ["aa", "bb", "cc", "dd"]
    expected = plain(texts, y, [1.0] * 4, 2, how, (), known, event, 1)
    close(left_out(texts, y, None, 2, how, None, known, event, minimum), expected)


@every_event
def test_long_texts(event):
    """Tokens are taken 64 at a time."""
    rng = np.random.default_rng(2)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.3, size) % 400) for size in (0, 63, 64, 65, 300, 1000, 129, 500)]
    y, weight = [0, 1, 2, 0, 1, 2, 0, 1], [0.5, 1.0, 2.0, 0.0, 1.5, 1.0, 3.0, 0.25]
    for how in (reading(), reading((1, 2), sublinear=True, root=True)):
        expected = plain(texts, y, weight, 3, how, (), None, event, 1)
        close(left_out(texts, y, np.array(weight), 3, how, None, None, event, 1.0), expected)


@given(lists_of_texts, st.data())
def test_a_part_of_the_texts(texts, data):
    a = data.draw(st.integers(0, len(texts)))
    b = data.draw(st.integers(a, len(texts)))
    y, how = [i % 3 for i in range(len(texts))], reading(sublinear=True, root=True)
    whole = left_out(texts, y, np.arange(len(texts)) / 4, 3, how, None, None, EVENTS["odds"], 1.0)
    part = left_out(texts, y, np.arange(len(texts)) / 4, 3, how, None, None, EVENTS["odds"], 1.0, (a, b))
    for one, other in zip(part, whole, strict=True):
        np.testing.assert_array_equal(one, other[a:b])


@every_event
@given(lists_of_texts, st.integers(0, 2**32))
@example(["ab ab ab", "the", None], 0)
def test_texts_that_were_never_counted_take_no_more_than_there_is(event, texts, seed):
    """Though their scores mean nothing, they are some."""
    rng = np.random.default_rng(seed)
    seen = rng.random((len(KNOWN), 3)) < 0.6
    starts, at = np.concatenate([[0], np.cumsum(seen.sum(axis=1))]), np.nonzero(seen)[1].astype(np.int32)
    out, lengths = np.zeros((len(texts), 3)), np.full(len(texts), np.nan)
    _native.score_texts_left_out(
        *(
            _native.Texts(tuple(texts)),
            0,
            len(texts),
            reading(),
            None,
            numbered(KNOWN),
            starts,
            at,
            rng.random(len(at)),
        ),
        *(rng.integers(0, 3, len(texts)).astype(np.int32), None, event, 1.0, bool(seed % 2), out, lengths),
    )
    assert not np.isnan(out).any()
    assert (lengths >= 0).all()


# Arguments


@pytest.mark.parametrize(
    "starts", [[0, 2, 1], [0, -1, 2], [-1, 1, 2], [0, 1, 3], [0, 3, 2], [1, 1, 1], [0, 1], []], ids=str
)
def test_a_table_that_does_not_fit(starts):
    with pytest.raises(ValueError, match=r"^the table (does not fit|is not in order)"):
        call("score_texts_left_out", 6, np.array(starts, np.int64))


@pytest.mark.parametrize("code", [-1, 2, 2**31 - 1])
def test_totals_of_classes_that_are_not_there(code):
    with pytest.raises(ValueError, match=r"^a class code is out of range$"):
        call("score_texts_left_out", 7, np.array([0, code], np.int32))


def test_words_or_buckets_are_needed():
    with pytest.raises(ValueError, match=r"^words or buckets are needed$"):
        call("score_texts_left_out", 5, None)


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_outputs_for_other_texts(rows):
    for at, wrong in ((14, np.zeros((rows, 2))), (15, np.zeros(rows))):
        with pytest.raises(ValueError, match=r"^the output does not fit$"):
            call("score_texts_left_out", at, wrong)


@pytest.mark.parametrize("wrong", [(1.0, 1.0), (1.0, 1.0, 1.0, 1.0), (1.0, "a", 1.0), (None, 1.0, 1.0)], ids=str)
def test_what_is_no_event(wrong):
    with pytest.raises(TypeError):
        call("score_texts_left_out", 11, wrong)
