"""Rows and classes to learn from, and the objective by its formula."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.optimize.softmax import rows_of
from likely.optimize.softmax import solve as solve_rows
from likely.optimize.softmax.dense import DenseRows


def drawn(seed, rows, columns, classes, spread=1.0):
    """Classes that the columns tell of, none of them empty."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns))
    weights = rng.normal(size=(columns, classes)) * spread / np.sqrt(columns)
    y = np.argmax(x @ weights + rng.gumbel(size=(rows, classes)), axis=1).astype(np.int32)
    y[: min(rows, classes)] = np.arange(min(rows, classes))
    return x, y


def objective(x, y, weights, bias, c, weight=None, offset=0.0):
    x = x.toarray() if sp.issparse(x) else np.asarray(x, float)
    z = x @ weights.T + bias + offset
    z = np.hstack([np.zeros_like(z), z]) if z.shape[1] == 1 else z
    top = z.max(axis=1)
    loss = top + np.log(np.exp(z - top[:, None]).sum(axis=1)) - z[np.arange(len(y)), y]
    penalty = 0.0 if c == np.inf else np.sum(weights**2) / 2
    return penalty + (1.0 if c == np.inf else c) * np.sum(loss if weight is None else weight * loss)


def solve(x, y, classes, c=1.0, *, start=None, tol=1e-6, **more):
    return solve_rows(rows_of(x, y, classes, **more), c, start=start, tol=tol)


def ends_without_slope(solver, classes, penalty):
    """A solver's point is the least of all about it, with the gap that was asked for."""
    x, y = drawn(5, 300, 6, classes)
    outputs = 1 if classes == 2 else classes
    offset = np.random.default_rng(0).normal(size=(300, outputs))
    found = solver(DenseRows(x, y, classes, offset=offset), penalty, None, 1e-12)
    assert 0 <= found.gap <= 1e-12 * max(found.objective, 0.3)
    at = penalty * objective(x, y, found.weights, found.bias, 1 / penalty, offset=offset)
    assert_allclose(found.objective, at, rtol=1e-10)
    for step in np.random.default_rng(1).normal(size=(5, outputs, 6)) * 1e-4:
        near = penalty * objective(x, y, found.weights + step, found.bias, 1 / penalty, offset=offset)
        assert near > at


def ends_alike_from_any_start(solver, start):
    x, y = drawn(6, 200, 5, 3)
    rows = DenseRows(x, y, 3)
    here, there = (solver(rows, 1.0, begin, 1e-12) for begin in (None, start))
    assert_allclose(here.weights, there.weights, atol=1e-5)
    assert_allclose(here.objective, there.objective, rtol=1e-11)
