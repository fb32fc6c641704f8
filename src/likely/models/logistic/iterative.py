"""Newton's method by conjugate gradients, for sparse rows and for many columns.

Only products of the rows with tables are needed, and all else is work on tables of rows x outputs. So the scores along
a step are known, and the step's length, the best bias and the gap cost no pass. The bias is eliminated: it is the best
for the weights at every point, and along every direction.

The dual point is what the linear model of a step says the probabilities become: q = p - A (X d + its bias). If
H d = gradient - rest, then G(q) = -penalty (U - d) + rest, so that at the end of a full step the gap is

    sum_i s_i KL(q_i | p_i there)  +  |rest|^2 / (2 penalty)

and the residual of the conjugate gradients is what to bring down.
"""

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.certificate import divergence
from likely.models.logistic.point import Found, bias_of_shares, relative_to
from likely.models.logistic.rows import Rows, padded

Array = NDArray[np.float64]

LIMIT = 60
MOST_PRODUCTS = 400


def solve(rows: Rows, penalty: float, centre: Array, start: tuple[Array, Array] | None, tol: float) -> Found:
    """The minimum over weights (columns x outputs) and bias, to a gap of tol times the objective."""
    c = rows.outputs
    first, bias = start or (centre, bias_of_shares(rows))
    away = padded(first - centre, rows.width)
    scores = rows.scores(padded(first, rows.width), np.zeros(c))
    loss, residuals, bias = _with_best_bias(rows, scores, bias)
    value = loss + penalty / 2 * _dot(away, away)
    gap, passes, least = np.inf, 1, None
    drift = np.zeros(c)  # of the bias, in the scores along steps
    for _ in range(LIMIT):
        gradient = rows.transposed(residuals)
        gradient += penalty * away
        size = _dot(gradient, gradient)
        passes += 1
        if penalty and size / (2 * penalty) <= tol * relative_to(rows, value):
            gap = size / (2 * penalty)
            break
        least = size if least is None else least
        # Loose far away, tight near by: half of the gap that is asked for is left for the residual.
        enough = max(min(0.1, np.sqrt(size / least)) ** 2 * size, tol * relative_to(rows, value) * penalty)
        step, along, shift, rest, products = _conjugate(rows, residuals, penalty, gradient, enough)
        passes += products
        t, there = _searched(rows, penalty, away, scores, bias, step, along, value, _dot(gradient, step))
        if there is None:
            break
        if t == 1 and penalty and rest / (2 * penalty) <= tol * relative_to(rows, value):
            moved = residuals - rows.curved(residuals, along)
            gap = divergence(moved[:, :c], there[1][:, :c], rows.y, rows.weight) + rest / (2 * penalty)
        away -= t * step
        scores -= t * along
        value, residuals, bias = there
        drift += t * shift
        if gap <= tol * relative_to(rows, value):
            break
    return Found(away[:, :c] + centre, bias - drift, value, gap, passes)


def _dot(a: Array, b: Array) -> float:
    return float(np.dot(a.ravel(), b.ravel()))


def _with_best_bias(rows: Rows, scores: Array, bias: Array) -> tuple[float, Array, Array]:
    """The loss, the residuals and the bias, where no other bias would lower the loss."""
    c = rows.outputs
    loss, residuals = _at(rows, scores, bias)
    for _ in range(50):
        slope = residuals[:, :c].sum(axis=0)
        if np.abs(slope).max() <= 1e-13 * rows.total:
            break
        step = np.linalg.solve(_bias_curvature(rows, residuals), slope)
        t, lower = 1.0, False
        for _ in range(30):
            there, changed = _at(rows, scores, bias - t * step)
            if lower := there <= loss + 1e-15 * abs(loss):
                break
            t /= 2
        if not lower or (there >= loss and np.abs(changed[:, :c].sum(axis=0)).max() >= np.abs(slope).max()):
            break
        loss, residuals, bias = there, changed, bias - t * step
    return loss, residuals, bias


def _at(rows: Rows, scores: Array, bias: Array) -> tuple[float, Array]:
    moved = scores.copy()
    moved[:, : rows.outputs] += bias
    return rows.residuals(moved)


def _bias_curvature(rows: Rows, residuals: Array) -> Array:
    """Of the loss by the bias; of all biases together, which changes nothing, it is made one."""
    c = rows.outputs
    if c == 1:
        size = np.abs(residuals[:, 0])
        share = size if rows.weight is None else np.divide(size, rows.weight, out=np.zeros_like(size), where=size > 0)
        return np.array([[max(float(np.dot(size, 1 - share)), 1e-300)]])
    shares = residuals[:, :c].copy()
    shares[np.arange(rows.number), rows.y] += 1.0 if rows.weight is None else rows.weight
    if rows.weight is None:
        crossed = shares.T @ shares
    else:
        crossed = shares.T @ np.divide(shares, rows.weight[:, None], out=np.zeros_like(shares), where=shares > 0)
    out = np.diag(shares.sum(axis=0)) - crossed
    return np.asarray(out + max(np.trace(out), 1e-300) / c**2 + 1e-14 * np.trace(out) * np.eye(c))


def _conjugate(
    rows: Rows, residuals: Array, penalty: float, gradient: Array, enough: float
) -> tuple[Array, Array, Array, float, int]:
    """The step, the scores along it, their bias, the square of what is left of the gradient, and passes."""
    c = rows.outputs
    inverse = np.linalg.inv(_bias_curvature(rows, residuals))
    scale = 1 / (penalty + rows.squares(_own_curvature(rows, residuals)))
    step, rest = np.zeros_like(gradient), gradient.copy()
    towards = scale * rest
    along, shift = np.zeros_like(residuals), np.zeros(c)
    power = _dot(rest, towards)
    products = 0
    left = np.inf
    while left > enough and products < MOST_PRODUCTS:
        products += 1
        scores = rows.product(towards)
        own = -inverse @ rows.curved(residuals, scores)[:, :c].sum(axis=0)
        scores[:, :c] += own
        bent = rows.transposed(rows.curved(residuals, scores))
        bent += penalty * towards
        t = power / _dot(towards, bent)
        step += t * towards
        along += t * scores
        shift += t * own
        rest -= t * bent
        left = _dot(rest, rest)
        scaled = scale * rest
        before, power = power, _dot(rest, scaled)
        towards *= power / before
        towards += scaled
    return step, along, shift, left, 2 * products + 1


def _own_curvature(rows: Rows, residuals: Array) -> Array:
    """The diagonal of each row's curvature: weight p (1 - p)."""
    out = np.abs(residuals)
    share = out if rows.weight is None else np.divide(out, rows.weight[:, None], out=np.zeros_like(out), where=out > 0)
    return np.asarray(out * (1 - share))


def _searched(
    rows: Rows,
    penalty: float,
    away: Array,
    scores: Array,
    bias: Array,
    step: Array,
    along: Array,
    value: float,
    slope: float,
) -> tuple[float, tuple[float, Array, Array] | None]:
    """The first of the step, its half, its quarter ... that lowers the value as it should, and what is there."""
    straight, square, across = _dot(away, away), _dot(step, step), _dot(away, step)
    for halvings in range(40):
        t = 0.5**halvings
        loss, residuals, there = _with_best_bias(rows, scores - t * along, bias)
        reached = loss + penalty / 2 * (straight - 2 * t * across + t * t * square)
        if reached <= value - 1e-4 * t * slope or (
            halvings == 0 and slope <= 1e-11 * value and reached <= value * (1 + 1e-14)
        ):
            return t, (reached, residuals, there)
    return 0.0, None
