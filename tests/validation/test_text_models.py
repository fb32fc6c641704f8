"""Naive Bayes and the blend compared by held-out texts."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import leave_one_out, text_models
from likely.validation.recommended import recommended
from likely.validation.text_models import advice

from ..samples import sample_of
from ..texts import alone, together


def compared(texts, y):
    return text_models.text_models(NaiveBayesModel(), sample_of(texts, y))


def test_words_that_come_together_are_for_the_blend():
    found = compared(*together(1200))
    assert recommended(found).model == "blend"
    assert found["blend"].error < found["naive Bayes"].error - 0.05
    said = advice(found)
    points = 100 * (found["naive Bayes"].error - found["blend"].error)
    shown = re.match(
        r"The blend is right ([\d.]+) ± [\d.]+ points more often: it predicts [\d.]+ % of 960 held-out", said
    )
    assert float(shown[1]) == pytest.approx(points, abs=0.06)
    assert "`--model blend`" in said


def test_words_that_come_alone_are_for_naive_bayes():
    found = compared(*alone(1200))
    assert recommended(found).model == "naive Bayes"
    assert advice(found) == ""


def test_naive_bayes_is_judged_leave_one_out():
    texts, y = together(300)
    found = compared(texts, y)["naive Bayes"]
    expected = leave_one_out(NaiveBayesModel(), sample_of(texts, y).table, y, frame="kept")
    assert_allclose(found.probabilities, expected.probabilities[found.rows])


def test_the_blend_is_judged_as_honestly_as_on_new_texts():
    """Its scales are of other rows than those judged."""
    texts, y = together(4000, seed=1)
    found = compared(texts[:1000], y[:1000])["blend"]
    model = LogisticModel(None, shrink_to="naive_bayes").fit(sample_of(texts[:1000], y[:1000]))
    new = sample_of(texts[1000:], y[1000:])
    p = model.predict_proba(new.table)
    error = np.mean(p.argmax(axis=1) != new.y)
    assert abs(found.error - error) < 4 * np.sqrt(error * (1 - error) / len(found.y))


def test_a_part_of_many_texts_is_enough(monkeypatch):
    monkeypatch.setattr(text_models, "ROWS", 200)
    assert len(compared(*together(1000))["blend"].y) == 200
    monkeypatch.setattr(text_models, "BYTES", 0)
    assert compared(*together(1000)) == {}


@pytest.mark.parametrize("texts", [["a few words here"] * 9, ["other", "words"] * 20])
def test_one_class_is_not_compared(texts):
    assert compared(texts, ["a"] * len(texts)) == {}
    assert advice({}) == ""
