"""Cross-validation, against fits by hand and scikit-learn's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import PredefinedSplit, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from likely import NaiveBayes
from likely.validation import cross_validate

from .tables import mixed

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
    assert "error, mean of parts" in text


def test_weights():
    weight = np.random.default_rng(0).random(103)
    result = cross_validate(GaussianNB(), NUMBERS, Y, 4, sample_weight=weight)
    wrong = result.predictions != Y
    assert_allclose(result.error, np.average(wrong, weights=weight))
    assert_allclose(result.fold_errors[2], np.average(wrong[result.part == 2], weights=weight[result.part == 2]))


def test_without_probabilities():
    result = cross_validate(LinearSVC(), NUMBERS, Y, 4)
    assert result.p is None
    assert result.standard_error == pytest.approx(result.fold_errors.std(ddof=1) / 2)


def test_as_many_parts_as_rows_leave_one_out():
    result = cross_validate(GaussianNB(), NUMBERS, Y, 103)
    one = GaussianNB().fit(NUMBERS[1:], Y[1:]).predict_proba(NUMBERS[:1])
    assert_allclose(result.probabilities[:1], one)
