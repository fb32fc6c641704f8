"""Sums over what is not zero, beside those over all cells."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.engines import threads
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.rows import padded
from likely.optimize.softmax.sparse import SparseRows

from .problems import drawn


def rows(classes, standardised):
    x, y = drawn(1, 200, 9, classes)
    x[np.abs(x) < 1.0] = 0.0
    rest = (np.linspace(-1, 1, 9), np.linspace(0.5, 2, 9)) if standardised else (None, None)
    weight = np.linspace(0, 2, 200)
    return DenseRows(x, y, classes, weight, *rest), SparseRows(sp.csr_array(x), y, classes, weight, *rest)


@pytest.mark.parametrize("piece", [64, 8 << 20])
@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("classes", [2, 5])
def test_the_curvature_is_that_of_the_same_rows_dense(classes, standardised, piece, monkeypatch):
    monkeypatch.setattr(threads, "PIECE", piece)
    dense, sparse = rows(classes, standardised)
    rng = np.random.default_rng(0)
    table = padded(rng.normal(size=(9, dense.outputs)), dense.width)
    residuals = dense.residuals(dense.scores(table, rng.normal(size=dense.outputs)))[1]
    assert_allclose(sparse.curvature(residuals), dense.curvature(residuals), atol=1e-12)


@pytest.mark.parametrize("standardised", [False, True])
def test_products_and_forms_by_hand(standardised):
    dense, sparse = rows(2, standardised)
    z = np.column_stack([dense.taken(np.arange(200)).x, np.ones(200)])
    rng = np.random.default_rng(1)
    weight, table = rng.normal(size=200), rng.normal(size=(10, 10))
    assert_allclose(sparse.products(weight), z.T @ (weight[:, None] * z), atol=1e-12)
    for kind in (sparse, dense):
        assert_allclose(kind.forms(table), np.einsum("ij,jk,ik->i", z, table, z), atol=1e-12)
