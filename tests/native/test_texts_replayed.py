"""Scores of texts from those before them, against a count of these anew for every text."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import TOKENS_THAT_DO_NOT_FIT, call


def replayed(rows, y, growth, classes, size, pseudocount, past=None):
    starts = np.cumsum([0, *map(len, rows)])
    tokens = np.array([token for row in rows for token in row], np.int32)
    times = np.array([count for row in rows for count in row.values()], np.float64)
    out, lengths = np.full((len(rows), classes), np.nan), np.full(len(rows), np.nan)
    codes, growth = np.array(y, np.int32), np.array(growth, np.float64)
    past = _native.PastTexts(classes) if past is None else past
    _native.score_texts_replayed(starts, tokens, times, size, codes, growth, pseudocount, out, lengths, past)
    return out, lengths


def plain(rows, y, growth, classes, a):
    """The formula of `Text` with idf at scale 1, of the rows before each, which weigh what they do beside it."""
    out, lengths = np.zeros((len(rows), classes)), np.zeros(len(rows))
    for i, row in enumerate(rows):
        totals, texts = Counter(), Counter()
        for before, k, g in zip(rows[:i], y, growth, strict=False):
            texts[k] += g / growth[i]
            for token, x in before.items():
                totals[token, k] += g / growth[i] * x / math.sqrt(sum(before.values()))
        known = {token for token, _ in totals}
        n, tokens = sum(texts.values()), sum(totals.values())
        left = {}
        for token in row.keys() & known:
            had = min(n, sum(totals[token, k] for k in range(classes)) * tokens / n)
            left[token] = row[token] * (1 + math.log((1 + n) / (1 + had)))
        lengths[i] = math.sqrt(sum(z**2 for z in left.values()))
        for k in range(classes):
            if k not in texts:
                out[i, k] = -math.inf
                continue
            if not left:
                continue
            of_class = sum(n for (_, of), n in totals.items() if of == k)
            others = sum(n for (_, of), n in totals.items() if of != k)
            score = math.log((texts[k] + 0.5) / (sum(n for of, n in texts.items() if of != k) + 0.5))
            for token, x in left.items():
                beside = sum(totals[token, of] for of in range(classes) if of != k)
                score += x * math.log((totals[token, k] + a) / (of_class + a * len(known)))
                score -= x * math.log((beside + a) / (others + a * len(known)))
            out[i, k] = score / lengths[i]
    return out, lengths


rows_of_tokens = st.dictionaries(st.integers(0, 6), st.floats(1, 4), max_size=5)


@given(
    st.lists(st.tuples(rows_of_tokens, st.integers(0, 3), st.floats(1, 1.5)), max_size=9),
    st.sampled_from([0.003, 0.1, 1.0]),
)
@example([({0: 1.0}, 1, 1.0), ({}, 0, 1.0), ({0: 2.0, 1: 1.0}, 1, 1.0)], 0.01)
@settings(max_examples=100, deadline=None)
def test_each_text_is_scored_by_those_before_it(history, pseudocount):
    rows, y = [row for row, _, _ in history], [k for _, k, _ in history]
    growth = np.cumprod([g for _, _, g in history])
    scores, lengths = replayed(rows, y, growth, 4, 7, pseudocount)
    expected, expected_lengths = plain(rows, y, growth.tolist(), 4, pseudocount)
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(lengths, expected_lengths, rtol=1e-12)


def test_rows_that_follow_others_are_scored_by_these_too():
    """And by words that were not there before."""
    rows, y, growth = [{0: 1.0}, {1: 2.0}, {0: 1.0, 1: 1.0}, {2: 1.0, 0: 1.0}], [0, 1, 1, 0], [1.0, 1.5, 2.0, 2.5]
    whole, lengths = replayed(rows, y, growth, 2, 3, 0.1)
    past = _native.PastTexts(2)
    first, of_first = replayed(rows[:2], y[:2], growth[:2], 2, 2, 0.1, past)
    then, of_then = replayed(rows[2:], y[2:], growth[2:], 2, 3, 0.1, past)
    np.testing.assert_array_equal(whole, np.concatenate([first, then]))
    np.testing.assert_array_equal(lengths, np.concatenate([of_first, of_then]))
    for classes, size in ((3, 3), (2, 2)):
        with pytest.raises(ValueError, match="what was counted does not fit"):
            replayed([], [], [], classes, size, 0.1, past)


@pytest.mark.parametrize(("at", "value"), [*TOKENS_THAT_DO_NOT_FIT, (4, np.array([0, 2], np.int32)), (6, 0.0)])
def test_what_does_not_fit_is_refused(at, value):
    with pytest.raises(ValueError, match=r"fit|order|range|above 0"):
        call("score_texts_replayed", at, value)
