"""Cross-validation, against fits by hand and scikit-learn's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import PredefinedSplit, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from likely import NaiveBayes
from likely.priors import Dirichlet
from likely.validation import cross_validate
from likely.validation.folds import _merged, answers_of_parts
from likely.validation.learner import learner

from .tables import FAMILIES, mixed

X, Y = mixed(103)
FRAME = X.to_pandas()
NUMBERS = np.random.default_rng(1).normal(size=(103, 3)) + (Y == "red")[:, None]


@pytest.mark.parametrize("options", [{}, {"stratify": True}, {"group": np.arange(103) // 4}])
@pytest.mark.parametrize(("model", "x"), [(NaiveBayes(), FRAME), (GaussianNB(), NUMBERS)], ids=["ours", "theirs"])
def test_the_answers_are_those_of_scikit_learn_on_the_same_parts(model, x, options):
    result = cross_validate(model, x, Y, 5, **options)
    same = {"cv": PredefinedSplit(result.part)}
    assert_allclose(result.probabilities, cross_val_predict(model, x, Y, method="predict_proba", **same), rtol=1e-9)
    assert_allclose(result.fold_errors, 1 - cross_val_score(model, x, Y, **same))


def test_both_means_are_named_and_differ_where_parts_do():
    result = cross_validate(GaussianNB(), NUMBERS, Y, 3, group=np.minimum(np.arange(103) // 30, 2))
    sizes = np.bincount(result.part)
    assert sizes.max() > sizes.min()
    assert_allclose(result.mean_fold_error, result.fold_errors.mean())
    assert_allclose(result.pooled_error, (result.fold_errors * sizes).sum() / 103)
    assert result.error == result.pooled_error != result.mean_fold_error
    text = str(result)
    assert "error, pooled" in text
    assert "error, mean of folds" in text


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("prior", ["frequencies", "uniform", Dirichlet(2.0)], ids=str)
def test_merged_is_fitted_without_the_part(prior, weighted):
    """Nothing is left to choose, so all parts are counted once: the same to 1e-9."""
    weight = np.random.default_rng(0).random(103) + 0.1 if weighted else None
    model = NaiveBayes(FAMILIES, class_prior=prior)
    result = cross_validate(model, FRAME, Y, 6, sample_weight=weight)
    bound = learner(model, FRAME, Y, weight)
    assert _merged(bound, result.part, "refit") is not None
    assert_allclose(result.probabilities, np.exp(answers_of_parts(bound, result.part, 6).log_p), rtol=1e-9, atol=1e-9)


def test_what_is_chosen_is_chosen_without_the_part_or_said():
    bound = learner(NaiveBayes(), FRAME, Y)
    part = np.arange(103) % 4
    assert _merged(bound, part, "refit") is None
    assert _merged(learner(NaiveBayes(FAMILIES | {"skewed": "histogram"}), FRAME, Y), part, "refit") is None
    assert _merged(learner(NaiveBayes(FAMILIES), FRAME, Y), bound.sample.y, "kept") is None
    kept = cross_validate(NaiveBayes(), FRAME, Y, 4, frame="kept")
    anew = cross_validate(NaiveBayes(), FRAME, Y, 4)
    assert anew.notes == ()
    assert kept.notes[0].endswith("were chosen on all rows: these figures may be too good.")
    assert abs(kept.log_loss - anew.log_loss) < 0.2
    with pytest.raises(ValueError, match="the frame is 'refit' or 'kept', not 'new'"):
        cross_validate(NaiveBayes(), FRAME, Y, frame="new")


def test_weights():
    weight = np.random.default_rng(0).random(103)
    result = cross_validate(GaussianNB(), NUMBERS, Y, 4, sample_weight=weight)
    wrong = result.predictions != Y
    assert_allclose(result.error, np.average(wrong, weights=weight))
    assert_allclose(result.fold_errors[2], np.average(wrong[result.part == 2], weights=weight[result.part == 2]))


def test_without_probabilities():
    result = cross_validate(LinearSVC(), NUMBERS, Y, 4)
    assert result.log_p is None
    assert result.standard_error == pytest.approx(result.fold_errors.std(ddof=1) / 2)


def test_as_many_parts_as_rows_leave_one_out():
    result = cross_validate(GaussianNB(), NUMBERS, Y, 103)
    one = GaussianNB().fit(NUMBERS[1:], Y[1:]).predict_proba(NUMBERS[:1])
    assert_allclose(result.probabilities[:1], one)
