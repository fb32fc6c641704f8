"""GaussianClassifier: beside scikit-learn and R, its geometry, and data on which covariances do not exist."""

import copy
import csv
import pickle
import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
import sklearn
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.stats import chi2, multivariate_normal
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

from likely import GaussianClassifier, merge
from likely.priors import Dirichlet, InverseWishart, Laplace, Normal

HERE = Path(__file__).parent
COVARIANCES = ("full", "tied", "diagonal", "spherical")
SETTLED = [*product(COVARIANCES, (0.0, 0.3)), ("full", (0.1, 0.2)), ("tied", 1.0)]

settled = pytest.mark.parametrize(("covariance", "shrinkage"), SETTLED)
every_covariance = pytest.mark.parametrize("covariance", COVARIANCES)


@parametrize_with_checks(
    [
        *(GaussianClassifier(covariance) for covariance in COVARIANCES),
        *(GaussianClassifier(covariance, shrinkage=(0.2, 0.2)) for covariance in COVARIANCES),
    ]
)
def test_what_scikit_learn_asks_of_a_classifier(estimator, check):
    check(estimator)


@pytest.fixture
def rng():
    return np.random.default_rng(1)


Y = np.array(["a", "b", "c"])[np.arange(60) % 3]
X = (
    np.random.default_rng(0).normal(size=(60, 3))
    @ [[1, 0.5, 0], [0, 1, -0.4], [0, 0, 1]]
    * (1 + np.arange(60)[:, None] % 3 / 2)
)
X += np.arange(60)[:, None] % 3 * [1.5, 0, 1]


def same_scores(one, other, x=X, rtol=1e-9):
    assert one.classes_.tolist() == other.classes_.tolist()
    assert_allclose(one.predict_joint_log_proba(x), other.predict_joint_log_proba(x), rtol=rtol)


def with_moments(means, covariances):
    """Four rows of two columns for each class, of exactly that mean and covariance."""
    corners = [
        mean + sign * 2**0.5 * np.linalg.cholesky(covariance)[:, j]
        for mean, covariance in zip(np.asarray(means, float), np.asarray(covariances, float), strict=True)
        for j, sign in product((0, 1), (1, -1))
    ]
    return np.array(corners), np.repeat(np.arange(len(means)), 4)


# Beside scikit-learn and R


def letter():
    lines = (HERE / "letter.txt").read_text().split()
    return np.array([[int(cell, 16) for cell in line[1:]] for line in lines], float), np.array(
        [line[0] for line in lines]
    )


DATA = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "letter": letter()}
UNBIASED = parse_version(sklearn.__version__) < parse_version("1.9")
"""Whether LDA with the solver "svd" divides by n - k, and QDA by n - 1 in each class; since then they divide by n."""

every_table = pytest.mark.parametrize("data", DATA)


def stretched(x, y, lost):
    """Rows moved away from the mean of their class, so that their squares over n are those of x over n - lost."""
    out = x.copy()
    for k in np.unique(y):
        mean, n = x[y == k].mean(axis=0), (y == k).sum()
        out[y == k] = mean + (x[y == k] - mean) * (n / (n - lost)) ** 0.5
    return out


def pooled(x, y):
    """The same for what all classes share: divided by n - k of all n rows and k classes."""
    n, k = len(y), len(np.unique(y))
    means = np.array([x[y == label].mean(axis=0) for label in y])
    return means + (x - means) * (n / (n - k)) ** 0.5


def log_odds(scores):
    """Of each class against the first: what scores are, up to what all classes share."""
    return scores - scores[:, :1]


@every_table
@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_tied_is_linear_discriminant_analysis(data, solver):
    x, y = DATA[data]
    theirs = LinearDiscriminantAnalysis(solver=solver).fit(x, y)
    ours = GaussianClassifier("tied", shrinkage=0).fit(pooled(x, y) if UNBIASED and solver == "svd" else x, y)
    assert_allclose(
        log_odds(ours.predict_joint_log_proba(x)), log_odds(theirs.decision_function(x)), rtol=1e-8, atol=1e-8
    )
    assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=0, atol=1e-8)
    assert_allclose(ours.means_, theirs.means_, rtol=1e-12)


