"""Rows and classes to learn from, and the objective by its formula."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.models.logistic.rows import Dense


def drawn(seed, rows, columns, classes, spread=1.0):
    """Classes that the columns tell of, none of them empty."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns))
    weights = rng.normal(size=(columns, classes)) * spread / np.sqrt(columns)
    y = np.argmax(x @ weights + rng.gumbel(size=(rows, classes)), axis=1).astype(np.int32)
    y[: min(rows, classes)] = np.arange(min(rows, classes))
    return x, y


def objective(x, y, weights, bias, c, weight=None, centre=0.0):
    x = x.toarray() if sp.issparse(x) else np.asarray(x, float)
    z = x @ weights.T + bias
    z = np.hstack([np.zeros_like(z), z]) if z.shape[1] == 1 else z
    top = z.max(axis=1)
    loss = top + np.log(np.exp(z - top[:, None]).sum(axis=1)) - z[np.arange(len(y)), y]
    penalty = 0.0 if c == np.inf else np.sum((weights - centre) ** 2) / 2
    return penalty + (1.0 if c == np.inf else c) * np.sum(loss if weight is None else weight * loss)


def ends_without_slope(solve, classes, penalty):
    """A solver's point is the least of all about it, with the gap that was asked for."""
    x, y = drawn(5, 300, 6, classes)
    outputs = 1 if classes == 2 else classes
    centre = np.random.default_rng(0).normal(size=(6, outputs))
    found = solve(Dense(x, y, classes), penalty, centre, None, 1e-12)
    assert 0 <= found.gap <= 1e-12 * max(found.value, 0.3)
    at = penalty * objective(x, y, found.weights.T, found.bias, 1 / penalty, centre=centre.T)
    assert_allclose(found.value, at, rtol=1e-10)
    for step in np.random.default_rng(1).normal(size=(5, outputs, 6)) * 1e-4:
        near = penalty * objective(x, y, found.weights.T + step, found.bias, 1 / penalty, centre=centre.T)
        assert near > at


def ends_alike_from_any_start(solve):
    x, y = drawn(6, 200, 5, 3)
    rows, zero = Dense(x, y, 3), np.zeros((5, 3))
    here = solve(rows, 1.0, zero, None, 1e-12)
    there = solve(rows, 1.0, zero, (np.full((5, 3), 2.0), np.array([1.0, -1.0, 0.0])), 1e-12)
    assert_allclose(here.weights, there.weights, atol=1e-5)
    assert_allclose(here.value, there.value, rtol=1e-11)
