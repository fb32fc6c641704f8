"""The iterative solver in both spaces: no slope at its point, the gap that was asked for, whatever its start."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.optimize.softmax import SoftmaxFit, iterative
from likely.optimize.softmax.space import ColumnSpace, RowSpace
from likely.optimize.softmax.sparse import SparseRows

from .problems import drawn, ends_alike_from_any_start, ends_without_slope

spaces = pytest.mark.parametrize("space", [ColumnSpace, RowSpace])


def solver(space):
    return lambda rows, penalty, start, tol: iterative.solve(space(rows, penalty), start, tol)


@spaces
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_the_objective_has_no_slope_where_it_ends(space, classes, penalty):
    ends_without_slope(solver(space), classes, penalty)


@spaces
def test_the_start_does_not_matter(space):
    dual = np.random.default_rng(3).normal(size=(200, 3))
    weights, bias = dual.T @ drawn(6, 200, 5, 3)[0], np.array([1.0, -1.0, 0.0])
    ends_alike_from_any_start(solver(space), SoftmaxFit(weights, bias, 0.0, 0.0, 0, dual=dual))


def long_and_short(classes, penalise_bias):
    """Rows of counts, of which a few are a hundred times as long as others; some have no weight."""
    rng = np.random.default_rng(3)
    x = sp.random(80, 300, 0.1, format="csr", random_state=0, data_rvs=lambda size: 1.0 + rng.poisson(1.0, size))
    x = sp.csr_matrix(sp.diags(np.where(np.arange(80) % 20 == 0, 100.0, 1.0)) @ x)
    y, weight = rng.integers(0, classes, 80).astype(np.int32), rng.integers(0, 3, 80).astype(float)
    offset = rng.normal(size=(80, 1 if classes == 2 else classes))
    return SparseRows(x, y, classes, weight, offset=offset, penalise_bias=penalise_bias)


@pytest.mark.parametrize("penalise_bias", [False, True])
@pytest.mark.parametrize("classes", [2, 5])
def test_long_rows_end_where_columns_do(classes, penalise_bias):
    rows = long_and_short(classes, penalise_bias)
    here, there = (iterative.solve(space(rows, 0.1), None, 1e-9) for space in (RowSpace, ColumnSpace))
    assert 0 <= here.gap <= 1e-9 * max(here.objective, 0.001 * rows.total)
    assert_allclose(here.objective, there.objective, rtol=1e-8)
    assert_allclose(here.weights, there.weights, atol=1e-3)
