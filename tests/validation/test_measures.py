"""Measures, against scikit-learn and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

from likely.validation.measures import brier, by_class, confusion, effective, log_loss, reliability, wilson

RNG = np.random.default_rng(0)
Y = RNG.integers(3, size=200).astype(np.int32)
P = RNG.dirichlet([1, 1, 1], 200)
ANSWERS = P.argmax(axis=1).astype(np.int32)
WEIGHT = RNG.random(200)

weighed = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["rows", "weights"])


@weighed
def test_log_loss(weight):
    assert_allclose(log_loss(P, Y, weight), metrics.log_loss(Y, P, sample_weight=weight), rtol=1e-12)


def test_log_loss_of_no_chance_is_that_of_scikit_learn():
    p, y = np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([1, 0], np.int32)
    assert_allclose(log_loss(p, y), metrics.log_loss(y, p), rtol=1e-12)


@weighed
def test_brier(weight):
    expected = np.average(((P - np.eye(3)[Y]) ** 2).sum(axis=1), weights=weight)
    assert_allclose(brier(P, Y, weight), expected, rtol=1e-12)
    two = np.column_stack([1 - P[:, 0], P[:, 0]])
    ones = (Y == 1).astype(np.int32)
    assert_allclose(
        brier(two, ones, weight), 2 * metrics.brier_score_loss(ones, P[:, 0], sample_weight=weight), rtol=1e-12
    )


@weighed
def test_confusion_and_by_class(weight):
    table = confusion(Y, ANSWERS, 3, weight)
    assert_allclose(table, metrics.confusion_matrix(Y, ANSWERS, sample_weight=weight))
    precision, recall, _, _ = metrics.precision_recall_fscore_support(Y, ANSWERS, sample_weight=weight)
    found = by_class(table)
    assert_allclose(found.precision, precision)
    assert_allclose(found.recall, recall)
    assert_allclose(found.rows, np.bincount(Y, weight))


def test_a_class_that_is_never_given_has_no_precision():
    found = by_class(np.array([[3, 0, 0], [1, 0, 0], [0, 0, 0]]))
    assert np.isnan(found.precision[1])
    assert np.isnan(found.recall[2])
    assert found.recall[1] == 0


def test_reliability_by_hand():
    sure = np.array([0.55, 0.65, 0.95, 1.0])
    found = reliability(sure, np.array([True, False, True, True]), bins=2)
    assert_allclose(found.confidence, [sure.mean()])
    assert_allclose(found.accuracy, [0.75])
    found = reliability(sure, np.array([True, False, True, True]), bins=10)
    assert_allclose(found.confidence, [0.55, 0.65, 0.975])
    assert found.rows.tolist() == [1, 1, 2]
    assert_allclose(found.error, (0.45 + 0.65 + 2 * 0.025) / 4)


def test_what_is_drawn_by_its_probability_is_calibrated():
    rng = np.random.default_rng(1)
    sure = rng.random(200_000)
    assert reliability(sure, rng.random(200_000) < sure).error < 0.01
    assert reliability(sure, rng.random(200_000) < sure**2).error > 0.1


def test_weights_of_whole_numbers_are_rows():
    times = RNG.integers(1, 4, 200)
    again = np.repeat(np.arange(200), times)
    weighed_ = reliability(P.max(axis=1), ANSWERS == Y, times.astype(float))
    repeated = reliability(P.max(axis=1)[again], (ANSWERS == Y)[again])
    assert_allclose(weighed_.error, repeated.error, rtol=1e-12)


def test_effective_rows():
    assert effective(7, None) == 7
    assert_allclose(effective(4, np.full(4, 2.5)), 4)
    assert_allclose(effective(4, np.array([1.0, 1.0, 0.0, 0.0])), 2)


def test_wilson_covers_as_often_as_it_says():
    """Of shares drawn anew, about 95 % lie in the interval, also of rare errors, where ± z standard errors fails."""
    rng = np.random.default_rng(2)
    for share in (0.02, 0.2, 0.5):
        drawn = rng.binomial(100, share, 4000)
        inside = [low <= share <= high for low, high in (wilson(int(k), 100) for k in drawn)]
        assert 0.92 < np.mean(inside) < 0.98


def test_wilson_stays_within_0_and_1():
    for of in range(1, 400):
        assert f"{wilson(0, of)[0]:.1f}" == "0.0"  # and not "-0.0", by a rounding error below 0
        assert wilson(of, of)[1] <= 1


def test_wilson_interval():
    """Against the equation it solves: |p - share| = z sqrt(p (1 - p) / n)."""
    for wrong, of in [(0, 10), (3, 10), (10, 10), (13, 122)]:
        low, high = wilson(wrong, of)
        assert -1e-12 <= low <= wrong / of <= high <= 1 + 1e-12
        for p in (low, high):
            assert (p - wrong / of) ** 2 == pytest.approx(1.96**2 * p * (1 - p) / of, abs=1e-12)
