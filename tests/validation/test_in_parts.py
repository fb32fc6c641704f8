"""Rows judged by models of the others, beside folds."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import softmax

from likely.data import read
from likely.limits import Rising
from likely.models.logistic.regression import LogisticRegression
from likely.validation import cross_validate, in_parts


@pytest.mark.parametrize("few", [0, 1000])
def test_weights_are_judged_in_parts(few, monkeypatch):
    monkeypatch.setattr(in_parts, "FEW", few)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 90).astype(np.int32)
    table = read(rng.normal(y[:, None], 1.0, (90, 3)))
    model = LogisticRegression([0.1, 1.0])
    model.learn(table, np.array(["a", "b"]), y)
    found = in_parts.in_parts(model, table, y, None)
    again = LogisticRegression([0.1, 1.0] if few else model.c)
    expected = cross_validate(again, table, np.array(["a", "b"])[y], 5, stratify=True)
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)


def test_how_far_naive_bayes_is_trusted_stays_with_c(monkeypatch):
    monkeypatch.setattr(in_parts, "FEW", 0)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 80).astype(np.int32)
    table = read(rng.normal(y[:, None], 1.0, (80, 2)))
    model = LogisticRegression("auto", shrink_to="naive_bayes")
    model.learn(table, np.array(["a", "b"]), y)
    trusted = in_parts.in_parts(model, table, y, None).probabilities
    model.trust = 0.0
    assert np.abs(in_parts.in_parts(model, table, y, None).probabilities - trusted).max() > 0.01


@pytest.mark.parametrize("limits", [[], [Rising("grade", ["low", "high"])]], ids=["a class of one row", "limits"])
def test_where_a_part_may_lack_what_the_whole_has_rows_are_left_out_by_a_step(limits):
    y = np.zeros(40, np.int32)
    y[: 20 if limits else 1] = 1
    table = read(pa.table({"grade": ["high", *["low"] * 39], "size": np.random.default_rng(2).normal(y, 1.0)}))
    model = LogisticRegression(1.0, limits=limits)
    model.learn(table, np.array(["n", "p"]), y)
    found = in_parts.in_parts(model, table, y, None)
    scores = model.score_left_out(table, y)
    np.testing.assert_allclose(found.probabilities, softmax(scores, axis=1))
    assert "a little too good" in found.notes[0]
