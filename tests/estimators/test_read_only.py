"""What a model shows of itself cannot be changed there."""

import numpy as np
import pytest

from likely import GaussianClassifier, LogisticRegression, NaiveBayes

X = np.random.default_rng(0).normal(size=(20, 2))
Y = [0, 1] * 10


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (NaiveBayes(), ["classes_", "class_count_"]),
        (GaussianClassifier(), ["classes_", "class_count_", "means_", "covariances_"]),
        (GaussianClassifier("tied"), ["means_", "covariances_"]),
        (LogisticRegression(), ["classes_", "coef_", "intercept_"]),
        (LogisticRegression(standardize=False), ["coef_", "intercept_"]),
    ],
)
def test_arrays_are_read_only(model, names):
    model.fit(X, Y)
    before = model.predict_proba(X)
    for name in names:
        with pytest.raises(ValueError, match="read-only"):
            getattr(model, name)[:] = 0
    np.testing.assert_array_equal(model.predict_proba(X), before)
