"""Columns in the order of the evidence that they depend on the class."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

from likely import GaussianClassifier, NaiveBayes
from likely.validation import relevance

from .tables import FAMILIES, mixed, with_noise

RNG = np.random.default_rng(0)


def test_columns_that_tell_are_above_columns_that_do_not():
    x, y = mixed(400)
    found = relevance(NaiveBayes().fit(with_noise(x, 40), y))
    assert set(found.columns[:5]) == set(x.column_names)
    assert len(found.relevant) <= 7
    assert found["number"] > 20 > 0 > np.median(found.log_factors)
    assert len(found) == 45
    with pytest.raises(KeyError, match="there is no column 'x'"):
        found["x"]


def test_a_model_that_has_learned_nothing_is_named():
    with pytest.raises(ValueError, match="this NaiveBayes has learned nothing yet; call fit first"):
        relevance(NaiveBayes())


def test_a_factor_is_of_the_sums_alone():
    x, y = mixed(200)
    whole = relevance(NaiveBayes(FAMILIES).fit(x, y))
    parts = NaiveBayes(FAMILIES).fit(x.slice(0, 80), y[:80]).partial_fit(x.slice(80), y[80:])
    assert relevance(parts).columns == whole.columns
    assert_allclose(relevance(parts).log_factors, whole.log_factors, rtol=1e-9)
    assert_allclose(relevance(parts.model_).log_factors, whole.log_factors, rtol=1e-9)


def test_missing_cells_are_a_column():
    x, y = mixed(300)
    hidden = pa.array([None if label == "red" else 1.0 for label in y])
    found = relevance(NaiveBayes(missing="value").fit(x.append_column("hidden", hidden), y))
    assert found.columns[0] == "hidden missing"


def test_of_gaussian_classifiers_and_texts():
    y = np.arange(90) % 3
    x = np.column_stack([RNG.normal(size=90), RNG.normal(2 * y, 1)])
    assert relevance(GaussianClassifier().fit(x, y)).columns == [1, 0]
    texts = [f"{'spam' if label else 'ham'} and so on" for label in y]
    assert relevance(NaiveBayes().fit(texts, y))[0] > 0


def test_in_print():
    x, y = mixed(200)
    lines = str(relevance(NaiveBayes().fit(with_noise(x, 30), y))).split("\n")
    assert lines[0].split() == ["column", "log", "Bayes", "factor"]
    assert len(lines) == 22
    assert lines[11].split() == ["15", "more", "..."]
