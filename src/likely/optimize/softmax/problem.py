"""The problem: softmax regression with an offset and a ridge penalty.

    min over W and b of   P = 1/2 |W|^2 + C sum_i s_i (log sum_k exp z_ik - z_i,y_i)
    z_i = offset_i + b + W (x_i - means) / scales

The rows x_i have the classes y_i and the sample weights s_i. Two classes have one score, that of the second. A ridge
centred at W0 is a ridge centred at 0 with the scores of W0 in the offset: the solution is then W - W0. The bias b is
free, or penalised like W. Solvers work on P / C, with penalty = 1/C.

`rows` has the passes over dense and sparse rows, `solve` the choice of a solver by shape, `certificate` the bound on
the error of a solution. `evidence` has the same loss with a few unknowns that all classes share, any ridge, and bounds.
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
    """The problem without C."""

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
        """The number of scores of a row: one for each class, but a single one for two classes."""
        return 1 if self.classes == 2 else self.classes

    @property
    def number(self) -> int:
        return len(self.y)

    @property
    def columns(self) -> int:
        return int(self.x.shape[1])

    @cached_property
    def total(self) -> float:
        """The total weight of the rows."""
        return float(self.number if self.weight is None else self.weight.sum())

    @property
    def first_bias(self) -> Array:
        """The best free bias for W = 0: the logs of the class shares; a class without rows counts as one row. A
        penalised bias starts at 0.
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
    """What `direct` needs of all rows, which may be on other machines; the Hessian comes from a sample on this one."""

    @property
    def number(self) -> int: ...

    @property
    def total(self) -> float: ...

    def scale_of(self, value: float) -> float: ...

    def objective(self, penalty: float) -> Callable[[Array], tuple[float, Array]]:
        """A function from weights and bias, outputs x (columns + 1), to the value and the gradient of P / C."""


def scale_of(value: float, total: float) -> float:
    """What a tolerance is relative to: the objective, but at least 0.001 per row, since the loss of separable classes
    goes to 0."""
    return max(value, 1e-3 * total)


def with_ridge(
    passed: Callable[[Array, Array], tuple[float, Array, Array]], ridge: Array
) -> Callable[[Array], tuple[float, Array]]:
    """The value and the gradient of P / C. `passed` computes those of the loss in one pass over the rows."""

    def at(both: Array) -> tuple[float, Array]:
        loss, gradient, slope = passed(both[:, :-1].T, np.ascontiguousarray(both[:, -1]))
        shrunk = ridge * both
        return loss + float(np.sum(shrunk * both)) / 2, np.column_stack([gradient.T, slope]) + shrunk

    return at


@dataclass(frozen=True)
class SoftmaxFit:
    """The result of a solver."""

    weights: Array
    """outputs x columns, for standardised columns."""
    bias: Array
    objective: float
    """P; the sum of the losses if C is infinite. Solvers return P / C, and the gap of that."""
    gap: float
    """The objective is at most this much above its minimum; if C is infinite, up to rounding."""
    passes: int
    """The number of products with the rows or with their transpose."""
    message: str = ""
    """Why the gap is above the tolerance; empty if it is not."""
    active: Array | None = None
    """The normals of the active constraints: rows of the free weights and biases (`contrasts`). None without
    constraints.
    """
    dual: Array | None = field(default=None, repr=False)
    """rows x outputs with weights = dual^T X; another fit of these rows may start from it. None if not known."""


def contrasts(outputs: int) -> Array:
    """The table, outputs x free, that computes the weights of all classes, which sum to 0, from those of all but the
    last.

    A constant added to a weight, or to the bias, of every class changes no probability. With a ridge the best constant
    makes them sum to 0; without one this is a convention. A single output is free.
    """
    return np.ones((1, 1)) if outputs == 1 else np.vstack([np.eye(outputs - 1), -np.ones(outputs - 1)])


def contrasted(matrix: Array, table: Array) -> Array:
    """table^T matrix table: turns a Hessian of (outputs x size) squared into one of (free x size) squared. With the
    transposed table it turns a covariance of the free weights into that of all.
    """
    if table.size == 1:
        return matrix
    size = len(matrix) // len(table)
    blocks = matrix.reshape(len(table), size, len(table), size)
    product = np.einsum("ka,kilj,lb->aibj", table, blocks, table, optimize=True)
    return np.asarray(product.reshape(table.shape[1] * size, -1))
