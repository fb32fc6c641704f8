"""Priors of vectors of means and of covariances, and their posteriors against scipy.stats."""

import numpy as np
import pytest
from scipy import stats

from likely.priors import (
    InverseWishart,
    MaximumLikelihood,
    Normal,
)

TOGETHER = np.array([[2.0, 0.6], [0.6, 0.5]])
SPREAD = np.array([[1.5, -0.4], [-0.4, 3.0]])


def test_the_posterior_of_a_mean_vector_is_bayes_rule():
    """Prior times likelihood, up to one constant wherever it is looked at, is the posterior."""
    rows = np.random.default_rng(1).normal(size=(7, 2)) + 1
    prior = Normal([3.0, -1.0], SPREAD)
    belief = prior.posterior(7, rows.mean(axis=0), TOGETHER)

    def log_density(of: Normal, at: np.ndarray) -> float:
        return float(stats.multivariate_normal(of.mean, of.covariance).logpdf(at))

    gaps = [
        log_density(prior, at) + stats.multivariate_normal(at, TOGETHER).logpdf(rows).sum() - log_density(belief, at)
        for at in np.random.default_rng(2).normal(size=(6, 2)) * 3
    ]
    np.testing.assert_allclose(gaps, gaps[0])


@pytest.mark.parametrize("n", [1, 2.5, 1e12])
def test_the_posterior_of_a_mean_vector_is_the_textbooks(n):
    """S_post = (S^-1 + n C^-1)^-1 and m_post = S_post (S^-1 m + n C^-1 mean)."""
    before, mean = np.array([3.0, -1.0]), np.array([0.5, 0.25])
    belief = Normal(before, SPREAD).posterior(n, mean, TOGETHER)
    of_prior, of_rows = np.linalg.inv(SPREAD), n * np.linalg.inv(TOGETHER)
    after = np.linalg.inv(of_prior + of_rows)
    np.testing.assert_allclose(belief.covariance, after)
    np.testing.assert_allclose(belief.mean, after @ (of_prior @ before + of_rows @ mean))


def test_one_number_is_for_every_column():
    found = Normal(3.0, 2.0).posterior(4, [0.5, 0.25], TOGETHER)
    for same in (Normal([3.0, 3.0], [2.0, 2.0]), Normal([3.0, 3.0], 2 * np.eye(2))):
        np.testing.assert_allclose(same.posterior(4, [0.5, 0.25], TOGETHER).mean, found.mean)
        np.testing.assert_allclose(same.posterior(4, [0.5, 0.25], TOGETHER).covariance, found.covariance)


@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_each_class_has_its_own_posterior(shape):
    """One of them without rows: there the prior stands, whatever the mean of nothing is given as."""
    prior, n = Normal([3.0, -1.0], SPREAD), np.array([4.0, 0.0, 9.0])
    mean, covariance = np.arange(6.0).reshape(3, 2), np.array([TOGETHER, SPREAD, np.eye(2)])
    found = prior.posterior(n.reshape(shape), mean, covariance)
    for k in (0, 2):
        alone = prior.posterior(n[k], mean[k], covariance[k])
        np.testing.assert_allclose(found.mean[k], alone.mean)
        np.testing.assert_allclose(found.covariance[k], alone.covariance)
    np.testing.assert_array_equal(found.mean[1], prior.mean)
    np.testing.assert_array_equal(found.covariance[1], SPREAD)


@pytest.mark.parametrize("n", [[4.0, 4.0], [4.0, 9.0], [0.0, 9.0]], ids=str)
def test_columns_seen_in_different_numbers_of_rows(n):
    """Of independent columns, N is a diagonal; what is known of one column says something of one never seen."""
    prior, mean, variance = Normal([3.0, -1.0], SPREAD), np.array([[0.5, 0.25]]), np.array([[2.0, 0.5]])
    found = prior.posterior(np.array([n]), mean, variance)
    of_prior, of_rows = np.linalg.inv(SPREAD), np.diag(n) / variance
    after = np.linalg.inv(of_prior + of_rows)
    np.testing.assert_allclose(found.covariance[0], after)
    np.testing.assert_allclose(found.mean[0], after @ (of_prior @ prior.mean + of_rows @ mean[0]))


def test_a_covariance_without_an_inverse_is_no_obstacle_to_the_mean():
    """Columns that are one. Along them the variance is 2, the prior's 1: 3 rows are worth 3 / 2 of the prior."""
    belief = Normal([0.0, 0.0], 1.0).posterior(3, [1.0, 1.0], np.ones((2, 2)))
    np.testing.assert_allclose(belief.mean, [0.6, 0.6])
    np.testing.assert_allclose(belief.covariance, np.full((2, 2), 0.2))


def test_the_interval_of_a_mean_vector_is_scipys():
    for covariance in (SPREAD, np.diag(SPREAD)):
        low, high = Normal([3.0, -1.0], covariance).interval(0.9)
        expected = stats.norm([3.0, -1.0], np.sqrt([1.5, 3.0])).interval(0.9)
        np.testing.assert_allclose([low, high], expected)
    low, high = Normal(np.zeros((4, 2)), np.broadcast_to(SPREAD, (4, 2, 2))).interval()
    np.testing.assert_allclose(high[3], 1.959963984540054 * np.sqrt([1.5, 3.0]))