@every_table
def test_full_is_quadratic_discriminant_analysis(data):
    x, y = DATA[data]
    theirs = QuadraticDiscriminantAnalysis().fit(x, y)
    ours = GaussianClassifier("full", shrinkage=0).fit(stretched(x, y, 1) if UNBIASED else x, y)
    assert_allclose(
        log_odds(ours.predict_joint_log_proba(x)), log_odds(theirs.decision_function(x)), rtol=1e-8, atol=1e-8
    )
    assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=0, atol=1e-8)


@every_table
def test_diagonal_is_gaussian_naive_bayes(data):
    x, y = DATA[data]
    ours, theirs = GaussianClassifier("diagonal", shrinkage=0).fit(x, y), GaussianNB(var_smoothing=0).fit(x, y)
    assert_allclose(ours.predict_joint_log_proba(x), theirs.predict_joint_log_proba(x), rtol=1e-10)


def test_spherical_is_the_mean_variance_of_the_columns():
    model = GaussianClassifier("spherical", shrinkage=0).fit(X, Y)
    for k, label in enumerate(model.classes_):
        assert_allclose(model.covariances_[k], np.eye(3) * X[label == Y].var(axis=0).mean(), rtol=1e-12)


def test_shrinkage_goes_from_the_own_covariance_to_the_tied_one_and_to_the_diagonal():
    own = np.array([np.cov(X[k == Y].T, bias=True) for k in "abc"])  # of 20 rows each
    tied = own.mean(axis=0)
    blend = (0.75 * 20 * own + 0.25 * 60 * tied) / (0.75 * 20 + 0.25 * 60)
    expected = 0.6 * blend + 0.4 * blend * np.eye(3)
    assert_allclose(GaussianClassifier(shrinkage=(0.25, 0.4)).fit(X, Y).covariances_, expected, rtol=1e-12)
    expected = [0.7 * tied + 0.3 * tied * np.eye(3)] * 3
    assert_allclose(GaussianClassifier("tied", shrinkage=0.3).fit(X, Y).covariances_, expected, rtol=1e-12)


def by_r(data, what):
    """Lines that lda_qda.R wrote: their names, and their numbers."""
    with (HERE / "lda_qda.csv").open() as file:
        lines = [line[2:] for line in csv.reader(file) if line[:2] == [data, what]]
    return [name for name, *_ in lines], np.array([numbers for _, *numbers in lines], float)


@every_table
@pytest.mark.parametrize(("what", "covariance"), [("lda", "tied"), ("qda", "full")])
def test_agreement_with_r(data, what, covariance):
    """MASS::lda divides by n - k, MASS::qda by n - 1 in each class."""
    x, y = DATA[data]
    learned_from = pooled(x, y) if what == "lda" else stretched(x, y, 1)
    model = GaussianClassifier(covariance, shrinkage=0).fit(learned_from, y)
    rows, posterior = by_r(data, what)
    assert len(rows) == 20
    assert_allclose(model.predict_proba(x[np.array(rows, int)]), posterior, rtol=1e-8, atol=1e-300)
    names, means = by_r(data, "mean")
    assert names == [str(label) for label in model.classes_]
    assert_allclose(model.means_, means, rtol=1e-10)


# Learning more and less


@settled
def test_partial_fit_in_parts_is_fit(covariance, shrinkage):
    parts = GaussianClassifier(covariance, shrinkage=shrinkage)
    for rows in (slice(0, 1), slice(1, 25), slice(25, 60)):
        assert parts.partial_fit(X[rows], Y[rows]) is parts
    same_scores(parts, GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y))


@settled
def test_forget_is_the_inverse_of_partial_fit(covariance, shrinkage):
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y).forget(X[30:], Y[30:])
    same_scores(model, GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[:30], Y[:30]))
    assert model.class_count_.tolist() == [10, 10, 10]


