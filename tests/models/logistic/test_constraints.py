"""Weights within limits beside scipy's, isotonic regression and problems in which the limits are gone."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit, logit
from sklearn.isotonic import isotonic_regression

from likely import LogisticRegression
from likely.limits import Between, Equal, Falling, Rising

from ...optimize.softmax.problems import drawn, objective

SOME = [
    Between(0, high=0.1),
    Between(1, -0.05, 0.05),
    Between({2: 1.0, 3: -2.0}, high=-0.2),
    Equal(3, 4),
    Rising(5),
]


def fitted(x, y, limits, c=1.0, weight=None, **options):
    options = {"standardize": False, "tol": 1e-9} | options
    return LogisticRegression(c, limits=limits, **options).fit(x, y, weight)


def by_slsqp(x, y, limits, c):
    """The least objective that scipy finds within the same rows."""
    rows = [row for limit in limits for row in limit.rows({(j, None): j for j in range(x.shape[1])})]
    asked = []
    for row in rows:
        a = np.zeros(x.shape[1] + 1)
        a[list(row.coefficients)] = list(row.coefficients.values())
        if row.low == row.high:
            asked.append({"type": "eq", "fun": lambda w, a=a, b=row.low: a @ w - b})
            continue
        for bound, sign in ((row.high, -1), (row.low, 1)):
            if np.isfinite(bound):
                asked.append({"type": "ineq", "fun": lambda w, a=a, b=bound, s=sign: s * (a @ w - b)})

    def value(w):
        return objective(x, y, w[None, :-1], w[-1:], c)

    found = minimize(value, np.zeros(x.shape[1] + 1), constraints=asked, method="SLSQP", tol=1e-13)
    return found.x, found.fun


@pytest.mark.parametrize("c", [0.05, 1.0, np.inf])
@pytest.mark.parametrize("seed", range(3))
def test_the_optimum_of_scipys_slsqp(c, seed):
    x, y = drawn(seed, 200, 6, 2, spread=2.0)
    model = fitted(x, y, SOME, c)
    theirs, least = by_slsqp(x, y, SOME, c)
    assert_allclose(model.coef_[0], theirs[:-1], atol=2e-4)
    assert model.objective_ <= least * (1 + 1e-7)
    assert model.objective_ >= least - 1e-5
    assert_allclose(model.objective_, objective(x, y, model.coef_, model.intercept_, c), rtol=1e-12)
    w = model.coef_[0]
    assert w[0] <= 0.1
    assert -0.05 <= w[1] <= 0.05
    assert w[5] >= 0
    assert w[2] - 2 * w[3] <= -0.2 + 1e-15
    assert abs(w[3] - w[4]) <= 1e-15


@pytest.mark.parametrize("c", [0.05, 1.0, np.inf])
def test_the_conditions_hold_by_hand(c):
    x, y = drawn(0, 200, 6, 2, spread=2.0)
    model = fitted(x, y, SOME, c)
    p = 1 / (1 + np.exp(-model.decision_function(x)))
    slope = (1.0 if c == np.inf else c) * x.T @ (p - y) + (0.0 if c == np.inf else 1.0) * model.coef_[0]
    high, both, total, equal, rising = model.multipliers_
    pulled = np.array([high, both, total, -2 * total + equal[0], -equal[0], -rising[0]])
    assert_allclose(slope + pulled, 0, atol=1e-9)
    assert min(high, total, rising[0]) >= 0
    assert abs((p - y).sum()) < 1e-9
    assert model.kkt_.worst < 1e-9


@pytest.mark.parametrize(
    ("what", "sides", "shift"),
    [
        (0, "high", -0.1),
        (1, "low", 0.1),
        ({2: 3.0, 3: -2.0}, "both", 0.2),
        ({2: 1.0, 4: 1.0}, "low", 0.2),
        ({2: 1.0, 4: 1.0}, "high", -0.2),
    ],
)
@pytest.mark.parametrize("options", [{}, {"standardize": True}, {"c": 20.0}, {"c": np.inf}])
def test_a_multiplier_is_what_the_optimum_falls_by_as_the_bound_is_raised(what, sides, shift, options):
    x, y = drawn(4, 300, 5, 2)
    x = x * [1.0, 0.1, 10.0, 2.0, 1.0] + [0.0, 5.0, 0.0, 1.0, 0.0]
    free = fitted(x, y, None, **options).coef_[0]
    bound = shift + sum(times * free[j] for j, times in (what if isinstance(what, dict) else {what: 1.0}).items())

    def at(bound):
        given = {"low": bound, "high": bound} if sides == "both" else {sides: bound}
        return fitted(x, y, [Between(what, **given)], **options)

    step = 1e-4
    multiplier = at(bound).multipliers_[0]
    assert np.sign(multiplier) == -np.sign(shift)
    assert_allclose((at(bound - step).objective_ - at(bound + step).objective_) / (2 * step), multiplier, rtol=1e-4)


def test_ordered_values_without_a_penalty_are_isotonic_regression():
    rng = np.random.default_rng(0)
    values = rng.choice(list("abcdefgh"), 2000)
    rate = dict(zip("abcdefgh", [0.2, 0.3, 0.25, 0.4, 0.6, 0.5, 0.45, 0.8], strict=True))
    y = rng.random(2000) < np.vectorize(rate.get)(values)
    table = pd.DataFrame({"v": values})
    for sign, kind in ((1, Rising), (-1, Falling)):
        model = fitted(table, y, [kind("v", list("abcdefgh"))], np.inf)
        ones, number = (pd.Series(each).groupby(values).sum() for each in (y, np.ones(2000)))
        expected = logit(isotonic_regression(ones / number, sample_weight=number, increasing=sign > 0))
        scores = model.decision_function(pd.DataFrame({"v": list("abcdefgh")}))
        assert_allclose(scores, expected, atol=1e-8)
        assert (sign * np.diff(model.coef_[0]) >= -1e-12).all()


def test_bins_rise_in_their_order_and_numbers_beside_them():
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"x": rng.normal(size=900)})
    y = rng.random(900) < 1 / (1 + np.exp(-np.sin(2 * table["x"]) - table["x"] / 2))
    free = fitted(table, y, None, families={"x": "histogram"})
    assert (np.diff(free.coef_[0]) < 0).any()
    model = fitted(table, y, [Rising("x")], families={"x": "histogram"})
    assert (np.diff(model.coef_[0]) >= -1e-12).all()
    assert len(model.multipliers_[0]) == len(model.features_) - 1
    drawn_to = fitted(table, y, [Rising("x")], families={"x": "histogram"}, shrink_to="naive_bayes")
    assert drawn_to.features_[-1] == ("x", None)
    assert (np.diff(drawn_to.coef_[0, :-1]) >= -1e-12).all()
    assert drawn_to.coef_[0, -1] >= 0
    shown = pd.DataFrame({"x": np.linspace(*table["x"].quantile([0.001, 0.999]), 200)})
    assert (np.diff(drawn_to.decision_function(shown)) >= -1e-9).all()


def test_equal_weights_are_one_weight_of_the_sum():
    x, y = drawn(2, 300, 4, 2)
    model = fitted(x, y, [Equal(0, 1, 2)], 0.7)
    summed = np.column_stack([x[:, :3].sum(axis=1) / np.sqrt(3), x[:, 3]])
    one = fitted(summed, y, None, 0.7, tol=1e-13)
    assert_allclose(model.coef_[0], one.coef_[0, [0, 0, 0, 1]] / np.sqrt([3, 3, 3, 1]), atol=1e-6)
    assert_allclose(model.objective_, one.objective_, rtol=1e-12)


def test_limits_that_do_not_hold_change_nothing():
    x, y = drawn(3, 300, 5, 2)
    free = fitted(x, y, None, tol=1e-13)
    loose = fitted(x, y, [Between(j, -50, 50) for j in range(5)])
    assert_allclose(loose.coef_, free.coef_, atol=1e-6)
    assert loose.multipliers_ == [0.0] * 5
    assert free.multipliers_ == []
    assert free.kkt_ is None


def test_sparse_rows_and_weights_of_rows():
    x, y = drawn(6, 150, 6, 2)
    x[np.abs(x) < 0.7] = 0.0
    times = np.arange(150) % 3 + 1
    dense = fitted(x, y, SOME, weight=times)
    sparse = fitted(csr_array(x), y, SOME, weight=times)
    repeated = fitted(np.repeat(x, times, axis=0), np.repeat(y, times), SOME)
    assert_allclose(sparse.coef_, dense.coef_, atol=1e-10)
    assert_allclose(repeated.coef_, dense.coef_, atol=1e-10)
    assert_allclose(np.hstack(sparse.multipliers_), np.hstack(repeated.multipliers_), atol=1e-8)


@pytest.mark.parametrize("c", [1e-3, 1.0, 1e3, np.inf])
def test_no_point_within_the_limits_is_lower_than_the_gap_allows(c):
    x, y = drawn(1, 200, 6, 2)
    model = fitted(x, y, SOME, c)
    assert 0 <= model.gap_ <= 1e-9 * model.objective_
    rng = np.random.default_rng(0)
    for size in 10.0 ** rng.uniform(-4, 0, 200):
        w = model.coef_[0] + size * rng.normal(size=6)
        w[0], w[1], w[4], w[5] = min(w[0], 0.1), np.clip(w[1], -0.05, 0.05), w[3], max(w[5], 0.0)
        w[2] = min(w[2], 2 * w[3] - 0.2)
        bias = model.intercept_ + size * rng.normal()
        assert objective(x, y, w[None], bias, c) >= (model.objective_ - model.gap_) * (1 - 1e-14)


def mixed(rows=500):
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"calls": rng.poisson(3, rows), "grade": rng.choice(list("ABCD"), rows)})
    score = 0.3 * (table["calls"] - 3) + table["grade"].map({"A": 0.5, "B": -0.5, "C": 0.8, "D": 0.0})
    return table, rng.random(rows) < 1 / (1 + np.exp(-score))


@pytest.mark.parametrize("c", [1e-9, 0.1, np.inf])
def test_limits_are_on_all_of_a_weight_that_is_drawn_to_naive_bayes(c):
    table, y = mixed()
    limits = [Rising("grade", list("ABCD")), Between("calls", high=0.1)]
    options = {"shrink_to": "naive_bayes", "families": {"calls": "poisson"}}
    model = fitted(table, y, limits, c, **options)
    named = dict(zip(model.features_, model.coef_[0], strict=True))
    grades = [named["grade", value] for value in "ABCD"]
    assert (np.diff(grades) >= -1e-12).all()
    assert named["calls", None] <= 0.1 + 1e-12
    features = np.column_stack([table["calls"], *(table["grade"] == value for value in "ABCD")])
    weights = [named["calls", None], *grades]
    assert_allclose(features @ weights + model.intercept_, model.decision_function(table), atol=1e-9)
    if c == 1e-9:  # the nearest weights to those of naive Bayes that keep the limits
        theirs = LogisticRegression(1e-9, **options).fit(table, y)
        free = dict(zip(theirs.features_, theirs.coef_[0], strict=True))
        assert_allclose(grades, isotonic_regression([free["grade", value] for value in "ABCD"]), atol=1e-6)


def test_a_strength_is_chosen_without_the_limits():
    table, y = mixed(200)
    free = LogisticRegression("auto").fit(table, y)
    model = LogisticRegression("auto", limits=[Rising("grade", list("ABCD"))]).fit(table, y)
    assert (model.C_, model.tried_) == (free.C_, free.tried_)
    assert_allclose(model.coef_, fitted(table, y, model.limits, model.C_, standardize=True).coef_, atol=1e-8)


def test_hundreds_of_weights_beside_scipys_bounds():
    x, y = drawn(7, 900, 600, 2, spread=2.0)
    model = fitted(x, y, [Between(j, low=0) for j in range(600)], 0.1)

    def value(w):
        off = expit(x @ w[:-1] + w[-1]) - y
        return objective(x, y, w[None, :-1], w[-1:], 0.1), np.append(0.1 * off @ x + w[:-1], 0.1 * off.sum())

    bounds = [(0, None)] * 600 + [(None, None)]
    theirs = minimize(value, np.zeros(601), jac=True, bounds=bounds, options={"ftol": 1e-14, "maxiter": 500})
    assert_allclose(model.objective_, theirs.fun, rtol=1e-9)
    held = np.array(model.multipliers_)
    assert np.count_nonzero(held) > 200
    assert held.max() <= 0
    assert model.coef_.min() >= 0
    assert_allclose(value(np.append(model.coef_[0], model.intercept_))[1][:-1] + held, 0, atol=1e-9)


def test_columns_of_any_scale():
    x, y = drawn(1, 200, 3, 2)
    scales = np.array([1e6, 1e-6, 1.0])
    limits = [Between(0, high=1e-7), Between(1, low=1e6)]
    model = fitted(x * scales, y, limits, np.inf)
    plain = fitted(x, y, [Between(0, high=0.1), Between(1, low=1.0)], np.inf)
    assert_allclose(model.coef_ * scales, plain.coef_, rtol=1e-6)
    assert_allclose(model.multipliers_, plain.multipliers_ * scales[:2], rtol=1e-6)
    penalised = fitted(x * scales, y, limits, 1.0)
    assert penalised.gap_ <= 1e-6 * penalised.objective_


def test_weights_that_would_not_exist_exist_within_limits():
    x, y = [[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1]
    model = fitted(x, y, [Between(0, -3, 3)], np.inf)
    assert model.coef_.tolist() == [[3.0]]


def test_what_has_no_answer_is_said():
    x, y = drawn(0, 60, 4, 2)
    named = "Between(what=0, low=1, high=None) and Equal(0, 1) and Between(what=1, low=None, high=0.5)"
    with pytest.raises(ValueError, match=f"^no weights satisfy {re.escape(named)}$"):
        fitted(x, y, [Between(0, 1), Between(2, 0), Equal(0, 1), Between(1, high=0.5), Rising(3)])
    named = "Between(what=0, low=1, high=None) and Between(what=0, low=None, high=0.5)"
    with pytest.raises(ValueError, match=f"^no weights satisfy {re.escape(named)}$"):
        fitted(x, y, [Between(0, 1), Between(0, high=0.5)])
    with pytest.raises(ValueError, match="on the log odds of 1, the second of two classes; leave out its `of`"):
        fitted(x, y, [Rising(0, of=1)])
    with pytest.raises(ValueError, match="up to 2000 weights, but there are 2001"):
        fitted(np.zeros((4, 2001)), [0, 1, 0, 1], [Rising(0)])
    with pytest.raises(ValueError, match="up to 2000 weights, but there are 10000000"):
        fitted(csr_array((4, 10_000_000)), [0, 1, 0, 1], [Rising(0)], "auto")
    with pytest.raises(TypeError, match="limits is a list of Between, Rising, Falling or Equal"):
        fitted(x, y, {"a": 1})


def test_what_the_curvature_tells_along_what_the_limits_leave_free():
    x, y = drawn(1, 80, 6, 2)
    model = fitted(x, y, SOME, 0.3)
    information = model.information(x, y)
    errors = information.standard_errors[0]
    pulled = np.array(model.multipliers_[:2]) != 0
    assert pulled.any()
    assert (errors[:2][pulled] < 1e-12).all()
    assert_allclose(errors[3], errors[4])
    scores, leverage, *_ = information.loo()
    for row in np.argsort(leverage)[[0, 40, 79]]:
        kept = np.arange(80) != row
        again = fitted(x[kept], y[kept], SOME, 0.3).decision_function(x[[row]])
        before = model.decision_function(x[[row]])
        assert abs(scores[row, 0] - again[0]) < 0.1 * abs(before[0] - again[0]) + 1e-3
