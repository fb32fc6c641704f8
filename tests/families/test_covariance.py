"""Means and covariances from sums, a prior and two dials, against scipy.stats and Friedman's formula written out."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from likely.families.covariance import (
    Dials,
    Gaussians,
    Pool,
    Rules,
    Sums,
    cholesky,
    correlations,
    diagonal,
    estimate,
    log_density,
    ratio,
)
from likely.priors import Normal

COLUMNS = 3
SIZES = (6, 9, 14)
MIX = np.array([[2.0, 0.7, -0.4], [0.0, 1.0, 0.5], [0.0, 0.0, 0.6]])
ROWS = [np.random.default_rng(k).normal(size=(n, COLUMNS)) @ MIX * (k + 1) + 3 * k for k, n in enumerate(SIZES)]
PATTERNS = [np.array(there) for there in product([True, False], repeat=COLUMNS)]


def sums(rows: list[np.ndarray] = ROWS, matrices: bool = True) -> Sums:
    """Written out, of rows by class; of a class without any, all are 0."""
    n = np.array([[float(len(x))] for x in rows])
    mean = np.array([x.mean(axis=0) if len(x) else np.zeros(x.shape[1]) for x in rows])
    squares = np.array([(x - m).T @ (x - m) for x, m in zip(rows, mean, strict=True)])
    if matrices:
        return Sums(n, mean, squares)
    return Sums(np.broadcast_to(n, mean.shape).copy(), mean, np.diagonal(squares, axis1=1, axis2=2).copy())


def rules(tied: float = 0.0, towards_diagonal: float = 0.0, **given: object) -> Rules:
    defaults = {
        "imagined": np.zeros((1, 1)),
        "imagined_rows": 0.0,
        "more_rows": 0.0,
        "borrow": False,
        "spherical": False,
        "mean": None,
    }
    return Rules(Dials(tied, towards_diagonal), **{**defaults, **given})


def estimated(given: Sums, by: Rules) -> tuple[np.ndarray, np.ndarray]:
    return estimate(given, Pool.of(given), by)


# The pool


@pytest.mark.parametrize("matrices", [True, False])
def test_the_pool_is_of_all_rows(matrices):
    pool, every = Pool.of(sums(matrices=matrices)), np.concatenate(ROWS)
    within = sum((x - x.mean(axis=0)).T @ (x - x.mean(axis=0)) for x in ROWS)
    np.testing.assert_allclose(pool.n, sum(SIZES))
    np.testing.assert_allclose(pool.mean, every.mean(axis=0))
    np.testing.assert_allclose(pool.within, within if matrices else np.diag(within))
    np.testing.assert_allclose(pool.total, ((every - every.mean(axis=0)) ** 2).sum(axis=0))


def test_columns_that_do_not_vary_are_told_from_those_that_vary_between_classes_alone():
    """At 1/3, whose mean over classes of different sizes rounds."""
    rows = [np.c_[x[:, 0], np.full(len(x), 1 / 3), np.full(len(x), k / 3)] for k, x in enumerate(ROWS)]
    pool = Pool.of(sums(rows))
    assert pool.constant.tolist() == [False, True, False]
    assert pool.flat.tolist() == [False, True, True]


def test_a_small_spread_far_from_nought_is_a_spread():
    """1e-5 at 1e8; a double there is a multiple of 1.5e-8."""
    pool = Pool.of(sums([1e8 + 1e-5 * x for x in ROWS]))
    assert not (pool.constant | pool.flat).any()


def test_the_pool_of_nothing():
    pool = Pool.of(sums([x[:0] for x in ROWS]))
    assert [array.any() for array in pool] == [False] * 4
    assert pool.constant.all()


# Friedman's formula


def test_maximum_likelihood_is_the_covariance_of_each_class():
    mean, covariance = estimated(sums(), rules())
    for k, x in enumerate(ROWS):
        np.testing.assert_allclose(mean[k], x.mean(axis=0))
        np.testing.assert_allclose(covariance[k], np.cov(x.T, ddof=0))


def test_tied_is_the_covariance_within_the_classes():
    within = sum(len(x) * np.cov(x.T, ddof=0) for x in ROWS) / sum(SIZES)
    np.testing.assert_allclose(estimated(sums(), rules(1.0))[1], [within] * 3)


def test_diagonal_is_the_variance_of_each_column():
    expected = [np.diag(x.var(axis=0)) for x in ROWS]
    np.testing.assert_allclose(estimated(sums(), rules(0.0, 1.0))[1], expected)
    np.testing.assert_allclose(estimated(sums(matrices=False), rules())[1], [x.var(axis=0) for x in ROWS])


@pytest.mark.parametrize("tied", [0.0, 0.2, 0.7, 1.0])
@pytest.mark.parametrize("towards", [0.0, 0.3, 1.0])
def test_between_the_corners_rows_and_squares_are_mixed(tied, towards):
    """Friedman (1989), equations 16 to 18, with the diagonal in the place of the sphere: weights are rows."""
    within = sum(len(x) * np.cov(x.T, ddof=0) for x in ROWS)
    for k, x in enumerate(ROWS):
        squares = (1 - tied) * len(x) * np.cov(x.T, ddof=0) + tied * within
        mixed = squares / ((1 - tied) * len(x) + tied * sum(SIZES))
        expected = (1 - towards) * mixed + towards * np.diag(np.diag(mixed))
        np.testing.assert_allclose(estimated(sums(), rules(tied, towards))[1][k], expected)
        if towards == 1:
            np.testing.assert_allclose(estimated(sums(matrices=False), rules(tied))[1][k], np.diag(expected))


def test_imagined_rows_are_added_to_those_seen():
    imagined = 4 * np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 3.0]])
    for k, x in enumerate(ROWS):
        squares = len(x) * np.cov(x.T, ddof=0) + imagined
        found = estimated(sums(), rules(imagined=imagined, imagined_rows=4.0))[1][k]
        np.testing.assert_allclose(found, squares / (len(x) + 4))
        found = estimated(sums(), rules(imagined=imagined, imagined_rows=4.0, more_rows=8.0))[1][k]
        np.testing.assert_allclose(found, squares / (len(x) + 4 + 8))


@pytest.mark.parametrize("column", range(COLUMNS))
def test_what_is_imagined_of_a_column_that_does_not_vary_is_kept(column):
    """Rows imagined are rows: also those that say how a constant column varies with the others."""
    rows = [x.copy() for x in ROWS]
    for x in rows:
        x[:, column] = 5.0
    imagined = 4 * np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.3], [0.1, 0.3, 3.0]])
    found = estimated(sums(rows), rules(imagined=imagined, imagined_rows=4.0))[1]
    expected = [(len(x) * np.cov(x.T, ddof=0) + imagined) / (len(x) + 4) for x in rows]
    np.testing.assert_allclose(found, expected)


def test_spherical_is_the_mean_variance_in_every_column():
    found = estimated(sums(matrices=False), rules(spherical=True))[1]
    np.testing.assert_allclose(found, [[x.var(axis=0).mean()] * COLUMNS for x in ROWS])


def test_a_prior_of_the_mean_draws_it_by_the_covariance_estimated():
    prior = Normal([1.0, 2.0, 3.0], [[1.0, 0.3, 0.0], [0.3, 2.0, 0.0], [0.0, 0.0, 0.5]])
    mean, covariance = estimated(sums(), rules(mean=prior))
    of_prior = np.linalg.inv(prior.covariance)
    for k, x in enumerate(ROWS):
        of_rows = len(x) * np.linalg.inv(np.cov(x.T, ddof=0))
        expected = np.linalg.inv(of_prior + of_rows) @ (of_prior @ prior.mean + of_rows @ x.mean(axis=0))
        np.testing.assert_allclose(mean[k], expected)
        np.testing.assert_allclose(covariance[k], np.cov(x.T, ddof=0))


# Classes and columns of which little is known


def test_a_class_without_rows_is_like_all_together():
    rows = [*ROWS, ROWS[0][:0]]
    mean, covariance = estimated(sums(rows), rules())
    np.testing.assert_allclose(mean[3], np.concatenate(ROWS).mean(axis=0))
    np.testing.assert_allclose(covariance[3], sum(len(x) * np.cov(x.T, ddof=0) for x in ROWS) / sum(SIZES))


def test_a_variance_that_does_not_exist_is_not_a_number():
    """One row has none; nor has a column of one value, unless the others' is mixed in."""
    rows = [ROWS[0][:1], np.c_[ROWS[1][:, :2], np.full(SIZES[1], 4.0)], ROWS[2]]
    variance = diagonal(estimated(sums(rows), rules())[1], np.zeros((3, 3)))
    assert np.isnan(variance).tolist() == [[True] * 3, [False, False, True], [False] * 3]
    assert np.isfinite(estimated(sums(rows), rules(0.1))[1]).all()