@settled
def test_merge_is_learning_all(covariance, shrinkage):
    parts = [GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[i::2], Y[i::2]) for i in range(2)]
    same_scores(merge(parts), GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y))


@settled
def test_decay_is_a_smaller_weight(covariance, shrinkage):
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[:30], Y[:30]).decay(0.25)
    model.partial_fit(X[30:], Y[30:])
    weight = np.repeat([0.25, 1.0], 30)
    same_scores(model, GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y, weight))


@pytest.mark.parametrize(("covariance", "shrinkage"), [*SETTLED, *product(COVARIANCES, ["auto"])])
def test_a_whole_weight_is_the_row_repeated(covariance, shrinkage, rng):
    weight = rng.integers(0, 4, 60)
    once = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y, sample_weight=weight)
    repeated = GaussianClassifier(covariance, shrinkage=shrinkage).fit(np.repeat(X, weight, 0), np.repeat(Y, weight))
    assert once.shrinkage_ == repeated.shrinkage_
    same_scores(once, repeated)


def test_auto_is_chosen_again_only_by_a_batch_that_outweighs_all_before(rng):
    alike, apart = rng.normal(size=(60, 3)), rng.normal(size=(240, 3)) * 50.0 ** (np.arange(240) % 3)[:, None]
    model = GaussianClassifier("diagonal").fit(alike, Y)
    before = model.shrinkage_
    assert before[0] >= 0.6
    assert model.partial_fit(apart[:59], np.tile(Y, 4)[:59]).shrinkage_ == before
    assert model.partial_fit(apart, np.tile(Y, 4)).shrinkage_ != before


@every_covariance
def test_classes_may_arrive_at_any_time(covariance):
    model = GaussianClassifier(covariance, shrinkage=0.2).partial_fit(X[Y == "b"], Y[Y == "b"], classes=["a", "b"])
    assert model.predict_proba(X).tolist() == [[0, 1]] * 60
    model.partial_fit(X[Y != "b"], Y[Y != "b"])
    same_scores(model, GaussianClassifier(covariance, shrinkage=0.2).fit(X, Y))


# Missing cells


@every_covariance
def test_a_missing_cell_is_left_out_of_the_vector(covariance):
    model = GaussianClassifier(covariance).fit(X, Y)
    for there in product((False, True), repeat=3):
        rows, there = X.copy(), np.array(there)
        rows[:, ~there] = np.nan
        expected = np.full((60, 3), np.log(1 / 3))
        if there.any():
            for k, (mean, matrix) in enumerate(zip(model.means_, model.covariances_, strict=True)):
                expected[:, k] += multivariate_normal(mean[there], matrix[np.ix_(there, there)]).logpdf(X[:, there])
        assert_allclose(model.predict_joint_log_proba(rows), expected, rtol=1e-10)


@pytest.mark.parametrize(("covariance", "shrinkage"), [s for s in SETTLED if s[0] != "spherical"])
def test_a_model_of_some_columns_is_the_whole_one_of_rows_without_the_others(covariance, shrinkage):
    whole = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y)
    part = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[:, [0, 2]], Y)
    rows = np.where([True, False, True], X, np.nan)
    assert_allclose(whole.predict_joint_log_proba(rows), part.predict_joint_log_proba(X[:, [0, 2]]), rtol=1e-10)


def test_a_covariance_is_learned_from_rows_without_holes():
    holes = X.copy()
    holes[:15, 1] = np.nan
    model = GaussianClassifier(shrinkage=0).fit(holes, Y)
    assert_allclose(model.covariances_, GaussianClassifier(shrinkage=0).fit(X[15:], Y[15:]).covariances_, rtol=1e-12)
    assert model.class_count_.tolist() == [20, 20, 20]


@every_covariance
def test_a_class_without_a_whole_row_is_like_all_together(covariance):
    holes = np.where((Y == "a")[:, None] & [True, False, False], np.nan, X)
    model = GaussianClassifier(covariance).fit(holes, Y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.means_).all()


