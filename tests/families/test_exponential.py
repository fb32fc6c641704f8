"""Waiting times, against scipy.stats."""

import numpy as np
import pytest
from scipy import stats

from likely import NaiveBayes
from likely.data import read
from likely.families import BadCell, Exponential
from likely.priors import Gamma, Laplace, MaximumLikelihood

from .blocks import counted, observed, scored

X = np.array([[2.0], [0.5], [3.5], [1.0], [5.0]])
Y = np.array([0, 0, 0, 1, 1])
"""Class 0: 6 in 3 rows. Class 1: 6 in 2 rows. All: 12 in 5."""

RNG = np.random.default_rng(0)
MANY = RNG.integers(0, 3, 400)


def means(prior: object, x: np.ndarray = X) -> list[float]:
    ((_, name, values),) = NaiveBayes(Exponential(prior=prior)).fit(x, Y).describe().lines
    assert name == "mean"
    return values.tolist()


@pytest.mark.parametrize(
    ("prior", "first", "second"),
    [
        (MaximumLikelihood(), 6 / 3, 6 / 2),
        (Gamma(2, 4), 10 / 5, 10 / 4),
        (Gamma(2, 4, estimate="mode"), 10 / 4, 10 / 3),
        (Laplace(), (6 + 2.4) / 4, (6 + 2.4) / 3),
        (Laplace(3), (6 + 7.2) / 6, (6 + 7.2) / 5),
    ],
    ids=repr,
)
def test_estimates(prior, first, second):
    np.testing.assert_allclose(means(prior), [first, second])


def test_the_unit_of_time_makes_no_difference():
    np.testing.assert_allclose(means(Laplace(), 3600 * X), 3600 * np.array(means(Laplace())), rtol=1e-12)


def test_the_score_is_the_log_density():
    block = counted(Exponential(Gamma(2, 4)), observed(X, Y))
    rows = np.append(0.0, RNG.exponential(2.0, 20))[:, None]
    np.testing.assert_allclose(scored(block, rows), stats.expon.logpdf(rows, scale=[10 / 5, 10 / 4]), rtol=1e-12)


@pytest.mark.parametrize("value", [-0.5, np.inf])
def test_a_number_below_0_is_refused(value):
    with pytest.raises(BadCell, match=r"^Exponential needs numbers of 0 or more; column 0, row 1, has "):
        counted(Exponential(), observed(np.array([[1.0], [value]]), [0, 1]))


def test_a_class_that_never_waits_has_no_rate_without_a_prior():
    with pytest.raises(ValueError, match=r"^Exponential has no rate for column 0 in class 1; give it a prior"):
        NaiveBayes(Exponential(MaximumLikelihood())).fit([[1.0], [0.0]], [0, 1])
    assert np.isfinite(NaiveBayes(Exponential()).fit([[1.0], [0.0]], [0, 1]).predict_joint_log_proba([[0.5]])).all()


def test_auto_reads_waiting_times_so():
    wait = RNG.exponential(1.0 + 2.0 * MANY)
    assert NaiveBayes().fit(wait[:, None], MANY).families_[0] == Exponential()
    assert NaiveBayes().fit(-wait[:, None], MANY).families_[0] != Exponential()


@pytest.mark.parametrize("row", [0, 19_999])
def test_auto_does_not_read_whole_numbers_so(row):
    """A class with only 0 has a density without bound: its rate was 1 / the mean of one pseudo-row."""
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2
    x = np.where(y == 1, np.floor(rng.exponential(3.0, 20_000)), 0.0)[:, None]
    assert not isinstance(NaiveBayes().fit(x, y).families_[0], Exponential)
    assert Exponential().suits(read(x), [0]).tolist() == [False]
    x[row] = 0.5
    assert Exponential().suits(read(x), [0]).tolist() == [True]


def test_the_posterior_is_that_of_the_rate():
    found = NaiveBayes(Exponential(Gamma(2, 4))).fit(X, Y).parameter_posterior(0)
    assert found.a.tolist() == [5.0, 4.0]
    assert found.b.tolist() == [10.0, 10.0]


def test_the_evidence_is_the_integral_over_the_rate():
    """By quadrature, of class 0 under Gamma(2, 4)."""
    rate = np.linspace(1e-6, 30, 200_001)
    logs = stats.gamma.logpdf(rate, 2, scale=1 / 4) + 3 * np.log(rate) - 6 * rate
    expected = np.log(np.trapezoid(np.exp(logs), rate))
    block = counted(Exponential(Gamma(2, 4)), observed(X, Y))
    assert block.family.log_evidence(block)[0, 0] == pytest.approx(expected, abs=1e-6)


def test_the_boundary_is_linear():
    model = NaiveBayes(Exponential()).fit(X, Y)
    line = model.linear()
    np.testing.assert_allclose(X @ line.weights.T + line.bias, model.predict_joint_log_proba(X), rtol=1e-12)


def test_what_is_impossible_in_every_class_is_evidence_for_none():
    model = NaiveBayes(Exponential()).fit(np.hstack([X, X]), Y)
    rows = np.array([[-2.0, 1.0], [np.nan, 1.0]])
    p = model.predict_proba(rows)
    assert (p[0] == p[1]).all()
    assert model.explain(rows)[0].reasons[0].contributions.tolist() == [0.0, 0.0]
