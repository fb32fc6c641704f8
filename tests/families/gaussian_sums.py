"""Sums of rows that vary together, and rules to estimate by: what the tests of covariances and of densities share."""

from itertools import product

import numpy as np

from likely.families.covariance import Pool, Rules, Shrinkage, Sums, estimate

COLUMNS = 3
SIZES = (6, 9, 14)
MIX = np.array([[2.0, 0.7, -0.4], [0.0, 1.0, 0.5], [0.0, 0.0, 0.6]])
ROWS = [np.random.default_rng(k).normal(size=(n, COLUMNS)) @ MIX * (k + 1) + 3 * k for k, n in enumerate(SIZES)]
PATTERNS = [np.array(there) for there in product([True, False], repeat=COLUMNS)]


def sums(rows: list[np.ndarray] = ROWS, matrices: bool = True) -> Sums:
    """Written out, of rows by class; of a class without any, all are 0."""
    n = np.array([[float(len(x))] for x in rows])
    mean = np.array([x.mean(axis=0) if len(x) else np.zeros(x.shape[1]) for x in rows])
    squares = np.array([(x - m).T @ (x - m) for x, m in zip(rows, mean, strict=True)])
    if matrices:
        return Sums(n, mean, squares)
    return Sums(np.broadcast_to(n, mean.shape).copy(), mean, np.diagonal(squares, axis1=1, axis2=2).copy())


def rules(tied: float = 0.0, towards_diagonal: float = 0.0, **given: object) -> Rules:
    defaults = {
        "pseudo_squares": np.zeros((1, 1)),
        "pseudo_rows": 0.0,
        "more_rows": 0.0,
        "borrow": False,
        "spherical": False,
        "mean": None,
    }
    return Rules(Shrinkage(tied, towards_diagonal), **{**defaults, **given})


def estimated(given: Sums, by: Rules) -> tuple[np.ndarray, np.ndarray]:
    return estimate(given, Pool.of(given), by)


# The pool
