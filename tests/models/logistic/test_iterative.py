"""The iterative solver by itself: no slope at its point, the gap that was asked for, whatever its start."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.models.logistic import iterative
from likely.models.logistic.rows import Dense

from .problems import drawn, objective


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_the_objective_has_no_slope_where_it_ends(classes, penalty):
    x, y = drawn(5, 300, 6, classes)
    outputs = 1 if classes == 2 else classes
    centre = np.random.default_rng(0).normal(size=(6, outputs))
    found = iterative.solve(Dense(x, y, classes), penalty, centre, None, 1e-12)
    assert 0 <= found.gap <= 1e-12 * max(found.value, 0.3)
    at = penalty * objective(x, y, found.weights.T, found.bias, 1 / penalty, centre=centre.T)
    assert_allclose(found.value, at, rtol=1e-10)
    for step in np.random.default_rng(1).normal(size=(5, outputs, 6)) * 1e-4:
        near = penalty * objective(x, y, found.weights.T + step, found.bias, 1 / penalty, centre=centre.T)
        assert near > at


def test_the_start_does_not_matter():
    x, y = drawn(6, 200, 5, 3)
    rows, zero = Dense(x, y, 3), np.zeros((5, 3))
    here = iterative.solve(rows, 1.0, zero, None, 1e-12)
    there = iterative.solve(rows, 1.0, zero, (np.full((5, 3), 2.0), np.array([1.0, -1.0, 0.0])), 1e-12)
    assert_allclose(here.weights, there.weights, atol=1e-5)
    assert_allclose(here.value, there.value, rtol=1e-11)
