"""Where solvers begin, what their tolerance is relative to, and weights that sum to 0 over the classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.optimize.softmax.problem import SoftmaxProblem, contrasted, contrasts


def test_weights_of_all_classes_add_up_to_nothing():
    free = np.random.default_rng(0).normal(size=(3, 5))
    weights = contrasts(4) @ free
    assert_allclose(weights.sum(axis=0), 0, atol=1e-15)
    np.testing.assert_array_equal(weights[:3], free)
    assert contrasts(1).tolist() == [[1.0]]


def test_a_form_of_the_weights_is_one_of_the_free_ones():
    rng = np.random.default_rng(1)
    matrix, free = rng.normal(size=(12, 12)), rng.normal(size=(2, 4))
    table = contrasts(3)
    weights = (table @ free).ravel()
    assert_allclose(free.ravel() @ contrasted(matrix, table) @ free.ravel(), weights @ matrix @ weights, rtol=1e-12)
    covariance = contrasted(np.cov(rng.normal(size=(8, 50))), table.T)
    assert_allclose(covariance.reshape(3, 4, 3, 4).sum(axis=0), 0, atol=1e-14)


@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5, 3.0, 1.0, 1.0])])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_first_bias_gives_every_row_the_shares_of_the_classes(classes, weight):
    y = np.array([0, 1, 1, 0, 1, classes - 1], np.int32)
    bias = SoftmaxProblem(np.zeros((6, 1)), y, classes, weight).first_bias
    scores = np.array([0.0, bias[0]]) if classes == 2 else bias
    shares = np.bincount(y, weight, classes)
    assert_allclose(np.exp(scores) / np.exp(scores).sum(), shares / shares.sum(), rtol=1e-12)


def test_a_thousandth_of_a_row_is_the_least_that_a_gap_is_compared_with():
    rows = SoftmaxProblem(np.zeros((4, 1)), np.array([0, 1, 0, 1], np.int32), 2)
    assert rows.scale_of(7.0) == 7.0
    assert rows.scale_of(0.0) == 4e-3


def test_a_penalised_bias_begins_at_zero():
    y = np.array([0, 1, 1, 1, 2, 2], np.int32)
    assert not SoftmaxProblem(np.zeros((6, 1)), y, 3, penalise_bias=True).first_bias.any()
