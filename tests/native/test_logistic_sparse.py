"""Products of sparse rows with tables of weights, as the dense rows give them."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.rows import padded
from likely.optimize.softmax.sparse import SparseRows


@pytest.mark.parametrize("classes", [2, 3, 4, 9])
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (50, 200), (300, 20)])
def test_sparse_rows_are_as_the_same_rows_dense(shape, classes):
    rng = np.random.default_rng(classes)
    x = rng.normal(size=shape) * (rng.random(shape) < 0.2)
    y, weight = rng.integers(0, classes, shape[0]).astype(np.int32), rng.random(shape[0])
    dense, sparse = DenseRows(x, y, classes, weight), SparseRows(sp.csr_array(x), y, classes, weight)
    table = padded(rng.normal(size=(shape[1], dense.outputs)), dense.width)
    bias = rng.normal(size=dense.outputs)
    scores = sparse.scores(table, bias)
    assert_allclose(scores[:, : dense.outputs], x @ table[:, : dense.outputs] + bias, atol=1e-12)
    rest = sparse.residuals(scores)[1]
    assert_allclose(sparse.transposed(rest), x.T @ rest, atol=1e-12)
    assert_allclose(sparse.squares(np.abs(rest)), (x**2).T @ np.abs(rest), atol=1e-12)