def test_a_sentinel_is_a_missing_cell():
    holes, marked = X.copy(), X.copy()
    holes[::7, 1], marked[::7, 1] = np.nan, -999
    reference = GaussianClassifier().fit(holes, Y)
    model = GaussianClassifier(missing_values=-999).fit(marked, Y)
    assert_allclose(model.predict_proba(marked), reference.predict_proba(holes), rtol=1e-12)


# Answers


@pytest.mark.parametrize(("covariance", "shrinkage"), [*SETTLED, *product(COVARIANCES, ["auto"])])
def test_answers_agree_with_each_other(covariance, shrinkage, rng):
    rows = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y)
    joint = model.predict_joint_log_proba(rows)
    assert_allclose(model.predict_proba(rows).sum(axis=1), 1, rtol=1e-12)
    assert_allclose(model.predict_proba(rows), np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), rtol=1e-10)
    assert model.predict(rows).tolist() == model.classes_[joint.argmax(axis=1)].tolist()
    assert_allclose([reasons.scores for reasons in model.explain(rows)], joint, rtol=1e-10)


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("frequencies", [0.75, 0.25]),
        ("uniform", [0.5, 0.5]),
        ([0.1, 0.9], [0.1, 0.9]),
        ({"b": 0.9, "a": 0.1}, [0.1, 0.9]),
        (Dirichlet(1.0), [4 / 6, 2 / 6]),
    ],
    ids=repr,
)
def test_class_priors(prior, expected):
    model = GaussianClassifier(shrinkage=0.5, class_prior=prior).fit([[1.0], [2.0], [3.0], [2.5]], ["a", "a", "a", "b"])
    assert_allclose(model.predict_proba([[np.nan]]), [expected], rtol=1e-12)


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


# Priors and posteriors


def test_a_covariance_with_a_prior_is_rows_imagined():
    prior = InverseWishart(np.diag([1.0, 2.0, 3.0]), 5.0)
    model = GaussianClassifier(shrinkage=0, prior=prior).fit(X, Y)
    for k, label in enumerate("abc"):
        scatter = 20 * np.cov(X[label == Y].T, bias=True)
        assert_allclose(model.covariances_[k], (scatter + 5 * np.diag([1.0, 2.0, 3.0])) / 25, rtol=1e-12)
        assert_allclose(model.posterior().covariance.mean[k], model.covariances_[k], rtol=1e-12)
    mode = GaussianClassifier(shrinkage=0, prior=InverseWishart(1.0, 5.0, estimate="mode")).fit(X, Y)
    assert_allclose(mode.covariances_, mode.posterior().covariance.mode, rtol=1e-12)


def test_a_mean_with_a_prior_lies_between_the_two():
    spread = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]])
    model = GaussianClassifier(shrinkage=0, mean_prior=Normal([1.0, 2.0, 3.0], spread)).fit(X, Y)
    believed = model.posterior().mean
    for k, label in enumerate("abc"):
        inverse, before = 20 * np.linalg.inv(model.covariances_[k]), np.linalg.inv(spread)
        after = np.linalg.inv(before + inverse)
        assert_allclose(believed.covariance[k], after, rtol=1e-10)
        expected = after @ (before @ [1, 2, 3] + inverse @ X[label == Y].mean(axis=0))
        assert_allclose(believed.mean[k], expected, rtol=1e-10)
    assert_allclose(model.means_, believed.mean, rtol=1e-12)


@every_covariance
def test_the_posterior_of_a_column_is_its_mean_and_how_sure_it_is(covariance):
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    model = GaussianClassifier(covariance).fit(frame, Y)
    belief = model.posterior("q")
    assert_allclose(belief.mean, model.means_[:, 1], rtol=1e-12)
    assert_allclose(belief.covariance, model.covariances_[:, 1, 1] / 20, rtol=1e-12)
    low, high = belief.interval(0.95)
    assert_allclose(high - low, 2 * 1.959964 * np.sqrt(belief.covariance), rtol=1e-6)


