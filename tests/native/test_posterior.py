"""The best class of each row, and scores normalised."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import good


def score_table(seed, rows, classes):
    rng = np.random.default_rng(seed)
    scores = rng.choice([-np.inf, -800.0, -2.0, -1.0, 0.0, 3.5], (rows, classes))
    prior = np.log(rng.dirichlet(np.ones(classes)))
    return scores, prior


@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 50]), st.integers(1, 40))
def test_best(seed, rows, classes):
    scores, prior = score_table(seed, rows, classes)
    codes = np.full(rows, -7, np.int64)
    _native.best(scores, prior, codes)
    expected = [max(range(classes), key=(prior if max(s) == -np.inf else s).__getitem__) for s in scores]
    assert codes.tolist() == expected


@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 50]), st.integers(1, 40), st.booleans())
def test_normalise(seed, rows, classes, log):
    scores, prior = score_table(seed, rows, classes)
    out = scores.copy()
    _native.normalise(out, prior, log)
    for before, after in zip(scores, out, strict=True):
        row = prior if max(before) == -np.inf else before
        top = max(row)
        total = top + math.log(math.fsum(math.exp(s - top) for s in row))
        expected = [s - total if log else math.exp(s - total) for s in row]
        assert_allclose(after, expected, rtol=1e-13, atol=1e-300 if not log else 1e-13)


@pytest.mark.parametrize("name", ["best", "normalise"])
def test_no_classes(name):
    arguments = good()[name]
    arguments[:2] = np.zeros((2, 0)), np.zeros(0)
    with pytest.raises(ValueError, match=r"^the scores do not fit$"):
        getattr(_native, name)(*arguments)
