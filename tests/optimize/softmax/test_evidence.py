"""Minima of few unknowns that all classes share, compared with scipy's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import logsumexp

from likely.optimize.softmax.evidence import evidence_pass, least

RNG = np.random.default_rng(0)
EVIDENCE = RNG.normal(size=(200, 4, 3))
OFFSET, WEIGHT = RNG.normal(size=(200, 4)), RNG.random(200) + 0.5
Y = np.argmax(OFFSET + EVIDENCE @ [1.0, -2.0, 0.5] + RNG.gumbel(size=(200, 4)), axis=1).astype(np.int32)
RIDGE, TOWARDS = np.diag([0.5, 1.0, 2.0]) + 0.1, np.array([0.3, 0.0, -0.2])


def loss(scale):
    z = OFFSET + EVIDENCE @ scale
    return float(WEIGHT @ (logsumexp(z, axis=1) - z[np.arange(200), Y]))


def value(u, scale):
    return loss(scale) + (u - TOWARDS) @ RIDGE @ (u - TOWARDS) / 2


PASSED = evidence_pass(EVIDENCE, Y, OFFSET, WEIGHT)


@pytest.mark.parametrize("start", [0.0, 3.0, -20.0])
def test_it_is_the_least_there_is(start):
    found, reached = least(PASSED, RIDGE, TOWARDS, start=np.full(3, start))
    best = minimize(lambda u: value(u, u), np.zeros(3), tol=1e-10)
    assert_allclose(found, best.x, atol=1e-4)
    assert_allclose(reached, best.fun, rtol=1e-7)


@pytest.mark.parametrize("start", [0.0, 2.0, -5.0])
def test_scales_by_their_logs(start):
    found, _ = least(PASSED, RIDGE, TOWARDS, start=np.full(3, start), logs=True)
    assert (found > 0).all()
    assert_allclose(np.log(found), minimize(lambda u: value(u, np.exp(u)), np.zeros(3), tol=1e-10).x, atol=1e-3)


def test_bounds():
    found, _ = least(PASSED, RIDGE, np.ones(3), low=0.0)

    def objective(u):
        return loss(u) + (u - 1) @ RIDGE @ (u - 1) / 2

    best = minimize(objective, np.ones(3), bounds=[(0, None)] * 3, tol=1e-12).x
    assert found[1] == 0
    assert_allclose(found, best, atol=1e-4)


def test_smoothing_takes_a_row_of_n_and_two_to_be_of_another_class():
    passed = evidence_pass(EVIDENCE, Y, None, WEIGHT, smooth=True)
    target = np.full((200, 4), 1 / 202 / 3)
    target[np.arange(200), Y] = 1 - 1 / 202

    def smoothed(u):
        z = EVIDENCE @ u
        return float(WEIGHT @ (logsumexp(z, axis=1) - (target * z).sum(axis=1))) + u @ u / 2

    assert_allclose(passed(TOWARDS)[0] + TOWARDS @ TOWARDS / 2, smoothed(TOWARDS), rtol=1e-12)
    assert_allclose(least(passed, np.eye(3), np.zeros(3))[0], minimize(smoothed, np.zeros(3), tol=1e-10).x, atol=1e-4)


def test_it_stays_where_no_step_gains():
    there = least(PASSED, RIDGE, TOWARDS)[0]
    assert_allclose(least(PASSED, RIDGE, TOWARDS, start=there)[0], there, rtol=1e-9)


def test_without_rows_it_is_what_the_ridge_is_towards():
    passed = evidence_pass(EVIDENCE[:0], Y[:0], smooth=True)
    assert_allclose(least(passed, RIDGE, TOWARDS)[0], TOWARDS)
