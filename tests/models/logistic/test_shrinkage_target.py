"""Naive Bayes as what weights are shrunk towards."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.data import Sample, read
from likely.models.logistic.design import design
from likely.models.logistic.shrinkage_target import log_odds, log_odds_without, naive_bayes_terms


def learned(classes=3, rows=60):
    rng = np.random.default_rng(0)
    y = np.arange(rows) % classes
    x = rng.normal(size=(rows, 2)) + y[:, None]
    return NaiveBayes("gaussian").fit(x, y), Sample(read(x), y.astype(np.int32), np.arange(classes))


def test_log_odds_are_of_the_second_class_or_about_their_mean():
    scores = np.array([[1.0, 4.0], [0.0, -1.0]])
    np.testing.assert_array_equal(log_odds(scores), [[3.0], [-1.0]])
    np.testing.assert_array_equal(log_odds(np.array([[1.0, 2.0, 6.0]])), [[-2.0, -1.0, 3.0]])
    with pytest.raises(ValueError, match="row 1 is impossible in some class"):
        log_odds(np.array([[0.0, 0.0], [0.0, -np.inf]]))


def test_log_odds_without_rows_are_those_of_a_fit_of_the_others():
    model, sample = learned()
    hidden = np.arange(60) < 20
    x = np.column_stack([sample.table.numbers([j], slice(None))[:, 0] for j in range(2)])
    other = NaiveBayes("gaussian").fit(x[~hidden], sample.y[~hidden])
    found = log_odds_without(model.model_, sample)(hidden)
    np.testing.assert_allclose(found, log_odds(other.model_.score(sample.table)), rtol=1e-9)


def test_a_class_whose_rows_are_all_hidden_has_finite_log_odds():
    model, sample = learned()
    found = log_odds_without(model.model_, sample)(sample.y == 2)
    assert np.isfinite(found).all()
    assert (found.argmax(axis=1) != 2).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_terms_give_the_log_odds(classes):
    model, sample = learned(classes)
    features = design(model.model_.known, len(sample), False, "indicate")
    terms = naive_bayes_terms(model.model_, features, classes)
    x = features.matrix(sample.table, slice(0, 60))[0]
    odds = log_odds(
        (x @ terms.weights.T + terms.bias)
        if classes > 2
        else np.pad(x @ terms.weights.T + terms.bias, ((0, 0), (1, 0)))
    )
    np.testing.assert_allclose(odds, log_odds(model.model_.score(sample.table)), rtol=1e-9)


def test_without_naive_bayes_all_is_zero():
    model, sample = learned()
    terms = naive_bayes_terms(None, design(model.model_.known, len(sample), True, "indicate"), 3)
    assert not terms.weights.any()
    assert not terms.bias.any()
