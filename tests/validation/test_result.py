"""Results: their figures against scikit-learn, and how they print."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

from likely.validation.result import Result

RNG = np.random.default_rng(3)
Y = RNG.integers(3, size=120).astype(np.int32)
P = RNG.dirichlet([1, 1, 1], 120) * 0.5 + 0.5 * np.eye(3)[Y] * RNG.random((120, 1))
P /= P.sum(axis=1, keepdims=True)
NAMES = np.array(["a", "b", "c"], object)
RESULT = Result("by hand", NAMES, np.arange(120), Y, P.argmax(axis=1).astype(np.int32), np.log(P))
TWO = Result(
    "two", np.array([0, 1]), np.arange(120), (Y == 1).astype(np.int32), (P[:, 1] > 0.5).astype(np.int32),
    np.log(np.column_stack([1 - P[:, 1], P[:, 1]])), RNG.random(120),
)  # fmt: skip


def test_figures():
    wrong = RESULT.predictions != NAMES[Y]
    assert RESULT.error == wrong.mean()
    assert_allclose(RESULT.baseline, 1 - np.bincount(Y).max() / len(Y))
    low, high = RESULT.interval
    assert low < RESULT.error < high
    assert_allclose(RESULT.log_loss, metrics.log_loss(Y, P))
    assert_allclose(RESULT.confusion, metrics.confusion_matrix(NAMES[Y].tolist(), RESULT.predictions.tolist()))
    assert_allclose(RESULT.by_class.recall, metrics.recall_score(Y, P.argmax(axis=1), average=None))
    assert_allclose(RESULT.probabilities, P, rtol=1e-15)
    assert_allclose(RESULT.confidence, P.max(axis=1))
    assert RESULT.risk.coverage[-1] == 1
    assert_allclose(RESULT.risk.precision[-1], 1 - RESULT.error)
    assert RESULT.calibration_error == RESULT.reliability().error


def test_rows_whose_probability_is_1_are_ranked():
    """By what the other class is left with: rounded, the three would tie and the area be 0.5."""
    log_p = np.log([[1e-20, 1.0], [1e-40, 1.0], [1e-30, 1.0]])
    assert (1 - np.exp(log_p[:, 0]) == 1).all()
    sure = Result(
        "by hand",
        np.array(["ham", "spam"]),
        np.arange(3),
        np.array([0, 1, 0], np.int32),
        np.ones(3, np.int32),
        log_p,
    )
    assert sure.auc == 1.0
    assert len(set(sure.log_odds[:, 1])) == 3
    assert sure.roc()[1].tolist()[:2] == [0.0, 1.0]


def test_rows_whose_probability_is_0_are_ranked():
    """As texts are, by hundreds of words: rounded to 0, or limited, they would tie and the area be 0.5."""
    for log_p in ([-800.0, -900.0], [-20_000.0, -30_000.0], [-20_000.0, -np.inf]):
        both = np.column_stack([np.zeros(2), log_p])
        improbable = Result(
            "", np.array(["ham", "spam"]), np.arange(2), np.array([1, 0], np.int32), np.zeros(2, np.int32), both
        )
        assert (improbable.probabilities[:, 1] == 0).all()
        assert_allclose(improbable.log_odds[:, 1], log_p)
        assert improbable.auc == 1.0
        assert improbable.roc()[1].tolist()[:2] == [0.0, 1.0]
        assert_allclose(improbable.log_loss, metrics.log_loss(improbable.y, improbable.probabilities))


def test_auc_and_roc():
    assert_allclose(RESULT.auc, metrics.roc_auc_score(Y, P, multi_class="ovr"))
    assert_allclose(TWO.auc, metrics.roc_auc_score(TWO.y, P[:, 1], sample_weight=TWO.weight))
    for found, expected in zip(RESULT.roc("c"), metrics.roc_curve(Y == 2, P[:, 2]), strict=True):
        assert_allclose(found, expected)
    assert_allclose(TWO.roc()[1], TWO.roc(1)[1])
    with pytest.raises(ValueError, match="there is no class 'z'; the classes are 'a', 'b', 'c'"):
        RESULT.roc("z")


def test_weights_of_whole_numbers_are_rows():
    times = RNG.integers(1, 4, 120)
    again = np.repeat(np.arange(120), times)
    weighed = Result("", NAMES, np.arange(120), Y, RESULT.answers, np.log(P), times.astype(float))
    repeated = Result("", NAMES, again, Y[again], RESULT.answers[again], np.log(P[again]))
    for figure in ("error", "log_loss", "brier", "calibration_error", "auc"):
        assert_allclose(getattr(weighed, figure), getattr(repeated, figure), rtol=1e-12)


def test_without_probabilities():
    bare = Result("bare", NAMES, np.arange(120), Y, RESULT.answers)
    assert bare.error == RESULT.error
    with pytest.raises(ValueError, match="bare: the model predicts classes, not probabilities"):
        _ = bare.log_loss
    assert "log loss" not in str(bare)


def test_the_model_is_fitted_when_asked_for_and_once():
    fits = []
    result = Result("", NAMES, np.arange(120), Y, RESULT.answers, fit=lambda: fits.append(1) or "model")
    assert not fits
    assert (result.model, result.model, len(fits)) == ("model", "model", 1)
    with pytest.raises(ValueError, match="there is no model fitted to all rows"):
        _ = RESULT.model


def test_in_print():
    lines = str(RESULT).split("\n")
    assert lines[0] == "by hand"
    assert lines[1].split() == ["rows", "120"]
    assert lines[2].startswith("error") and "95 % interval" in lines[2]  # noqa: PT018
    assert lines[3].startswith("baseline") and "always predicting" in lines[3]  # noqa: PT018
    assert lines[8].split() == ["class", "rows", "precision", "recall", "as", "a", "as", "b", "as", "c"]
    assert not any(line != line.rstrip() for line in lines)


def test_of_many_classes_those_with_most_errors_are_shown():
    y = RNG.integers(30, size=500).astype(np.int32)
    answers = y.copy()
    answers[y == 17] = 3
    text = str(Result("many", np.arange(30), np.arange(500), y, answers))
    assert "and 22 more classes" in text
    assert "\n17 " in text


def test_no_scikit_learn_unless_asked_for():
    script = """
import sys
import numpy as np
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import audit, cross_validate, holdout, learning_curve, leave_one_out
from likely.validation import replay, training_error, tune, weigh
x, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
for result in (
    leave_one_out(NaiveBayesModel(), x, y), cross_validate(NaiveBayesModel(), x, y), holdout(NaiveBayesModel(), x, y),
    replay(NaiveBayesModel(), x, y), training_error(NaiveBayesModel(), x, y),
    tune([NaiveBayesModel(), NaiveBayesModel("gaussian")], x, y),
    learning_curve([NaiveBayesModel(), LogisticModel()], x, y, repeats=2), leave_one_out(LogisticModel(), x, y),
    audit(NaiveBayesModel(), x, y), weigh([NaiveBayesModel("gaussian"), NaiveBayesModel("histogram")], x, y),
):
    str(result)
print(*{name for name in ("sklearn", "pandas", "rich") if name in sys.modules})
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""
