"""The classes and weights of rows; what is refused, through the estimators: test_bad_labels.py, test_bad_weights.py."""

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from likely.estimators.target import target_of, weights_of


def test_classes_are_sorted_and_rows_have_their_codes():
    labels, codes = target_of(["b", "a", "b"], 3, "NaiveBayes")
    assert (labels.tolist(), codes.tolist()) == (["a", "b"], [1, 0, 1])


def test_a_column_is_a_vector_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        _, codes = target_of(np.array([[1], [0]]), 2, "NaiveBayes")
    assert codes.tolist() == [1, 0]


def test_without_classes_the_estimator_is_named():
    with pytest.raises(ValueError, match=r"^NaiveBayes requires y"):
        target_of(None, 2, "NaiveBayes")


def test_one_weight_is_that_of_all_rows():
    assert weights_of(None, 2) is None
    assert weights_of(3, 2).tolist() == [3.0, 3.0]
    assert weights_of([1, 0], 2).tolist() == [1.0, 0.0]
