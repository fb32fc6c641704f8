"""Labels that are missing, mixed, never learned, or not one for each row."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import DataConversionWarning

from likely import NaiveBayes

from .refusals import WITH_Y, X, Y, never_fitted, refused, state

BAD_LABELS = {
    "None": (
        np.array(["a", None, "a", "b", "b", "b"], object),
        ValueError,
        "labels must be present and finite; row 1 of y has None",
    ),
    "NaN": (
        np.array(["a", "a", np.nan, "b", "b", "b"], object),
        ValueError,
        "labels must be present and finite; row 2 of y has nan",
    ),
    "NA": (
        pd.Series(["a", "a", "a", "b", "b", None], dtype="string"),
        ValueError,
        "labels must be present and finite; row 5 of y has <NA>",
    ),
    "NaN among numbers": (
        [1.0, 1.0, 1.0, np.nan, 2.0, 2.0],
        ValueError,
        "labels must be present and finite; row 3 of y has nan",
    ),
    "infinite": ([1, 1, 1, 2, 2, np.inf], ValueError, "labels must be present and finite; row 5 of y has inf"),
    "polars": (
        pl.Series(["a", "a", "a", "b", "b", None]),
        ValueError,
        "labels must be present and finite; row 5 of y has None",
    ),
    "mixed": (
        np.array(["a", "a", "a", 2, "b", "b"], object),
        TypeError,
        "labels must be all text or all numbers: column 'y' mixes types: it has 'a', and in row 3 2",
    ),
    "continuous": (
        [1.0, 1.0, 1.0, 1.0, 2.5, 2.0],
        ValueError,
        "Unknown label type: continuous. Classes are names or whole numbers; row 4 of y has 2.5; for a regression "
        "target use a regressor",
    ),
    "too few": (Y[:5], ValueError, "Found input variables with inconsistent numbers of samples: [6, 5]"),
    "too many": (np.tile(Y, 2), ValueError, "Found input variables with inconsistent numbers of samples: [6, 12]"),
    "two columns": (
        np.stack([Y, Y], axis=1),
        ValueError,
        "y should be a 1d array, got an array of shape (6, 2) instead.",
    ),
    "a single one": ("a", ValueError, "y should be a 1d array, got an array of shape () instead."),
    "dates": (np.full(6, "2020-01-01", "M8[D]"), TypeError, "labels must be text or numbers, not datetime64[D]"),
    "complex": (np.ones(6, complex), TypeError, "labels must be text or numbers, not complex128"),
    "none at all": (None, ValueError, "NaiveBayes requires y to be passed, but the target y is None."),
}


@pytest.mark.parametrize("method", WITH_Y)
@pytest.mark.parametrize("name", BAD_LABELS)
def test_labels(method, name):
    y, error, sentence = BAD_LABELS[name]
    refused(NaiveBayes("gaussian").fit(X, Y), X, lambda nb: WITH_Y[method](nb, y), error, sentence)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("name", BAD_LABELS)
def test_labels_leave_no_trace(method, name):
    y, error, _ = BAD_LABELS[name]
    never_fitted(NaiveBayes(), lambda nb: WITH_Y[method](nb, y), error)


def test_labels_as_a_column_warn_and_are_read():
    with pytest.warns(DataConversionWarning, match=r"A column-vector y was passed when a 1d array was expected"):
        nb = NaiveBayes().fit(X, Y[:, None])
    assert nb.classes_.tolist() == ["a", "b"]


def test_numbers_where_the_classes_are_text():
    nb = NaiveBayes("gaussian").fit(X, Y)
    sentence = "classes: text and numbers do not mix: 'a', 'b' and 0, 1"
    for method in ("partial_fit", "forget"):
        refused(nb, X, lambda nb, m=method: WITH_Y[m](nb, [0, 0, 0, 1, 1, 1]), ValueError, sentence)


def test_classes_to_come_of_another_kind():
    nb = NaiveBayes("gaussian").fit(X, Y)
    before = state(nb, X)
    with pytest.raises((TypeError, ValueError), match=r"text and numbers do not mix: 'a', 'b' and 0, 1"):
        nb.partial_fit(X, Y, classes=[0, 1])
    assert state(nb, X) == before


@pytest.mark.parametrize(("learned", "y", "named"), [(Y, ["z"] * 6, "'z'"), ([0, 0, 0, 1, 1, 1], [3] * 6, "3")])
def test_the_likelihood_of_a_class_that_was_never_learned(learned, y, named):
    nb = NaiveBayes("gaussian").fit(X, learned)
    refused(nb, X, lambda nb: nb.log_likelihood(X, y), ValueError, f"class {named} of y was never learned")
