"""What GaussianClassifier says of parameters, cells and covariances that cannot be."""

import re

import numpy as np
import pandas as pd
import pytest

from likely import GaussianClassifier
from likely.priors import InverseWishart, Laplace, Normal

from .cases import Y, same_scores
from .gaussians import X, every_covariance


def refused(model, error, sentence, x=X, y=Y):
    """That fitting raises exactly this sentence, and leaves what was learned as it was."""
    fitted = GaussianClassifier().fit(X, Y)
    before = fitted.predict_joint_log_proba(X)
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        fitted.set_params(**model.get_params()).fit(x, y)
    assert np.array_equal(fitted.predict_joint_log_proba(X), before)


@pytest.mark.parametrize(
    ("parameters", "error", "sentence"),
    [
        (
            {"covariance": "round"},
            ValueError,
            "the covariance is 'full', 'tied', 'diagonal' or 'spherical', not 'round'",
        ),
        ({"shrinkage": "much"}, ValueError, "shrinkage is a number, a pair of numbers or 'auto', not 'much'"),
        *(
            (
                {"shrinkage": wrong},
                ValueError,
                f"shrinkage is a number from 0 to 1, a pair of them or 'auto', not {wrong!r}",
            )
            for wrong in (-0.1, 1.5, np.nan, None, (0.1, 0.2, 0.3), (0.1, 2.0), ())
        ),
        ({"mean_prior": 3.0}, TypeError, "mean_prior is a Normal, not 3.0"),
        (
            {"prior": Laplace()},
            TypeError,
            "Laplace() is no prior for a covariance (MultivariateGaussian); InverseWishart, MaximumLikelihood are",
        ),
        ({"prior": InverseWishart(np.eye(2), 3.0)}, ValueError, "the covariance is of 2 columns, not of 3"),
        ({"prior": InverseWishart([1.0, 2.0], 3.0)}, ValueError, "there are 2 variances for 3 columns"),
        (
            {"class_prior": "often"},
            ValueError,
            "class_prior is 'frequencies', 'uniform', a Dirichlet or numbers, not 'often'",
        ),
        ({"class_prior": (0.5, 0.5)}, ValueError, "class_prior has 2 numbers for 3 classes"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_parameters_that_do_not_fit(parameters, error, sentence):
    refused(GaussianClassifier(**parameters), error, sentence)


@pytest.mark.parametrize("prior", ["wishart", 3.0, Normal(0.0, 1.0)])
def test_a_prior_that_is_none_is_named(prior):
    with pytest.raises(TypeError, match=re.escape(repr(prior))):
        GaussianClassifier(prior=prior).fit(X, Y)


def test_a_mean_prior_of_other_columns_says_how_many():
    with pytest.raises(ValueError, match=r"\b2\b.*\bcolumns\b"):
        GaussianClassifier(mean_prior=Normal([1.0, 2.0], 1.0)).fit(X, Y)


def test_a_mean_prior_with_a_negative_variance_is_refused():
    with pytest.raises(ValueError, match=r"covariance"):
        GaussianClassifier(mean_prior=Normal(0.0, -1.0)).fit(X, Y)


@pytest.mark.parametrize("pair", [[0.1, 0.2], np.array([0.1, 0.2])], ids=["list", "array"])
def test_a_pair_of_shrinkages_in_any_container(pair):
    model = GaussianClassifier(shrinkage=pair).fit(X, Y)
    same_scores(model, GaussianClassifier(shrinkage=(0.1, 0.2)).fit(X, Y), X, rtol=0)
    assert model.shrinkage_ == (0.1, 0.2)


@every_covariance
@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("method", ["predict", "mahalanobis", "outlier"])
def test_cells_that_cannot_be_read(covariance, value, method):
    model = GaussianClassifier(covariance).fit(X, Y)
    sentence = f"MultivariateGaussian needs finite numbers, up to 1e150; column 1, row 2, has {value}"
    rows = X[:4].copy()
    rows[2, 1] = value
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        getattr(model, method)(rows)


INSTEAD = "shrink it (shrinkage='auto' finds how far), give it a prior, or leave columns out"
TWICE = np.column_stack([X, X[:, :2]])
FLAT = np.where((Y == "b")[:, None] & [False, False, True], 4.0, X)
POINT = np.where((Y == "c")[:, None], 4.0, X)


@pytest.mark.parametrize(
    ("covariance", "x", "sentence"),
    [
        ("full", TWICE, "the full covariance has rank 3 of 5, from 20 rows, in class 'a'"),
        ("full", FLAT, "the full covariance has rank 2 of 3, from 20 rows, in class 'b'"),
        ("diagonal", FLAT, "a diagonal covariance has no variance for column 2 in class 'b'"),
        ("spherical", POINT, "a spherical covariance has no variance for column 0 in class 'c'"),
    ],
)
def test_a_covariance_that_does_not_exist(covariance, x, sentence):
    refused(GaussianClassifier(covariance, shrinkage=0), ValueError, f"{sentence}; {INSTEAD}", x)


def test_a_class_of_few_rows_has_no_covariance_of_its_own():
    few = np.flatnonzero(Y != "c").tolist() + np.flatnonzero(Y == "c")[:3].tolist()
    sentence = f"the full covariance has rank 2 of 3, from 3 rows, in class 'c'; {INSTEAD}"
    refused(GaussianClassifier(shrinkage=0), ValueError, sentence, X[few], Y[few])


def test_a_tied_covariance_that_does_not_exist_is_of_all_rows():
    with pytest.raises(ValueError, match=r"^the tied covariance has rank 3 of 5, from 60 rows"):
        GaussianClassifier("tied", shrinkage=0).fit(TWICE, Y)


@pytest.mark.parametrize("column", [["x", "y", "z"] * 20, pd.Categorical(["x", "y"] * 30)], ids=["text", "categories"])
def test_text_is_no_number(column):
    with pytest.raises(ValueError, match=r"^column 'word' is text, and its family reads numbers$"):
        GaussianClassifier().fit(pd.DataFrame({"size": X[:, 0], "word": column}), Y)


def test_no_row_without_a_hole(rng):
    holes = np.where(np.eye(3)[np.arange(60) % 3] == 1, np.nan, X)
    sentence = "no row has a value in each of the columns 0, 1, 2; leave out what is often missing"
    refused(GaussianClassifier(), ValueError, sentence, holes)
    assert np.isfinite(GaussianClassifier("diagonal").fit(holes, Y[rng.permutation(60)]).predict_proba(X)).all()


@every_covariance
def test_forgetting_what_was_never_learned(covariance):
    model = GaussianClassifier(covariance).fit(X, Y)
    before = model.predict_joint_log_proba(X)
    with pytest.raises(ValueError, match=r"^some of these rows were never learned: .*; nothing was forgotten$"):
        model.forget(X + 9, Y)
    assert np.array_equal(model.predict_joint_log_proba(X), before)


def test_a_posterior_of_an_unknown_column():
    with pytest.raises(ValueError, match=r"^there is no column 'size'$"):
        GaussianClassifier().fit(X, Y).parameter_posterior("size")