def textbook(belief: InverseWishart) -> object:
    """nu = rows + p + 1 and Psi = rows * covariance."""
    return stats.invwishart(belief.rows + 3, belief.rows * belief.mean)


def test_inverse_wishart_against_its_closed_form():
    """The textbook's update is nu + n and Psi + squares."""
    rows = np.random.default_rng(3).normal(size=(7, 2))
    squares = 7 * np.cov(rows.T, ddof=0)
    prior = InverseWishart(SPREAD, 4.0)
    nu, psi = 4 + 2 + 1, 4 * SPREAD
    np.testing.assert_allclose(stats.invwishart(nu, psi).mean(), prior.mean)
    np.testing.assert_allclose(stats.invwishart(nu, psi).mode(), prior.mode)
    belief, truth = prior.posterior(7, squares), stats.invwishart(nu + 7, psi + squares)
    np.testing.assert_allclose(belief.mean, truth.mean())
    np.testing.assert_allclose(belief.mode, truth.mode())
    assert belief.rows == 11


def test_inverse_wishart_is_bayes_rule():
    """For rows about a known mean, here their own."""
    rows = np.random.default_rng(4).normal(size=(7, 2))
    rows -= rows.mean(axis=0)
    prior = InverseWishart(SPREAD, 4.0)
    belief = prior.posterior(7, rows.T @ rows)
    gaps = [
        textbook(prior).logpdf(at)
        + stats.multivariate_normal([0, 0], at).logpdf(rows).sum()
        - textbook(belief).logpdf(at)
        for at in (TOGETHER, SPREAD, np.eye(2), 10 * TOGETHER)
    ]
    np.testing.assert_allclose(gaps, gaps[0])


def test_the_mode_of_an_inverse_wishart_is_where_its_density_is_highest():
    belief = InverseWishart(SPREAD, 4.0).posterior(7, TOGETHER)
    highest = textbook(belief).logpdf(belief.mode)
    rng = np.random.default_rng(5)
    for _ in range(50):
        step = 1e-3 * rng.normal(size=(2, 2))
        assert textbook(belief).logpdf(belief.mode + step + step.T) < highest


@pytest.mark.parametrize(("given", "full"), [(2.0, 2 * np.eye(2)), ([2.0, 3.0], np.diag([2.0, 3.0]))], ids=["1", "2"])
def test_a_covariance_of_few_numbers_is_a_diagonal(given, full):
    few, whole = InverseWishart(given, 4.0), InverseWishart(full, 4.0)
    assert few.wishart(2) == whole
    np.testing.assert_allclose(few.posterior(3, TOGETHER).mean, whole.posterior(3, TOGETHER).mean)
    np.testing.assert_allclose(few.posterior(3, TOGETHER).mode, whole.posterior(3, TOGETHER).mode)


def test_the_mode_of_a_diagonal_is_given_as_its_mean_is():
    """One number for each of two columns: rows / (rows + 2 p + 2) of each."""
    prior = InverseWishart([2.0, 3.0], 4.0)
    assert prior.mode.shape == prior.mean.shape
    np.testing.assert_allclose(prior.mode, prior.mean * 4 / 10)


@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_an_inverse_wishart_for_each_class(shape):
    """One of them without rows, where the prior stands."""
    squares = np.array([TOGETHER, np.zeros((2, 2)), SPREAD])
    belief = InverseWishart(SPREAD, 4.0).posterior(np.array([3, 0, 8]).reshape(shape), squares)
    np.testing.assert_allclose(belief.mean, [(4 * SPREAD + TOGETHER) / 7, SPREAD, 5 * SPREAD / 12])
    np.testing.assert_allclose(belief.mode, [(4 * SPREAD + TOGETHER) / 13, SPREAD * 4 / 10, 5 * SPREAD / 18])
    assert belief.rows.tolist() == [7, 4, 12]


def test_no_rows_and_no_prior_are_no_covariance():
    assert not MaximumLikelihood().wishart(2).posterior(0, np.zeros((2, 2))).mean.any()


def test_posteriors_of_posteriors_are_posteriors_of_all():
    """In parts or at once: conjugate priors are sums too."""
    rows, middle = np.random.default_rng(0).normal(size=(9, 2)), [3.0, 4.0]
    prior = Normal(middle, SPREAD)
    in_parts = prior.posterior(4, rows[:4].mean(axis=0), TOGETHER).posterior(5, rows[4:].mean(axis=0), TOGETHER)
    at_once = prior.posterior(9, rows.mean(axis=0), TOGETHER)
    np.testing.assert_allclose(in_parts.mean, at_once.mean)
    np.testing.assert_allclose(in_parts.covariance, at_once.covariance)
    prior = InverseWishart(SPREAD, 4.0)
    in_parts, at_once = prior.posterior(3, TOGETHER).posterior(5, SPREAD), prior.posterior(8, TOGETHER + SPREAD)
    np.testing.assert_allclose(in_parts.mean, at_once.mean)
    assert in_parts.rows == at_once.rows == 12
