"""What the solvers find, and where they begin."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.rows import Rows

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    """Of the objective over C: see `certificate`."""

    weights: Array
    """columns x outputs."""
    bias: Array
    value: float
    gap: float
    passes: int
    """Over the rows, there or back."""


def first_bias(rows: Rows) -> Array:
    """The best bias for weights of zero: the logarithms of the classes' shares, of one row in all at the least. One
    that is held begins at zero.
    """
    if rows.held:
        return np.zeros(rows.outputs)
    counts = np.bincount(rows.y, rows.weight, minlength=rows.classes)
    logs = np.log(np.maximum(counts, min(1.0, counts.max(initial=1.0))))
    return np.array([logs[1] - logs[0]]) if rows.outputs == 1 else logs - logs.mean()


def relative_to(rows: Rows, value: float) -> float:
    """The objective, or a thousandth for each row if that is more: rows told apart without error have no loss."""
    return max(value, 1e-3 * rows.total)