@pytest.mark.parametrize("covariance", ["diagonal", "spherical"])
def test_a_column_with_holes_is_believed_by_its_own_rows(covariance):
    holes = X.copy()
    holes[:30, 0] = np.nan
    model = GaussianClassifier(covariance, shrinkage=0).fit(holes, Y)
    for column, rows in ((0, 10), (1, 20)):
        expected = model.covariances_[:, column, column] / rows
        assert_allclose(model.posterior(column).covariance, expected, rtol=1e-12)


@every_covariance
def test_what_is_believed_of_a_class_without_rows_is_asked_without_a_warning(covariance):
    model = GaussianClassifier(covariance, mean_prior=Normal(1.0, 4.0)).partial_fit(X, Y, classes=["a", "z"])
    assert_allclose(model.posterior(0).mean[-1], 1.0)
    assert_allclose(model.posterior(0).covariance[-1], 4.0)
    without = GaussianClassifier(covariance).partial_fit(X, Y, classes=["a", "z"]).posterior(0)
    assert np.isfinite(without.mean).all()
    assert not without.covariance[-1] < 1e9  # nothing is known of it


# The generative model


@every_covariance
def test_fitting_a_sample_finds_the_parameters(covariance):
    model = GaussianClassifier(covariance, shrinkage=0.1).fit(X, Y)
    rows, y = model.sample(200_000, random_state=0)
    assert rows.shape == (200_000, 3)
    twin = GaussianClassifier("full", shrinkage=0).fit(rows, y)
    assert_allclose(twin.means_, model.means_, rtol=0, atol=0.05)
    assert_allclose(twin.covariances_, model.covariances_, rtol=0, atol=0.15)
    assert_allclose(twin.class_count_, 200_000 / 3, rtol=0.02)


def test_a_sample_of_a_model_of_a_frame_is_a_table():
    model = GaussianClassifier().fit(pd.DataFrame({"size": X[:, 0], "legs": np.rint(X[:, 1]).astype(int)}), Y)
    table, y = model.sample(30, random_state=1)
    assert table.column_names == ["size", "legs"]
    assert table["legs"].type == pa.int64()
    assert model.partial_fit(table, y).class_count_.sum() == 90


# Tables of every kind, and scikit-learn's conventions


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
    assert model.get_params() == {
        "covariance": "tied",
        "shrinkage": (1.0, 0.5),
        "prior": InverseWishart(1.0, 2.0),
        "mean_prior": None,
        "class_prior": "uniform",
        "missing_values": None,
    }
    twin = clone(model.fit(X, Y))
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "classes_")
    same_scores(twin.fit(X, Y), model, rtol=0)
    assert repr(GaussianClassifier("tied")) == "GaussianClassifier(covariance='tied')"


def test_in_the_company_of_scikit_learn():
    grid = {"covariance": COVARIANCES, "shrinkage": [0.0, 0.5, "auto", (0.1, 0.1)]}
    search = GridSearchCV(GaussianClassifier(), grid, cv=3, error_score="raise").fit(X, Y)
    assert search.best_params_["covariance"] in COVARIANCES
    x, y = DATA["wine"]
    assert cross_val_score(GaussianClassifier(), x, y, cv=5).mean() > 0.95


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
        lambda model: model.posterior(),
        lambda model: model.linear(),
        lambda model: model.sample(3),
    ],
)
def test_nothing_is_answered_before_fit(call):
    with pytest.raises(NotFittedError, match=r"^This GaussianClassifier instance is not fitted yet"):
        call(GaussianClassifier())


# What "auto" takes


def test_auto_finds_what_made_the_rows(rng):
    y, base = np.arange(200) % 2, rng.normal(size=(200, 4))
    mixing = np.eye(4) + np.diag([0.9] * 3, k=1)
    apart = np.where(y[:, None] == 0, base @ mixing, base @ mixing.T * 3)
    assert max(GaussianClassifier().fit(apart, y).shrinkage_) <= 0.03
    tied, diagonal = GaussianClassifier().fit(base @ mixing + y[:, None], y).shrinkage_
    assert tied >= 0.3
    assert diagonal <= 0.03
    assert GaussianClassifier().fit(base * [1, 5, 9, 1] + y[:, None], y).shrinkage_[1] >= 0.6


