"""What every face shares, generative or not: reading rows, labels and weights, and answers that agree."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError

from likely import GaussianClassifier, LogisticRegression, NaiveBayes

RNG = np.random.default_rng(0)
Y = np.repeat(["no", "yes"], 60)
TABLE = pd.DataFrame({"a": RNG.normal(np.repeat([0.0, 1.0], 60)), "b": RNG.normal(size=120)})
FACES = [NaiveBayes(), GaussianClassifier(), LogisticRegression(), LogisticRegression(shrink_to="naive_bayes")]
every_face = pytest.mark.parametrize("face", FACES, ids=map(repr, FACES))


@every_face
@pytest.mark.parametrize("calibrate", [False, True, "temperature", "isotonic"])
def test_answers_agree(face, calibrate):
    model = clone(face).set_params(calibrate=calibrate).fit(TABLE, Y)
    p = model.predict_proba(TABLE)
    assert_allclose(p.sum(axis=1), 1)
    assert_allclose(np.exp(model.predict_log_proba(TABLE)), p, atol=1e-12)
    assert (model.predict(TABLE) == model.classes_[p.argmax(axis=1)]).all()
    assert (model.calibration_ is None) == (calibrate is False)


@every_face
def test_labels_as_a_column_warn_and_are_read(face):
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = clone(face).fit(TABLE, Y[:, None])
    assert model.classes_.tolist() == ["no", "yes"]


@every_face
def test_names_must_be_those_learned(face):
    model = clone(face).fit(TABLE, Y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(TABLE[["b", "a"]])


@every_face
def test_nothing_is_answered_before_fit(face):
    with pytest.raises(NotFittedError):
        clone(face).predict(TABLE)


@every_face
@pytest.mark.parametrize(
    ("weight", "told"),
    [
        ([1.0], "one weight for each of 120 rows"),
        (np.full(120, -1.0), "weights must be finite and 0 or more; row 0 has -1.0"),
        (np.zeros(120), "every weight is zero"),
        (["heavy"] * 120, "sample_weight must be numbers"),
    ],
)
def test_weights_that_are_none(face, weight, told):
    with pytest.raises(ValueError, match=told):
        clone(face).fit(TABLE, Y, sample_weight=weight)


@every_face
def test_a_value_may_stand_for_a_missing_cell(face):
    holes, marked = TABLE.copy(), TABLE.copy()
    holes.loc[5, "a"], marked.loc[5, "a"] = np.nan, -999.0
    plain, told = clone(face).fit(holes, Y), clone(face).set_params(missing_values=-999).fit(marked, Y)
    assert_allclose(told.predict_proba(marked), plain.predict_proba(holes))
