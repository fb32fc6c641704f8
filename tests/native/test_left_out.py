"""Gaussian scores of each row as if it had never been counted."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native
from likely.families import Block, Gaussian
from likely.families.family import Observations
from likely.priors import NormalInverseGamma
from likely.statistics import Frame

from .kernels import block, codes_for, exact_moments, moments, present


def left_out_log_density(x, y, weight, row, column, of_class, prior):
    """Of one cell for a class: moments of the other rows, the prior as pseudo-rows, all by loops."""
    prior_mean, mean_rows, prior_variance, variance_rows, mode = prior
    left = np.ones(len(x)) if weight is None else weight.copy()
    left[row] = 0
    n, mean, m2 = (table[0, 0] for table in exact_moments(x[:, [column]], np.where(y == of_class, 0, 1), 2, left))
    rows, variance_weight = mean_rows + n, variance_rows + n
    centre = (mean_rows * prior_mean + n * mean) / rows if rows else prior_mean
    shift = mean_rows * n / rows * (mean - prior_mean) ** 2 if rows else 0.0
    variance = (variance_rows * prior_variance + m2 + shift) / (variance_weight + (5 if mode else 0))
    return -0.5 * math.log(2 * math.pi * variance) - (x[row, column] - centre) ** 2 / (2 * variance)


@given(
    st.integers(0, 2**32),
    st.integers(1, 12),
    st.integers(1, 3),
    st.integers(1, 5),
    st.booleans(),
    st.tuples(st.floats(-5, 5), st.sampled_from([0.0, 0.5, 2.0]), st.floats(0.5, 9), st.floats(0.5, 9), st.booleans()),
)
def test_left_out_gaussian(seed, rows, columns, classes, weighted, prior):
    x, y = block(seed, rows, columns, "f8"), codes_for(seed, rows, classes)
    weight = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], rows) if weighted else None
    _, n, mean, m2 = moments(x, y, classes, weight)
    own, scores = np.zeros((rows, columns)), np.zeros((rows, classes))
    assert _native.left_out_gaussian(x, y, weight, n, mean, m2, prior, own) == -1
    cells, times = np.zeros((rows, classes, columns)), np.random.default_rng(seed).choice([0.0, 0.5, 2.0], columns)
    assert _native.left_out_gaussian_cells(x, y, weight, n, mean, m2, prior, cells) == -1
    assert _native.score_left_out_gaussian(x, y, weight, n, mean, m2, prior, times, scores) == -1
    expected = np.zeros((rows, columns, classes))
    for i, j in np.argwhere(present(x)):
        for k in range(classes):
            expected[i, j, k] = left_out_log_density(x, y, weight, i, j, k, prior)
    assert_allclose(own, expected[np.arange(rows), :, y], rtol=1e-9, atol=1e-9)
    assert_allclose(cells, expected.transpose(0, 2, 1), rtol=1e-9, atol=1e-9)
    assert_allclose(scores, times @ expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variance_rows", [0.0, 1.0, 40.0])
@pytest.mark.parametrize("place", [0.0, 1e6])
def test_rows_that_change_little(variance_rows, place):
    """The short cut for a row that is one of many, against a count without it; with outliers and a small class. Of
    numbers about 1e6 with a spread of 1e-3, rounding leaves seven digits."""
    rng = np.random.default_rng(3)
    y = rng.choice(4, 900, p=[0.6, 0.3, 0.09, 0.01]).astype(np.int32)
    x = place + rng.standard_t(2, (900, 3)) * [1, 50, 1e-3] + y[:, None]
    prior = (math.nan, 0.0, math.nan, variance_rows, False)
    _, n, mean, m2 = moments(x, y, 4, None)
    scores, family = np.zeros((900, 4)), Gaussian(NormalInverseGamma(variance_rows=variance_rows))
    assert _native.score_left_out_gaussian(x, y, None, n, mean, m2, prior, None, scores) == -1
    for i in [*range(0, 900, 30), *np.abs(x - x.mean(axis=0)).argmax(axis=0), *np.flatnonzero(y == 3)]:
        others, expected = np.arange(900) != i, np.zeros((1, 4))
        frame = Frame(range(3))
        statistics = family.count(Observations(x[others], y[others], 4), frame)
        family.score(Block(family, range(3), frame, None, statistics).parameters, x[[i]], expected)
        assert_allclose(scores[i], expected[0], rtol=1e-9, atol=1e-9 * max(1, place**0.5))
