"""Rows judged by models of the others, beside folds."""

import numpy as np
import pytest

from likely.data import read
from likely.models.logistic.regression import LogisticRegression
from likely.validation import cross_validate, in_parts

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("few", [0, 1000])
def test_weights_are_judged_in_parts(few, monkeypatch):
    monkeypatch.setattr(in_parts, "FEW", few)
    y = RNG.integers(0, 2, 90).astype(np.int32)
    table = read(RNG.normal(y[:, None], 1.0, (90, 3)))
    model = LogisticRegression([0.1, 1.0])
    model.learn(table, np.array(["a", "b"]), y)
    found = in_parts.in_parts(model, table, y, None)
    again = LogisticRegression([0.1, 1.0] if few else model.c)
    expected = cross_validate(again, table, np.array(["a", "b"])[y], 5)
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)


def test_how_far_naive_bayes_is_trusted_stays_with_c(monkeypatch):
    monkeypatch.setattr(in_parts, "FEW", 0)
    y = RNG.integers(0, 2, 80).astype(np.int32)
    table = read(RNG.normal(y[:, None], 1.0, (80, 2)))
    model = LogisticRegression("auto", shrink_to="naive_bayes")
    model.learn(table, np.array(["a", "b"]), y)
    trusted = in_parts.in_parts(model, table, y, None).probabilities
    model.trust = 0.0
    assert np.abs(in_parts.in_parts(model, table, y, None).probabilities - trusted).max() > 0.01
