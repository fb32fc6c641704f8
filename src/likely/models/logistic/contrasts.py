"""Weights of classes that add up to nothing, told by the free ones: those of all classes but the last.

A constant added to a weight, or to the bias, of every class changes no probability. Under a penalty the best constant
is the one that makes the classes' weights add up to nothing; without a penalty it is a choice.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def contrasts(outputs: int) -> Array:
    """outputs x free: the table by which the weights of all are made of the free ones. One output is itself free."""
    return np.ones((1, 1)) if outputs == 1 else np.vstack([np.eye(outputs - 1), -np.ones(outputs - 1)])


def contrasted(matrix: Array, table: Array) -> Array:
    """Its product with the table on both sides: from (outputs x size) squared, as curvature, to (free x size) squared;
    and by the table transposed from there to here, as covariance.
    """
    if table.size == 1:
        return matrix
    size = len(matrix) // len(table)
    blocks = matrix.reshape(len(table), size, len(table), size)
    found = np.einsum("ka,kilj,lb->aibj", table, blocks, table, optimize=True)
    return np.asarray(found.reshape(table.shape[1] * size, -1))
