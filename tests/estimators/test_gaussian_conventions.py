"""GaussianClassifier on tables of every kind, and by scikit-learn's conventions."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import GaussianClassifier
from likely.priors import InverseWishart, Normal

from .cases import Y, same_scores
from .gaussians import COVARIANCES, X, every_covariance


@parametrize_with_checks(
    [
        *(GaussianClassifier(covariance) for covariance in COVARIANCES),
        *(GaussianClassifier(covariance, shrinkage=(0.2, 0.2)) for covariance in COVARIANCES),
    ]
)
def test_what_scikit_learn_asks_of_a_classifier(estimator, check):
    check(estimator)


SOURCES = {
    "pandas": pd.DataFrame,
    "pandas float32": lambda columns: pd.DataFrame(columns).astype("float32"),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("source", SOURCES)
@every_covariance
def test_the_same_table_from_anywhere(covariance, source):
    cells = np.rint(4 * X)
    table = SOURCES[source]({"p": cells[:, 0], "q": cells[:, 1], "r": cells[:, 2]})
    model = GaussianClassifier(covariance).fit(table, Y)
    assert model.feature_names_in_.tolist() == ["p", "q", "r"]
    reference = GaussianClassifier(covariance).fit(cells, Y)
    assert_allclose(model.predict_proba(table), reference.predict_proba(cells), rtol=1e-10)


@pytest.mark.parametrize(
    "layout",
    [
        scipy.sparse.csr_array,
        scipy.sparse.csc_matrix,
        np.asfortranarray,
        np.ndarray.tolist,
        lambda x: x.astype(np.int16),
        lambda x: x.astype(np.float32),
        lambda x: x[::-1].copy()[::-1],
    ],
    ids=["csr", "csc", "columns", "lists", "int16", "float32", "backwards"],
)
@every_covariance
def test_layout_does_not_matter(covariance, layout):
    cells = np.rint(2 * X)
    model, reference = (
        GaussianClassifier(covariance).fit(layout(cells), Y),
        GaussianClassifier(covariance).fit(cells, Y),
    )
    assert model.shrinkage_ == reference.shrinkage_
    for answer in ("predict_proba", "mahalanobis", "outlier"):
        assert_allclose(getattr(model, answer)(layout(cells)), getattr(reference, answer)(cells), rtol=1e-10)


@pytest.mark.parametrize("duplicate", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy, copy.copy])
@every_covariance
def test_a_copy_answers_alike_and_learns_apart(covariance, duplicate):
    model = GaussianClassifier(covariance, prior=InverseWishart(1.0, 2.0), mean_prior=Normal(0.0, 9.0)).fit(X, Y)
    before, twin = model.predict_joint_log_proba(X), duplicate(model)
    assert np.array_equal(twin.predict_joint_log_proba(X), before)
    assert twin.shrinkage_ == model.shrinkage_
    twin.partial_fit(X[:10] + 1, Y[:10])
    assert np.array_equal(model.predict_joint_log_proba(X), before)


def test_parameters_and_clones():
    model = GaussianClassifier("tied", shrinkage=(1.0, 0.5), prior=InverseWishart(1.0, 2.0), class_prior="uniform")
    assert model.get_params(deep=False) == {
        "covariance": "tied",
        "shrinkage": (1.0, 0.5),
        "prior": InverseWishart(1.0, 2.0),
        "mean_prior": None,
        "class_prior": "uniform",
        "calibrate": False,
        "missing_values": None,
    }
    twin = clone(model.fit(X, Y))
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "classes_")
    same_scores(twin.fit(X, Y), model, X, rtol=0)
    assert repr(GaussianClassifier("tied")) == "GaussianClassifier(covariance='tied')"


def test_in_the_company_of_scikit_learn():
    grid = {"covariance": COVARIANCES, "shrinkage": [0.0, 0.5, "auto", (0.1, 0.1)]}
    search = GridSearchCV(GaussianClassifier(), grid, cv=3, error_score="raise").fit(X, Y)
    assert search.best_params_["covariance"] in COVARIANCES
    assert cross_val_score(GaussianClassifier(), *load_wine(return_X_y=True), cv=5).mean() > 0.95


@pytest.mark.parametrize("attribute", ["means_", "covariances_", "shrinkage_", "class_count_", "classes_"])
def test_nothing_is_known_before_fit(attribute):
    with pytest.raises((NotFittedError, AttributeError)):
        getattr(GaussianClassifier(), attribute)


@pytest.mark.parametrize(
    "call",
    [
        lambda model: model.predict(X),
        lambda model: model.mahalanobis(X),
        lambda model: model.outlier(X),
        lambda model: model.quadratic(),
        lambda model: model.boundary(),
        lambda model: model.parameter_posterior(),
        lambda model: model.linear(),
        lambda model: model.sample(3),
    ],
)
def test_nothing_is_answered_before_fit(call):
    with pytest.raises(NotFittedError, match=r"^This GaussianClassifier instance is not fitted yet"):
        call(GaussianClassifier())
