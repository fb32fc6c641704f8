"""What the curvature at the solution tells: standard errors, and scores with a row left out by a step of Newton's."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.models.logistic import sparse_curvature
from likely.models.logistic.contrasts import contrasted, contrasts
from likely.models.logistic.rows import Dense, Rows, Sparse, padded
from likely.models.logistic.solver import Solution

Array = NDArray[np.float64]


MOST_BYTES = 1 << 27
"""Of a covariance: 4,096 unknowns. Some five tables of this size are held at a time."""
FAR = 1.0
"""How far a row may move its own scores: the curvature of a loss changes by a factor of e for each unit, and a step of
Newton's takes it for constant."""


class LeftOut(NamedTuple):
    scores: Array
    """rows x outputs."""
    leverage: Array
    """How much a row's own curvature has in that of its scores, from 0 to 1."""
    doubtful: NDArray[np.bool]
    """Rows that move their own scores so far that one step does not tell where they would be."""


@dataclass(frozen=True)
class Information:
    """The inverse of the curvature of the objective over C at the solution: 1/C on weights, and the loss."""

    rows: Rows
    solution: Solution
    residuals: Array
    covariance: Array | None
    """outputs x (columns + 1) squared, the bias last; None of more than 4,096 unknowns, and of weights that are not
    determined. Weights are taken to add up to nothing over the classes: a constant added to all of them is told by the
    penalty alone.
    """
    variances: Array
    """Its diagonal, outputs x (columns + 1). Where the covariance is None, one over the diagonal of the curvature, as
    if neither columns nor classes had anything in common.
    """
    c: float
    change: Array | None
    """How the scores given to each row differ once it is left out: rows x outputs."""

    @property
    def standard_errors(self) -> Array:
        """outputs x (columns + 1), the bias last."""
        return np.sqrt(self.variances)

    def left_out(self) -> LeftOut:
        """Of every row, as if it had not been there: one step of Newton's method from the solution, exact where the
        objective is quadratic. Without a covariance only the diagonal of the curvature is used.
        """
        rows, c = self.rows, self.rows.outputs
        scores = rows.scores(padded(self.solution.weights.T, rows.width), self.solution.bias)[:, :c]
        spread = self._spread()
        own = _curvatures(rows, self.residuals)
        # z' = z + (B^-1 - A)^-1 u, of a row's own B = x^T covariance x and A, the curvature of its loss
        both = spread @ own
        moved = np.linalg.solve(np.eye(c) - both, spread @ self.residuals[:, :c, None])[:, :, 0]
        leverage = np.asarray(np.trace(both, axis1=1, axis2=2))
        doubtful = np.ptp(np.hstack([moved, np.zeros((len(moved), 1))]) if c == 1 else moved, axis=1) > FAR
        if self.change is not None:
            # What is given changes along the row; its scores, as far as the penalty holds them and not other rows.
            square = rows.squared_product(padded(np.ones((rows.columns, 1)), rows.width))[:, :1] + 1.0
            kept = spread / (self.c * square)[:, :, None]
            moved = moved + (kept @ self.change[:, :, None])[:, :, 0]
        return LeftOut(scores + moved, leverage, doubtful)

    def _spread(self) -> Array:
        """x^T covariance x of every row with itself: rows x outputs x outputs."""
        rows, c, size = self.rows, self.rows.outputs, self.rows.columns + 1
        out = np.zeros((rows.number, c, c))
        if self.covariance is None:
            spread = rows.squared_product(padded(self.variances[:, :-1].T, rows.width))[:, :c] + self.variances[:, -1]
            out[:, np.arange(c), np.arange(c)] = spread
            return out
        blocks = self.covariance.reshape(c, size, c, size)
        pairs = [(k, other) for k in range(c) for other in range(k + 1)]
        if isinstance(rows, Sparse):
            for k, other in pairs:
                out[:, k, other] = out[:, other, k] = sparse_curvature.forms(rows, blocks[k, :, other])
            return out
        assert isinstance(rows, Dense)

        def work(part: slice) -> None:
            x = np.ones((part.stop - part.start, size))
            x[:, :-1] = rows.taken(np.arange(part.start, part.stop)).x
            for k, other in pairs:
                out[part, k, other] = out[part, other, k] = np.einsum("ij,ij->i", x @ blocks[k, :, other], x)

        threads.run(work, threads.pieces(rows.number, 8 * 8 * size))
        return out


def information(rows: Rows, solution: Solution, c: float = 1.0, change: Array | None = None) -> Information:
    """Of the solution of these rows. Limits that hold are taken to go on holding."""
    if solution.holding is not None:
        from likely.models.logistic.limited import dense_of

        rows = dense_of(rows)
    outputs, size = rows.outputs, rows.columns + 1
    residuals = rows.residuals(rows.scores(padded(solution.weights.T, rows.width), solution.bias))[1]
    few = 8 * (size * outputs) ** 2 <= MOST_BYTES
    covariance = _covariance(rows, residuals, c, solution.holding) if few else None
    if covariance is None:
        own = rows.own_curvature(residuals)
        of_bias = own[:, :outputs].sum(axis=0) + rows.held / c
        diagonal = np.column_stack([(1 / c + rows.squares(own)[:, :outputs]).T, of_bias])
        variances = 1 / np.maximum(diagonal, 1e-300)
    else:
        variances = np.maximum(np.diag(covariance), 0).reshape(outputs, size)
    return Information(rows, solution, residuals, covariance, variances, c, change)


def _covariance(rows: Rows, residuals: Array, c: float, holding: Array | None) -> Array | None:
    """The inverse of the curvature; None where it has none, as of columns that tell the same, without a penalty."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    outputs = rows.outputs
    if isinstance(rows, Sparse):
        curvature = sparse_curvature.curvature(rows, residuals)
    else:
        assert isinstance(rows, Dense)
        curvature = rows.products_of_classes(residuals)
    penalties = np.append(np.full(rows.columns, 1 / c), rows.held / c)
    curvature[np.diag_indices(len(curvature))] += np.tile(penalties, outputs)
    table = contrasts(outputs)
    free = contrasted(curvature, table)
    along = None
    if holding is not None:
        from likely.optimize.polyhedral import left_free

        along = left_free(holding)
    try:
        with threads.blas_alone(len(free) ** 3):
            if along is None:
                inverse = cho_solve(cho_factor(free, lower=True), np.eye(len(free)))
            else:
                inverse = along @ cho_solve(cho_factor(along.T @ free @ along, lower=True), along.T)
    except LinAlgError:
        return None
    return contrasted(inverse, table.T)


def _curvatures(rows: Rows, residuals: Array) -> Array:
    """Of each row's loss: rows x outputs x outputs."""
    c = rows.outputs
    out = np.empty((rows.number, c, c))
    for k in range(c):
        unit = np.zeros_like(residuals)
        unit[:, k] = 1
        out[:, :, k] = rows.curved(residuals, unit)[:, :c]
    return out
