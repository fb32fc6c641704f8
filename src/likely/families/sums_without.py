"""Sums of squares and pools of classes, leave-one-out."""

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array, ratio
from likely.families.covariance import EPSILON, Pool, Sums
from likely.families.gaussians import diagonal


def rest_of(squares: Array) -> Array:
    """For each class, the sum of the squares of all others. They are added, and not subtracted from the total, which
    loses all digits if one class has much larger squares."""
    before, after = np.zeros_like(squares), np.zeros_like(squares)
    np.cumsum(squares[:-1], axis=0, out=before[1:])
    np.cumsum(squares[:0:-1], axis=0, out=after[-2::-1] if len(squares) > 1 else after[:0])
    return before + after


def without(sums: Sums, pool: Pool, others: Array, x: Array, y: NDArray[np.int32], w: Array) -> tuple[Sums, Pool]:
    """For each row, the sums of its own class and the pool, as if the row had never been counted.

    `others` is the result of `rest_of`; `w` is the weight of each row, or of each cell: 0 where it was not counted.
    """
    before, counted = sums.n[y], w > 0
    x = np.where(counted, x, sums.mean[y])
    n = _left(before, w)
    share = ratio(w, n)
    delta = sums.mean[y] - x
    matrix = sums.squares.ndim > sums.mean.ndim
    across = before * share
    lost = delta[:, :, None] * delta[:, None, :] * across[:, :, None] if matrix else delta * delta * across
    squares = sums.squares[y] - lost
    # Squares within the rounding error of the sums and means are 0, as in likely.statistics.Moments.
    step = 4 * EPSILON * (np.abs(sums.mean[y]) + np.abs(x))
    rest = diagonal(squares, delta)
    rounding = 1e-13 * (rest + 2 * delta * delta * across) + across * step * (2 * np.abs(delta) + step)
    gone = counted & ((n == 0) | (rest <= rounding))
    squares = np.where(gone[:, :, None] | gone[:, None, :] if matrix else gone, 0.0, squares)
    mean = np.where(counted, sums.mean[y] + delta * share, sums.mean[y])

    within = others[y] + squares
    all_n = _left(pool.n, w)
    from_all = pool.mean - x
    share = ratio(w, all_n)
    total = pool.total - np.where(counted, from_all * from_all * pool.n * share, 0.0)
    step = 4 * EPSILON * (np.abs(pool.mean) + np.abs(x))
    rounding = 1e-13 * pool.total + pool.n * share * step * (2 * np.abs(from_all) + step)
    total = np.where((all_n == 0) | (counted & (total <= rounding)), 0.0, total)
    all_mean = np.where(all_n == 0, 0.0, np.where(counted, pool.mean + from_all * share, pool.mean))
    return Sums(n, mean, squares), Pool(all_n, all_mean, within, total)


def _left(n: Array, w: Array) -> Array:
    left = n - w
    return np.where(left <= 1e-9 * w, 0.0, left)
