"""Numbers, means and squares by class."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from .kernels import drawn, exact_moments, moments, problems


@given(problems)
def test_moments(problem):
    x, y, classes, weight = drawn(problem)
    bad, n, mean, m2 = moments(x, y, classes, weight)
    n_, mean_, m2_ = exact_moments(x, y, classes, weight)
    assert bad == -1
    assert np.array_equal(n, n_)
    assert_allclose(mean, mean_, rtol=1e-13, atol=1e-13)
    assert_allclose(m2, m2_, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("centre", [0.0, 1e8, -1e12])
def test_moments_far_from_zero(centre):
    x = centre + np.random.default_rng(0).normal(size=(500, 3))
    _, n, mean, m2 = moments(x, np.zeros(500, np.int32), 1, None)
    n_, mean_, m2_ = exact_moments(x, np.zeros(500, np.int32), 1, None)
    assert np.array_equal(n, n_)
    assert_allclose(mean, mean_, rtol=0, atol=1e-15 * np.abs(x).max())
    assert_allclose(m2, m2_, rtol=1e-12)


def test_moments_of_a_value_repeated_have_no_spread():
    assert moments(np.full((100, 1), 0.1), np.zeros(100, np.int32), 1, None)[3][0, 0] == 0
