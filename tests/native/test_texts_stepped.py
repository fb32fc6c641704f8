"""Steps of logistic regression, against the same in plain numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import TOKENS_THAT_DO_NOT_FIT, call

SIZE, CLASSES = 6, 3


def plain(rows, y, scores, weights, rate, least):
    scores, weights = scores.copy(), weights.astype(np.float64)
    for row, own, score in zip(rows, y, scores, strict=True):
        x = np.zeros(SIZE)
        x[list(row)] = list(row.values())
        score += x @ weights[:, 0]
        if rate and np.isfinite(score[own]):
            p = np.exp(score - score.max())
            slope = p / p.sum() - (np.arange(CLASSES) == own)
            slopes = np.outer(x, np.where(np.abs(slope) > least, slope, 0.0))
            weights[:, 1] += slopes**2
            weights[:, 0] -= rate * slopes / np.sqrt(1 + weights[:, 1])
    return scores, weights


texts = st.dictionaries(st.integers(0, SIZE - 1), st.floats(0.1, 3), max_size=4)
score = st.one_of(st.just(-np.inf), st.floats(-5, 5))


@given(
    st.lists(st.tuples(texts, st.integers(0, CLASSES - 1), st.tuples(score, score, score)), max_size=8),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.sampled_from([0.0, 0.1]),
)
@settings(max_examples=100, deadline=None)
def test_each_text_is_a_step(history, rate, least):
    rows, y = [row for row, _, _ in history], [own for _, own, _ in history]
    scores = np.array([told for _, _, told in history]).reshape(-1, CLASSES)
    weights = np.linspace(-1, 1, SIZE * 2 * CLASSES, dtype=np.float32).reshape(SIZE, 2, CLASSES)
    weights[:, 1] **= 2
    expected = plain(rows, y, scores, weights, rate, least)
    starts = np.cumsum([0, *map(len, rows)])
    tokens = np.array([token for row in rows for token in row], np.int32)
    times = np.array([x for row in rows for x in row.values()], np.float64)
    _native.step_texts(starts, tokens, times, np.array(y, np.int32), rate, least, weights, scores)
    np.testing.assert_allclose(scores, expected[0], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(weights, expected[1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("at", "value"), [*TOKENS_THAT_DO_NOT_FIT, (3, np.array([0, 2], np.int32))])
def test_what_does_not_fit_is_refused(at, value):
    with pytest.raises(ValueError, match=r"fit|order|range|class"):
        call("step_texts", at, value)
