"""The duality gap: an upper bound on the distance of a fit's objective from the minimum.

With penalty = 1/C the objective, divided by C, is

    F = penalty/2 |W|^2 + sum_i s_i (log sum exp z_i - z_i,y)

A point of its dual is a distribution q_i for every row, like its probabilities p_i. The residuals s_i (q_i - e_y) must
sum to zero if the bias is free. With G(q) = sum_i s_i (q_i - e_y) x_i^T the gap between F and the dual at q is

    sum_i s_i KL(q_i | p_i)  +  |penalty W + G(q)|^2 / (2 penalty)

since F - D = sum s (log sum exp z + q . log q - q . z) + |penalty W + G|^2 / (2 penalty), and the first sum is a sum of
divergences. No term is negative, so no digits cancel, and F is above its minimum by at most this gap.

With q = p only the second term is left: the square of the gradient, divided by a penalty that may be a millionth of the
curvature. That bound is far too large. So q is p after a linear step: `direct` and `iterative` describe which.
"""

import numpy as np

from likely.optimize.softmax.problem import Array, Codes, SoftmaxProblem


def duality_gap(
    rows: SoftmaxProblem, penalty: float, dual: Array, residuals: Array, rest: Array, slope: Array, total: float
) -> float:
    """The gap at weights with the residuals s (p - y), for a dual point with the residuals s (q - y): `dual`. `rest` is
    penalty W + G(q), `slope` the same for the bias, and `total` the total weight of the rows. Infinite if q is not a
    dual point.
    """
    square = float(np.sum(rest**2))
    if rows.penalise_bias:
        square += float(slope @ slope)
    elif np.abs(slope).max() > 1e-10 * total:
        return np.inf
    c = rows.outputs
    distance = divergence(dual[:, :c], residuals[:, :c], rows.y, rows.weight)
    return distance + square / (2 * penalty) if penalty else distance


def divergence(q_less_y: Array, p_less_y: Array, y: Codes, weight: Array | None) -> float:
    """sum_i s_i KL(q_i | p_i) from residuals s (q - y) and s (p - y), rows x outputs; inf if a q is negative."""
    q, p = _shares(q_less_y, y, weight), _shares(p_less_y, y, weight)
    if np.any(q < -1e-10 * p):
        return np.inf
    q = np.maximum(q, 0.0)  # negative only by rounding
    change = q_less_y - p_less_y if q.shape == q_less_y.shape else np.hstack([p_less_y - q_less_y, q_less_y - p_less_y])
    with np.errstate(divide="ignore", invalid="ignore"):
        # q log(q/p) - (q - p) is never negative, and its sum over the classes is that of q log(q/p).
        terms = np.where(q > 0, q * np.log1p(change / p), 0.0) - change
    terms[(change == 0) | (p == 0)] = 0.0
    if np.any((p == 0) & (q > 1e-300)):
        return np.inf
    return max(float(terms.sum()), 0.0)


def _shares(residuals: Array, y: Codes, weight: Array | None) -> Array:
    """s p from s (p - y), for every class."""
    if residuals.shape[1] == 1:
        second = residuals[:, 0]
        w = np.ones(len(y)) if weight is None else weight
        own = y == 1
        return np.column_stack([np.where(own, -second, w - second), np.where(own, w + second, second)])
    shares = residuals.copy()
    shares[np.arange(len(y)), y] += 1.0 if weight is None else weight
    return shares
