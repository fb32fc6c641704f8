"""Concentrations, against scipy's Bessel functions and its quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import i0e, i1e

from likely.families.concentration import LARGEST, concentration, log_evidence, log_i0, mean_length


@pytest.mark.parametrize("k", [0.0, 1e-9, 0.1, 1.2, 1.35, 3.6, 4.0, 50.0, 1e4, 4.9e5])
def test_the_concentration_of_a_mean_length(k):
    assert concentration(np.array([i1e(k) / i0e(k)]))[0] == pytest.approx(k, rel=1e-9)


def test_close_to_one_direction():
    """1 - I1(k) / I0(k) = 1 / 2k + 1 / 8k^2 + 1 / 8k^3 ..., of which a double holds 16 digits less those of k."""
    k = np.array([4.9e5, 5.1e5, 1e8, 1e10])
    length = 1 - (1 / (2 * k) + 1 / (8 * k**2) + 1 / (8 * k**3))
    np.testing.assert_allclose(concentration(length), k, rtol=1e-15 * k.max())


def test_steps_that_are_all_equal_have_a_concentration_beyond_the_largest():
    assert LARGEST < concentration(np.array([1.0]))[0] < np.inf


def test_nothing_overflows():
    k = np.array([0.0, 1e3, 1e12])
    np.testing.assert_allclose(log_i0(k)[1:], k[1:] - 0.5 * np.log(2 * np.pi * k[1:]), rtol=1e-3)
    assert mean_length(k)[0] == 0
    assert mean_length(k)[2] == pytest.approx(1)


@pytest.mark.parametrize(
    ("length", "rows"), [(0.0, 1.0), (0.9, 1.0), (0.0, 0.03), (5.0, 10.0), (9.9, 10.0), (30.0, 1000.0), (999.0, 1000.0)]
)
def test_the_evidence_is_the_integral(length, rows):
    def log_integrand(u):
        return 2 * u + log_i0(np.exp(u) * length) - rows * log_i0(np.exp(u))

    grid = np.linspace(-20, 15, 200_001)
    top = log_integrand(grid).max()
    at = grid[log_integrand(grid).argmax()]
    expected = quad(lambda u: np.exp(log_integrand(u) - top), -20, 15, points=[at], limit=500)[0]
    found = log_evidence(np.array([length]), np.array([rows]))[0]
    assert found == pytest.approx(np.log(expected) + top, abs=1e-6)
