"""How far a fit can be from the minimum: the duality gap.

With penalty = 1/C the objective over C is

    F = penalty/2 |W|^2 + sum_i s_i (log sum exp z_i - z_i,y)

Its dual has a distribution q_i for every row in the place of its probabilities p_i, and the residuals s_i (q_i - e_y)
must sum to zero if the bias is free. With G(q) = sum_i s_i (q_i - e_y) x_i^T the gap between F and the dual at q is

    sum_i s_i KL(q_i | p_i)  +  |penalty W + G(q)|^2 / (2 penalty)

since F - D = sum s (log sum exp z + q . log q - q . z) + |penalty W + G|^2 / (2 penalty), and the first sum is one of
divergences. No term is negative, so nothing cancels, and F is above its minimum by no more.

q = p would leave the second term alone: the square of the gradient, over a penalty that may be a millionth of the
curvature. So q is p after a linear step of its own: see `direct` and `iterative` for which.
"""

import numpy as np

from likely.optimize.softmax.problem import Array, Codes, SoftmaxProblem


def duality_gap(
    rows: SoftmaxProblem, penalty: float, dual: Array, residuals: Array, rest: Array, slope: Array, total: float
) -> float:
    """At weights with these residuals s (p - y), by a dual point with the residuals s (q - y): `dual`. `rest` is
    penalty W + G(q), and `slope` the same of the bias, of rows with this total weight. Infinite where q is no dual
    point.
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
    """sum_i s_i KL(q_i | p_i) from residuals s (q - y) and s (p - y), rows x outputs; inf if a q is below zero."""
    q, p = _shares(q_less_y, y, weight), _shares(p_less_y, y, weight)
    if np.any(q < -1e-10 * p):
        return np.inf
    q = np.maximum(q, 0.0)  # what rounding took below zero
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
