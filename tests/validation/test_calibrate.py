"""Calibration: maps that are found again, against scikit-learn's, and in the estimators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import cross_val_predict

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.validation import calibrate, leave_one_out
from likely.validation.calibrate import calibration
from likely.validation.measures import log_loss, reliability

from .tables import mixed

NAMES = np.array(["a", "b", "c"])
RNG = np.random.default_rng(0)


def overconfident(rows, scale=3.0, offset=(0.7, 0.0, -0.4)):
    """Log probabilities that are `scale` times too sure and off by class, and classes drawn from the true ones."""
    rng = np.random.default_rng(rows)
    true = log_softmax(1.5 * rng.normal(size=(rows, 3)), axis=1)
    y = (np.exp(true).cumsum(axis=1) < rng.random((rows, 1))).sum(axis=1).astype(np.int32)
    return log_softmax(scale * (true - offset), axis=1), y, true


def test_a_temperature_and_offsets_are_found_again():
    log_p, y, true = overconfident(20_000)
    found = calibration(log_p, y, NAMES, "temperature")
    assert_allclose(found.scale, 1 / 3, rtol=0.05)
    assert_allclose(found.offset - found.offset.mean(), np.array([0.7, 0.0, -0.4]) - 0.1, atol=0.06)
    assert_allclose(found(log_p), np.exp(true), atol=0.03)
    assert found.how == "temperature"


@pytest.mark.parametrize("weighted", [False, True])
def test_the_temperature_is_that_of_the_least_loss(weighted):
    """Against a general minimiser, of the same loss and belief."""
    log_p, y, _ = overconfident(300)
    w = RNG.random(300) + 0.5 if weighted else np.ones(300)
    found = calibration(log_p, y, NAMES, "temperature", w if weighted else None)
    first = calibrate._temperature(log_p, y, w)

    def loss(t):
        p = softmax(t[0] * np.maximum(first * log_p, -36) + t[1:], axis=1)
        return -(w * np.log(p[np.arange(300), y])).sum() + 0.5 * (t[1:] ** 2).sum() + 0.5 * (t[0] - 1) ** 2

    best = minimize(loss, [1.0, 0, 0, 0], tol=1e-10).x
    assert_allclose([found.scale / first, *found.offset], best, atol=1e-4)


def test_curves_are_those_of_isotonic_regression():
    x, hit = np.round(RNG.random(500), 2), RNG.random(500) < 0.5
    hit |= RNG.random(500) < x
    w = RNG.random(500)
    found = calibrate._rising(x, hit, w)
    least = 1 / (w.sum() + 2)
    peer = IsotonicRegression(y_min=least, y_max=1 - least, out_of_bounds="clip").fit(x, hit, w)
    grid = np.linspace(0, 1, 301)
    assert_allclose(found(grid), peer.predict(grid), atol=1e-12)


def test_rows_alike_are_one_point_whatever_their_order():
    x, hit = np.repeat([0.1, 0.9], 50), np.tile([True, False], 50)
    sorted_ = np.concatenate([np.sort(hit[:50]), np.sort(hit[50:])])
    for hits in (hit, sorted_):
        assert_allclose(calibrate._rising(x, hits, np.ones(100))(x), 0.5)


@pytest.mark.parametrize("how", [True, "temperature", "isotonic"])
def test_sure_and_right_come_together(how):
    log_p, y, _ = overconfident(6000)
    found = calibration(log_p[::2], y[::2], NAMES, how)
    new, answers = log_p[1::2], y[1::2]
    before, after = np.exp(new), found(new)
    assert_allclose(after.sum(axis=1), 1)
    assert (after > 0).all()
    errors = [reliability(p.max(axis=1), p.argmax(axis=1) == answers).error for p in (before, after)]
    assert errors[0] > 0.2
    assert errors[1] < 0.03
    assert log_loss(after, answers) < 0.7 * log_loss(before, answers)


def test_curves_serve_where_a_temperature_does_not():
    rng = np.random.default_rng(4)
    z = rng.normal(size=4000)
    true = 1 / (1 + np.exp(-np.where(np.abs(z) > 1, np.sign(z), 0.0)))  # two steps
    y = (rng.random(4000) < true).astype(np.int32)
    log_p = log_softmax(np.column_stack([np.zeros(4000), 9 * z]), axis=1)
    assert calibration(log_p, y, NAMES[:2], True).how == "isotonic"
    straight = log_softmax(np.column_stack([np.zeros(200), 9 * z[:200]]), axis=1)
    y = (rng.random(200) < 1 / (1 + np.exp(-z[:200]))).astype(np.int32)
    assert calibration(straight, y, NAMES[:2], True).how == "temperature"


def test_rows_that_were_impossible():
    log_p, y, _ = overconfident(200)
    log_p[0] = [-np.inf, 0.0, -np.inf]
    y[0] = 0
    for how in ("temperature", "isotonic"):
        p = calibration(log_p, y, NAMES, how)(log_p)
        assert np.isfinite(p).all()
        assert (p > 0).all()


def test_an_unknown_kind():
    with pytest.raises(ValueError, match="calibrate is True, False, 'temperature' or 'isotonic', not 'platt'"):
        calibration(np.zeros((2, 2)), np.array([0, 1], np.int32), NAMES[:2], "platt")


X, Y = mixed(300)
X = X.to_pandas()
NUMBERS = RNG.normal(size=(300, 4)) @ RNG.normal(size=(4, 4)) + (Y == "red")[:, None]
EACH = pytest.mark.parametrize(
    ("model", "x"),
    [
        (NaiveBayes(calibrate=True), X),
        (GaussianClassifier(shrinkage=0.2, calibrate=True), NUMBERS),
        (LogisticRegression(calibrate=True), NUMBERS),
    ],
    ids=["NaiveBayes", "GaussianClassifier", "LogisticRegression"],
)


@EACH
def test_in_estimators(model, x):
    fitted = model.fit(x, Y)
    p = fitted.predict_proba(x)
    assert_allclose(p.sum(axis=1), 1)
    assert_allclose(np.exp(fitted.predict_log_proba(x)), p)
    assert (fitted.predict(x) == fitted.classes_[p.argmax(axis=1)]).all()
    bare = clone(model).set_params(calibrate=False).fit(x, Y)
    assert bare.calibration_ is None
    log_p = bare.predict_log_proba(x)
    assert_allclose(p, fitted.calibration_(log_p), rtol=1e-6)


@EACH
def test_left_out_with_calibration(model, x):
    """The map that judges a row is learned from others: near what fits without each tenth tell."""
    found = leave_one_out(model, x, Y)
    held = cross_val_predict(model, x, Y, cv=10, method="predict_proba")
    assert abs(found.log_loss - log_loss(held, found.y)) < 0.03
    assert found.model.calibration_ is not None
    assert "calibrated" in found.how


def test_what_comes_later_keeps_the_map_but_a_new_class_ends_it():
    model = NaiveBayes(calibrate=True).fit(X[:200], Y[:200])
    first = model.calibration_
    assert model.partial_fit(X[200:], Y[200:]).calibration_ is first
    later = np.where(np.arange(100) < 10, "new", Y[200:])
    assert model.partial_fit(X[200:], later).calibration_ is None
    assert model.fit(X, Y).calibration_ is not None
    assert NaiveBayes().fit(X, Y).calibration_ is None


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
@pytest.mark.parametrize("how", [True, "temperature", "isotonic"])
def test_a_few_rows_can_be_calibrated(rows, how):
    x, y = np.arange(rows, dtype=float)[:, None], ["a"] * rows
    assert NaiveBayes(calibrate=how).fit(x, y).predict_proba(x).tolist() == [[1.0]] * rows


def test_rows_without_a_mistake_do_not_make_probabilities_certain():
    """The log loss of rows that are all predicted correctly falls with the temperature for ever."""
    log_p = np.log(np.tile([[0.97, 0.03], [0.03, 0.97]], (30, 1)))
    y = np.tile([0, 1], 30).astype(np.int32)
    found = calibration(log_p, y, np.array(["a", "b"]), "temperature")
    assert 1 < found.scale < 4
    assert found(log_p[:1])[0, 1] > 1e-5
