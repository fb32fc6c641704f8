"""GaussianClassifier beside scikit-learn's LDA, QDA and naive Bayes, and beside R's lda and qda."""

import csv
from pathlib import Path
from string import ascii_uppercase

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.fixes import parse_version

from likely import GaussianClassifier

from .gaussians import log_odds

HERE = Path(__file__).parent


def alphabet():
    """26 classes of 16 columns of small numbers that vary together, drawn as lda_qda.R draws them.

    Of 1,500 rows LDA and QDA get 42 % and 5 % wrong. The condition numbers of the covariances are 1,300 to 9,900.
    """
    state = 1

    def draw(below):
        nonlocal state
        state = state * 16807 % 2147483647
        return state % below

    x, y = [], []
    for _ in range(1500):
        k, size, cell = draw(26), draw(16), draw(16)
        y.append(ascii_uppercase[k])
        for column in range(16):
            kept = 1 + (k + column) % 4
            cell = (kept * cell + (5 - kept) * draw(4 + k * (column + 1) % 17)) // 5
            x.append(size + cell)
    return np.array(x, float).reshape(1500, 16), np.array(y)


DATA = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "alphabet": alphabet()}
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
