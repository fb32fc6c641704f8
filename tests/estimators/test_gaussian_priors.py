"""GaussianClassifier with priors, and what it believes of its means and covariances."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import GaussianClassifier
from likely.priors import InverseWishart, Normal

from .cases import Y
from .gaussians import X, every_covariance


def test_a_covariance_with_a_prior_is_pseudo_rows():
    prior = InverseWishart(np.diag([1.0, 2.0, 3.0]), 5.0)
    model = GaussianClassifier(shrinkage=0, prior=prior).fit(X, Y)
    for k, label in enumerate("abc"):
        scatter = 20 * np.cov(X[label == Y].T, bias=True)
        assert_allclose(model.covariances_[k], (scatter + 5 * np.diag([1.0, 2.0, 3.0])) / 25, rtol=1e-12)
        assert_allclose(model.parameter_posterior().covariance.mean[k], model.covariances_[k], rtol=1e-12)
    mode = GaussianClassifier(shrinkage=0, prior=InverseWishart(1.0, 5.0, estimate="mode")).fit(X, Y)
    assert_allclose(mode.covariances_, mode.parameter_posterior().covariance.mode, rtol=1e-12)


def test_a_mean_with_a_prior_lies_between_the_two():
    spread = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]])
    model = GaussianClassifier(shrinkage=0, mean_prior=Normal([1.0, 2.0, 3.0], spread)).fit(X, Y)
    believed = model.parameter_posterior().mean
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
    belief = model.parameter_posterior("q")
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
        assert_allclose(model.parameter_posterior(column).covariance, expected, rtol=1e-12)


@every_covariance
def test_what_is_believed_of_a_class_without_rows_is_asked_without_a_warning(covariance):
    model = GaussianClassifier(covariance, mean_prior=Normal(1.0, 4.0)).partial_fit(X, Y, classes=["a", "z"])
    assert_allclose(model.parameter_posterior(0).mean[-1], 1.0)
    assert_allclose(model.parameter_posterior(0).covariance[-1], 4.0)
    without = GaussianClassifier(covariance).partial_fit(X, Y, classes=["a", "z"]).parameter_posterior(0)
    assert np.isfinite(without.mean).all()
    assert not without.covariance[-1] < 1e9  # nothing is known of it
