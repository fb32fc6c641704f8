"""Sums of classes without a row, against sums counted again."""

import numpy as np
import pytest

from likely.families.covariance import Pool, Sums
from likely.families.sums_without import rest_of, without

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 30).astype(np.int32)
X = RNG.normal(Y[:, None], 1.0, (30, 2))
WEIGHT = RNG.choice([0.5, 1.0, 2.0], 30)


def sums(x: np.ndarray, y: np.ndarray, weight: np.ndarray, matrices: bool) -> Sums:
    """Written out, class by class."""
    n = np.array([[weight[y == k].sum()] for k in range(3)])
    mean = np.array([np.average(x[y == k], axis=0, weights=weight[y == k]) for k in range(3)])
    away = x - mean[y]
    squares = np.array([(weight[y == k, None] * away[y == k]).T @ away[y == k] for k in range(3)])
    return Sums(n, mean, squares if matrices else np.diagonal(squares, axis1=1, axis2=2).copy())


@pytest.mark.parametrize("matrices", [False, True])
def test_a_row_taken_out_leaves_what_the_others_have(matrices):
    whole = sums(X, Y, WEIGHT, matrices)
    w = WEIGHT[:, None] if matrices else np.repeat(WEIGHT[:, None], 2, axis=1)
    found, pool = without(whole, Pool.of(whole), rest_of(whole.squares), X, Y, w)
    for i in range(30):
        others = np.arange(30) != i
        expected = sums(X[others], Y[others], WEIGHT[others], matrices)
        np.testing.assert_allclose(found.mean[i], expected.mean[Y[i]], rtol=1e-12)
        np.testing.assert_allclose(found.squares[i], expected.squares[Y[i]], rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(found.n[i], np.broadcast_to(expected.n[Y[i]], found.n[i].shape), rtol=1e-12)
        np.testing.assert_allclose(pool.within[i], expected.squares.sum(axis=0), rtol=1e-10)
        np.testing.assert_allclose(pool.total[i], Pool.of(expected).total, rtol=1e-10)


def test_a_row_that_was_not_counted_changes_nothing():
    whole = sums(X, Y, WEIGHT, True)
    found, _ = without(whole, Pool.of(whole), rest_of(whole.squares), X, Y, np.zeros((30, 1)))
    np.testing.assert_array_equal(found.mean, whole.mean[Y])
    np.testing.assert_array_equal(found.squares, whole.squares[Y])


def test_the_squares_of_all_other_classes():
    squares = RNG.random((4, 2, 2))
    for k, rest in enumerate(rest_of(squares)):
        np.testing.assert_allclose(rest, np.delete(squares, k, axis=0).sum(axis=0), rtol=1e-12)
