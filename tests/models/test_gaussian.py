"""Gaussian classifiers as a model: one block of all columns, and what follows from its means and covariances."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from likely.data import read
from likely.engines import threads
from likely.families import Gaussian, MultivariateGaussian
from likely.models.describe import describe
from likely.models.gaussian import GaussianModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import InverseWishart, MaximumLikelihood, Normal

from ..samples import sample_of

COVARIANCES = ("full", "tied", "diagonal", "spherical")
Y = np.array(["a", "b", "c"])[np.arange(60) % 3]
X = np.random.default_rng(0).normal(size=(60, 3)) @ [[1, 0.5, 0], [0, 1, -0.4], [0, 0, 1]]
X += np.arange(60)[:, None] % 3 * [1.5, 0, 1]

every_covariance = pytest.mark.parametrize("covariance", COVARIANCES)


def learned(family, x=X, y=Y, weight=None, **options):
    return GaussianModel(family, **options).learn(sample_of(x, y, weight))


@every_covariance
def test_all_columns_are_one_block(covariance):
    model = learned(MultivariateGaussian(covariance))
    assert len(model.known.blocks) == 1
    assert model.block.frame.columns == range(3)
    assert model.family == MultivariateGaussian(covariance)
    assert model.family.amounts == model.family.tuned_to


@every_covariance
def test_parameters_are_a_mean_and_a_matrix_for_each_class(covariance):
    model = learned(MultivariateGaussian(covariance, 0.2))
    mean, matrices = model.parameters
    assert mean.shape == (3, 3)
    assert matrices.shape == (3, 3, 3)
    expected = [multivariate_normal(m, c).logpdf(X) + np.log(1 / 3) for m, c in zip(mean, matrices, strict=True)]
    assert_allclose(model.score(read(X)), np.transpose(expected), rtol=1e-10)
    if covariance in ("diagonal", "spherical"):
        assert not (matrices * (1 - np.eye(3))).any()
    if covariance == "tied":
        assert (matrices == matrices[0]).all()


def test_independent_columns_are_naive_bayes():
    model = learned(MultivariateGaussian("diagonal", 0.0))
    naive = NaiveBayesModel(Gaussian(MaximumLikelihood())).learn(sample_of(X, Y))
    assert_allclose(model.score(read(X)), naive.score(read(X)), rtol=1e-12)


@every_covariance
@pytest.mark.parametrize("shrinkage", [0.0, 0.3])
def test_a_row_left_out_is_a_row_never_learned(covariance, shrinkage):
    model = learned(MultivariateGaussian(covariance, shrinkage))
    scores = model.loo_scores(sample_of(X, Y))
    for i in (0, 1, 17, 59):
        others = learned(MultivariateGaussian(covariance, shrinkage), np.delete(X, i, axis=0), np.delete(Y, i))
        assert_allclose(scores[i], others.score(read(X[[i]]))[0], rtol=1e-9)


@every_covariance
def test_distances_do_not_depend_on_the_pieces_they_are_worked_out_in(covariance, monkeypatch):
    rows = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    model = learned(MultivariateGaussian(covariance, 0.1))
    whole = model.squared_distances(read(rows)), model.tail(read(rows))
    monkeypatch.setattr(threads, "pieces", lambda rows, *_: [slice(i, min(i + 7, rows)) for i in range(0, rows, 7)])
    assert np.array_equal(whole[0], model.squared_distances(read(rows)))
    assert np.array_equal(whole[1], model.tail(read(rows)))


def test_a_bad_cell_is_named_by_its_row_in_the_table(monkeypatch):
    model = learned(MultivariateGaussian())
    rows = X.copy()
    rows[33, 2] = np.inf
    monkeypatch.setattr(threads, "pieces", lambda rows, *_: [slice(i, i + 10) for i in range(0, rows, 10)])
    with pytest.raises(ValueError, match=r"column 2, row 33, has inf$"):
        model.squared_distances(read(rows))


def test_distances_in_another_number_of_columns():
    with pytest.raises(ValueError, match=r"^the table has 2 columns, the model was learned from 3$"):
        learned(MultivariateGaussian()).squared_distances(read(X[:, :2]))


@every_covariance
def test_the_tail_is_that_of_the_nearest_class(covariance):
    model = learned(MultivariateGaussian(covariance, 0.2))
    assert_allclose(model.tail(read(model.parameters[0])), 1, rtol=1e-12)
    two = model.squared_distances(read([[5.0, np.nan, 1.0]])).min()
    assert_allclose(model.tail(read([[5.0, np.nan, 1.0]])), np.exp(-two / 2), rtol=1e-12)  # chi squared of two columns


def test_parameters_that_do_not_exist_are_named_with_their_class():
    model = learned(MultivariateGaussian(shrinkage=0.0), np.column_stack([X, X[:, :1]]))
    for question in (
        model.quadratic,
        model.parameter_posteriors,
        lambda: model.parameters,
        lambda: model.tail(read(np.ones((1, 4)))),
    ):
        with pytest.raises(ValueError, match=r"^the full covariance has rank 3 of 4, from 20 rows, in class 'a'; "):
            question()


@pytest.mark.parametrize(
    ("covariance", "free"),
    [("full", 3 * 3 + 3 * 6), ("tied", 3 * 3 + 6), ("diagonal", 3 * 3 + 3 * 3), ("spherical", 3 * 3 + 3)],
)
def test_the_description_counts_what_was_estimated(covariance, free):
    model = learned(MultivariateGaussian(covariance, 0.1), pd.DataFrame(X, columns=["p", "q", "r"]))
    described = describe(model)
    assert described.free_parameters == 2 + free
    mean, matrices = model.parameters
    lines = {(column, name): values for column, name, values in described.lines}
    assert_allclose(lines["q", "mean"], mean[:, 1], rtol=1e-12)
    assert_allclose(lines["q", "standard deviation"] ** 2, matrices[:, 1, 1], rtol=1e-12)
    if covariance in ("full", "tied"):
        expected = matrices[:, 1, 0] / np.sqrt(matrices[:, 0, 0] * matrices[:, 1, 1])
        assert_allclose(lines["q", "correlation with p"], expected, rtol=1e-12)


def test_posteriors_are_the_prior_with_the_rows_seen_added():
    family = MultivariateGaussian(shrinkage=0.0, prior=InverseWishart(2.0, 4.0), mean_prior=Normal(1.0, 0.5))
    model = learned(family)
    posterior = model.parameter_posteriors()
    assert posterior.covariance.rows.tolist() == [24, 24, 24]
    scatter = np.array([20 * np.cov(X[k == Y].T, bias=True) for k in "abc"])
    assert_allclose(posterior.covariance.mean, (scatter + 8 * np.eye(3)) / 24, rtol=1e-12)
    for k, matrix in enumerate(model.parameters[1]):
        assert_allclose(
            np.linalg.inv(posterior.mean.covariance[k]), 2 * np.eye(3) + 20 * np.linalg.inv(matrix), rtol=1e-9
        )


@pytest.mark.parametrize("prior", [(0.2, 0.3, 0.5), "uniform"])
def test_the_constant_of_the_quadratic_form_has_the_class_prior_in_it(prior):
    one, other = learned(MultivariateGaussian(), class_prior=prior), learned(MultivariateGaussian())
    assert_allclose(one.quadratic().c - other.quadratic().c, one.log_prior() - other.log_prior(), rtol=1e-9, atol=1e-12)


def test_a_boundary_moves_with_the_class_prior():
    x, y = np.array([[0.0, 0], [1, 1], [1, 0], [0, 1], [4, 0], [5, 1], [5, 0], [4, 1]]), np.repeat([0, 1], 4)
    window = ((-5.0, 10.0), (0.0, 1.0))
    for share in (0.5, 0.9):
        model = learned(MultivariateGaussian("tied", 0.0), x, y, class_prior=(share, 1 - share))
        (line,) = model.boundary(None, None, window, 50)
        assert_allclose(line[:, 0], 2.5 + 0.25 / 4 * np.log(share / (1 - share)), rtol=1e-9)


def test_a_window_of_its_own_reaches_four_deviations_from_the_means():
    x, y = np.array([[0.0, 0], [2, 0], [1, 1], [1, -1], [4, 0], [6, 0], [5, 1], [5, -1]]), np.repeat([0, 1], 4)
    (line,) = learned(MultivariateGaussian("tied", 0.0), x, y).boundary(None, None, None, 1000)
    assert_allclose(line[:, 0], 3, rtol=1e-9)
    assert_allclose([line[:, 1].min(), line[:, 1].max()], [-4 * 0.5**0.5, 4 * 0.5**0.5], rtol=0.01)
