"""One row, one class, one value: no error, no warning, no NaN."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone

from likely import NaiveBayes
from likely.families import FAMILIES, Gaussian
from likely.priors import MaximumLikelihood

from ..samples import readable
from .cases import OF_CELLS
from .refusals import BITS, X, Y, never_fitted, refused

ONE_ROW = {
    "floats": [[1.5, 2.5]],
    "whole numbers": [[3, 0]],
    "bools": np.array([[True, False]]),
    "text": [["x", "y"]],
    "mixed": [["x", 1.5]],
    "a frame": pd.DataFrame({"a": ["x"], "b": [1.5], "c": [3], "d": [True]}),
    "sparse": scipy.sparse.csr_array(np.array([[0, 2]])),
}


@pytest.mark.parametrize("name", ONE_ROW)
@pytest.mark.parametrize("missing", ["ignore", "value", "auto"])
def test_one_row(name, missing):
    nb = NaiveBayes(missing=missing).fit(ONE_ROW[name], ["only"])
    assert nb.predict(ONE_ROW[name]).tolist() == ["only"]
    assert nb.predict_proba(ONE_ROW[name]).tolist() == [[1.0]]
    assert nb.predict_log_proba(ONE_ROW[name]).tolist() == [[0.0]]
    assert np.isfinite(nb.predict_joint_log_proba(ONE_ROW[name])).all()
    assert "nan" not in str(nb.describe()) + str(nb.explain(ONE_ROW[name]))


@pytest.mark.parametrize("family", OF_CELLS)
def test_one_row_in_every_family(family):
    nb = NaiveBayes(family).fit(readable(family, [[1, 0]]), ["only"])
    assert nb.predict_proba(readable(family, [[1, 0], [0, 1]])).tolist() == [[1.0], [1.0]]
    assert np.isfinite(nb.predict_joint_log_proba(readable(family, [[1, 0]]))).all()


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_one_class(family):
    x = readable(family, BITS if family == "bernoulli" else np.abs(np.rint(X)))
    nb = NaiveBayes(family).fit(x, ["only"] * len(x))
    assert nb.predict_proba(x).tolist() == [[1.0]] * len(x)
    assert np.isfinite(nb.predict_joint_log_proba(x)).all()


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_one_row_of_each_class(family):
    x = readable(family, [[1, 0, 1], [0, 1, 1]])
    nb = NaiveBayes(family).fit(x, ["a", "b"])
    p = nb.predict_proba(x)
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert p[0, 0] >= 0.5 >= p[1, 0]


@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram"])
def test_one_row_of_each_class_is_told_apart(family):
    nb = NaiveBayes(family).fit([[0.0], [10.0]], ["a", "b"])
    assert nb.predict([[0.5], [9.5]]).tolist() == ["a", "b"]


@pytest.mark.parametrize("value", [0, 1, 7.5, -3, 1e17, 1e150, 5e-324])
def test_one_value_throughout(value):
    nb = NaiveBayes().fit(np.full((6, 2), value), Y)
    assert np.allclose(nb.predict_proba([[value, value], [2.0, 3.0]]), 0.5, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram"])
def test_numbers_as_large_as_they_may_be(family):
    x = np.array([[1e150], [-1e150], [1e150], [5e149]])
    nb = NaiveBayes(family).fit(x, ["a", "a", "b", "b"])
    for answer in (nb.predict_proba(x), nb.predict_proba([[0.0]])):
        assert np.isfinite(answer).all()
        assert np.allclose(answer.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram"])
def test_numbers_far_from_all_that_was_learned(family):
    nb = NaiveBayes(family).fit([[1e-12], [2e-12], [5e-12], [6e-12]], ["a", "a", "b", "b"])
    p = nb.predict_proba([[1e150], [-1e150]])
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_a_class_of_which_a_column_is_unknown(family):
    x = readable(family, [[1.0, 1.0], [0.0, 1.0], [1.0, np.nan], [1.0, np.nan]])
    nb = NaiveBayes(family).fit(x, ["a", "a", "b", "b"])
    p = nb.predict_proba(readable(family, [[1.0, 1.0], [0.0, 1.0], [np.nan, 1.0]]))
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["bernoulli", "categorical", "multinomial", "poisson", "histogram"])
def test_maximum_likelihood_gives_no_nan(family):
    nb = NaiveBayes(FAMILIES[family](MaximumLikelihood())).fit(BITS[:3], ["a", "b", "b"])
    rows = np.array([[a, b] for a in (0.0, 1.0, np.nan) for b in (0.0, 1.0, np.nan)])
    assert not np.isnan(nb.predict_joint_log_proba(rows)).any()
    p = nb.predict_proba(rows)
    assert not np.isnan(p).any()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_maximum_likelihood_of_a_class_without_a_spread():
    sentence = "Gaussian has no variance for column 1 in class {}; give it a prior, or leave the column out"
    x = [[1.0, 2.0], [2.0, 2.0], [3.0, 4.0], [5.0, 1.0]]
    nb = NaiveBayes(Gaussian(MaximumLikelihood())).fit(X, Y)
    refused(nb, X, lambda nb: nb.fit(x, ["p", "p", "q", "q"]), ValueError, sentence.format("'p'"))
    refused(nb, X, lambda nb: nb.fit(x, [3, 3, 4, 4]), ValueError, sentence.format("3"))
    never_fitted(clone(nb), lambda nb: nb.fit(x, [3, 3, 4, 4]), ValueError)
