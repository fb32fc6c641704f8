"""Gaussian scores, and scores linear in a cell."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import CLASSES, block, call, codes_for, present, problems


def parameters(seed, classes, columns, number=3):
    return np.random.default_rng(seed + 3).normal(size=(number, classes, columns))


@given(problems)
def test_score_gaussian(problem):
    seed, rows, columns, dtype, layout, classes, _ = problem
    x = block(seed, rows, columns, dtype, layout)
    mean, rate, constant = parameters(seed, classes, columns)
    out = np.ones((rows, classes))
    assert _native.score_gaussian(x, mean, rate, constant, out) == -1
    cells = constant - ((x.astype(float)[:, None, :] - mean) * rate) ** 2
    expected = 1 + np.where(present(x)[:, None, :], cells, 0).sum(axis=2)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("columns", [1, 3])
def test_scores_of_every_number_of_classes(classes, columns):
    x = np.random.default_rng(classes).integers(0, 2, (5, columns)).astype(float)
    mean, rate, constant = parameters(classes, classes, columns)
    gaussian, linear = np.zeros((2, 5, classes))
    _native.score_gaussian(x, mean, rate, constant, gaussian)
    _native.score_linear(x, _native.BINARY, mean, rate, np.zeros_like(mean), None, linear)
    for k in range(classes):
        assert_allclose(
            gaussian[:, k], (constant[k] - ((x - mean[k]) * rate[k]) ** 2).sum(axis=1), rtol=1e-12, atol=1e-12
        )
        assert_allclose(linear[:, k], np.where(x == 0, mean[k], rate[k]).sum(axis=1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("columns", [300, 2047, 2048, 2049, 5000])
def test_scores_of_many_columns(columns):
    x = block(0, 5, columns, "f8")
    mean, rate, constant = parameters(0, 3, columns) / 50
    out = np.zeros((5, 3))
    assert _native.score_gaussian(x, mean, rate, constant, out) == -1
    cells = constant - ((x[:, None, :] - mean) * rate) ** 2
    assert_allclose(out, np.nansum(cells, axis=2), rtol=1e-12)


def linear_cell(x, zero, one, slope, factorial):
    """What one cell adds, by the definition of the kernel."""
    if x != x:
        return 0.0
    if x == 0:
        return zero
    return one + (slope * x if slope else 0.0) - (0.75 * math.lgamma(x + 1) if factorial else 0.0)


@given(problems, st.sampled_from(["poisson", "bernoulli", "multinomial"]), st.booleans())
def test_score_linear(problem, family, impossible):
    seed, rows, columns, dtype, layout, classes, _ = problem
    rows = min(rows, 40)
    x = block(seed, rows, columns, dtype, layout, 0, 2 if family == "bernoulli" else 100)
    zero, one, slope = parameters(seed, classes, columns)
    kind, factorial = _native.COUNT, False
    if family == "bernoulli":
        kind, slope = _native.BINARY, np.zeros_like(zero)
        if impossible:
            zero[0, 0], one[-1, -1] = -np.inf, -np.inf
    elif family == "poisson":
        factorial, one = True, zero
        if impossible:
            slope[0, 0] = -np.inf
    else:
        kind, zero, one = _native.NON_NEGATIVE, np.zeros_like(zero), np.zeros_like(zero)
        if impossible:
            slope[0, 0] = -np.inf
    out = np.zeros((rows, classes))
    assert _native.score_linear(x, kind, zero, one, slope, np.full(columns, 0.75) if factorial else None, out) == -1
    expected = [
        [
            sum(linear_cell(float(x[i, j]), zero[k, j], one[k, j], slope[k, j], factorial) for j in range(columns))
            for k in range(classes)
        ]
        for i in range(rows)
    ]
    assert_allclose(out, np.reshape(expected, (rows, classes)), rtol=1e-11, atol=1e-10)


@given(problems, st.integers(1, 4))
def test_score_gaussian_by_is_each_row_by_its_own_parameters(problem, sets):
    seed, rows, columns, dtype, layout, classes, _ = problem
    x, which = block(seed, rows, columns, dtype, layout), codes_for(seed, rows, sets)
    given_ = [np.array([parameters(seed + g, classes, columns)[at] for g in range(sets)]) for at in range(3)]
    out, expected = np.full((rows, classes), 0.5), np.full((rows, classes), 0.5)
    assert _native.score_gaussian_by(x, which, *given_, out) == -1
    for i in range(rows):
        _native.score_gaussian(x[i : i + 1], *(tables[which[i]] for tables in given_), expected[i : i + 1])
    assert_allclose(out, expected, rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("x", [0, 1, 2, 10, 170, 254, 255, 256, 257, 1000, 10**6, 10**12, 2**53])
def test_log_factorial(x):
    zero = np.zeros((1, 1))
    out = np.zeros((1, 1))
    _native.score_linear(np.array([[float(x)]]), _native.COUNT, zero, zero, zero, np.ones(1), out)
    assert_allclose(-out[0, 0], math.lgamma(x + 1), rtol=1e-14, atol=0)


def test_factorials_of_what_is_no_count():
    with pytest.raises(ValueError, match=r"^only counts have factorials$"):
        call("score_linear", 1, _native.NON_NEGATIVE)
