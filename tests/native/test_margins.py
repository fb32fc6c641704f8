"""A linear classifier of largest margin: its optimum, its start, and rows without a cost."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from likely import _native


def rows(seed, n=40, d=12, classes=3):
    rng = np.random.default_rng(seed)
    x = sp.csr_array(rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.3))
    return x, rng.integers(0, classes, n).astype(np.int32), rng.choice([0.0, 0.5, 1.0, 3.0], n)


def fitted(x, y, cost, classes=3, tol=1e-8, most=100_000, dual=None, index=np.int32):
    dual = np.zeros((classes, len(y))) if dual is None else dual.copy()
    weights, passes = np.empty((classes, x.shape[1] + 1)), np.empty(classes, np.int64)
    matrix = x.indptr.astype(index), x.indices.astype(index), x.data
    _native.fit_margins(*matrix, y, 0, cost, tol, most, dual, weights, passes)
    return weights, dual, passes


def objective(w, x, side, cost):
    slack = np.maximum(1 - side * (x @ w[:-1] + w[-1]), 0)
    gradient = -2 * cost * slack * side
    return w @ w / 2 + cost @ slack**2, w + np.append(x.T @ gradient, gradient.sum())


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("seed", range(3))
def test_it_finds_the_least_objective_of_each_class(seed, index):
    x, y, cost = rows(seed)
    weights, _, passes = fitted(x, y, cost, index=index)
    assert (passes > 0).all()
    for k in range(3):
        side = np.where(y == k, 1.0, -1.0)
        found = minimize(objective, np.zeros(x.shape[1] + 1), (x, side, cost), jac=True, tol=1e-12)
        assert objective(weights[k], x, side, cost)[0] == pytest.approx(found.fun, rel=1e-9)
        assert_allclose(weights[k], found.x, atol=1e-4)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_values_of_half_the_bytes_give_the_same_weights(index):
    x, y, cost = rows(3)
    x.data = x.data.astype(np.float32)
    assert_allclose(fitted(x, y, cost, index=index)[0], fitted(x.astype(np.float64), y, cost)[0], atol=1e-7)


def test_weights_are_those_of_the_dual():
    x, y, cost = rows(4)
    weights, dual, _ = fitted(x, y, cost, tol=0.1)
    signed = dual * np.where(y == np.arange(3)[:, None], 1.0, -1.0)
    assert_allclose(weights, np.column_stack([signed @ x, signed.sum(axis=1)]), atol=1e-12)


def test_rows_without_a_cost_have_no_part():
    x, y, cost = rows(5)
    there = np.flatnonzero(cost > 0)
    some = fitted(x[there], y[there], cost[there])[0]
    all_, dual, _ = fitted(x, y, cost, dual=np.ones((3, len(y))))
    assert_allclose(all_, some, atol=1e-6)
    assert not dual[:, cost == 0].any()


def test_a_start_at_the_optimum_takes_one_pass():
    x, y, cost = rows(6)
    _, dual, _ = fitted(x, y, cost)
    assert (fitted(x, y, cost, tol=1e-3, dual=dual)[2] == 1).all()


def test_passes_that_were_not_enough():
    x, y, cost = rows(7)
    assert (fitted(x, y, 1e6 * cost, most=1)[2] == -1).all()


def test_a_class_without_rows_and_a_matrix_without_columns():
    x, y, cost = rows(8)
    weights, _, passes = fitted(x[:, :0], y, cost, classes=4)
    assert weights.shape == (4, 1)
    assert weights[3, 0] < 0
    assert (passes > 0).all()