def test_a_column_that_varies_between_classes_alone_may_borrow_its_spread_from_there():
    """As one row of the variance of all, among the rows of the class; and it varies with no other."""
    rows = [np.c_[x[:, :2], np.full(len(x), 2.0 * k)] for k, x in enumerate(ROWS)]
    found = estimated(sums(rows), rules(0.25, borrow=True))[1]
    spread = np.concatenate(rows)[:, 2].var()
    for k, n in enumerate(SIZES):
        expected = spread / (0.75 * n + 0.25 * sum(SIZES) + 1)
        np.testing.assert_allclose(found[k, 2], [0, 0, expected])
        np.testing.assert_allclose(found[k, :, 2], [0, 0, expected])


def test_a_column_that_does_not_vary_at_all_has_no_variance_to_borrow():
    rows = [np.c_[x[:, :2], np.full(len(x), 1 / 3)] for x in ROWS]
    assert not estimated(sums(rows), rules(0.25, borrow=True))[1][:, 2].any()
    assert np.isnan(estimated(sums(rows), rules(0.25))[1][:, 2, 2]).all()


# Densities


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
    np.testing.assert_allclose(model.scores(x), expected, rtol=1e-11)


@pytest.mark.parametrize("tied", [False, True])
def test_distances_are_mahalanobis_of_the_cells_that_are_there(tied):
    model, x = gaussians(tied), blocks()
    covariance = np.broadcast_to(model.covariance, (3, COLUMNS, COLUMNS))
    found, peak = model.distances(x)
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
    np.testing.assert_allclose(model.scores(x), expected, rtol=1e-9)


def test_a_column_without_variance_tells_nothing():
    mean, covariance = estimated(sums(), rules())
    covariance[:, 1], covariance[:, :, 1] = 0.0, 0.0
    x = blocks()
    blind = np.where([True, False, True], x, np.nan)
    np.testing.assert_allclose(Gaussians(mean, covariance).scores(x), gaussians().scores(blind), rtol=1e-12)
    found = log_density(mean, covariance, x[:, None, :])
    assert not found[:, :, 1].any()
    np.testing.assert_allclose(found.sum(axis=2), gaussians().scores(blind), rtol=1e-11)


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
    found = Gaussians(mean * scale, covariance * np.outer(scale, scale)).scores(x * scale)
    np.testing.assert_allclose(found + np.log(units), gaussians().scores(x), rtol=1e-11)


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


def test_a_ratio_to_nothing_is_nothing():
    assert ratio(np.array([1.0, 4.0, 3.0]), np.array([0.0, 2.0, -1.0])).tolist() == [0, 2, 0]
