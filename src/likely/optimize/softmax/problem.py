"""The one problem: softmax with an offset and a ridge.

    min over W and b of   P = 1/2 |W|^2 + C sum_i s_i (log sum_k exp z_ik - z_i,y_i)
    z_i = offset_i + b + W (x_i - means) / scales

The rows x_i have the classes y_i and the weights s_i. Two classes have one score, that of the second. A ridge towards
W0 is a ridge towards 0 with the scores of W0 in the offset: the solution is then W - W0. The bias b is free, or
penalised as W is. Solvers work on P / C, with penalty = 1/C.

`rows` has the passes over dense and sparse rows, `solve` the choice of a solver by shape, `certificate` the proof of
how good a solution is. `evidence` is the same loss where all classes share a few unknowns, with any ridge and bounds.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class SoftmaxProblem:
    """All but C."""

    x: Any
    """An array of two dimensions, or a CSR matrix of float64."""
    y: Codes
    classes: int
    weight: Array | None = None
    means: Array | None = None
    scales: Array | None = None
    offset: Array | None = None
    """rows x outputs."""
    penalise_bias: bool = False

    @property
    def outputs(self) -> int:
        """Scores of a row: one for each class, but a single one for two classes."""
        return 1 if self.classes == 2 else self.classes

    @property
    def number(self) -> int:
        return len(self.y)

    @property
    def columns(self) -> int:
        return int(self.x.shape[1])

    @cached_property
    def total(self) -> float:
        """The sum of the weights of the rows."""
        return float(self.number if self.weight is None else self.weight.sum())

    @property
    def first_bias(self) -> Array:
        """The best free bias for W = 0: the logs of the class shares, where each class has one row or more. A penalised
        bias begins at 0.
        """
        if self.penalise_bias:
            return np.zeros(self.outputs)
        counts = np.bincount(self.y, self.weight, minlength=self.classes)
        logs = np.log(np.maximum(counts, min(1.0, counts.max(initial=1.0))))
        return np.array([logs[1] - logs[0]]) if self.outputs == 1 else logs - logs.mean()

    def ridge(self, penalty: float) -> Array:
        """The penalty of each column, and that of the bias."""
        return np.append(np.full(self.columns, penalty), penalty if self.penalise_bias else 0.0)

    def scale_of(self, value: float) -> float:
        return scale_of(value, self.total)


class RowPasses(Protocol):
    """All that `direct` asks of all rows, wherever they lie: the curvature is that of some that are here."""

    @property
    def number(self) -> int: ...

    @property
    def total(self) -> float: ...

    def scale_of(self, value: float) -> float: ...

    def objective(self, penalty: float) -> Callable[[Array], tuple[float, Array]]:
        """The value and the gradient of the objective over C, as a function of weights and bias: outputs x (columns +
        1).
        """


def scale_of(value: float, total: float) -> float:
    """What a tolerance is relative to: the objective, or a thousandth per row. Separable classes have no loss."""
    return max(value, 1e-3 * total)


def with_ridge(
    passed: Callable[[Array, Array], tuple[float, Array, Array]], ridge: Array
) -> Callable[[Array], tuple[float, Array]]:
    """The value and the gradient of the objective over C, from those of the loss by one pass over the rows."""

    def at(both: Array) -> tuple[float, Array]:
        loss, gradient, slope = passed(both[:, :-1].T, np.ascontiguousarray(both[:, -1]))
        shrunk = ridge * both
        return loss + float(np.sum(shrunk * both)) / 2, np.column_stack([gradient.T, slope]) + shrunk

    return at


@dataclass(frozen=True)
class SoftmaxFit:
    weights: Array
    """outputs x columns, of the columns standardised."""
    bias: Array
    objective: float
    """P; the sum of the losses where C is infinite. Solvers return P / C, and the gap of that."""
    gap: float
    """The objective is above its minimum by no more than this. Where C is infinite, but for rounding."""
    passes: int
    """Over the rows, there or back."""
    message: str = ""
    """Why the gap is above what was asked for; empty if it is not."""
    active: Array | None = None
    """The normals of the constraints that have multipliers: rows of the free weights and biases (`contrasts`). None
    without constraints.
    """
    dual: Array | None = field(default=None, repr=False)
    """rows x outputs with weights = dual^T X, from which another fit of these rows may start; None if not known."""


def contrasts(outputs: int) -> Array:
    """outputs x free: the table that makes the weights of all classes, which sum to 0, from those of all but the last.

    A constant added to a weight, or to the bias, of every class changes no probability. Under a ridge the best constant
    is the one that makes them sum to 0; without a ridge it is a choice. One output is itself free.
    """
    return np.ones((1, 1)) if outputs == 1 else np.vstack([np.eye(outputs - 1), -np.ones(outputs - 1)])


def contrasted(matrix: Array, table: Array) -> Array:
    """table^T matrix table: a curvature from (outputs x size) squared to (free x size) squared. With the table
    transposed a covariance goes the other way.
    """
    if table.size == 1:
        return matrix
    size = len(matrix) // len(table)
    blocks = matrix.reshape(len(table), size, len(table), size)
    found = np.einsum("ka,kilj,lb->aibj", table, blocks, table, optimize=True)
    return np.asarray(found.reshape(table.shape[1] * size, -1))
