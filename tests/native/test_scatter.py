"""Numbers, means and scatter matrices of whole rows, by class."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from likely import _native

from .kernels import LAYOUTS, ROWS, block, codes_for, drawn_rows, problems_of_matrices, weights_for

BEFORE = 7.0
"""What the outputs hold before, to see what is written."""


def scatter(x, y, classes, weight):
    columns = x.shape[1]
    n, mean, out = (np.full(shape, BEFORE) for shape in (classes, (classes, columns), (classes, columns, columns)))
    return _native.scatter(x, y, weight, n, mean, out), n, mean, out


def exact_scatter(x, y, classes, weight):
    """By whole numbers, for small ones whose weights are halves: nothing rounds but the last division."""
    whole = ~np.isnan(np.asarray(x, float)).any(axis=1)
    twice = 2 * (np.ones(len(x)) if weight is None else weight)
    n, mean, out = np.full(classes, BEFORE), *(np.full((classes, *[x.shape[1]] * axes), BEFORE) for axes in (1, 2))
    for k in range(classes):
        rows = whole & (y == k)
        v, w = x[rows].astype(np.int64), twice[rows].astype(np.int64)
        if w.sum() > 0:
            first, second = w @ v, (v.T * w) @ v
            n[k], mean[k] = w.sum() / 2, first / w.sum()
            out[k] = (w.sum() * second - np.outer(first, first)) / (2 * w.sum())
    return n, mean, out


def assert_exact(x, y, classes, weight):
    bad, n, mean, out = scatter(x, y, classes, weight)
    n_, mean_, out_ = exact_scatter(x, y, classes, weight)
    assert bad == -1
    assert np.array_equal(n, n_)
    assert_allclose(mean, mean_, rtol=1e-13, atol=1e-13)
    assert_allclose(out, out_, rtol=1e-12, atol=1e-12 * np.abs(out_).max())
    assert np.array_equal(out, np.swapaxes(out, 1, 2))


@given(problems_of_matrices)
def test_scatter(problem):
    assert_exact(*drawn_rows(problem))


@pytest.mark.parametrize("columns", range(1, 71))
def test_scatter_of_every_number_of_columns(columns):
    assert_exact(block(columns, 150, columns, "f8", holes=0), codes_for(columns, 150, 2), 2, None)


@pytest.mark.parametrize("rows", ROWS)
def test_scatter_of_any_number_of_rows_of_a_class(rows):
    assert_exact(block(rows, rows, 5, "f8"), np.full(rows, 1, np.int32), 3, weights_for(rows, rows))


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
@pytest.mark.parametrize("centre", [1e8, -1e12])
def test_scatter_far_from_zero(centre, layout):
    x = LAYOUTS[layout](centre + np.random.default_rng(0).normal(size=(300, 3)))
    weight = np.random.default_rng(1).choice([0.25, 1.0, 3.7], 300)
    _, n, mean, out = scatter(x, np.zeros(300, np.int32), 1, weight)
    w, columns = [Fraction(v) for v in weight], [[Fraction(v) for v in column] for column in x.T]
    centres = [sum(a * b for a, b in zip(w, v, strict=True)) / sum(w) for v in columns]
    away = [[b - m for b in v] for v, m in zip(columns, centres, strict=True)]
    expected = [[float(sum(a * b * c for a, b, c in zip(w, s, t, strict=True))) for t in away] for s in away]
    assert_allclose(n, float(sum(w)), rtol=1e-14)
    assert_allclose(mean[0], [float(m) for m in centres], rtol=1e-15)
    assert_allclose(out[0], expected, rtol=0, atol=1e-12 * n[0])


def test_a_column_that_does_not_vary_has_no_scatter():
    x = np.random.default_rng(0).normal(size=(200, 6))
    x[:, [0, 4]] = 0.1
    _, _, mean, out = scatter(x, np.zeros(200, np.int32), 1, np.random.default_rng(1).random(200))
    assert mean[0, 0] == mean[0, 4] == 0.1
    assert not out[0, [0, 4]].any()
    assert not out[0, :, [0, 4]].any()


def test_rows_that_do_not_count_are_not_where_deviations_start():
    """Of these, one far away would cost most of the digits."""
    x = np.random.default_rng(0).normal(size=(70, 2))
    x[:2] = [[1e100, -1e100], [1e100, np.nan]]
    weight = np.ones(70)
    weight[0] = 0
    _, n, _, out = scatter(x, np.zeros(70, np.int32), 1, weight)
    assert n[0] == 68
    assert_allclose(out[0], 68 * np.cov(x[2:].T, bias=True), rtol=1e-12)


def test_the_largest_numbers_have_a_scatter():
    x = np.array([[1e150, -1e150], [-1e150, 1e150]])
    assert_allclose(scatter(x, np.zeros(2, np.int32), 1, None)[3][0], np.array([[2e300, -2e300], [-2e300, 2e300]]))


def test_one_row_seen_many_times():
    x = np.broadcast_to(np.array([3.0, -1.0, 0.1]), (130, 3))
    _, n, mean, out = scatter(x, np.zeros(130, np.int32), 1, None)
    assert (n[0], mean[0].tolist(), out.any()) == (130, [3.0, -1.0, 0.1], False)
