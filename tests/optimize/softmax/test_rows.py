"""Passes over pieces are passes over all, and sparse rows are dense ones."""

import numpy as np
import pytest
import scipy.sparse as sp

from likely.engines import threads
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.rows import padded
from likely.optimize.softmax.sparse import SparseRows

from .problems import drawn


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("piece", [64, 4000, 8 << 20])
def test_every_pass_is_that_of_plain_arrays(classes, standardised, piece, monkeypatch):
    monkeypatch.setattr(threads, "PIECE", piece)
    x, y = drawn(0, 230, 7, classes)
    x[np.abs(x) < 0.5] = 0
    means, scales = (np.linspace(-1, 1, 7), np.linspace(0.5, 2, 7)) if standardised else (None, None)
    z = (x - means) / scales if standardised else x
    rng = np.random.default_rng(1)
    for rows in (
        DenseRows(x, y, classes, None, means, scales),
        SparseRows(sp.csr_matrix(x), y, classes, None, means, scales),
    ):
        table = padded(rng.normal(size=(7, rows.outputs)), rows.width)
        back = padded(rng.normal(size=(230, rows.outputs)), rows.width)
        np.testing.assert_allclose(rows.product(table), z @ table, atol=1e-12)
        np.testing.assert_allclose(rows.transposed(back), z.T @ back, atol=1e-11)
        np.testing.assert_allclose(rows.squares(np.abs(back)), (z**2).T @ np.abs(back), atol=1e-10)
        np.testing.assert_allclose(rows.squared_product(np.abs(table)), z**2 @ np.abs(table), atol=1e-11)


@pytest.mark.parametrize("classes", [2, 5])
def test_the_gradient_is_the_slope_of_the_loss(classes):
    x, y = drawn(1, 100, 3, classes)
    rows = DenseRows(x, y, classes, np.linspace(0, 2, 100), np.ones(3), np.full(3, 2.0))
    rng = np.random.default_rng(2)
    weights, bias = rng.normal(size=(3, rows.outputs)), rng.normal(size=rows.outputs)
    _, gradient, slope = rows.passed(weights, bias)
    step = 1e-6
    for j in range(3):
        for k in range(rows.outputs):
            more = np.zeros_like(weights)
            more[j, k] = step
            change = rows.passed(weights + more, bias)[0] - rows.passed(weights - more, bias)[0]
            np.testing.assert_allclose(gradient[j, k], change / (2 * step), atol=1e-6)
    for k in range(rows.outputs):
        more = step * (np.arange(rows.outputs) == k)
        change = rows.passed(weights, bias + more)[0] - rows.passed(weights, bias - more)[0]
        np.testing.assert_allclose(slope[k], change / (2 * step), atol=1e-6)


@pytest.mark.parametrize("zeros", [0.0, 0.9])
@pytest.mark.parametrize("standardised", [False, True])
def test_the_products_of_many_columns(zeros, standardised):
    rng = np.random.default_rng(4)
    x = np.where(rng.random((300, 280)) < zeros, 0.0, rng.normal(size=(300, 280))).astype(np.float32)
    means, scales = (np.linspace(-1, 1, 280), np.linspace(0.5, 2, 280)) if standardised else (None, None)
    z = np.column_stack([(x - means) / scales if standardised else x, np.ones(300)])
    weight = rng.random(300)
    found = DenseRows(x, np.zeros(300, np.int32), 2, None, means, scales).products(weight)
    np.testing.assert_allclose(found, z.T @ (weight[:, None] * z), atol=1e-10)


@pytest.mark.parametrize("classes", [2, 4])
def test_the_curvature_is_the_slope_of_the_gradient(classes):
    x, y = drawn(2, 90, 3, classes)
    rows = DenseRows(x, y, classes, np.linspace(0, 2, 90), np.ones(3), np.full(3, 2.0))
    rng = np.random.default_rng(3)
    c = rows.outputs
    at = rng.normal(size=(c, 4))

    def gradient(both):
        _, by_weights, by_bias = rows.passed(both[:, :-1].T, np.ascontiguousarray(both[:, -1]))
        return np.column_stack([by_weights.T, by_bias]).ravel()

    residuals = rows.residuals(rows.scores(padded(at[:, :-1].T, rows.width), at[:, -1]))[1]
    found = rows.curvature(residuals)
    for i in range(4 * c):
        more = np.zeros(4 * c)
        more[i] = 1e-6
        change = gradient(at + more.reshape(c, 4)) - gradient(at - more.reshape(c, 4))
        np.testing.assert_allclose(found[i], change / 2e-6, atol=1e-6)
