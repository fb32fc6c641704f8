"""Counts of events, against scipy.stats."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import optimize, stats

from likely import NaiveBayes
from likely.families import BadCell, Poisson
from likely.priors import Gamma, Laplace, MaximumLikelihood, MEstimate

from .blocks import counted, observed, scored

X = np.array([[2.0], [0.0], [7.0], [1.0], [5.0]])
Y = np.array([0, 0, 0, 1, 1])
"""Class 0: 9 events in 3 rows. Class 1: 6 events in 2 rows."""


def rates(prior: object, x: np.ndarray = X, y: np.ndarray = Y) -> list[float]:
    ((_, name, values),) = NaiveBayes(Poisson(prior=prior)).fit(x, y).describe().lines
    assert name == "rate"
    return values.tolist()


@pytest.mark.parametrize(
    ("prior", "first", "second"),
    [
        (MaximumLikelihood(), 9 / 3, 6 / 2),
        (Gamma(2, 4), 11 / 7, 8 / 6),
        (Gamma(2, 4, estimate="mode"), 10 / 7, 7 / 6),
        (Poisson().prior, 9.5 / 3.5, 6.5 / 2.5),
        (Laplace(), 10 / 4, 7 / 3),
        (Laplace(3), 12 / 6, 9 / 5),
        (MEstimate(4), 13 / 7, 10 / 6),
        (MEstimate(4, 0.5), 11 / 7, 8 / 6),
    ],
    ids=repr,
)
def test_estimates(prior, first, second):
    np.testing.assert_allclose(rates(prior), [first, second])


def test_maximum_likelihood_is_where_the_likelihood_is_highest():
    """The lecture's derivation, by numbers: the rate is the mean."""
    best = optimize.minimize_scalar(lambda r: -stats.poisson.logpmf(X[:3], r).sum(), bounds=(0, 20), method="bounded")
    assert rates(MaximumLikelihood())[0] == pytest.approx(best.x, abs=1e-4)


def test_the_score_is_the_log_probability():
    model = NaiveBayes(Poisson(prior=Gamma(2, 4)), class_prior="uniform").fit(X, Y)
    rows = np.arange(30.0)[:, None]
    expected = stats.poisson.logpmf(rows, [11 / 7, 8 / 6]) + np.log(0.5)
    np.testing.assert_allclose(model.predict_joint_log_proba(rows), expected, rtol=1e-12)


@pytest.mark.parametrize("count", [254, 255, 256, 257, 1000, 10**6, 2**53])
def test_large_counts_keep_their_digits(count):
    """On both sides of where log x! goes from a table to a series."""
    model = NaiveBayes(Poisson(prior=MaximumLikelihood())).fit(np.array([[float(count)]]), [0])
    rows = np.array([[count - 1.0], [float(count)]])
    expected = stats.poisson.logpmf(rows, count)
    np.testing.assert_allclose(model.predict_joint_log_proba(rows), expected, rtol=1e-12, atol=count * 4e-15 + 1e-12)


def test_no_event_ever_makes_any_event_impossible_by_maximum_likelihood():
    """-inf and never NaN; no event is then certain."""
    model = NaiveBayes(Poisson(prior=MaximumLikelihood())).fit(np.zeros((3, 1)), np.zeros(3))
    np.testing.assert_array_equal(model.predict_joint_log_proba([[0.0], [1.0], [300.0]]), [[0.0], [-np.inf], [-np.inf]])


def test_zero_and_positive_rates_in_one_row():
    x = np.array([[0.0, 2.0], [0.0, 4.0]])
    model = NaiveBayes(Poisson(prior=MaximumLikelihood())).fit(x, [0, 0])
    rows = np.array([[0.0, 3.0], [1.0, 3.0], [0.0, np.nan], [np.nan, 0.0]])
    expected = [stats.poisson.logpmf(3, 3), -np.inf, 0.0, -3.0]
    np.testing.assert_allclose(model.predict_joint_log_proba(rows)[:, 0], expected)


def test_nothing_seen_is_no_rate_without_a_prior():
    x = np.array([[1.0], [np.nan]])
    assert rates(MaximumLikelihood(), x, np.array([0, 1])) == [1.0, 0.0]
    assert rates(Gamma(3, 2), x, np.array([0, 1])) == [4 / 3, 3 / 2]


def test_the_posterior_is_a_gamma():
    """Of shape a + events and rate b + rows, against scipy."""
    posterior = NaiveBayes(Poisson(prior=Gamma(2, 4))).fit(X, Y).parameter_posterior(0)
    for k, (events, rows) in enumerate(((9, 3), (6, 2))):
        truth = stats.gamma(2 + events, scale=1 / (4 + rows))
        assert posterior.mean[k] == pytest.approx(truth.mean())
        best = optimize.minimize_scalar(lambda r: -truth.logpdf(r), bounds=(0, 9), method="bounded")  # noqa: B023
        assert posterior.mode[k] == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("bad", [-1.5, -1.0, 0.5, np.inf])
def test_what_is_no_count_is_refused(bad):
    table = pa.table({"visits": [1.0, 2.0, 3.0, bad]})
    with pytest.raises(
        ValueError, match=rf"^Poisson needs whole numbers of 0 or more; column 'visits', row 3, has {bad}$"
    ):
        NaiveBayes("poisson").fit(table, [0, 0, 1, 1])
    block = counted(Poisson(), observed(X, np.zeros(5)))
    with pytest.raises(BadCell):
        scored(block, np.array([[bad]]))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.bool, np.float32])
def test_counts_of_any_type(dtype):
    x = np.array([[1], [0], [1], [1]], dtype)
    np.testing.assert_allclose(rates(MaximumLikelihood(), x, np.zeros(4)), [3 / 4])


def test_whole_numbers_are_summed_as_integers():
    total = counted(Poisson(), observed(np.array([[3], [4]]), [0, 0])).statistics.total
    assert (total.dtype, total.item()) == (np.int64, 7)


def test_one_rate_for_each_column():
    assert NaiveBayes(Poisson()).fit(np.hstack([X, X]), Y).describe().free_parameters == 1 + 2 * 2


def test_the_boundary_is_linear_in_the_counts():
    """Weights log r, bias -r; what all classes share, log x!, is left out."""
    line = NaiveBayes(Poisson(prior=Gamma(2, 4)), class_prior="uniform").fit(X, Y).linear()
    np.testing.assert_allclose(line.weights, np.log([[11 / 7], [8 / 6]]))
    np.testing.assert_allclose(line.bias, np.log(0.5) - np.array([11 / 7, 8 / 6]))
