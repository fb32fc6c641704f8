"""Gaussian scores of each row as if it had never been counted."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import block, codes_for, exact_moments, moments, present


def left_out_log_density(x, y, weight, row, column, of_class, prior):
    """Of one cell for a class: moments of the other rows, the prior as rows imagined, all by loops."""
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
    assert _native.score_left_out_gaussian(x, y, weight, n, mean, m2, prior, scores) == -1
    expected = np.zeros((rows, columns, classes))
    for i, j in np.argwhere(present(x)):
        for k in range(classes):
            expected[i, j, k] = left_out_log_density(x, y, weight, i, j, k, prior)
    assert_allclose(own, expected[np.arange(rows), :, y], rtol=1e-9, atol=1e-9)
    assert_allclose(scores, expected.sum(axis=1), rtol=1e-9, atol=1e-9)
