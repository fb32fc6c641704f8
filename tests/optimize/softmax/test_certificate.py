"""The divergence of dual points, by its formula."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.optimize.softmax.certificate import divergence


def residuals(p, y, weight):
    rest = p.copy()
    rest[np.arange(len(y)), y] -= 1
    return rest * weight[:, None]


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_divergence_is_that_of_kullback_and_leibler(classes):
    rng = np.random.default_rng(classes)
    p, q = rng.dirichlet(np.ones(classes), (2, 40))
    y, weight = rng.integers(0, classes, 40).astype(np.int32), rng.random(40) + 0.1
    a, b = residuals(q, y, weight), residuals(p, y, weight)
    if classes == 2:
        a, b = a[:, 1:], b[:, 1:]
    assert_allclose(divergence(a, b, y, weight), np.sum(weight[:, None] * q * np.log(q / p)), rtol=1e-10)
    assert divergence(b, b, y, weight) == 0


def test_beyond_what_is_a_distribution_it_is_infinite():
    y = np.array([0], np.int32)
    p = residuals(np.array([[0.2, 0.3, 0.5]]), y, np.ones(1))
    q = residuals(np.array([[1.1, -0.3, 0.2]]), y, np.ones(1))
    assert divergence(q, p, y, None) == np.inf
