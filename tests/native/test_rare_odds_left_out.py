"""Log odds of texts left out, with rare words weighed more, against a count of the others in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import call, reading
from .test_tally import plain_tally
from .test_text import KNOWN, STOP, counts_of, numbers_of, table_of
from .test_texts_left_out import close, counted_texts, of_token

READINGS = {
    "words": reading(sublinear=True, root=True),
    "pairs too": reading((1, 2), sublinear=True, root=True),
    "buckets": reading(hashing=3, root=True),
}


def plain(texts, y, weight, classes, how, stop, known, a):
    """Scores and lengths, the others counted anew for every text."""
    scores, lengths = np.zeros((len(texts), classes)), np.zeros(len(texts))
    whole = (*how[:-2], False, how[-1])
    for row, text in enumerate(texts):
        others = [i for i in range(len(texts)) if i != row]
        n = sum(weight[i] for i in others)
        totals = plain_tally(*([part[i] for i in others] for part in (texts, y, weight)), how, stop, known)
        left = {token for token, _ in totals}
        fixed = range(how[-1]) if how[-1] else known
        size = len(left) if fixed is None else len(fixed)
        counts = counts_of(numbers_of(text, how, stop, known), whole)
        z = {}
        for token, x in counts.items():
            if fixed is not None or token in left:
                of_word = sum(totals.get((token, k), 0.0) for k in range(classes))
                had = min(n, of_word * sum(totals.values()) / n) if n else 0.0
                z[token] = x * (1 + math.log((1 + n) / (1 + had)))
        if not z:
            continue
        lengths[row] = math.sqrt(sum(x * x for x in z.values()))
        for k in range(classes):
            total = sum(x * of_token(totals, token, k, classes, size, (1.0, 1.0, a)) for token, x in z.items())
            scores[row, k] = total / lengths[row]
    return scores, lengths


def left_out(texts, y, weight, classes, how, stop, known, pseudocounts):
    held, codes = _native.Texts(tuple(texts)), np.array(y, np.int32)
    given_words = table_of(known)
    words, *table = _native.tally_texts(held, 0, len(texts), codes, weight, classes, how, table_of(stop), given_words)
    known_words = None if how[-1] else words if known is None else given_words
    whole = (*how[:-2], False, how[-1])
    _, *read = _native.rows_of_texts(held, 0, len(texts), whole, table_of(stop), known_words)
    n = len(texts) if weight is None else weight.sum()
    out, lengths = np.full((len(texts), len(pseudocounts), classes), np.nan), np.full(len(texts), np.nan)
    rest = codes, weight, np.array(pseudocounts), 1.0, bool(how[-1]) or known is not None
    _native.rare_odds_left_out(*read, np.arange(len(texts)), float(n), *table, *rest, out, lengths)
    return [(out[:, at], lengths) for at in range(len(pseudocounts))]


@pytest.mark.parametrize("how", READINGS.values(), ids=READINGS)
@settings(max_examples=40)
@given(
    rows=counted_texts,
    weighted=st.booleans(),
    known=st.sampled_from([None, KNOWN, []]),
    pseudocounts=st.sampled_from([[0.01], [0.5, 2.0, 1e-3, 30.0]]),
)
def test_left_out_is_a_count_of_the_others(how, rows, weighted, known, pseudocounts):
    texts, y, weight = ([row[at] for row in rows] for at in range(3))
    known = None if how[-1] else known
    of_rows = weight if weighted else [1.0] * len(rows)
    found = left_out(texts, y, np.array(weight) if weighted else None, 4, how, STOP, known, pseudocounts)
    for count, scores in zip(pseudocounts, found, strict=True):
        close(scores, plain(texts, y, of_rows, 4, how, STOP, known, count))


@pytest.mark.parametrize("pseudocounts", [[0.0], [1e-101], [1e101], [np.nan], [], [1.0] * 5], ids=str)
def test_pseudocounts_that_do_not_fit(pseudocounts):
    with pytest.raises(ValueError, match=r"pseudocount|output does not fit"):
        call("rare_odds_left_out", 10, np.array(pseudocounts))


def test_counts_that_are_too_large():
    with pytest.raises(ValueError, match="too large"):
        call("rare_odds_left_out", 7, np.full(2, 1e140))
