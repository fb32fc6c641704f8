"""The concentration of directions: the k of the density exp(k cos(angle)) / (2 pi I0(k)). I0 and I1 are modified Bessel
functions."""

from dataclasses import dataclass

import numpy as np

from likely.families.cells import Array, ratio
from likely.priors import Prior

LARGEST = 1e11
"""At a higher concentration, directions differ only by rounding error, and count as equal."""

TIGHTEST = 1 - 0.1 / LARGEST
"""Mean lengths above this are cut to it; its concentration is 5 times `LARGEST`."""


@dataclass(frozen=True, repr=False, eq=False)
class MeanDirection(Prior):
    """The posterior of m and k for each class, p(m, k) ~ k exp(k length cos(2 pi (m - mean) / period)) / I0(k)^rows."""

    mean: Array
    length: Array
    rows: Array


def log_i0(k: Array) -> Array:
    from scipy.special import i0e

    return np.asarray(k + np.log(i0e(k)))


def mean_length(k: Array) -> Array:
    """I1(k) / I0(k)."""
    from scipy.special import i0e, i1e

    return np.asarray(i1e(k) / i0e(k))


def concentration(length: Array) -> Array:
    """The k of this mean length: an approximation (Best and Fisher 1981), then Newton steps. For a length close to 1,
    where Newton steps would lose all digits, k solves length = 1 - 1 / 2k - 1 / 8k^2."""
    rest = 1 - np.minimum(length, TIGHTEST)
    r = np.minimum(length, 1 - 1e-6)
    longer = np.where(r < 0.85, 1.39 * r - 0.4 + 0.43 / (1 - r), ratio(1.0, r * (1 - r) * (3 - r)))
    k = np.where(r < 0.53, r * (2 + r**2 + 5 / 6 * r**4), longer)
    for _ in range(4):
        a = mean_length(k)
        k = k - (a - r) / (1 - ratio(a, k, 0.5) - a**2)
    return np.where(rest < 1e-6, (1 + np.sqrt(1 + 2 * rest)) / (4 * rest), k)


def log_evidence(length: Array, rows: Array) -> Array:
    """log of the integral of k I0(k length) / I0(k)^rows over k > 0: the evidence of directions whose sum has this
    length, under a uniform prior of (k cos m, k sin m). Computed by the trapezoid rule in log k, around the maximum of
    the integrand.
    """
    s = np.minimum(length, TIGHTEST * rows)
    low, high = np.full(s.shape, -30.0), np.full(s.shape, 40.0)
    for _ in range(60):
        middle = (low + high) / 2
        k = np.exp(middle)
        rising = 2 + k * (s * mean_length(k * s) - rows * mean_length(k)) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    bend = rows * (1 - mean_length(k) ** 2) - s**2 * (1 - mean_length(k * s) ** 2)
    width = ratio(1.0, k * np.sqrt(np.maximum(bend, 0.0)), 1.0)
    u = middle + width * np.arange(-20, 14, 0.25).reshape(-1, *[1] * s.ndim)
    logs = 2 * u + log_i0(np.exp(u) * s) - rows * log_i0(np.exp(u))
    return np.asarray(np.logaddexp.reduce(logs) + np.log(0.25 * width))
