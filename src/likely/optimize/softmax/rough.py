"""Rough fits, for comparing candidates by their losses on other rows: L-BFGS, without a proof of how good they are.

A comparison needs weights to about a thousandth of the objective; a gap that proves it would take several times as long
as they do.
"""

import numpy as np

from likely.engines import threads
from likely.optimize.softmax.problem import Array, SoftmaxFit
from likely.optimize.softmax.rows import SoftmaxRows

ENOUGH = 1e-4
"""Of the objective: a step that wins less is the last. With 3e-4 fits take a quarter less, but where one column comes
eight times the scale of naive Bayes is then not found."""
MOST_STEPS = 100


def rough(rows: SoftmaxRows, c: float, start: SoftmaxFit | None = None) -> SoftmaxFit:
    """Weights and bias near those of the least objective, in at most MOST_STEPS steps. Its gap is not known."""
    from scipy.optimize import minimize

    outputs, ridge = rows.outputs, rows.ridge(1 / c)[:, None]
    table = np.zeros((rows.columns + 1, outputs))
    if start is None:
        table[-1] = rows.first_bias
    else:
        table[:-1], table[-1] = start.weights.T, start.bias
    # Weights are solved for in units in which all bend the objective alike at the start.
    residuals = rows.residuals(rows.scores(table[:-1], table[-1]))[1]
    own = rows.own_curvature(residuals)
    bends = np.vstack([rows.squares(own), own.sum(axis=0)])[:, :outputs] + ridge
    size = 1 / np.sqrt(np.maximum(bends, 1e-8 * bends.max()))

    def objective(flat: Array) -> tuple[float, Array]:
        both = flat.reshape(table.shape) * size
        loss, residuals = rows.residuals(rows.scores(both[:-1], both[-1]))
        shrunk = ridge * both
        gradient = shrunk + np.vstack([rows.transposed(residuals), residuals.sum(axis=0)])[:, :outputs]
        return loss + float(np.sum(shrunk * both)) / 2, (gradient * size).ravel()

    options = {"maxiter": MOST_STEPS, "ftol": ENOUGH, "gtol": 0.0, "maxcor": 8}
    with threads.blas_alone():
        found = minimize(objective, (table / size).ravel(), jac=True, method="L-BFGS-B", options=options)
    both = found.x.reshape(table.shape) * size
    return SoftmaxFit(both[:-1].T.copy(), both[-1].copy(), c * float(found.fun), np.inf, int(found.nfev))
