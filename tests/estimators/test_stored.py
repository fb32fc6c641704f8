"""Classifiers through files."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import likely
from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.limits import Between, Equal
from likely.priors import InverseWishart, Normal

RNG = np.random.default_rng(5)
X = pd.DataFrame({"a": RNG.normal(size=50), "b": RNG.poisson(3, 50), "c": RNG.choice(["p", "q", "?"], 50)})
Y = RNG.choice(["x", "y"], 50)


@pytest.mark.parametrize(
    ("model", "x"),
    [
        (NaiveBayes(), X),
        (NaiveBayes({"a": "gaussian"}, missing="auto", missing_values="?", class_prior="uniform"), X),
        (NaiveBayes(calibrate="isotonic"), X),
        (NaiveBayes(select="auto", smoothing="auto", column_weights=False), X),
        (NaiveBayes("gaussian", column_weights=True), X[["a", "b"]]),
        (GaussianClassifier(calibrate=True), X[["a", "b"]]),
        (NaiveBayes(), X[["a", "b"]].to_numpy()),
        (GaussianClassifier(), X[["a", "b"]]),
        (
            GaussianClassifier("tied", shrinkage=0.2, prior=InverseWishart(1.0, 3.0), mean_prior=Normal(0.0, 1.0)),
            X[["a", "b"]],
        ),
        (LogisticRegression(), X),
        (LogisticRegression("auto", shrink_to="naive_bayes", time_ordered=True, calibrate=True, missing_values="?"), X),
        (LogisticRegression([0.1, 1.0], families={"b": "poisson"}, class_weight="balanced"), X),
        (LogisticRegression(limits=[Between("a", low=0.0), Equal(("c", "p"), ("c", "q"))], tol=1e-5), X),
        (LogisticRegression(standardize=False, missing="refuse"), X[["a", "b"]].to_numpy()),
        (NaiveBayes(), [f"words {i % 3} and more" for i in range(50)]),
    ],
    ids=str,
)
def test_a_classifier_comes_back_as_it_was(model: Any, x: Any, tmp_path: Path) -> None:
    model.fit(x, Y)
    model.save(tmp_path / "m.likely")
    found = likely.load(tmp_path / "m.likely")
    assert type(found) is type(model)
    assert found.get_params() == model.get_params()
    np.testing.assert_array_equal(found.predict_log_proba(x), model.predict_log_proba(x))
    np.testing.assert_array_equal(found.predict_proba(x), model.predict_proba(x))
    assert found.predict(x).tolist() == model.predict(x).tolist()
    assert found.n_features_in_ == model.n_features_in_
    assert hasattr(found, "feature_names_in_") == hasattr(model, "feature_names_in_")
    more = [one.partial_fit if hasattr(one, "partial_fit") else clone(one).fit for one in (found, model)]
    learned, expected = (learn(x, Y) for learn in more)
    np.testing.assert_array_equal(learned.predict_log_proba(x), expected.predict_log_proba(x))
    clone(found).fit(x, Y)


def test_a_model_that_has_learned_nothing_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        NaiveBayes().save(tmp_path / "m.likely")


def test_what_is_no_model_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.likely").write_bytes(b"what" * 100)
    with pytest.raises(ValueError, match="is not a model file of Likely"):
        likely.load(tmp_path / "m.likely")
    with pytest.raises(FileNotFoundError):
        likely.load(tmp_path / "nowhere.likely")
