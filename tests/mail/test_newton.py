"""Minima, beside scipy's."""

import numpy as np
import pytest
from scipy.optimize import minimize

from likely.mail.newton import least

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
TARGET = (X @ [1.0, -2.0, 0.5] + RNG.logistic(size=200) > 0).astype(float)


def loss(w):
    odds = X @ w
    return float((np.logaddexp(0, odds) - TARGET * odds).sum() + 0.5 * w @ w)


def slopes(w):
    p = 1 / (1 + np.exp(-(X @ w)))
    return X.T @ (p - TARGET) + w, (X * (p * (1 - p))[:, None]).T @ X + np.eye(3)


@pytest.mark.parametrize("start", [0.0, 3.0, -20.0])
def test_it_is_the_least_there_is(start):
    found = least(loss, slopes, np.full(3, start))
    assert found == pytest.approx(minimize(loss, np.zeros(3), tol=1e-10).x, abs=1e-4)


def test_it_stays_where_no_step_gains():
    there = least(loss, slopes, np.zeros(3))
    assert (least(loss, slopes, there) == there).all()
