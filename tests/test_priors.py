"""Priors: what they add to counts, and their posteriors against scipy.stats."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import optimize, stats

from likely import NaiveBayes, priors
from likely.families import (
    Bernoulli,
    Categorical,
    Gaussian,
    Histogram,
    Multinomial,
    MultivariateGaussian,
    Poisson,
)
from likely.priors import (
    Beta,
    Dirichlet,
    Gamma,
    InverseWishart,
    Laplace,
    MaximumLikelihood,
    MEstimate,
    Normal,
    NormalInverseGamma,
)

EVERY = [
    MaximumLikelihood(),
    MEstimate(2),
    Laplace(),
    Beta(),
    Dirichlet(),
    Gamma(),
    NormalInverseGamma(),
    Normal(0.0, 1.0),
    InverseWishart(1.0, 2.0),
]


# Imagined counts of proportions


def test_maximum_likelihood_imagines_nothing():
    assert MaximumLikelihood().proportions(3).tolist() == [0, 0, 0]
    assert MaximumLikelihood().rate() == (0, 0)
    assert MaximumLikelihood().normal().variance_rows == 0
    assert MaximumLikelihood().wishart(2) == InverseWishart(np.zeros((2, 2)), 0.0)


@pytest.mark.parametrize("values", [2, 3, 10])
def test_laplace_is_the_m_estimate_with_m_values_and_even_p(values):
    """m = v and p = 1 / v: one of each."""
    laplace = Laplace().proportions(values)
    np.testing.assert_allclose(laplace, np.ones(values))
    np.testing.assert_allclose(laplace, MEstimate(values).proportions(values))
    np.testing.assert_allclose(laplace, MEstimate(values, (1 / values,) * values).proportions(values))
    np.testing.assert_allclose(laplace, Dirichlet(1).proportions(values))


def test_laplace_of_any_strength():
    assert Laplace(0.25).proportions(3).tolist() == [0.25] * 3
    assert Laplace(0.25).rate() == (0.25, 0.25)


def test_an_m_estimate_adds_m_rows_in_the_proportion_p():
    """(count + m p) / (rows + m), for a one of two values and for each of several."""
    np.testing.assert_allclose(MEstimate(5, 0.3).proportions(2), [3.5, 1.5])
    np.testing.assert_allclose(MEstimate(5, (0.5, 0.2, 0.3)).proportions(3), [2.5, 1.0, 1.5])
    ones, rows, m, p = 7, 10, 5, 0.3
    model = NaiveBayes(Bernoulli(prior=MEstimate(m, p))).fit([[1]] * ones + [[0]] * (rows - ones), [0] * rows)
    assert np.exp(model.predict_joint_log_proba([[1]])).item() == pytest.approx((ones + m * p) / (rows + m))


def test_an_m_estimate_of_a_rate():
    assert MEstimate(4).rate() == (4, 4)
    assert MEstimate(4, 2.5).rate() == (10, 4)


def test_an_m_estimate_of_nought_rows_is_maximum_likelihood():
    assert MEstimate(0).proportions(4).tolist() == [0] * 4


def test_beta_imagines_zeros_then_ones():
    assert Beta(2, 5).proportions(2).tolist() == [5, 2]


def test_dirichlet_of_one_number_is_for_all():
    assert Dirichlet(0.5).proportions(3).tolist() == [0.5] * 3
    assert Dirichlet((1, 2, 3)).proportions(3).tolist() == [1, 2, 3]


@pytest.mark.parametrize(("prior", "expected"), [(Beta(2, 5, "mode"), [4, 1]), (Dirichlet((1, 3), "mode"), [0, 2])])
def test_for_a_mode_one_less_of_each_is_imagined(prior, expected):
    assert prior.proportions(2).tolist() == expected


def test_for_the_mode_of_a_rate_one_event_less_is_imagined():
    assert Gamma(3, 2, "mode").rate() == (2, 2)


# Posteriors of the conjugate priors


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


# Vectors of means and covariances

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


def test_no_rows_seen_or_imagined_are_no_covariance():
    assert not MaximumLikelihood().wishart(2).posterior(0, np.zeros((2, 2))).mean.any()


# Errors


def said(value: object) -> str:
    """A name for an example: what it says, or nothing where it is a function."""
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    ("family", "prior", "said"),
    [
        (
            Bernoulli,
            Gamma(),
            r"^Gamma\(\) is no prior for proportions \(Bernoulli, .*\); MaximumLikelihood, .*, Beta, Dirichlet are$",
        ),
        (Categorical, NormalInverseGamma(), r"^NormalInverseGamma\(\) is no prior for proportions .* are$"),
        (Multinomial, Gamma(2, 3), r"^Gamma\(a=2, b=3\) is no prior for proportions .* are$"),
        (Histogram, NormalInverseGamma(), r"^NormalInverseGamma\(\) is no prior for proportions .* are$"),
        (
            Poisson,
            Beta(),
            r"^Beta\(\) is no prior for a rate \(Poisson\); MaximumLikelihood, MEstimate, Laplace, Gamma are$",
        ),
        (Poisson, Dirichlet(2), r"^Dirichlet\(alpha=2\) is no prior for a rate .* are$"),
        (
            Gaussian,
            Beta(2, 1),
            r"^Beta\(a=2\) is no prior for a mean and a variance \(Gaussian\); .*, NormalInverseGamma are$",
        ),
        (Gaussian, Gamma(), r"^Gamma\(\) is no prior for a mean and a variance .* are$"),
        (Gaussian, Normal(0, 1), r"^Normal\(mean=0, covariance=1\) is no prior for a mean and a variance .* are$"),
        (Gaussian, InverseWishart(1, 2), r"^InverseWishart\(.*\) is no prior for a mean and a variance .* are$"),
        (
            MultivariateGaussian,
            Laplace(),
            r"^Laplace\(\) is no prior for a covariance \(Multi.*\); MaximumLikelihood, InverseWishart are$",
        ),
        (MultivariateGaussian, Normal(0, 1), r"^Normal\(mean=0, covariance=1\) is no prior for a covariance .* are$"),
    ],
    ids=said,
)
def test_a_prior_of_the_wrong_shape_gives_one_clear_sentence(family, prior, said):
    with pytest.raises(TypeError, match=said):
        NaiveBayes(family(prior=prior)).fit(np.array([[0.0], [1.0], [1.0], [0.0]]), [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Laplace(-1), "strength must be 0 or more, not -1"),
        (lambda: Laplace(np.nan), "strength must be 0 or more, not nan"),
        (lambda: MEstimate(-2), "m must be 0 or more, not -2"),
        (lambda: MEstimate(2, -0.1), "p must be 0 or more, not -0.1"),
        (lambda: Beta(-1, 1), "a must be 0 or more, not -1"),
        (lambda: Beta(1, -1), "b must be 0 or more, not -1"),
        (lambda: Dirichlet((1, -2)), "alpha must be 0 or more, not -2"),
        (lambda: Gamma(1, -1), "b must be 0 or more, not -1"),
        (lambda: NormalInverseGamma(mean_rows=-1), "mean_rows must be 0 or more, not -1"),
        (lambda: NormalInverseGamma(variance=-1), "variance must be 0 or more, not -1"),
        (lambda: NormalInverseGamma(variance_rows=-1), "variance_rows must be 0 or more, not -1"),
        (lambda: Beta(1, 1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: Dirichlet(1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: Gamma(1, 1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: NormalInverseGamma(estimate="median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: InverseWishart(1, 1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: InverseWishart(1, -1), "rows must be 0 or more, not -1"),
        (lambda: InverseWishart(1, np.nan), "rows must be 0 or more, not nan"),
        (lambda: InverseWishart(-1, 1), "covariance must be 0 or more, not -1"),
        (lambda: InverseWishart([1, -2], 1), "covariance must be 0 or more, not -2"),
        (lambda: InverseWishart(np.inf, 1), "covariance must be finite, not inf"),
        (lambda: InverseWishart(np.nan, 1), "covariance must be finite, not nan"),
        (lambda: InverseWishart([[1, 2], [0, 1]], 1), "the covariance must be symmetric"),
        (lambda: InverseWishart(np.ones((2, 3)), 1), "the covariance must be symmetric"),
        (lambda: InverseWishart([[1, 2], [2, 1]], 1), "the covariance must not be negative in any direction"),
        (lambda: Normal(np.nan, 1), "mean must be finite, not nan"),
        (lambda: Normal(0, np.nan), "covariance must be finite, not nan"),
        (lambda: Normal(0, -1), "covariance must be 0 or more, not -1"),
        (lambda: Normal(0, [[1, 2], [0, 1]]), "the covariance must be symmetric"),
        (lambda: Normal(0, [[1, 2], [2, 1]]), "the covariance must not be negative in any direction"),
    ],
    ids=said,
)
def test_what_is_no_prior_is_refused_when_it_is_made(make, said):
    with pytest.raises(ValueError, match=f"^{said}(\\.0)?$"):
        make()


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda: Beta().proportions(3), "Beta is a prior for two values, but there are 3: use Dirichlet"),
        (lambda: Dirichlet((1, 2)).proportions(3), "alpha has 2 numbers for 3 values"),
        (lambda: MEstimate(2, (0.5, 0.5)).proportions(3), "p has 2 numbers for 3 values"),
        (lambda: MEstimate(2, (0.5, 0.6)).proportions(2), "p must sum to 1, not 1.1"),
        (
            lambda: MEstimate(2, 0.5).proportions(3),
            "one p is enough for two values, but there are 3: give one p for each",
        ),
        (lambda: MEstimate(2, 1.5).proportions(2), "p must be at most 1, not 1.5"),
        (lambda: Beta(0.5, 2, "mode").proportions(2), "for a mode, each imagined count must be 1 or more, not 0.5"),
        (lambda: Gamma(0.5, 2, "mode").rate(), "for a mode, the imagined events a must be 1 or more, not 0.5"),
        (lambda: InverseWishart(np.eye(3), 1).wishart(2), "the covariance is of 3 columns, not of 2"),
        (lambda: InverseWishart([1, 2, 3], 1).wishart(2), "there are 3 variances for 2 columns"),
        (lambda: Normal(0, np.eye(3)).posterior(1, [0, 0], 1), "the covariance is of 3 columns, not of 2"),
        (lambda: Normal(0, [1, 2, 3]).posterior(1, [0, 0], 1), "there are 3 variances for 2 columns"),
        (lambda: Normal([0, 0, 0], 1).posterior(1, [0, 0], 1), "there are 3 means for 2 columns"),
    ],
    ids=said,
)
def test_a_prior_that_does_not_fit_the_values_says_why(use, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        use()


@pytest.mark.parametrize("use", [MEstimate.rate, MEstimate.normal])
def test_one_number_is_needed_where_there_is_one(use):
    with pytest.raises(TypeError, match=r"^one number is needed as p here, not 2$"):
        use(MEstimate(2, (0.5, 0.5)))


@pytest.mark.parametrize("units", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("bad", [[[1, 0.5], [0, 1]], [[1, 2], [2, 1]], [[1, 0], [0, -1]]], ids=str)
def test_what_is_no_covariance_is_none_in_other_units(bad, units):
    """Also if they are those of one column alone."""
    for scale in ([units, units], [units, 1.0]):
        with pytest.raises(ValueError, match=r"^the covariance must "):
            InverseWishart(np.array(bad) * np.outer(scale, scale), 1)


# Values


@pytest.mark.parametrize("prior", EVERY, ids=repr)
def test_a_prior_is_a_value(prior):
    assert prior == type(prior)(**vars(prior))
    assert hash(prior) == hash(type(prior)(**vars(prior)))
    assert type(prior).__doc__
    with pytest.raises(FrozenInstanceError):
        prior.anything = 1


def test_a_prior_says_what_differs_from_its_defaults():
    assert [repr(prior) for prior in EVERY] == [
        "MaximumLikelihood()",
        "MEstimate(m=2)",
        "Laplace()",
        "Beta()",
        "Dirichlet()",
        "Gamma()",
        "NormalInverseGamma()",
        "Normal(mean=0.0, covariance=1.0)",
        "InverseWishart(covariance=1.0, rows=2.0)",
    ]
    assert repr(Beta(2, 1, "mode")) == "Beta(a=2, estimate='mode')"


@pytest.mark.parametrize("numbers", [[0.5, 0.3, 0.2], np.array([0.5, 0.3, 0.2])], ids=["list", "array"])
def test_numbers_per_value_may_come_as_a_list_or_an_array(numbers):
    """They stay values: equal and hashable."""
    assert MEstimate(2, numbers) == MEstimate(2, (0.5, 0.3, 0.2))
    assert hash(MEstimate(2, numbers)) == hash(MEstimate(2, (0.5, 0.3, 0.2)))
    assert Dirichlet(numbers) == Dirichlet((0.5, 0.3, 0.2))
    assert hash(Dirichlet(numbers)) == hash(Dirichlet((0.5, 0.3, 0.2)))
    assert Normal(numbers, numbers) == Normal((0.5, 0.3, 0.2), (0.5, 0.3, 0.2))
    assert hash(Normal(numbers, numbers)) == hash(Normal((0.5, 0.3, 0.2), (0.5, 0.3, 0.2)))


def test_priors_of_matrices_are_equal_by_their_numbers():
    assert InverseWishart(np.eye(2), 3) == InverseWishart([[1, 0], [0, 1]], 3)
    assert InverseWishart(np.eye(2), 3) != InverseWishart(np.eye(2), 4)
    assert InverseWishart(np.eye(2), 3) != InverseWishart(np.eye(3), 3)
    assert InverseWishart(1.0, 3) != InverseWishart(1.0, 3, "mode")
    assert Normal(0.0, 1.0) != Normal([0.0], 1.0)
    assert Normal(0.0, 1.0) != InverseWishart(0.0, 1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (InverseWishart(2, 3), InverseWishart(2.0, 3.0)),
        (InverseWishart(np.eye(2), 3), InverseWishart([[1, 0], [0, 1]], 3)),
        (Normal(0, 1), Normal(0.0, 1.0)),
        (Beta(1, 2), Beta(1.0, 2.0)),
    ],
    ids=repr,
)
def test_equal_priors_have_equal_hashes(one, other):
    assert one == other
    assert hash(one) == hash(other)


def test_every_prior_serves_somewhere():
    public = {value for value in vars(priors).values() if isinstance(value, type) and issubclass(value, priors.Prior)}
    assert public - {priors.Prior} == {type(prior) for prior in EVERY}
    for prior in EVERY:
        shapes = 0
        uses = (
            lambda p: p.proportions(2),
            lambda p: p.rate(),
            lambda p: p.normal(),
            lambda p: p.wishart(2),
            lambda p: MultivariateGaussian(mean_prior=p),
        )
        for use in uses:
            try:
                use(prior)
            except TypeError:
                continue
            shapes += 1
        assert shapes
