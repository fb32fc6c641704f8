"""The normal-inverse-gamma posterior against its closed form and Bayes' rule."""

import numpy as np
import pytest
from scipy import stats

from likely.priors import Beta, Gamma, NormalInverseGamma

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
