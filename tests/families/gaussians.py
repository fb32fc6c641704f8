"""Rows of columns that vary together, for the tests of their family."""

import numpy as np
import pytest

from likely.families import Block, MultivariateGaussian
from likely.statistics import Frame

from .blocks import counted, observed

FRAME = Frame(["height", "weight", "age"])
TOGETHER = np.array([[2.0, 0.9, 0.4], [0.9, 1.0, 0.1], [0.4, 0.1, 0.5]])
SHAPES = ("full", "tied", "diagonal", "spherical")
every_shape = pytest.mark.parametrize("shape", SHAPES)


def drawn(sizes: tuple[int, ...], seed: int = 0, scale: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Classes that differ in mean and, by `scale`, in covariance."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.int32)
    x = rng.normal(size=(len(y), 3)) @ np.linalg.cholesky(TOGETHER).T
    x[:, 1] *= 1 - 1.5 * scale * (y == 1)
    return x + y[:, None], y


X, Y = drawn((12, 15, 9))


def learned(family: MultivariateGaussian, x: np.ndarray = X, y: np.ndarray = Y, classes: int = 0) -> Block:
    return counted(family, observed(x, y, classes), FRAME)


def holed(*cells: tuple[int, int]) -> np.ndarray:
    x = X.copy()
    x[tuple(zip(*cells, strict=True))] = np.nan
    return x
