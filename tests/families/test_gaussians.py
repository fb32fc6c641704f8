"""The density of rows under Gaussians, against scipy.stats."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from likely.families.gaussians import Gaussians, cholesky, correlations, log_density

from .gaussian_sums import COLUMNS, PATTERNS, ROWS, estimated, rules, sums


def scores(gaussians: Gaussians, x: np.ndarray) -> np.ndarray:
    out = np.zeros((len(x), len(gaussians.mean)))
    gaussians.add(x, out, "finite numbers are needed")
    return out


def gaussians(tied: bool = False) -> Gaussians:
    mean, covariance = estimated(sums(), rules(float(tied)))
    return Gaussians(mean, covariance[:1] if tied else covariance)


def scipys(mean: np.ndarray, covariance: np.ndarray, x: np.ndarray) -> float:
    """Of the cells that are there."""
    there = ~np.isnan(x)
    if not there.any():
        return 0.0
    return float(multivariate_normal(mean[there], covariance[np.ix_(there, there)]).logpdf(x[there]))


def blocks() -> np.ndarray:
    """Every row with every pattern of cells missing, in an order that mixes them."""
    every = np.concatenate([np.where(there, np.concatenate(ROWS), np.nan) for there in PATTERNS])
    return every[np.random.default_rng(0).permutation(len(every))]


@pytest.mark.parametrize("there", PATTERNS, ids=lambda there: "".join("_x"[int(cell)] for cell in there))
def test_the_log_density_is_scipys_of_the_cells_that_are_there(there):
    mean, covariance = estimated(sums(), rules(0.2))
    x = np.where(there, ROWS[0] + 1, np.nan)
    for k in range(3):
        found = log_density(mean[k], covariance[k], x)
        assert found.shape == x.shape
        assert not found[:, ~there].any()
        np.testing.assert_allclose(found.sum(axis=1), [scipys(mean[k], covariance[k], row) for row in x], rtol=1e-12)


def test_a_diagonal_is_a_matrix_without_the_rest():
    mean, variance = estimated(sums(matrices=False), rules())
    x = blocks()[:, None, :]
    found, expected = log_density(mean, variance, x), log_density(mean, variance[:, :, None] * np.eye(COLUMNS), x)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("tied", [False, True])
def test_scores_are_scipys_with_every_pattern_of_missing_cells(tied):
    model, x = gaussians(tied), blocks()
    covariance = np.broadcast_to(model.covariance, (3, COLUMNS, COLUMNS))
    expected = [[scipys(model.mean[k], covariance[k], row) for k in range(3)] for row in x]
    np.testing.assert_allclose(scores(model, x), expected, rtol=1e-11)


@pytest.mark.parametrize("tied", [False, True])
def test_distances_are_mahalanobis_of_the_cells_that_are_there(tied):
    model, x = gaussians(tied), blocks()
    covariance = np.broadcast_to(model.covariance, (3, COLUMNS, COLUMNS))
    found, peak = model.distances(x, "needs")
    for i, row in enumerate(x):
        there = ~np.isnan(row)
        for k in range(3):
            part, away = covariance[k][np.ix_(there, there)], (row - model.mean[k])[there]
            assert found[i, k] == pytest.approx(away @ np.linalg.solve(part, away), rel=1e-11)
            assert peak[i, k] == pytest.approx(-0.5 * np.linalg.slogdet(2 * np.pi * part)[1], rel=1e-11)


@pytest.mark.parametrize("columns", [1, 4, 5, 12, 13, 30])
@pytest.mark.parametrize("rows", [1, 11, 12, 13, 300])
def test_however_many_rows_and_columns_the_kernels_strips_cover_them(rows, columns):
    rng = np.random.default_rng(4)
    root = rng.normal(size=(2, columns, columns)) + 3 * np.eye(columns)
    model = Gaussians(rng.normal(size=(2, columns)), root @ np.swapaxes(root, 1, 2))
    x = rng.normal(size=(rows, columns)) * 4
    x[rng.random(x.shape) < 0.1 / columns] = np.nan
    expected = [[scipys(m, c, row) for m, c in zip(model.mean, model.covariance, strict=True)] for row in x]
    np.testing.assert_allclose(scores(model, x), expected, rtol=1e-9)


def test_a_column_without_variance_tells_nothing():
    mean, covariance = estimated(sums(), rules())
    covariance[:, 1], covariance[:, :, 1] = 0.0, 0.0
    x = blocks()
    blind = np.where([True, False, True], x, np.nan)
    np.testing.assert_allclose(scores(Gaussians(mean, covariance), x), scores(gaussians(), blind), rtol=1e-12)
    found = log_density(mean, covariance, x[:, None, :])
    assert not found[:, :, 1].any()
    np.testing.assert_allclose(found.sum(axis=2), scores(gaussians(), blind), rtol=1e-11)


@pytest.mark.parametrize("bad", [0, 1])
def test_the_density_under_what_does_not_exist_is_nought(bad):
    """Singular, or not a number: of the cells it is missing for alone."""
    covariance = [np.ones((2, 2)), np.diag([1.0, np.nan])][bad]
    whole, left, right = np.array([[0.5, 0.5], [0.5, np.nan], [np.nan, 0.5]])
    assert log_density(np.zeros(2), covariance, whole).sum() == -np.inf
    assert log_density(np.zeros(2), covariance, left).sum() == pytest.approx(scipys(np.zeros(1), np.eye(1), left[:1]))
    assert np.isinf(log_density(np.zeros(2), covariance, right).sum()) == bool(bad)


@pytest.mark.parametrize("units", [1e-60, 1e-8, 1e8, 1e60])
def test_units_change_the_density_by_their_size_alone(units):
    mean, covariance = estimated(sums(), rules())
    scale, x = np.array([1.0, units, 1.0]), ROWS[0]
    found = scores(Gaussians(mean * scale, covariance * np.outer(scale, scale)), x * scale)
    np.testing.assert_allclose(found + np.log(units), scores(gaussians(), x), rtol=1e-11)


# Factors


def correlated(matrix: np.ndarray) -> np.ndarray:
    deviation = np.sqrt(np.diagonal(matrix, axis1=-2, axis2=-1))
    return correlations(matrix, deviation, np.ones(deviation.shape, np.bool))


def test_factors_of_correlations_are_numpys():
    matrices = correlated(estimated(sums(), rules())[1])
    factors, exist = cholesky(matrices)
    assert exist.all()
    np.testing.assert_allclose(factors @ np.swapaxes(factors, 1, 2), matrices, rtol=1e-13)
    np.testing.assert_allclose(factors, np.linalg.cholesky(matrices))


@pytest.mark.parametrize("bad", [[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.5], [1.5, 1.0]], [[1.0, -1.0], [-1.0, 1.0]]])
def test_one_that_does_not_exist_leaves_the_others_alone(bad):
    good = np.array([[1.0, 0.5], [0.5, 1.0]])
    factors, exist = cholesky(np.array([good, bad, np.eye(2)]))
    assert exist.tolist() == [True, False, True]
    np.testing.assert_array_equal(factors, [np.linalg.cholesky(good), np.eye(2), np.eye(2)])


def test_whether_a_factor_exists_does_not_depend_on_what_else_is_factored():
    """A share of 1.5e-11 of the second column is not explained by the first: nearly too little."""
    together = np.sqrt(1 - 1.5e-11)
    narrow, singular = np.array([[1.0, together], [together, 1.0]]), np.array([[1.0, 1.5], [1.5, 1.0]])
    alone = cholesky(narrow[None])[1][0]
    assert cholesky(np.array([narrow, singular]))[1][0] == alone
