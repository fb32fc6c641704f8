"""Posteriors of proportions, rates, means and variances against scipy.stats."""

import numpy as np
import pytest
from scipy import optimize, stats

from likely.priors import (
    Beta,
    Dirichlet,
    Gamma,
    NormalInverseGamma,
)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 3), (0.5, 0.5), (30, 4)])
def test_beta_against_scipy(a, b):
    belief, truth = Beta(a, b).posterior(7, 3), stats.beta(a + 7, b + 3)
    assert belief.mean == pytest.approx(truth.mean())
    assert belief.interval() == pytest.approx(truth.interval(0.95))
    assert belief.interval(0.5) == pytest.approx(truth.interval(0.5))
    best = optimize.minimize_scalar(lambda p: -truth.logpdf(p), bounds=(1e-9, 1 - 1e-9), method="bounded")
    assert belief.mode == pytest.approx(best.x, abs=1e-5)


@pytest.mark.parametrize(
    ("a", "b", "mode"),
    [(2, 2, 0.5), (3, 2, 2 / 3), (1, 3, 0), (0.5, 2, 0), (3, 1, 1), (2, 0.5, 1), (1, 1, np.nan), (0.5, 0.5, np.nan)],
)
def test_the_mode_of_a_beta(a, b, mode):
    """At an end where the density falls or rises throughout; none where it is even or highest at both ends."""
    np.testing.assert_allclose(Beta(a, b).mode, mode)


def test_a_beta_for_each_class():
    belief = Beta(1, 1).posterior(np.array([3, 0]), np.array([1, 4]))
    np.testing.assert_allclose(belief.mean, [4 / 6, 1 / 6])
    np.testing.assert_allclose(belief.mode, [3 / 4, 0])
    low, high = belief.interval(0.9)
    np.testing.assert_allclose(
        np.stack([low, high], axis=1), [stats.beta(4, 2).interval(0.9), stats.beta(1, 5).interval(0.9)]
    )


def test_the_lectures_posterior():
    """Beta(1, 1) and N_d of N: EAP (N_d + 1) / (N + 2)."""
    assert Beta(1, 1).posterior(12, 28).mean == pytest.approx(13 / 42)


def test_dirichlet_against_scipy():
    counts, alpha = np.array([4, 0, 6]), np.array([0.5, 1.5, 2.0])
    belief, truth = Dirichlet(tuple(alpha)).posterior(counts), stats.dirichlet(counts + alpha)
    np.testing.assert_allclose(belief.mean, truth.mean())
    margins = [stats.beta(a, 14 - a).interval(0.8) for a in counts + alpha]
    np.testing.assert_allclose(np.stack(belief.interval(0.8), axis=1), margins)


def test_the_mode_of_a_dirichlet_is_where_its_density_is_highest():
    alpha = np.array([4.5, 1.5, 8.0])
    found = optimize.minimize(
        lambda z: -stats.dirichlet(alpha).logpdf(np.exp([*z, 0]) / np.exp([*z, 0]).sum()),
        [0.0, 0.0],
        method="Nelder-Mead",
    )
    best = np.exp([*found.x, 0]) / np.exp([*found.x, 0]).sum()
    np.testing.assert_allclose(Dirichlet(tuple(alpha)).mode, best, atol=1e-4)


def test_a_dirichlet_below_one_has_no_mode():
    assert np.isnan(Dirichlet((0.5, 3.0)).mode).all()
    assert np.isnan(Dirichlet((1.0, 1.0)).mode).all()


def test_a_dirichlet_for_each_class():
    belief = Dirichlet(1).posterior(np.array([[1, 0], [2, 6]]))
    np.testing.assert_allclose(belief.mean, [[2 / 3, 1 / 3], [3 / 10, 7 / 10]])
    np.testing.assert_allclose(belief.mode, [[1, 0], [2 / 8, 6 / 8]])


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (2, 4), (10, 0.1)])
def test_gamma_against_scipy(a, b):
    belief, truth = Gamma(a, b).posterior(9, 3), stats.gamma(a + 9, scale=1 / (b + 3))
    assert belief.mean == pytest.approx(truth.mean())
    assert belief.interval(0.9) == pytest.approx(truth.interval(0.9))
    best = optimize.minimize_scalar(lambda r: -truth.logpdf(r), bounds=(0, 30), method="bounded")
    assert belief.mode == pytest.approx(best.x, abs=1e-4)


