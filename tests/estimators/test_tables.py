"""What every face shares, generative or not: reading rows, labels and weights, and answers that agree."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.errors import BadLabel

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


MIXED = pd.DataFrame(
    {"a": [1.0, 2.0, 3.0, 4.0] * 3, "g": list("xxyy") * 3, "said": ["to be", "or not", "so", "it"] * 3}
)


@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")
@pytest.mark.parametrize("other", [pd.DataFrame.to_numpy, lambda frame: frame.to_numpy().tolist()])
@pytest.mark.parametrize("model", [NaiveBayes(), LogisticRegression(), LogisticRegression(shrink_to="naive_bayes")])
def test_a_frame_and_an_array_of_the_same_cells_are_the_same(model: Any, other: Any) -> None:
    y, array = [0, 0, 1, 1] * 3, other(MIXED)
    ours = clone(model).fit(MIXED, y).predict_proba(MIXED)
    np.testing.assert_array_equal(clone(model).fit(MIXED, y).predict_proba(array), ours)
    np.testing.assert_array_equal(clone(model).fit(array, y).predict_proba(array), ours)
    np.testing.assert_array_equal(clone(model).fit(array, y).predict_proba(MIXED), ours)


def test_a_sparse_frame_is_read_as_what_it_stands_for() -> None:
    dense, y = np.array([[3.0, 0], [2, 1], [0, 4], [1, 5]]), [0, 0, 1, 1]
    sparse = pd.DataFrame.sparse.from_spmatrix(csr_array(dense))
    frame = pd.DataFrame(dense, columns=sparse.columns)
    np.testing.assert_array_equal(
        NaiveBayes().fit(sparse, y).predict_proba(sparse), NaiveBayes().fit(frame, y).predict_proba(frame)
    )


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_matrix_is_an_array() -> None:
    x, y = np.array([[0.0], [1], [2], [4]]), [0, 0, 1, 1]
    np.testing.assert_array_equal(
        NaiveBayes().fit(np.matrix(x), y).predict_proba(np.matrix(x)), NaiveBayes().fit(x, y).predict_proba(x)
    )


def test_a_type_that_arrow_does_not_have_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match="a column of a type that Arrow does not have; cast it"):
        NaiveBayes().fit(pl.DataFrame({"a": pl.Series([1, 2], dtype=pl.Int128)}), [0, 1])


def test_a_masked_label_is_a_missing_one() -> None:
    x = [[0.0], [1.0], [2.0], [3.0]]
    with pytest.raises(BadLabel, match="labels must be present and finite; row 3 of y has None"):
        NaiveBayes().fit(x, np.ma.array([0, 0, 1, 1], mask=[0, 0, 0, 1]))
    NaiveBayes().fit(x, np.ma.array([0, 0, 1, 1]))


@pytest.mark.parametrize("start", [2**53 + 1, 2**60, 1_570_000_000_000_000_000])
def test_whole_numbers_beyond_those_of_floats_are_no_counts(start: int) -> None:
    x = start + np.arange(40)[:, None] * 2**54
    nb = NaiveBayes().fit(x, [0] * 20 + [1] * 20)
    assert nb.score(x, [0] * 20 + [1] * 20) > 0.9
    assert "Poisson" not in repr(nb.families_)
    few = start + np.arange(4)[:, None]  # whose differences are lost to rounding
    assert np.isfinite(NaiveBayes().fit(few, [0, 0, 1, 1]).predict_proba(few)).all()
