"""The Hessian at the solution: standard errors, and leave-one-out scores by one Newton step."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.optimize.polyhedral import left_free
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows
from likely.optimize.softmax.problem import Array, contrasted, contrasts
from likely.optimize.softmax.rows import padded

MOST_BYTES = 1 << 27
"""The most bytes of a covariance: 4,096 unknowns. About five matrices of this size are in memory at a time."""
FAR = 1.0
"""The most by which leaving a row out may change its own scores. The curvature of a loss changes by a factor of e for
each unit, and a Newton step assumes that it is constant."""


class RowsLeftOut(NamedTuple):
    """Leave-one-out scores by one Newton step."""

    scores: Array
    """rows x outputs."""
    leverage: Array
    """The leverage of each row: the share of its own loss in the curvature along its scores, from 0 to 1."""
    doubtful: NDArray[np.bool]
    """Rows that change their own scores too much for one Newton step."""


@dataclass(frozen=True)
class Information:
    """The inverse Hessian at the solution, of the objective divided by C: 1/C on weights, and the loss."""

    rows: SoftmaxRows
    solution: SoftmaxFit
    residuals: Array
    covariance: Array | None
    """The covariance of the weights, outputs x (columns + 1) squared, the bias last. None for more than 4,096 unknowns,
    or if weights are not determined. The weights of a column sum to 0 over the classes: only the penalty decides about
    a constant that is added to all of them.
    """
    variances: Array
    """The diagonal of the covariance, outputs x (columns + 1). If the covariance is None, one over the diagonal of the
    Hessian, as if columns and classes were independent.
    """
    c: float
    change: Array | None
    """The change of each row's offset when naive Bayes leaves the row out: rows x outputs; None without naive Bayes."""

    @property
    def standard_errors(self) -> Array:
        """The standard errors: outputs x (columns + 1), the bias last."""
        return np.sqrt(self.variances)

    def loo(self) -> RowsLeftOut:
        """Leave-one-out for every row, by one Newton step from the solution; exact if the objective is quadratic.
        Without a covariance, it uses only the diagonal of the Hessian.
        """
        rows, c = self.rows, self.rows.outputs
        scores = rows.scores(self.solution.weights.T, self.solution.bias)[:, :c]
        spread = self._spread()
        own = np.stack([rows.curved_by(self.residuals, k) for k in range(c)], axis=2)  # rows x outputs x outputs
        # z' = z + (B^-1 - A)^-1 u, of a row's own B = x^T covariance x and A, the curvature of its loss
        both = spread @ own
        moved = np.linalg.solve(np.eye(c) - both, spread @ self.residuals[:, :c, None])[:, :, 0]
        leverage = np.asarray(np.trace(both, axis1=1, axis2=2))
        doubtful = np.ptp(np.hstack([moved, np.zeros((len(moved), 1))]) if c == 1 else moved, axis=1) > FAR
        if self.change is not None:
            # The row's offset changes. Its scores follow only as far as the penalty determines them, not other rows.
            square = rows.squared_product(padded(np.ones((rows.columns, 1)), rows.width))[:, :1] + 1.0
            kept = spread / (self.c * square)[:, :, None]
            moved = moved + (kept @ self.change[:, :, None])[:, :, 0]
        return RowsLeftOut(scores + moved, leverage, doubtful)

    def _spread(self) -> Array:
        """x^T covariance x for every row x: rows x outputs x outputs."""
        rows, c, size = self.rows, self.rows.outputs, self.rows.columns + 1
        out = np.zeros((rows.number, c, c))
        if self.covariance is None:
            spread = rows.squared_product(padded(self.variances[:, :-1].T, rows.width))[:, :c] + self.variances[:, -1]
            out[:, np.arange(c), np.arange(c)] = spread
            return out
        blocks = self.covariance.reshape(c, size, c, size)
        for k in range(c):
            for other in range(k + 1):
                out[:, k, other] = out[:, other, k] = rows.forms(blocks[k, :, other])
        return out


def information(rows: SoftmaxRows, solution: SoftmaxFit, c: float = 1.0, change: Array | None = None) -> Information:
    """The information at the solution of these rows. It assumes that active constraints stay active."""
    outputs, size = rows.outputs, rows.columns + 1
    residuals = rows.residuals(rows.scores(solution.weights.T, solution.bias))[1]
    few = 8 * (size * outputs) ** 2 <= MOST_BYTES
    covariance = _covariance(rows, residuals, c, solution.active) if few else None
    if covariance is None:
        own = rows.own_curvature(residuals)
        diagonal = np.vstack([rows.squares(own), own.sum(axis=0)])[:, :outputs].T + rows.ridge(1 / c)
        variances = 1 / np.maximum(diagonal, 1e-300)
    else:
        variances = np.maximum(np.diag(covariance), 0).reshape(outputs, size)
    return Information(rows, solution, residuals, covariance, variances, c, change)


def _covariance(rows: SoftmaxRows, residuals: Array, c: float, active: Array | None) -> Array | None:
    """The inverse Hessian; None if it is singular, as for collinear columns without a penalty."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    curvature = rows.curvature(residuals)
    curvature[np.diag_indices(len(curvature))] += np.tile(rows.ridge(1 / c), rows.outputs)
    table = contrasts(rows.outputs)
    free = contrasted(curvature, table)
    along = None if active is None else left_free(active)
    try:
        with threads.blas_alone(len(free) ** 3):
            if along is None:
                inverse = cho_solve(cho_factor(free, lower=True), np.eye(len(free)))
            else:
                inverse = along @ cho_solve(cho_factor(along.T @ free @ along, lower=True), along.T)
    except LinAlgError:
        return None
    return contrasted(inverse, table.T)
