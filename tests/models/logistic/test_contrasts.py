"""Weights told by the free ones add up to nothing, and tables follow them there and back."""

import numpy as np
from numpy.testing import assert_allclose

from likely.models.logistic.contrasts import contrasted, contrasts


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
