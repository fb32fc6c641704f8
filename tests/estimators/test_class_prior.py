"""p(y) as it is given: by class or in their order, and copied."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import GaussianClassifier, LogisticRegression, NaiveBayes

X, Y = [[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1]
NOTHING = [[np.nan]]


@pytest.mark.parametrize("kind", [NaiveBayes, GaussianClassifier])
def test_a_series_is_read_by_its_index(kind: Any) -> None:
    prior = pd.Series([0.9, 0.1], index=[1, 0])
    assert_allclose(kind(class_prior=prior).fit(X, Y).predict_proba(NOTHING), [[0.1, 0.9]])


def test_a_series_whose_index_has_no_class_is_refused() -> None:
    with pytest.raises(ValueError, match="class_prior has no number for class 'a'"):
        NaiveBayes(class_prior=pd.Series([0.9, 0.1])).fit(X, list("aabb"))
    with pytest.raises(ValueError, match="class_prior has several numbers for a class"):
        NaiveBayes(class_prior=pd.Series([0.9, 0.1], index=[0, 0])).fit(X, Y)


@pytest.mark.parametrize("prior", [np.array([0.5, 0.5]), {0: 0.5, 1: 0.5}, pd.Series([0.5, 0.5])], ids=type)
def test_what_is_changed_after_a_fit_changes_nothing(prior: Any) -> None:
    nb = NaiveBayes(class_prior=prior).fit(X, Y)
    prior[0], prior[1] = 0.9, 0.1
    assert_allclose(nb.predict_proba(NOTHING), [[0.5, 0.5]])


def test_none_is_as_often_as_in_the_rows() -> None:
    assert_allclose(NaiveBayes(class_prior=None).fit(X[:3], Y[:3]).predict_proba(NOTHING), [[2 / 3, 1 / 3]])
    LogisticRegression(class_prior=None, shrink_to="naive_bayes").fit(X, Y)
