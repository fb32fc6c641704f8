"""Rough fits, for comparing candidates by their losses on other rows: L-BFGS, without a bound on the error.

A comparison needs weights only to about a thousandth of the objective; a duality gap as proof would take several times
as long as the fit.
"""

import numpy as np

from likely.engines import threads
from likely.optimize.softmax.problem import Array, SoftmaxFit
from likely.optimize.softmax.rows import SoftmaxRows

ENOUGH = 1e-4
"""A fit ends with a step that lowers the objective by less than this share. With 3e-4 fits take a quarter less time,
but then they miss the best scale of naive Bayes in a table that has one column eight times."""
MOST_STEPS = 100


def rough(rows: SoftmaxRows, c: float, start: SoftmaxFit | None = None) -> SoftmaxFit:
    """Weights and bias near the minimum, in at most MOST_STEPS steps. Their gap is not computed."""
    from scipy.optimize import minimize

    outputs, ridge = rows.outputs, rows.ridge(1 / c)[:, None]
    table = np.zeros((rows.columns + 1, outputs))
    if start is None:
        table[-1] = rows.first_bias
    else:
        table[:-1], table[-1] = start.weights.T, start.bias
    # Weights are rescaled so that the objective has the same curvature along each at the start.
    residuals = rows.residuals(rows.scores(table[:-1], table[-1]))[1]
    own = rows.own_curvature(residuals)
    curvatures = np.vstack([rows.squares(own), own.sum(axis=0)])[:, :outputs] + ridge
    size = 1 / np.sqrt(np.maximum(curvatures, 1e-8 * curvatures.max()))

    def objective(flat: Array) -> tuple[float, Array]:
        both = flat.reshape(table.shape) * size
        loss, residuals = rows.residuals(rows.scores(both[:-1], both[-1]))
        shrunk = ridge * both
        gradient = shrunk + np.vstack([rows.transposed(residuals), residuals.sum(axis=0)])[:, :outputs]
        return loss + float(np.sum(shrunk * both)) / 2, (gradient * size).ravel()

    options = {"maxiter": MOST_STEPS, "ftol": ENOUGH, "gtol": 0.0, "maxcor": 8}
    with threads.blas_alone():
        result = minimize(objective, (table / size).ravel(), jac=True, method="L-BFGS-B", options=options)
    both = result.x.reshape(table.shape) * size
    return SoftmaxFit(both[:-1].T.copy(), both[-1].copy(), c * float(result.fun), np.inf, int(result.nfev))