def test_the_mode_of_a_gamma_that_falls_throughout_is_nought():
    assert Gamma(0.5, 2).mode == 0


ROWS = np.array([4.0, 6.0, 11.0])
"""Of mean 7 and sum of squares 26."""


def test_normal_inverse_gamma_against_its_closed_form():
    """The textbook's updates of mu, kappa, alpha and beta, and the mean of an inverse gamma."""
    mu, kappa, rows, variance = 2.0, 1.5, 4.0, 3.0
    alpha, beta = 1 + rows / 2, rows * variance / 2
    assert stats.invgamma(alpha, scale=beta).mean() == pytest.approx(variance)
    belief = NormalInverseGamma(mu, kappa, variance, rows).posterior(3, 7, 26)
    alpha_n, beta_n = alpha + 3 / 2, beta + 26 / 2 + kappa * 3 * (7 - mu) ** 2 / (2 * (kappa + 3))
    mean, spread = belief.point
    assert mean == pytest.approx((kappa * mu + 3 * 7) / (kappa + 3))
    assert spread == pytest.approx(stats.invgamma(alpha_n, scale=beta_n).mean())
    assert (belief.mean_rows, belief.variance_rows) == (kappa + 3, rows + 3)


def test_normal_inverse_gamma_is_bayes_rule():
    """Prior times likelihood, up to one constant wherever it is looked at, is the posterior."""

    def log_density(prior: NormalInverseGamma, mu: float, v: float) -> float:
        alpha, beta = 1 + prior.variance_rows / 2, prior.variance_rows * prior.variance / 2
        of_mean = stats.norm.logpdf(mu, prior.mean, np.sqrt(v / prior.mean_rows))
        return of_mean + stats.invgamma.logpdf(v, alpha, scale=beta)

    prior = NormalInverseGamma(2.0, 1.5, 3.0, 4.0)
    belief = prior.posterior(3, 7, 26)
    gaps = [
        log_density(prior, mu, v) + stats.norm.logpdf(ROWS, mu, np.sqrt(v)).sum() - log_density(belief, mu, v)
        for mu, v in ((0.0, 1.0), (5.0, 8.0), (7.0, 2.5), (-3.0, 30.0))
    ]
    np.testing.assert_allclose(gaps, gaps[0])


def test_the_mode_of_a_normal_inverse_gamma():
    """Of mean and variance together: beta / (alpha + 3/2)."""
    belief = NormalInverseGamma(2.0, 1.5, 3.0, 4.0, estimate="mode").posterior(3, 7, 26)
    beta_n, alpha_n = 6 + 13 + 4.5 * 25 / 9, 3 + 1.5
    mean, spread = belief.point
    assert mean == pytest.approx(24 / 4.5)
    assert spread == pytest.approx(beta_n / (alpha_n + 1.5))


def test_no_rows_of_either_kind_leave_what_is_believed_at_large():
    mean, spread = NormalInverseGamma(2.0, 0.0, 3.0, 0.0).posterior(0, 0, 0).point
    assert (mean, spread) == (2.0, 3.0)


def test_posteriors_of_posteriors_are_posteriors_of_all():
    """In parts or at once: conjugate priors are sums too."""
    np.testing.assert_equal(Beta(1, 2).posterior(3, 4).posterior(5, 6), Beta(1, 2).posterior(8, 10))
    np.testing.assert_equal(Gamma(1, 2).posterior(3, 4).posterior(5, 6), Gamma(1, 2).posterior(8, 10))
    in_parts = NormalInverseGamma(2.0, 1.5, 3.0, 4.0).posterior(1, 4, 0).posterior(2, 8.5, 12.5)
    at_once = NormalInverseGamma(2.0, 1.5, 3.0, 4.0).posterior(3, 7, 26)
    np.testing.assert_allclose(in_parts.point, at_once.point)
