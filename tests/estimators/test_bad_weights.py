"""Weights that are negative, infinite, all zero, or not one for each row."""

import numpy as np
import pytest

from likely import NaiveBayes

from .refusals import WITH_Y, X, Y, never_fitted, refused, state

BAD_WEIGHTS = {
    "negative": ([1, 1, -0.5, 1, 1, 1], "weights must be finite and 0 or more; row 2 has -0.5"),
    "NaN": ([1, 1, 1, 1, np.nan, 1], "weights must be finite and 0 or more; row 4 has nan"),
    "infinite": ([np.inf, 1, 1, 1, 1, 1], "weights must be finite and 0 or more; row 0 has inf"),
    "all zero": ([0, 0, 0, 0, 0, 0], "every weight is zero: there is nothing to learn from"),
    "zero": (0, "every weight is zero: there is nothing to learn from"),
    "too few": ([1, 1, 1], "sample_weight has shape (3,), but one weight for each of 6 rows is needed"),
    "two columns": (np.ones((6, 2)), "sample_weight has shape (6, 2), but one weight for each of 6 rows is needed"),
}


@pytest.mark.parametrize("method", ["fit", "partial_fit", "forget"])
@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_weights(method, name):
    weight, sentence = BAD_WEIGHTS[name]
    refused(NaiveBayes("gaussian").fit(X, Y), X, lambda nb: WITH_Y[method](nb, Y, weight), ValueError, sentence)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_weights_leave_no_trace(method, name):
    never_fitted(NaiveBayes(), lambda nb: WITH_Y[method](nb, Y, BAD_WEIGHTS[name][0]), ValueError)


def test_weights_that_are_no_numbers():
    nb = NaiveBayes("gaussian").fit(X, Y)
    before = state(nb, X)
    with pytest.raises((TypeError, ValueError), match=r"weight"):
        nb.fit(X, Y, sample_weight=["much"] * 6)
    assert state(nb, X) == before


def test_a_class_whose_rows_weigh_nothing():
    nb = NaiveBayes("gaussian").fit(X, Y, sample_weight=[1, 1, 1, 0, 0, 0])
    assert nb.predict_proba(X).tolist() == [[1, 0]] * 6
