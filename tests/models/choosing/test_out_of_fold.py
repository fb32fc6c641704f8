"""Evidence of columns by what other folds choose."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import NaiveBayes
from likely.models.choosing.out_of_fold import FOLDS, folds, out_of_fold
from likely.models.naive_bayes import NaiveBayesModel

from ...samples import sample_of


def fitted(x, y):
    model = NaiveBayes(column_weights=False).fit(x, y)
    return model.model_.blocks, sample_of(model._read(x), y)


def numbers(rows):
    rng = np.random.default_rng(0)
    y = np.arange(rows) % 2
    return pd.DataFrame({"a": rng.normal(y), "b": rng.normal(size=rows)}), y


def test_classes_are_spread_over_folds_and_identical_rows_are_in_one():
    x, y = numbers(50)
    x.iloc[10] = x.iloc[0]
    fold = folds(*fitted(x, y))
    assert min(np.bincount(y[fold == f], minlength=2).min() for f in range(FOLDS)) >= 4
    assert fold[10] == fold[0]


def test_a_row_of_weight_two_is_two_rows():
    x, y = numbers(40)
    blocks, sample = fitted(x, y)
    heavy = sample.weighing(np.where(np.arange(40) < 2, 2.0, 1.0))
    twice = sample.take(np.r_[0, 1, np.arange(40)])
    assert folds(blocks, heavy).tolist() == folds(blocks, twice)[2:].tolist()


def test_of_rows_that_mostly_repeat_there_are_no_folds():
    """Without a value that is in one fold alone, the others know nothing of it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    x = pd.DataFrame({"c": np.array(list("abc"))[np.where(rng.random(60) < 0.7, y, 2)]})
    assert folds(*fitted(x, y)) is None
    assert 0.8 < NaiveBayes().fit(x, y).column_weights_["c"] <= 1
    copies = NaiveBayes().fit(pd.concat([x] * 20, axis=1).set_axis(range(20), axis=1), y).column_weights_
    assert sum(copies.values()) < 2


@pytest.mark.parametrize("together", [True, False])
def test_evidence_is_that_of_a_model_of_the_other_folds(together):
    x, y = numbers(50)
    blocks, sample = fitted(x, y)
    model, fold = NaiveBayesModel("gaussian", column_weights=False), folds(blocks, sample)
    evidence, prior = out_of_fold(
        lambda others: model.learn(others).blocks, sample, fold, blocks, together, "frequencies"
    )
    for f in range(FOLDS):
        rows = np.flatnonzero(fold == f)
        other = model.learn(sample.without(rows))
        assert_allclose(prior[rows] + evidence[rows].sum(axis=2), other.score(sample.take(rows).table), rtol=1e-9)
