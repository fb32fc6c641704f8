"""The geometry of GaussianClassifier: linear and quadratic forms, distances, outliers, and boundaries."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.stats import chi2

from likely import GaussianClassifier

from .cases import Y
from .gaussians import X, every_covariance, log_odds, settled


def with_moments(means, covariances):
    """Four rows of two columns for each class, of exactly that mean and covariance."""
    corners = [
        mean + sign * 2**0.5 * np.linalg.cholesky(covariance)[:, j]
        for mean, covariance in zip(np.asarray(means, float), np.asarray(covariances, float), strict=True)
        for j, sign in product((0, 1), (1, -1))
    ]
    return np.array(corners), np.repeat(np.arange(len(means)), 4)


# Forms and distances


@pytest.mark.parametrize(
    ("covariance", "shrinkage"), [("tied", 0.0), ("full", 1.0), ("diagonal", 1.0), ("tied", "auto")]
)
def test_linear_gives_the_scores_up_to_what_classes_share(covariance, shrinkage):
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y)
    line = model.linear()
    assert line.features == [(0, None), (1, None), (2, None)]
    scores = X @ line.weights.T + line.bias
    assert_allclose(log_odds(scores), log_odds(model.predict_joint_log_proba(X)), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
def test_a_boundary_that_is_not_linear_is_said_to_be_none(covariance):
    with pytest.raises(ValueError, match=r"^the boundary is not linear"):
        GaussianClassifier(covariance, shrinkage=0).fit(X, Y).linear()


@settled
def test_quadratic_gives_the_scores(covariance, shrinkage):
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y)
    form = model.quadratic()
    scores = np.einsum("ni,kij,nj->nk", X, form.A, X) + X @ form.b.T + form.c
    assert_allclose(scores, model.predict_joint_log_proba(X), rtol=1e-10)
    assert form.classes.tolist() == ["a", "b", "c"]


@every_covariance
def test_quadratic_has_no_weight_for_a_column_that_tells_nothing(covariance):
    x = np.column_stack([X, np.full(60, 4.0)])
    model = GaussianClassifier(covariance).fit(x, Y)
    form = model.quadratic()
    scores = np.einsum("ni,kij,nj->nk", x, form.A, x) + x @ form.b.T + form.c
    assert_allclose(scores, model.predict_joint_log_proba(x), rtol=1e-10)


@every_covariance
def test_mahalanobis_is_that_of_scipy(covariance):
    model = GaussianClassifier(covariance).fit(X, Y)
    expected = [
        cdist(X, [mean], "mahalanobis", VI=np.linalg.inv(matrix))[:, 0]
        for mean, matrix in zip(model.means_, model.covariances_, strict=True)
    ]
    assert_allclose(model.mahalanobis(X), np.transpose(expected), rtol=1e-10)


@every_covariance
def test_an_outlier_is_in_the_tail_of_chi_squared(covariance, rng):
    model = GaussianClassifier(covariance).fit(X, Y)
    rows = np.where((rng.random(X.shape) < 0.3) & [True, True, False], np.nan, X)
    nearest, cells = model.mahalanobis(rows).min(axis=1), (~np.isnan(rows)).sum(axis=1)
    assert_allclose(model.outlier(rows), chi2.sf(nearest**2, cells), rtol=1e-10)
    assert model.outlier([[np.nan] * 3]).tolist() == [1]
    assert model.outlier([[1e3, 0, 0]])[0] < 1e-12


@every_covariance
def test_a_column_that_tells_nothing_is_no_degree_of_freedom(covariance):
    model = GaussianClassifier(covariance, shrinkage=0.1).fit(np.column_stack([X, np.ones(60)]), Y)
    if covariance == "spherical":  # its variance is the mean of all four columns
        expected = chi2.sf(model.mahalanobis(np.column_stack([X, np.ones(60)])).min(axis=1) ** 2, 4)
    else:
        expected = GaussianClassifier(covariance, shrinkage=0.1).fit(X, Y).outlier(X)
    assert_allclose(model.outlier(np.column_stack([X, np.ones(60)])), expected, rtol=1e-10)


# Boundaries


CONICS = {
    # Means and covariances of two classes, and how many curves part them.
    "ellipse": ([[0, 0], [0.5, 0]], [[[1, 0.3], [0.3, 1]], [[4, 0], [0, 6]]], 1),
    "hyperbola": ([[0, 0], [1, 0.5]], [[[1, 0], [0, 4]], [[4, 0], [0, 1]]], 2),
    "parabola": ([[0, 0], [2, 0]], [[[1, 0], [0, 1]], [[1, 0], [0, 4]]], 1),
    "line": ([[0, 0], [2, 1]], [[[1, 0.4], [0.4, 2]]] * 2, 1),
    "parallel lines": ([[0, 0], [0, 0]], [[[1, 0], [0, 1]], [[1, 0], [0, 9]]], 2),
}


@pytest.mark.parametrize("conic", CONICS)
def test_classes_are_equally_probable_on_their_boundary(conic):
    means, covariances, curves = CONICS[conic]
    model = GaussianClassifier(shrinkage=0).fit(*with_moments(means, covariances))
    found = model.boundary()
    assert len(found) == curves
    for curve in found:
        assert curve.shape[1] == 2
        assert len(curve) > 50
        assert np.abs(model.predict_proba(curve) - 0.5).max() < 1e-6


def test_an_ellipse_is_closed():
    model = GaussianClassifier(shrinkage=0).fit(*with_moments(*CONICS["ellipse"][:2]))
    (curve,) = model.boundary(points=100)
    assert_allclose(curve[0], curve[-1], rtol=0, atol=1e-6)
    (wide,) = model.boundary(window=((-100, 100), (-100, 100)), points=100)
    assert_allclose(np.ptp(wide, axis=0), np.ptp(curve, axis=0), rtol=0.01)


@pytest.mark.parametrize("conic", CONICS)
def test_a_boundary_stays_in_its_window(conic):
    model = GaussianClassifier(shrinkage=0).fit(*with_moments(*CONICS[conic][:2]))
    window = ((0.9, 2.5), (-3.0, 1.5))
    found = np.concatenate(model.boundary(window=window))
    for column, (least, largest) in zip(found.T, window, strict=True):
        assert column.min() >= least - 1e-6
        assert column.max() <= largest + 1e-6
    assert np.abs(model.predict_proba(found) - 0.5).max() < 1e-6


def test_there_is_no_boundary_where_one_class_is_everywhere():
    x, y = with_moments([[0, 0], [0, 0]], [np.eye(2), np.eye(2)])
    assert GaussianClassifier("tied", shrinkage=0, class_prior=(0.9, 0.1)).fit(x, y).boundary() == []
    assert GaussianClassifier("tied", shrinkage=0, class_prior=(1.0, 0.0)).fit(x + y[:, None], y).boundary() == []


@every_covariance
def test_a_boundary_of_two_columns_and_two_classes_of_more(covariance):
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    model = GaussianClassifier(covariance, shrinkage=0.1).fit(frame, Y)
    found = model.boundary(["r", "p"], ["c", "a"])
    assert found
    for curve in found:
        rows = pd.DataFrame({"p": curve[:, 1], "q": np.nan, "r": curve[:, 0]})
        scores = model.predict_joint_log_proba(rows)
        assert_allclose(scores[:, 0], scores[:, 2], rtol=0, atol=1e-6)


@pytest.mark.parametrize("far", [1e3, 1e6])
def test_a_boundary_far_from_the_origin_is_as_right_as_predictions_there(far):
    x, y = with_moments(*CONICS["ellipse"][:2])
    model = GaussianClassifier(shrinkage=0).fit(x + far, y)
    (curve,) = model.boundary()
    assert np.abs(model.predict_proba(curve) - 0.5).max() < 1e-6


@pytest.mark.parametrize("more", [0.1, 1e-3, 1e-6, 1e-9])
def test_a_boundary_of_almost_equal_covariances_is_almost_their_line(more):
    model = GaussianClassifier(shrinkage=0).fit(*with_moments([[0, 0], [2, 0]], [np.eye(2), np.diag([1, 1 + more])]))
    (curve,) = model.boundary(window=((-1, 3), (-2, 2)))
    assert np.ptp(curve[:, 1]) > 3.6
    assert np.abs(np.diff(curve[:, 1])).max() < 0.4
    assert np.abs(model.predict_proba(curve) - 0.5).max() < 1e-6


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "a boundary is drawn for two columns; say which two of 3"),
        ({"columns": [0]}, "a boundary is drawn for two columns; say which two of 1"),
        ({"columns": [0, 1]}, "a boundary is drawn for two classes; say which two of 3"),
        ({"columns": [0, 7], "classes": ["a", "b"]}, "there is no 7 among the columns"),
        ({"columns": [0, 1], "classes": ["a", "z"]}, "there is no 'z' among the classes"),
    ],
)
def test_a_boundary_of_what_cannot_be_drawn(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        GaussianClassifier().fit(X, Y).boundary(**arguments)


def test_a_boundary_in_one_column_twice_is_refused():
    with pytest.raises(ValueError, match=r"two columns"):
        GaussianClassifier().fit(X, Y).boundary([0, 0], ["a", "b"])
