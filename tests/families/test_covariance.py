"""Means and covariances from sums, a prior and two amounts of shrinkage, against numpy and Friedman's formula."""

import numpy as np
import pytest

from likely.families.covariance import Pool
from likely.families.gaussians import diagonal
from likely.priors import Normal

from .gaussian_sums import COLUMNS, ROWS, SIZES, estimated, rules, sums


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


def test_rows_of_the_prior_are_added_to_those_seen():
    squares_before = 4 * np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 3.0]])
    for k, x in enumerate(ROWS):
        squares = len(x) * np.cov(x.T, ddof=0) + squares_before
        found = estimated(sums(), rules(pseudo_squares=squares_before, pseudo_rows=4.0))[1][k]
        np.testing.assert_allclose(found, squares / (len(x) + 4))
        found = estimated(sums(), rules(pseudo_squares=squares_before, pseudo_rows=4.0, more_rows=8.0))[1][k]
        np.testing.assert_allclose(found, squares / (len(x) + 4 + 8))


@pytest.mark.parametrize("column", range(COLUMNS))
def test_what_the_prior_has_of_a_column_that_does_not_vary_is_kept(column):
    """The rows of a prior are rows: also those that say how a constant column varies with the others."""
    rows = [x.copy() for x in ROWS]
    for x in rows:
        x[:, column] = 5.0
    squares_before = 4 * np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.3], [0.1, 0.3, 3.0]])
    found = estimated(sums(rows), rules(pseudo_squares=squares_before, pseudo_rows=4.0))[1]
    expected = [(len(x) * np.cov(x.T, ddof=0) + squares_before) / (len(x) + 4) for x in rows]
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
