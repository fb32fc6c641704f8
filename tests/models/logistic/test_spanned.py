"""The solver in what the rows span: no slope at its point, whatever its start, and the same end as by columns."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.models.logistic import iterative, spanned
from likely.models.logistic.rows import Sparse

from .problems import ends_alike_from_any_start, ends_without_slope


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_the_objective_has_no_slope_where_it_ends(classes, penalty):
    ends_without_slope(spanned.solve, classes, penalty)


def test_the_start_does_not_matter():
    ends_alike_from_any_start(spanned.solve)


def long_and_short(classes, held):
    """Rows of counts, of which a few are a hundred times as long as others; some have no weight."""
    rng = np.random.default_rng(3)
    x = sp.random(80, 300, 0.1, format="csr", random_state=0, data_rvs=lambda size: 1.0 + rng.poisson(1.0, size))
    x = sp.csr_matrix(sp.diags(np.where(np.arange(80) % 20 == 0, 100.0, 1.0)) @ x)
    y, weight = rng.integers(0, classes, 80).astype(np.int32), rng.integers(0, 3, 80).astype(float)
    offset = rng.normal(size=(80, 1 if classes == 2 else classes))
    return Sparse(x, y, classes, weight, offset=offset, held=held)


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("classes", [2, 5])
def test_long_rows_end_where_columns_do(classes, held):
    rows = long_and_short(classes, held)
    centre = np.random.default_rng(4).normal(size=(300, rows.outputs)) * 0.01
    here, there = (solver.solve(rows, 0.1, centre, None, 1e-9) for solver in (spanned, iterative))
    assert 0 <= here.gap <= 1e-9 * max(here.value, 0.001 * rows.total)
    assert_allclose(here.value, there.value, rtol=1e-8)
    assert_allclose(here.weights, there.weights, atol=1e-3)


def test_quasi_newton_alone_gets_near(monkeypatch):
    """Its steps are sums of those remembered, more of them than there is room for."""
    rows = long_and_short(5, held=True)
    monkeypatch.setattr(spanned, "SLOW", 1e-12)
    monkeypatch.setattr(spanned, "NEWTON", 1)
    least = iterative.solve(rows, 0.1, np.zeros((300, 5)), None, 1e-10).value
    start = np.random.default_rng(5).normal(size=(300, 5)), np.ones(5)
    found = spanned.solve(rows, 0.1, np.zeros((300, 5)), start, 1e-10)
    assert_allclose(found.value, least, rtol=1e-6)
