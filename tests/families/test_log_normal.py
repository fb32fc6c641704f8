"""Positive numbers, against scipy.stats and against the Gaussian of their logarithms."""

import numpy as np
import pytest
from scipy import stats

from likely import LogisticRegression, NaiveBayes
from likely.families import BadCell, Gaussian, LogNormal
from likely.priors import MaximumLikelihood

from .blocks import counted, loo_scored, observed, scored

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 300)
X = np.exp(RNG.normal([[0.0, 4.0]] + 0.6 * Y[:, None], [0.5, 1.0]))


def test_maximum_likelihood_is_the_mean_and_spread_of_the_logarithms():
    lines = NaiveBayes(LogNormal(MaximumLikelihood())).fit(X, Y).describe().lines
    for column, name, values in lines:
        of_classes = [np.log(X[k == Y, column]) for k in range(3)]
        expected = [np.exp(logs.mean()) if name == "median" else logs.std() for logs in of_classes]
        np.testing.assert_allclose(values, expected, rtol=1e-12)
    assert [name for _, name, _ in lines] == ["median", "standard deviation of the log"] * 2


def test_the_score_is_the_log_density():
    block = counted(LogNormal(MaximumLikelihood()), observed(X, Y))
    rows = np.exp(RNG.normal(size=(20, 2)))
    for k in range(3):
        logs = np.log(X[k == Y])
        expected = stats.lognorm.logpdf(rows, logs.std(axis=0), scale=np.exp(logs.mean(axis=0))).sum(axis=1)
        np.testing.assert_allclose(scored(block, rows)[:, k], expected, rtol=1e-12)


def test_it_is_the_gaussian_of_the_logarithms_with_their_slope():
    """Of every row and class the same is taken from the score: the sum of log x, where a cell is there."""
    x = X.copy()
    x[::7, 1] = np.nan
    block, plain = counted(LogNormal(), observed(x, Y)), counted(Gaussian(), observed(np.log(x), Y))
    slope = np.nansum(np.log(x), axis=1, keepdims=True)
    np.testing.assert_allclose(scored(block, x), scored(plain, np.log(x)) - slope, rtol=1e-11)
    loo = loo_scored(block, observed(x, Y)), loo_scored(plain, observed(np.log(x), Y))
    np.testing.assert_allclose(loo[0], loo[1] - slope, rtol=1e-11)


@pytest.mark.parametrize("value", [0.0, -1.5, np.inf])
def test_a_number_that_is_not_above_0_is_refused(value):
    with pytest.raises(BadCell, match=r"^LogNormal needs finite numbers above 0; column 1, row 2, has "):
        counted(LogNormal(), observed(np.array([[1.0, 1.0], [2.0, 2.0], [1.0, value]]), [0, 1, 0]))


def test_auto_reads_skewed_positive_numbers_so_and_none_with_a_zero():
    skewed, shifted = np.exp(RNG.normal(Y, 1.5)), np.exp(RNG.normal(Y, 1.5))
    shifted[5] = 0.0
    found = NaiveBayes().fit(np.column_stack([skewed, shifted]), Y).families_
    assert found[0] == LogNormal()
    assert found[1] != LogNormal()


def test_logistic_regression_has_the_logarithm_and_its_square_for_features():
    ours = LogisticRegression(families=LogNormal()).fit(X, Y)
    plain = LogisticRegression(families=Gaussian()).fit(np.log(X), Y)
    assert ours.features_ == plain.features_
    np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(np.log(X)), rtol=1e-9)


def test_the_evidence_is_that_of_the_logarithms_with_their_slope():
    seen, logs = observed(X, Y), observed(np.log(X), Y)
    family, block, plain = LogNormal(), counted(LogNormal(), observed(X, Y)), counted(Gaussian(), logs)
    np.testing.assert_allclose(family.log_evidence(block), Gaussian().log_evidence(plain), rtol=1e-12)
    assert family.log_base(seen) == pytest.approx(-np.log(X).sum(), rel=1e-12)


def test_what_is_impossible_in_every_class_is_evidence_for_none():
    model = NaiveBayes(LogNormal()).fit(X, Y)
    rows = np.array([[0.0, 50.0], [-3.0, 50.0], [np.nan, 50.0]])
    p = model.predict_proba(rows)
    assert (p == p[2]).all()
    assert model.explain(rows)[0].reasons[0].contributions.tolist() == [0.0] * 3
