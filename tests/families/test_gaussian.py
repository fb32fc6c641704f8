"""The normal distribution, against scipy.stats and the textbook's normal-inverse-gamma."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import optimize, stats

from likely import NaiveBayes
from likely.families import BadCell, Gaussian
from likely.priors import Laplace, MaximumLikelihood, MEstimate, NormalInverseGamma

from .blocks import counted, loo_scored, observed, scored

X = np.array([[1.0], [2.0], [6.0], [10.0], [14.0]])
Y = np.array([0, 0, 0, 1, 1])
"""Class 0: n 3, mean 3, M2 14. Class 1: n 2, mean 12, M2 8. Within the classes 22 / 5 = 4.4; the mean of all 6.6."""


def parameters(prior: object, x: np.ndarray = X, y: np.ndarray = Y) -> tuple[list[float], list[float]]:
    """Mean and variance of each class."""
    lines = {name: values for _, name, values in NaiveBayes(Gaussian(prior=prior)).fit(x, y).describe().lines}
    return lines["mean"].tolist(), (lines["standard deviation"] ** 2).tolist()


def test_maximum_likelihood():
    mean, variance = parameters(MaximumLikelihood())
    np.testing.assert_allclose(mean, [3, 12])
    np.testing.assert_allclose(variance, [14 / 3, 8 / 2])


def test_the_score_is_the_log_density():
    model = NaiveBayes(Gaussian(prior=MaximumLikelihood()), class_prior="uniform").fit(X, Y)
    rows = np.array([[-5.0], [3.0], [7.7], [100.0]])
    expected = stats.norm.logpdf(rows, [3, 12], np.sqrt([14 / 3, 4])) + np.log(0.5)
    np.testing.assert_allclose(model.predict_joint_log_proba(rows), expected)


def test_by_default_one_row_of_the_variance_within_the_classes_is_added():
    mean, variance = parameters(NormalInverseGamma())
    np.testing.assert_allclose(mean, [3, 12])
    np.testing.assert_allclose(variance, [(14 + 4.4) / 4, (8 + 4.4) / 3])


def test_laplace_adds_a_row_of_the_mean_of_all_too():
    """The mean is drawn to 6.6 by one row; the distance to it adds to the spread by n k / (n + k)."""
    mean, variance = parameters(Laplace())
    np.testing.assert_allclose(mean, [(9 + 6.6) / 4, (24 + 6.6) / 3])
    expected = [(14 + 4.4 + 3 / 4 * 3.6**2) / 4, (8 + 4.4 + 2 / 3 * 5.4**2) / 3]
    np.testing.assert_allclose(variance, expected)


def test_an_m_estimate_of_the_variance():
    mean, variance = parameters(MEstimate(2, 5.0))
    np.testing.assert_allclose(mean, [(9 + 13.2) / 5, (24 + 13.2) / 4])
    expected = [(14 + 10 + 6 / 5 * 3.6**2) / 5, (8 + 10 + 4 / 4 * 5.4**2) / 4]
    np.testing.assert_allclose(variance, expected)


def test_the_textbooks_posterior():
    """mu_n, kappa_n, alpha_n and beta_n of class 0, and the means of the mean and of the variance (inverse gamma)."""
    prior = NormalInverseGamma(mean=2.0, mean_rows=1.5, variance=3.0, variance_rows=4.0)
    alpha, beta = 1 + 4 / 2, 4 * 3 / 2
    kappa_n, mu_n = 1.5 + 3, (1.5 * 2 + 9) / (1.5 + 3)
    alpha_n, beta_n = alpha + 3 / 2, beta + 14 / 2 + 1.5 * 3 * (3 - 2) ** 2 / (2 * kappa_n)
    mean, variance = parameters(prior)
    assert mean[0] == pytest.approx(mu_n)
    assert variance[0] == pytest.approx(stats.invgamma(alpha_n, scale=beta_n).mean())
    posterior = NaiveBayes(Gaussian(prior=prior)).fit(X, Y).parameter_posterior(0)
    assert posterior.mean_rows[0] == kappa_n
    assert 1 + posterior.variance_rows[0] / 2 == alpha_n
    assert (posterior.variance_rows * posterior.variance / 2)[0] == pytest.approx(beta_n)


def test_the_mode_is_where_the_textbooks_posterior_is_highest():
    prior = NormalInverseGamma(mean=2.0, mean_rows=1.5, variance=3.0, variance_rows=4.0, estimate="mode")
    kappa_n, mu_n, alpha_n, beta_n = 4.5, 12 / 4.5, 4.5, 6 + 7 + 4.5 / 9

    def minus_log_density(at: np.ndarray) -> float:
        mu, v = at[0], np.exp(at[1])
        return -(stats.norm.logpdf(mu, mu_n, np.sqrt(v / kappa_n)) + stats.invgamma.logpdf(v, alpha_n, scale=beta_n))

    best = optimize.minimize(
        minus_log_density, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
    )
    mean, variance = parameters(prior)
    assert mean[0] == pytest.approx(best.x[0], abs=1e-5)
    assert variance[0] == pytest.approx(np.exp(best.x[1]), abs=1e-5)


def test_a_class_of_one_row_borrows_the_variance_of_the_others():
    """(0 + 2 / 4) / (1 + 1): of class 0 M2 is 2 over 4 rows in all."""
    x, y = np.array([[1.0], [2.0], [3.0], [9.0]]), [0, 0, 0, 1]
    mean, variance = parameters(NormalInverseGamma(), x, y)
    assert (mean[1], variance[1]) == (9.0, pytest.approx(0.25))


def test_classes_of_one_value_each_borrow_the_variance_of_all():
    """Nothing varies within the classes: what is left is how far they are apart."""
    x, y = np.array([[0.0], [0.0], [4.0], [4.0]]), [0, 0, 1, 1]
    _, variance = parameters(NormalInverseGamma(), x, y)
    np.testing.assert_allclose(variance, [4 / 3, 4 / 3])


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 0.7, -1 / 3, 1e8 + 0.1, 1e-20])
@pytest.mark.parametrize("prior", [NormalInverseGamma(), Laplace(), MEstimate(2.5)], ids=repr)
def test_a_constant_column_tells_nothing(value, prior):
    """Whatever the value and however the classes differ in size; also of a value never seen."""
    y = np.repeat(["a", "b", "c"], [3, 4, 5])
    model = NaiveBayes(Gaussian(prior=prior)).fit(np.full((12, 1), value), y)
    np.testing.assert_allclose(model.predict_proba([[value], [2 * value + 1]]), [[3 / 12, 4 / 12, 5 / 12]] * 2)


@pytest.mark.parametrize("prior", [NormalInverseGamma(), Laplace(), Laplace(0.5), MEstimate(2.5)], ids=repr)
@pytest.mark.parametrize("rows", [2, 3, 4, 9, 100])
@pytest.mark.parametrize(("odd", "even"), [(0.0, 1 / 3), (1.0, 0.0), (1 / 3, 0.0), (0.7, 0.1), (1e8, 1.0)])
def test_a_column_of_almost_one_value_is_left_out_sensibly(odd, even, rows, prior):
    """Without the odd row nothing varies, and the column tells nothing of it."""
    seen = observed(np.array([[odd]] + [[even]] * (rows - 1)), np.zeros(rows))
    block = counted(Gaussian(prior=prior), seen)
    assert block.family.loo(block, seen)[0, 0] == 0.0


def test_the_last_row_of_a_class_leaves_a_constant_column():
    """Two rows of two classes: left out either way, one value is left, and neither class is told from the other."""
    seen = observed(np.array([[0.0], [1 / 3]]), [0, 1], weight=[0.1, 0.5])
    block = counted(Gaussian(prior=Laplace(0.5)), seen)
    np.testing.assert_array_equal(loo_scored(block, seen), np.zeros((2, 2)))


@pytest.mark.parametrize("prior", [NormalInverseGamma(), Laplace(), MEstimate(2.5)], ids=repr)
@pytest.mark.parametrize(("odd", "even"), [(0.0, 1 / 3), (1.0, 0.0), (1 / 3, 0.0), (0.7, 0.1), (1e8, 1.0)])
def test_forgetting_the_only_other_value_leaves_a_constant_column(odd, even, prior):
    x, y = np.array([[odd], [even], [even], [even], [even]]), [0] * 5
    model = NaiveBayes(Gaussian(prior=prior)).fit(x, y).forget(x[:1], y[:1])
    np.testing.assert_array_equal(model.predict_joint_log_proba([[0.0], [5.0]]), [[0.0], [0.0]])


@pytest.mark.parametrize("rows", [[[1.0], [2.0], [3.0]], [[1.0], [2.0], [3.0], [3.0]]])
def test_a_class_without_variance_is_an_error_by_maximum_likelihood(rows):
    """Of one row, or of one value: named with its column and its class."""
    table = pa.table({"height": [row[0] for row in rows]})
    said = r"^Gaussian has no variance for column 'height' in class 'b'; give it a prior, or leave the column out$"
    with pytest.raises(ValueError, match=said):
        NaiveBayes(Gaussian(prior=MaximumLikelihood())).fit(table, ["a", "a", "b", "b"][: len(rows)])


def test_a_class_without_any_value_is_none():
    """Nothing is known of it in this column: it has the mean and the variance of the others."""
    x, y = np.array([[1.0], [2.0], [3.0], [np.nan]]), [0, 0, 0, 1]
    mean, variance = parameters(NormalInverseGamma(), x, y)
    assert (mean[1], variance[1]) == (2.0, pytest.approx(2 / 3))


@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1e151])
def test_a_number_without_a_finite_square_is_refused(bad):
    table = pa.table({"height": [1.0, 2.0, bad]})
    with pytest.raises(
        ValueError, match=r"^Gaussian needs finite numbers, up to 1e150; column 'height', row 2, has -?(inf|1e\+151)$"
    ):
        NaiveBayes("gaussian").fit(table, [0, 1, 1])
    block = counted(Gaussian(), observed(X, np.zeros(5)))
    with pytest.raises(BadCell):
        scored(block, np.array([[bad]]))


def test_large_numbers_are_fine_up_to_there():
    x = np.array([[1e150], [-1e150], [1e149]])
    mean, variance = parameters(MaximumLikelihood(), x, np.zeros(3))
    assert mean[0] == pytest.approx(1e149 / 3)
    assert variance[0] == pytest.approx(np.var(x / 1e149) * 1e298)


def test_small_spreads_are_not_rounded_away():
    """A standard deviation of 1e-12 about 0 is as good as any: there is no floor under the variance."""
    x = np.array([[0.0], [1e-12], [2e-12], [1e-12], [3e-12]])
    _, variance = parameters(MaximumLikelihood(), x, Y)
    np.testing.assert_allclose(variance, [2 / 3 * 1e-24, 1e-24])


def test_two_parameters_for_each_column():
    assert NaiveBayes(Gaussian()).fit(np.hstack([X, X]), Y).describe().free_parameters == 1 + 2 * 4


def test_it_describes_mean_and_standard_deviation():
    lines = NaiveBayes(Gaussian(prior=MaximumLikelihood())).fit(X, Y).describe().lines
    assert [name for _, name, _ in lines] == ["mean", "standard deviation"]
    np.testing.assert_allclose(lines[1][2], np.sqrt([14 / 3, 4]))


def test_what_is_drawn_is_normal():
    """By the Kolmogorov-Smirnov test."""
    model = NaiveBayes(Gaussian(prior=MaximumLikelihood())).fit(X[:3], Y[:3])
    drawn, _ = model.sample(5000, random_state=3)
    assert stats.kstest(drawn[:, 0], stats.norm(3, np.sqrt(14 / 3)).cdf).pvalue > 1e-3
