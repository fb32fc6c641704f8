"""Replay, against a loop that fits anew before every answer."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from likely import NaiveBayes
from likely.validation import replay

from .tables import FAMILIES, mixed

X, Y = mixed(60)
NUMBERS = np.random.default_rng(1).normal(size=(60, 3)) + (Y == "red")[:, None]


@pytest.mark.parametrize("delay", [0, 7])
@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize(
    ("model", "x"),
    [(NaiveBayes(FAMILIES), X), (GaussianNB(), NUMBERS), (LogisticRegression(), NUMBERS)],
    ids=["ours", "partial_fit", "refit"],
)
def test_each_batch_is_answered_by_a_model_of_all_rows_before(model, x, batch, delay):
    result = replay(model, x, Y, start=30, batch=batch, delay=delay)
    expected = []
    for at in range(30, 60, batch):
        known, rows = np.arange(max(30, at - delay)), np.arange(at, min(at + batch, 60))
        part = (lambda rows: x.take(rows)) if hasattr(x, "schema") else (lambda rows: x[rows])
        expected.append(model.fit(part(known), Y[known]).predict_proba(part(rows)))
    assert_allclose(result.probabilities, np.concatenate(expected), rtol=1e-6, atol=1e-9)
    assert result.rows.tolist() == list(range(30, 60))


def test_in_the_order_of_time():
    time = np.random.default_rng(0).permutation(60)
    order = np.argsort(time)
    result = replay(GaussianNB(), NUMBERS, Y, time=time, start=30)
    again = replay(GaussianNB(), NUMBERS[order], Y[order], start=30)
    assert (result.rows == order[30:]).all()
    assert_allclose(result.probabilities, again.probabilities)


def test_the_error_as_it_evolves():
    result = replay(GaussianNB(), NUMBERS, Y, start=30)
    wrong = (~result.right).astype(float)
    assert_allclose(result.cumulative, np.cumsum(wrong) / np.arange(1, 31))
    assert_allclose(result.errors(5)[10:12], [wrong[6:11].mean(), wrong[7:12].mean()])
    assert result.cumulative[-1] == pytest.approx(result.error)
    assert "rows answered" in str(result)


def test_a_new_class_is_an_error_once_and_then_known():
    y = np.where(np.arange(60) >= 50, "new", Y)
    result = replay(NaiveBayes(FAMILIES), X, y, start=30)
    assert result.new == 1
    assert (result.probabilities[20:21, result.classes == "new"] == 0).all()
    assert (result.probabilities[21:, result.classes == "new"] > 0).all()
    assert result.notes == ("1 rows were of a class not learned before them",)
    assert replay(NaiveBayes(FAMILIES), X, y, start=30, delay=4).new == 5


def test_by_default_a_tenth_is_learned_unasked():
    assert len(replay(NaiveBayes(FAMILIES), X, Y).rows) == 54


@pytest.mark.parametrize("options", [{"start": 0}, {"start": 60}, {"batch": 0}, {"delay": -1}])
def test_refusals(options):
    with pytest.raises(ValueError, match="start is from 1 to 59, batch 1 or more and delay 0 or more"):
        replay(NaiveBayes(FAMILIES), X, Y, **options)
