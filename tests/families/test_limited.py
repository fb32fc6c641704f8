"""Probabilities of values within limits: beside a search by scipy, with rows left out, taken out and put together."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from likely import NaiveBayes, merge
from likely.families import Bernoulli, Categorical, Histogram
from likely.limits import Within
from likely.priors import Dirichlet, Laplace, MaximumLikelihood
from likely.validation import leave_one_out

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame({"g": RNG.choice(list("ABCD"), 120, p=[0.7, 0.2, 0.06, 0.04]), "s": RNG.random(120) < 0.5})
Y = RNG.random(120) < 0.3
LIMITS = {"g": Within({"D": 0.1, "C": 0.1}, 0.6), "s": Within(high={True: 0.3}, prior=Dirichlet(0.5))}


def fitted(table=TABLE, y=Y, weight=None, limits=LIMITS, **options):
    families = {column: Categorical(prior=limits[column]) for column in table}
    return NaiveBayes(families, **options).fit(table, y, weight)


def p_of(model, column):
    """Classes x values, and what is left for others."""
    lines = [values for name, _, values in model.describe().lines if name == column]
    p = np.stack(lines, axis=1)
    return np.column_stack([p, 1 - p.sum(axis=1)])


@pytest.mark.parametrize("prior", [None, MaximumLikelihood(), Laplace(3), Dirichlet((1.0, 2.0, 3.0, 4.0, 5.0))])
def test_the_most_likely_probabilities_within_the_limits(prior):
    limits = Within({"D": 0.1, "C": 0.1}, 0.6, prior)
    model = fitted(TABLE[["g"]], limits={"g": limits})
    pseudocounts = (prior or Laplace()).proportions(5)
    for own, k in zip(p_of(model, "g"), (False, True), strict=True):
        counts = np.append([(TABLE["g"][k == Y] == value).sum() for value in "ABCD"], 0) + pseudocounts
        sides = [(1e-9, 0.6), (1e-9, 0.6), (0.1, 0.6), (0.1, 0.6), (1e-9, 1)]
        search = minimize(
            lambda p, counts=counts: -counts @ np.log(p),
            np.full(5, 0.2),
            jac=lambda p, counts=counts: -counts / p,
            bounds=sides,
            constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
            tol=1e-14,
        )
        assert_allclose(own, search.x, atol=1e-6)
        assert own[0] <= 0.6
        assert own[2:4].min() >= 0.1


def test_limits_that_do_not_hold_change_nothing():
    loose = fitted(limits={"g": Within(0.001, 0.999), "s": Within()})
    plain = NaiveBayes({"g": "categorical", "s": "categorical"}).fit(TABLE, Y)
    assert_allclose(loose.predict_joint_log_proba(TABLE), plain.predict_joint_log_proba(TABLE), rtol=1e-12)
    assert_allclose(loose.loo_scores(TABLE, Y), plain.loo_scores(TABLE, Y), rtol=1e-12)


@pytest.mark.parametrize("weighed", [False, True])
def test_rows_left_out_are_as_if_they_had_never_been(weighed):
    weight = RNG.uniform(0.5, 2, 120).round(1) if weighed else None
    prior = Within({True: 0.4})
    left = fitted(weight=weight, class_prior=prior).loo_scores(TABLE, Y, weight)
    for row in range(0, 120, 17):
        kept = np.arange(120) != row
        again = fitted(TABLE[kept], Y[kept], None if weight is None else weight[kept], class_prior=prior)
        assert_allclose(left[row], again.predict_joint_log_proba(TABLE[row : row + 1])[0], rtol=1e-12)


@pytest.mark.parametrize("unseen", [True, False])
def test_a_row_that_alone_has_a_value_leaves_it_unknown(unseen):
    table, y = TABLE[["g"]].copy(), Y.astype(int)
    table.loc[7, "g"] = "E"
    model = NaiveBayes(Categorical(Within(0.05, 0.5), unseen))
    result = leave_one_out(model, table, y)
    for row in (6, 7):
        kept = np.arange(120) != row
        again = NaiveBayes(Categorical(Within(0.05, 0.5), unseen)).fit(table[kept], y[kept])
        assert_allclose(result.probabilities[row], again.predict_proba(table[row : row + 1])[0], rtol=1e-9)


def test_learning_in_parts_forgetting_and_merging():
    whole = fitted()
    expected = whole.predict_joint_log_proba(TABLE)
    some, rest = slice(None, 70), slice(70, None)
    in_parts = fitted(TABLE[some], Y[some]).partial_fit(TABLE[rest], Y[rest])
    assert_allclose(in_parts.predict_joint_log_proba(TABLE), expected, rtol=1e-12)
    merged = merge([fitted(TABLE[some], Y[some]), fitted(TABLE[rest], Y[rest])])
    assert_allclose(merged.predict_joint_log_proba(TABLE), expected, rtol=1e-12)
    again = whole.forget(TABLE[rest], Y[rest])
    alone = fitted(TABLE[some], Y[some])
    assert_allclose(again.predict_joint_log_proba(TABLE), alone.predict_joint_log_proba(TABLE), rtol=1e-12)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Within(0.3), "column 'g': the limits allow a sum from 1.2 to 5, but probabilities sum to 1"),
        (Within({"A": 0.9}, 0.6), "column 'g': the limits of cell 0 exclude each other: at least 0.9 and at most 0.6"),
    ],
)
def test_limits_that_no_probabilities_keep_are_said_of_their_column(limits, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        fitted(TABLE[["g"]], limits={"g": limits}).predict(TABLE[["g"]])


def test_what_keeps_no_limits_refuses_them():
    x = RNG.random((50, 1))
    for family in (Bernoulli(Within(0.1)), Histogram(prior=Within(0.1)), Histogram(Within(0.1), bins=(0.0, 0.5, 1.0))):
        with pytest.raises(TypeError, match=r"Within\(low=0.1\) has limits"):
            NaiveBayes(family).fit((x > 0.5) * 1.0, x[:, 0] > 0.3).predict(x > 0.5)
    with pytest.raises(ValueError, match="column 'g' has limits, within which the posterior is no Dirichlet"):
        fitted().parameter_posterior("g")
