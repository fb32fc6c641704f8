"""Counts of tokens by class, as plain Python counts them."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from .kernels import reading
from .test_text import KNOWN, STOP, every_reading, labels, lists_of_texts, plain_rows, table_of


def plain_tally(texts, y, weight, *how_stop_known):
    totals = defaultdict(float)
    for row, k, w in zip(plain_rows(texts, *how_stop_known), y, weight, strict=True):
        for token, n in row.items():
            if w:
                totals[token, k] += w * n
    return dict(totals)


def tally(texts, y, weight, classes, how, stop=None, known=None):
    words, starts, at, totals = _native.tally_texts(
        texts, 0, len(texts), np.array(y, np.int32), weight, classes, how, table_of(stop), table_of(known)
    )
    named = labels(words, how, known)
    assert (starts[0], starts[-1], len(starts)) == (0, len(at), len(named) + 1)
    found = {}
    for word, (a, b) in zip(named, pairwise(starts), strict=True):
        assert np.all(np.diff(at[a:b]) > 0)
        found |= {(word, int(k)): total for k, total in zip(at[a:b], totals[a:b], strict=True)}
    return found


@every_reading
@given(lists_of_texts, st.sampled_from([None, STOP]), st.sampled_from([None, KNOWN, []]), st.data())
def test_tallies_are_counters(how, texts, stop, known, data):
    """Of more classes than there are texts, too."""
    classes = data.draw(st.integers(1, 12))
    y = data.draw(st.lists(st.integers(0, classes - 1), min_size=len(texts), max_size=len(texts)))
    weights = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=len(texts), max_size=len(texts))
    weight = data.draw(st.none() | weights)
    made = None if weight is None else np.array(weight)
    found = tally(_native.Texts(tuple(texts)), y, made, classes, how, stop, known)
    expected = plain_tally(texts, y, [1.0] * len(texts) if weight is None else weight, how, stop or (), known)
    assert found == pytest.approx(expected, rel=1e-14)


def test_words_of_texts_that_weigh_nothing_are_not_kept():
    texts = _native.Texts(("ab cd", "cd ef"))
    words, *_ = _native.tally_texts(texts, 0, 2, np.zeros(2, np.int32), np.array([0.0, 1.0]), 1, reading(), None, None)
    assert labels(words, reading()) == ["cd", "ef"]