@pytest.mark.parametrize(("covariance", "fixed"), [("tied", (1.0, None)), ("diagonal", (None, 1.0))])
def test_auto_stays_within_the_covariance(covariance, fixed):
    pair = GaussianClassifier(covariance).fit(X, Y).shrinkage_
    assert [a for a, b in zip(pair, fixed, strict=True) if b is not None] == [1.0]


# Degenerate data


def degenerate():
    """Tables on which a covariance of its own does not exist for some class."""
    rng = np.random.default_rng(1)

    def spread(sizes, columns, apart=2.0):
        y = np.repeat(np.arange(len(sizes)), sizes)
        return rng.normal(size=(len(y), columns)) + apart * y[:, None], y

    x, y = spread([20, 20], 2)
    line, cloud = np.arange(5)[:, None] + np.full((5, 4), 10.0), rng.normal(size=(60, 4))
    point = np.tile([1.0, 2, 3, 4], (9, 1))
    apart = np.where(y == 0, 3.0, rng.normal(3, 1, 40))
    bits = rng.integers(0, 2, (40, 8)).astype(float)
    bits[:, 0] = y
    return {
        "fewer rows than columns in one class": spread([3, 40, 40], 6),
        "fewer rows than columns in every class": spread([4, 5, 4], 8),
        "more columns than rows": spread([6, 6], 30, 1.0),
        "many more columns than rows": spread([2, 2, 2], 60, 10.0),
        "one row in a class": spread([1, 30, 30], 3, 3.0),
        "one row in a class of few": (np.array([[1.0], [2.0], [3.0], [9.0]]), np.array([0, 0, 0, 1])),
        "one row in every class": (np.array([[0.0, 0, 1], [5, 5, 2], [9, 0, 3]]), np.arange(3)),
        "one row in every class, one column": (np.array([[0.0], [1.0]]), np.arange(2)),
        "two rows in every class": (np.array([[0.0, 0], [0, 1], [5, 5], [5, 6]]), np.array([0, 0, 1, 1])),
        "a class on a line": (np.concatenate([line, cloud]), np.repeat([0, 1], [5, 60])),
        "a class at one point": (np.concatenate([point, cloud]), np.repeat([0, 1], [9, 60])),
        "every class at a point": (np.repeat([[1.0, 2], [3, 5], [4, 4]], 6, axis=0), np.repeat(np.arange(3), 6)),
        "a column twice": (np.column_stack([x, x]), y),
        "a column that is a sum": (np.column_stack([x, x.sum(axis=1)]), y),
        "a constant column": (np.column_stack([x, np.full(40, 7.3)]), y),
        "a column constant within classes": (np.column_stack([x, y]), y),
        "a column constant within one class": (np.column_stack([x, apart]), y),
        "bits": (bits, y),
    }


DEGENERATE = degenerate()
BELIEFS = {
    "default": {},
    "a covariance": {"prior": InverseWishart(1.0, 5.0)},
    "a covariance alone": {"prior": InverseWishart(1.0, 5.0), "shrinkage": 0},
    "a mean": {"mean_prior": Normal(0.0, 100.0)},
    "both": {"prior": InverseWishart(1.0, 5.0, estimate="mode"), "mean_prior": Normal(0.0, 100.0)},
}


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("data", DEGENERATE)
@every_covariance
def test_no_class_of_degenerate_data_is_wrong_throughout(covariance, data, belief):
    """As all members of a class were in scikit-learn's issue 14997."""
    x, y = DEGENERATE[data]
    model = GaussianClassifier(covariance, **BELIEFS[belief]).fit(x, y)
    probe = np.concatenate([x, x + 0.5, np.where(np.arange(x.shape[1]) == 0, np.nan, x)])
    answers = model.predict_proba(probe)
    assert np.isfinite(answers).all()
    assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)
    assert np.isfinite(model.predict_joint_log_proba(probe)).all()
    right = model.predict(x) == y
    assert all(right[y == k].any() for k in model.classes_)
    assert right.mean() >= 0.75


