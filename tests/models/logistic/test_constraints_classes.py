"""Limits on the weights of one class of many: beside scipy's, two classes, and the conditions worked out by hand."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import softmax

from likely import LogisticRegression
from likely.limits import Between, Equal, Falling, Rising

from ...optimize.softmax.problems import drawn, objective
from .test_constraints import fitted, mixed

SOME = [
    Between(0, high=0.1, of=0),
    Between(1, -0.05, 0.05, of=2),
    Between({2: 1.0, 3: -2.0}, high=-0.2, of=1),
    Equal(3, 4, of=0),
    Rising(5, of={2: 1.0, 0: -1.0}),
    Between(0, 0, 0, of={1: 1.0, 2: -1.0}),
]


def rows_of(limits, columns, classes):
    """(coefficients of classes x columns, low, high) of each row, on weights less their mean over the classes."""
    for limit in limits:
        of_classes = np.zeros(classes)
        for k, times in (limit.of if isinstance(limit.of, dict) else {limit.of: 1.0}).items():
            of_classes[k] = times
        for row in limit.rows({(j, None): j for j in range(columns)}):
            of_columns = np.zeros(columns)
            of_columns[list(row.coefficients)] = list(row.coefficients.values())
            yield np.outer(of_classes - of_classes.mean(), of_columns), row.low, row.high


def by_slsqp(x, y, limits, c, classes):
    """The least objective that scipy finds, of all weights of all classes."""
    shape, asked = (classes, x.shape[1] + 1), []
    for table, low, high in rows_of(limits, x.shape[1], classes):
        a = np.pad(table, ((0, 0), (0, 1))).ravel()
        if low == high:
            asked.append({"type": "eq", "fun": lambda w, a=a, b=low: a @ w - b, "jac": lambda w, a=a: a})
            continue
        for bound, sign in ((high, -1), (low, 1)):
            if np.isfinite(bound):
                told = {"fun": lambda w, a=a, b=bound, s=sign: s * (a @ w - b), "jac": lambda w, a=a, s=sign: s * a}
                asked.append({"type": "ineq", **told})

    def value(w):
        both = w.reshape(shape)
        return objective(x, y, both[:, :-1], both[:, -1], c)

    return minimize(value, np.zeros(np.prod(shape)), constraints=asked, method="SLSQP", tol=1e-13)


def about_mean(weights):
    return weights - weights.mean(axis=0)


@pytest.mark.parametrize("c", [0.05, 1.0, np.inf])
@pytest.mark.parametrize("seed", range(2))
def test_the_optimum_of_scipys_slsqp(c, seed):
    x, y = drawn(seed, 200, 6, 3, spread=2.0)
    model = fitted(x, y, SOME, c)
    theirs = by_slsqp(x, y, SOME, c, 3)
    assert_allclose(model.coef_, about_mean(theirs.x.reshape(3, 7)[:, :-1]), atol=5e-4)
    assert model.objective_ <= theirs.fun * (1 + 1e-7)
    assert model.objective_ >= theirs.fun - 1e-5
    assert_allclose(model.objective_, objective(x, y, model.coef_, model.intercept_, c), rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("c", [0.05, 1.0, np.inf])
def test_the_conditions_hold_by_hand(c, weighted):
    x, y = drawn(0, 200, 6, 3, spread=2.0)
    weight = np.arange(200) % 3 + 0.5 if weighted else np.ones(200)
    model = fitted(x, y, SOME, c, weight)
    off = weight[:, None] * (softmax(model.decision_function(x), axis=1) - np.eye(3)[y])
    slope = (1.0 if c == np.inf else c) * off.T @ x + (0.0 if c == np.inf else 1.0) * model.coef_
    rows, multipliers = list(rows_of(SOME, 6, 3)), np.hstack(model.multipliers_)
    assert np.count_nonzero(multipliers) >= 3
    assert_allclose(slope + sum(m * table for m, (table, _, _) in zip(multipliers, rows, strict=True)), 0, atol=1e-8)
    assert_allclose(off.sum(axis=0), 0, atol=1e-9)
    assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-14)
    assert_allclose(model.intercept_.sum(), 0, atol=1e-14)
    for m, (table, low, high) in zip(multipliers, rows, strict=True):
        reached = np.sum(table * model.coef_)
        assert low - 1e-14 <= reached <= high + 1e-14
        assert m == 0 or abs(reached - (high if m > 0 else low)) < 1e-14
    assert model.kkt_.worst < 1e-9


@pytest.mark.parametrize("c", [1e-3, 1.0, 1e3, np.inf])
def test_no_point_within_the_limits_is_lower_than_the_gap_allows(c):
    x, y = drawn(1, 200, 6, 4)
    limits = [*SOME[:2], SOME[4], Falling(2, of=3)]
    model = fitted(x, y, limits, c)
    assert 0 <= model.gap_ <= 1e-9 * model.objective_
    rng = np.random.default_rng(0)
    within = 0
    for size in 10.0 ** rng.uniform(-4, 0, 400):
        w, bias = model.coef_ + size * rng.normal(size=(4, 6)), model.intercept_ + size * rng.normal(size=4)
        if all(low <= np.sum(table * w) <= high for table, low, high in rows_of(limits, 6, 4)):
            within += 1
            assert objective(x, y, w, bias, c) >= (model.objective_ - model.gap_) * (1 - 1e-14)
    assert within > 5


@pytest.mark.parametrize(
    ("what", "of", "sides", "shift"),
    [
        (0, 2, "high", -0.1),
        (1, 0, "low", 0.1),
        (1, {0: 1.0, 2: -1.0}, "both", 0.2),
        ({2: 1.0, 3: 1.0}, 1, "high", -0.2),
    ],
)
@pytest.mark.parametrize("options", [{}, {"standardize": True}, {"c": np.inf}])
def test_a_multiplier_is_what_the_optimum_falls_by_as_the_bound_is_raised(what, of, sides, shift, options):
    x, y = drawn(4, 300, 4, 3)
    x = x * [1.0, 0.1, 10.0, 2.0] + [0.0, 5.0, 0.0, 1.0]
    free = about_mean(fitted(x, y, None, **options).coef_)
    of_columns = (what if isinstance(what, dict) else {what: 1.0}).items()
    of_classes = (of if isinstance(of, dict) else {of: 1.0}).items()
    bound = shift + sum(a * b * free[k, j] for k, a in of_classes for j, b in of_columns)

    def at(bound):
        given = {"low": bound, "high": bound} if sides == "both" else {sides: bound}
        return fitted(x, y, [Between(what, **given, of=of)], **options)

    step = 1e-4
    multiplier = at(bound).multipliers_[0]
    assert np.sign(multiplier) == -np.sign(shift)
    assert_allclose((at(bound - step).objective_ - at(bound + step).objective_) / (2 * step), multiplier, rtol=1e-4)


def test_classes_that_no_feature_tells_apart_are_one():
    """Without a penalty, weights against them are those of two classes."""
    x, y = drawn(5, 400, 3, 3)
    model = fitted(x, y, [Between(j, 0, 0, of={1: 1, 2: -1}) for j in range(3)], np.inf)
    merged = fitted(x, y == 0, None, np.inf, tol=1e-13)
    assert_allclose(model.coef_[0] - model.coef_[1], merged.coef_[0], atol=1e-6)
    assert_allclose(model.coef_[1], model.coef_[2], atol=1e-14)
    counts = np.bincount(y)
    assert_allclose(model.intercept_[1] - model.intercept_[2], np.log(counts[1] / counts[2]), atol=1e-8)


def test_no_shift_of_all_classes_makes_room():
    """A weight of at least 3 is 3 above the mean of all, however weak the penalty that holds them together."""
    x, y = drawn(6, 200, 2, 3)
    for c in (1.0, 1e6):
        model = fitted(x, y, [Between(0, low=3, of=1)], c)
        assert_allclose(model.coef_[1, 0], 3, rtol=1e-12)
        assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-12)


def test_limits_that_do_not_hold_change_nothing():
    x, y = drawn(3, 300, 5, 4)
    free = fitted(x, y, None, tol=1e-13)
    loose = fitted(x, y, [Between(j, -50, 50, of=k) for j in range(5) for k in range(4)])
    assert_allclose(loose.coef_, free.coef_, atol=1e-6)
    assert loose.multipliers_ == [0.0] * 20
    assert_allclose(loose.information(x, y).standard_errors, free.information(x, y).standard_errors, rtol=1e-6)


def test_hundreds_of_weights():
    x, y = drawn(7, 900, 150, 4, spread=2.0)
    model = fitted(x, y, [Between(j, low=0, of={1: 1, 0: -1}) for j in range(150)], 0.1)
    slope = 0.1 * (softmax(model.decision_function(x), axis=1) - np.eye(4)[y]).T @ x + model.coef_
    held = np.array(model.multipliers_)
    assert np.count_nonzero(held) > 50
    assert held.max() <= 0
    assert_allclose(slope, [held, -held, 0 * held, 0 * held], atol=1e-9)
    assert (model.coef_[1] - model.coef_[0]).min() >= -1e-14


def test_sparse_rows_that_weigh_are_as_many_dense_ones():
    x, y = drawn(6, 150, 6, 3)
    x[np.abs(x) < 0.7] = 0.0
    times = np.arange(150) % 3 + 1
    weighed, repeated = fitted(csr_array(x), y, SOME, 1.0, times), fitted(x.repeat(times, 0), y.repeat(times), SOME)
    for ours, theirs in zip(
        [weighed.coef_, *weighed.multipliers_], [repeated.coef_, *repeated.multipliers_], strict=True
    ):
        assert_allclose(ours, theirs, atol=1e-8)


def test_a_class_without_rows_that_weigh():
    x, y = drawn(6, 150, 6, 3)
    gone = fitted(x, y, [Rising(0, of=2)], weight=np.where(y == 1, 0.0, 1.0))
    assert gone.predict_proba(x)[:, 1].max() < 1e-6
    assert gone.gap_ <= 1e-9 * gone.objective_


def test_weights_that_do_not_exist_are_said_unless_limits_make_them():
    x, y = np.array([[-2.0, 1.0], [-1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [5.0, 1.0], [6.0, 0.0]]), [0, 0, 1, 1, 2, 2]
    with pytest.warns(UserWarning, match="are linearly separable, so weights without a penalty do not exist"):
        fitted(x, y, [Rising(1, of=2)], np.inf)
    limits = [Between(j, -2, 2, of=k) for j in range(2) for k in range(3)]
    model = fitted(x, y, limits, np.inf)
    assert_allclose(np.abs(model.coef_).max(), 2)


@pytest.mark.parametrize("c", [1e-9, 0.1, np.inf])
def test_limits_are_on_all_of_a_weight_that_is_drawn_to_naive_bayes(c):
    table, _ = mixed()
    y = np.array(["lo", "mid", "hi"])[(table["calls"] + np.arange(500) % 3).to_numpy() // 3 % 3]
    limits = [Rising("grade", list("ABCD"), of="mid"), Between("calls", high=0.05, of={"hi": 1, "lo": -1})]
    options = {"shrink_to": "naive_bayes", "families": {"calls": "poisson"}}
    model = fitted(table, y, limits, c, **options)
    assert model.classes_.tolist() == ["hi", "lo", "mid"]
    weights = dict(zip(model.features_, about_mean(model.coef_).T, strict=True))
    assert (np.diff([weights["grade", value][2] for value in "ABCD"]) >= -1e-9).all()
    assert weights["calls", None][0] - weights["calls", None][1] <= 0.05 + 1e-9
    assert np.hstack(model.multipliers_).max() > 0
    assert model.gap_ <= 1e-6 * model.objective_
    free = LogisticRegression(c, standardize=False, **options).fit(table, y)
    assert free.objective_ < model.objective_


@pytest.mark.parametrize("seed", [3, 5, 6, 8])
def test_limits_that_leave_one_value_together(seed):
    """Two weights of class 0 are equal, as others say; one is not below 0, and the other not above."""
    limits = [Equal(1, 3, of={2: 1, 0: 1}), Equal(1, 3, of=2), Between(3, low=0, of=0), Between(1, high=0, of=0)]
    x, y = drawn(seed, 120, 4, 3)
    model = fitted(x * [1, 0.3, 7, 0.1], y, limits)
    assert_allclose(model.coef_[0, [1, 3]], 0, atol=1e-14)
    assert_allclose(model.coef_[1:, 1], model.coef_[1:, 3], atol=1e-14)
    assert model.kkt_.worst < 1e-9


def test_a_class_must_be_named_and_be_there():
    x, y = drawn(0, 60, 4, 3)
    with pytest.raises(ValueError, match=r"Rising\(column=0, values=None\) must name its class, one of 3; add of=2"):
        fitted(x, y, [Rising(0)])
    with pytest.raises(
        ValueError, match=r"Rising\(column=0, values=None, of='b'\) is of no class of y, which has 0, 1, 2"
    ):
        fitted(x, y, [Rising(0, of="b")])
    named = (f"Between(what=0, low={low}, high=None, of={of})" for low, of in ((1, 2), (0, 0), (1, 1)))
    with pytest.raises(ValueError, match=f"^no weights satisfy {re.escape(' and '.join(named))}$"):
        fitted(x, y, [Between(0, 1, of=2), Rising(1, of=0), Between(0, 0, of=0), Between(0, 1, of=1), Rising(2, of=1)])


def test_what_the_curvature_tells_along_what_the_limits_leave_free():
    x, y = drawn(1, 90, 6, 3)
    model = fitted(x, y, SOME, 0.3)
    information = model.information(x, y)
    covariance = information.covariance
    for m, (table, _, _) in zip(np.hstack(model.multipliers_), rows_of(SOME, 6, 3), strict=True):
        a = np.pad(table, ((0, 0), (0, 1))).ravel()
        assert (a @ covariance @ a < 1e-12) == (m != 0)
    scores, leverage, *_ = information.loo()
    for row in np.argsort(leverage)[[0, 45, 89]]:
        kept = np.arange(90) != row
        again = fitted(x[kept], y[kept], SOME, 0.3).decision_function(x[[row]])[0]
        before = model.decision_function(x[[row]])[0]
        assert np.linalg.norm(scores[row] - again) < 0.15 * np.linalg.norm(before - again) + 1e-3


def test_a_scorecard_of_three_grades_of_risk():
    rng = np.random.default_rng(8)
    table = pd.DataFrame({"age": rng.normal(40, 10, 600), "home": rng.choice(["own", "rent", "other"], 600)})
    score = np.column_stack([np.zeros(600), 0.02 * table["age"], 0.01 * table["age"]])
    y = np.array(["low", "mid", "high"])[np.argmax(score + rng.gumbel(size=(600, 3)), axis=1)]
    limits = [Rising("age", of={"high": 1, "low": -1}), Rising("home", ["other", "rent", "own"], of="low")]
    model = LogisticRegression(limits=[*limits, Equal(("home", "own"), ("home", "rent"), of="mid")]).fit(table, y)
    of = dict(zip(model.classes_, model.coef_, strict=True))
    at = {feature: j for j, feature in enumerate(model.features_)}
    assert of["high"][at["age", None]] >= of["low"][at["age", None]] - 1e-12
    homes = [at["home", value] for value in ("other", "rent", "own")]
    assert (np.diff(of["low"][homes]) >= -1e-12).all()
    assert_allclose(of["mid"][homes[1]], of["mid"][homes[2]], atol=1e-12)
