"""Rows judged by models of the others, beside folds."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import softmax

from likely.limits import Rising
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import cross_validate, in_parts

from ..samples import sample_of
from ..texts import together


@pytest.mark.parametrize("few", [0, 1000])
def test_weights_are_judged_in_parts(few, monkeypatch):
    monkeypatch.setattr(in_parts, "FEW", few)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 90)
    sample = sample_of(rng.normal(y[:, None], 1.0, (90, 3)), np.array(["a", "b"])[y])
    model = LogisticModel([0.1, 1.0]).learn(sample)
    found = in_parts.in_parts(model, sample)
    again = LogisticModel([0.1, 1.0] if few else model.c)
    expected = cross_validate(again, sample.table, np.array(["a", "b"])[y], 5, stratify=True)
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)


def test_the_scale_of_naive_bayes_stays_with_c(monkeypatch):
    monkeypatch.setattr(in_parts, "FEW", 0)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 80)
    sample = sample_of(rng.normal(y[:, None], 1.0, (80, 2)), np.array(["a", "b"])[y])
    model = LogisticModel("auto", shrink_to="naive_bayes").learn(sample)
    scaled = in_parts.in_parts(model, sample).probabilities
    model = replace(model, learned=replace(model.known, nb_scale=0.0))
    assert np.abs(in_parts.in_parts(model, sample).probabilities - scaled).max() > 0.01


@pytest.mark.parametrize("limits", [[], [Rising("grade", ["low", "high"])]], ids=["a class of one row", "limits"])
def test_where_a_part_may_lack_what_the_whole_has_rows_are_left_out_by_a_step(limits):
    y = np.zeros(40, int)
    y[: 20 if limits else 1] = 1
    table = pa.table({"grade": ["high", *["low"] * 39], "size": np.random.default_rng(2).normal(y, 1.0)})
    sample = sample_of(table, np.array(["n", "p"])[y])
    model = LogisticModel(1.0, limits=limits).learn(sample)
    found = in_parts.in_parts(model, sample)
    scores = model.loo_scores(sample)
    np.testing.assert_allclose(found.probabilities, softmax(scores, axis=1))
    assert "a little too good" in found.notes[0]


def test_with_a_class_of_one_row_models_that_count_are_left_out_too():
    y = np.arange(40) == 0
    sample = sample_of(pa.table({"size": np.random.default_rng(2).normal(y, 1.0)}), np.array(["n", "p"])[y.astype(int)])
    model = NaiveBayesModel("gaussian").learn(sample)
    found = in_parts.in_parts(model, sample)
    assert found.how == "naive Bayes, leave-one-out"
    np.testing.assert_allclose(found.probabilities, model.loo_proba(sample, model.loo_scores(sample)))


def test_margins_of_texts_are_judged_by_folds_and_said_to_be():
    texts, y = together(60)
    y[0] = "other"
    sample = sample_of(texts, y)
    model = LogisticModel("auto", shrink_to="naive_bayes").learn(sample)
    found = in_parts.in_parts(model, sample)
    assert found.how == "blend, 5 folds of margins, naive Bayes leave-one-out"
    np.testing.assert_allclose(found.probabilities, softmax(model.loo_scores(sample), axis=1))