@pytest.mark.parametrize("data", DEGENERATE)
@every_covariance
def test_every_question_about_degenerate_data_has_an_answer(covariance, data):
    x, y = DEGENERATE[data]
    model = GaussianClassifier(covariance).fit(x, y)
    assert np.isfinite(model.mahalanobis(x)).all()
    assert ((model.outlier(x) >= 0) & (model.outlier(x) <= 1)).all()
    assert "nan" not in f"{model.describe()} {model.explain(x[:2])}"
    assert all(np.isfinite(numbers).all() for numbers in (*model.quadratic()[1:], model.posterior().mean.mean))
    assert np.isfinite(model.sample(5, random_state=0)[0]).all()


@pytest.mark.parametrize("seed", range(12))
@every_covariance
def test_small_tables_can_always_be_learned(covariance, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), rng.choice([1, 2, 3, 8], 3))
    x = rng.normal(size=(len(y), rng.integers(1, 5))) + y[:, None]
    x = np.rint(x) if seed % 2 else x
    answers = GaussianClassifier(covariance).fit(x, y).predict_proba(x)
    assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)


@every_covariance
def test_columns_that_are_all_constant_tell_nothing(covariance):
    model = GaussianClassifier(covariance).fit(np.full((6, 2), 5.0), ["a", "a", "b", "b", "b", "b"])
    assert_allclose(model.predict_proba([[5.0, 5.0], [1.0, 9.0]]), [[1 / 3, 2 / 3]] * 2, rtol=1e-12)
    assert model.outlier([[9.0, 9.0]]).tolist() == [1]


@every_covariance
def test_one_row_of_one_class(covariance):
    model = GaussianClassifier(covariance).fit([[1.5, 2.5]], ["only"])
    assert model.predict_proba([[1.5, 2.5], [9.0, np.nan]]).tolist() == [[1], [1]]


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1.0, 1e12, 1e100])
@every_covariance
def test_units_do_not_matter(covariance, scale):
    model, reference = GaussianClassifier(covariance).fit(X * scale, Y), GaussianClassifier(covariance).fit(X, Y)
    assert model.shrinkage_ == reference.shrinkage_
    assert_allclose(model.predict_proba(X * scale), reference.predict_proba(X), rtol=1e-8)


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal"])
def test_units_of_each_column_do_not_matter(covariance):
    units = np.array([1e-9, 1.0, 1e9])
    model, reference = GaussianClassifier(covariance).fit(X * units, Y), GaussianClassifier(covariance).fit(X, Y)
    assert model.shrinkage_ == reference.shrinkage_
    assert_allclose(model.predict_proba(X * units), reference.predict_proba(X), rtol=1e-8)


@every_covariance
def test_where_the_origin_is_does_not_matter(covariance):
    model, reference = GaussianClassifier(covariance).fit(X + 1e6, Y), GaussianClassifier(covariance).fit(X, Y)
    assert model.shrinkage_ == reference.shrinkage_
    assert_allclose(model.predict_proba(X + 1e6), reference.predict_proba(X), rtol=1e-6)


@every_covariance
def test_rows_far_from_all_that_was_learned(covariance):
    answers = GaussianClassifier(covariance).fit(X, Y).predict_proba([[1e149, 0, 0], [-1e149, 1e149, 1e149]])
    assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)


# Errors


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
            "Laplace() is no prior for a covariance (MultivariateGaussian); MaximumLikelihood, InverseWishart are",
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
    same_scores(model, GaussianClassifier(shrinkage=(0.1, 0.2)).fit(X, Y), rtol=0)
    assert model.shrinkage_ == (0.1, 0.2)


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
        GaussianClassifier().fit(X, Y).posterior("size")
