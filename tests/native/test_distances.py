"""Squared Mahalanobis distances of rows from the mean of every class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import LAYOUTS, ROWS, block, codes_for, drawn_rows, problems_of_matrices, random_covariances

BEFORE = 7.0
"""What the outputs hold before, to see what is written."""


def distances(x, mean, covariance, y=None, towards=None):
    """By the kernel, given the inverse of the factor of the covariance."""
    whitening = np.ascontiguousarray(np.tril(np.linalg.inv(np.linalg.cholesky(covariance))))
    out, product = np.full((2, len(x), len(mean)), BEFORE)
    holes = np.full(len(x), 9, np.uint8)
    bad = _native.distances(x, mean, whitening, y, towards, out, None if y is None else product, holes)
    assert bad == -1
    return out, product, holes


def assert_solves(x, mean, covariance, y=None, towards=None, rtol=1e-10):
    """Against the equations solved, with the covariance itself and with its factor."""
    out, product, holes = distances(x, mean, covariance, y, towards)
    missing = np.isnan(np.asarray(x, float)).any(axis=1)
    assert np.array_equal(holes, missing)
    expected, products = np.full((2, len(x), len(mean)), BEFORE)
    rounding = np.zeros_like(products)
    for k, centre in enumerate(mean):
        matrix = covariance[k % len(covariance)]
        away = np.asarray(x[~missing], float) - centre
        expected[~missing, k] = (away * np.linalg.solve(matrix, away.T).T).sum(axis=1)
        if y is not None:
            terms = np.linalg.solve(np.linalg.cholesky(matrix), away.T).T * towards[k, y[~missing]]
            products[~missing, k], rounding[~missing, k] = terms.sum(axis=1), np.abs(terms).sum(axis=1)
    assert_allclose(out, expected, rtol=rtol, atol=rtol)
    assert (np.abs(product - products) <= rtol * (1 + rounding)).all()


@given(problems_of_matrices, st.booleans(), st.booleans())
def test_distances(problem, shared, directed):
    x, y, classes, _ = drawn_rows(problem)
    seed, columns = problem[0], x.shape[1]
    mean = np.random.default_rng(seed).normal(0, 30, (classes, columns))
    covariance = random_covariances(seed, 1 if shared else classes, columns)
    towards = np.random.default_rng(seed + 5).normal(size=(classes, classes, columns))
    assert_solves(x, mean, covariance, *(y, towards) if directed else ())


@pytest.mark.parametrize("columns", range(1, 71))
@pytest.mark.parametrize("shared", [False, True])
def test_distances_of_every_number_of_columns(columns, shared):
    x, mean = block(columns, 29, columns, "f8", holes=0.01), block(columns + 1, 2, columns, "f8", holes=0)
    towards = np.random.default_rng(columns).normal(size=(2, 2, columns))
    covariance = random_covariances(columns, 1 if shared else 2, columns)
    assert_solves(x, mean, covariance, codes_for(columns, 29, 2), towards)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("columns", [5, 13, 40])
def test_distances_of_any_number_of_rows(rows, columns):
    x, mean = block(rows, rows, columns, "f8", holes=0.1 / columns), block(0, 3, columns, "f8", holes=0)
    assert_solves(x, mean, random_covariances(rows, 3, columns))


@pytest.mark.parametrize("classes", range(1, 31))
@pytest.mark.parametrize("shared", [False, True])
def test_distances_from_every_number_of_classes(classes, shared):
    x, mean = block(classes, 17, 6, "f8"), block(classes + 1, classes, 6, "f8", holes=0)
    assert_solves(x, mean, random_covariances(classes, 1 if shared else classes, 6))


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("centre", [1e8, -1e12])
def test_distances_far_from_zero(centre, shared, layout):
    x, mean = centre + block(0, 100, 7, "f8", holes=0), centre + block(1, 4, 7, "f8", holes=0)
    assert_solves(LAYOUTS[layout](x), mean, random_covariances(0, 1 if shared else 4, 7))


@pytest.mark.parametrize("shared", [False, True])
def test_a_row_at_the_mean_is_at_no_distance(shared):
    mean = np.random.default_rng(0).normal(size=(3, 9))
    out, _, _ = distances(mean, mean, random_covariances(0, 1 if shared else 3, 9))
    assert_allclose(np.diagonal(out), 0, atol=1e-25)
    assert (out[~np.eye(3, dtype=np.bool)] > 1e-2).all()


@pytest.mark.parametrize("holes", range(13))
def test_a_row_is_measured_as_if_alone(holes):
    """Wherever it stands among others, and whichever of them have missing cells."""
    x = block(0, 25, 6, "f8", holes=0)
    x[np.random.default_rng(holes).permutation(25)[: 2 * holes], holes % 6] = np.nan
    mean, covariance = block(1, 3, 6, "f8", holes=0), random_covariances(0, 3, 6)
    y, towards = codes_for(0, 25, 3), np.random.default_rng(0).normal(size=(3, 3, 6))
    together = distances(x, mean, covariance, y, towards)
    for i in range(25):
        alone = distances(x[i : i + 1], mean, covariance, y[i : i + 1], towards)
        assert all(np.array_equal(a[i], b[0]) for a, b in zip(together, alone, strict=True))


def test_one_row_measured_many_times():
    x = np.broadcast_to(np.array([3.0, -1.0, 0.5]), (300, 3))
    assert_solves(x, block(0, 2, 3, "f8", holes=0), random_covariances(0, 2, 3))


def test_distances_of_columns_that_tell_nothing():
    """Their rows and columns of the matrix are 0."""
    x, mean = block(0, 30, 6, "f8", holes=0), block(1, 2, 6, "f8", holes=0)
    told = np.array([True, False, True, True, False, True])
    whitening = np.zeros((2, 6, 6))
    whitening[:, *np.ix_(told, told)] = np.tril(np.random.default_rng(0).normal(size=(2, 4, 4)))
    out = np.zeros((30, 2))
    assert _native.distances(x, mean, whitening, None, None, out, None, np.zeros(30, np.uint8)) == -1
    for k in range(2):
        z = (x - mean[k])[:, told] @ whitening[k][np.ix_(told, told)].T
        assert_allclose(out[:, k], (z * z).sum(axis=1), rtol=1e-12)
