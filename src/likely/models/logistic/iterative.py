"""Newton's method by conjugate gradients, for sparse rows and for many columns.

Only products of the rows with tables are needed, and all else is work on tables of rows x outputs. So the scores along
a step are known, and its length and the gap cost no pass. The bias is eliminated from the equations of a step: along
every direction it is the one that makes the residuals add up to zero, to first order.

The dual point is what the linear model of a step says the probabilities become: q = p - A (X d + its bias). If
H d = gradient - rest, then G(q) = -penalty (U - d) + rest, so that at the end of a full step the gap is

    sum_i s_i KL(q_i | p_i there)  +  |rest|^2 / (2 penalty)

and the residual of the conjugate gradients is what to bring down.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.models.logistic.certificate import divergence
from likely.models.logistic.point import Found, first_bias, relative_to
from likely.models.logistic.rows import Rows, padded

Array = NDArray[np.float64]

LIMIT = 300
MOST_PRODUCTS = 400
SHORT = 1 << 17
"""Numbers of a table that one thread works on at a time: a megabyte, for what it costs to share out."""


def solve(rows: Rows, penalty: float, centre: Array, start: tuple[Array, Array] | None, tol: float) -> Found:
    """The minimum over weights (columns x outputs) and bias, to a gap of tol times the objective."""
    c = rows.outputs
    first, bias = start or (centre, first_bias(rows))
    away = padded(first - centre, rows.width)
    scores = rows.scores(padded(first, rows.width), np.zeros(c))
    scores[:, :c] += bias
    loss, residuals = rows.residuals(scores.copy())
    own = penalty if rows.held else 0.0
    value = loss + penalty / 2 * _dot(away, away) + own / 2 * float(bias @ bias)
    gap, passes, radius, fell = np.inf, 1, np.inf, np.inf
    for _ in range(LIMIT):
        gradient = rows.transposed(residuals)
        gradient += penalty * away
        size = _dot(gradient, gradient)
        passes += 1
        slope = residuals[:, :c].sum(axis=0) + own * bias
        level = np.abs(slope).max() <= 1e-12 * rows.total
        if level and penalty and size / (2 * penalty) <= tol * relative_to(rows, value):
            gap = size / (2 * penalty)
            break
        # Half of the gap that is asked for is left for the residual, once a step is likely to be the last.
        enough = tol * relative_to(rows, value) * penalty if penalty else 1e-6 * size
        if fell > 1e-3 * value:
            enough = max(enough, 0.01 * size)
        patience = 0.5 if fell > 0.1 * value else 0.0
        step = _conjugate(rows, residuals, penalty, gradient, slope, enough, patience, radius)
        passes += step.passes
        fall = _dot(gradient, step.weights) + float(slope @ step.bias)
        t, there = _searched(rows, penalty, away, bias, scores, step, value, fall)
        if there is None:
            break
        if t == 1 and penalty and step.left / (2 * penalty) <= tol * relative_to(rows, value):
            moved = residuals - rows.curved(residuals, step.scores)
            gap = gap_at(rows, penalty, away - step.weights, bias - step.bias, moved, there[1])
            passes += 1
        fell, length = value - there[0], t * np.sqrt(np.mean(step.scores**2))
        if t < 1 or fell < 0.25 * step.promise:
            radius = min(radius, length)
        elif fell > 0.75 * step.promise:
            radius = max(radius, 3 * length)
        _add(away, -t, step.weights)
        _add(scores, -t, step.scores)
        value, residuals = there
        bias = bias - t * step.bias
        if gap <= tol * relative_to(rows, value) or (not penalty and step.promise <= tol * relative_to(rows, value)):
            break
    return Found(away[:, :c] + centre, bias, value, gap, passes)


@dataclass
class _Step:
    weights: Array
    scores: Array
    bias: Array
    left: float
    """The square of what is left of the gradient."""
    promise: float
    """By how much the value would fall if it were quadratic."""
    passes: int


def gap_at(rows: Rows, penalty: float, away: Array, bias: Array, dual: Array, residuals: Array) -> float:
    """With the residuals of a dual point, at weights that have these residuals. Worked out from the rows, as conjugate
    gradients know what is left only as rounding lets them.
    """
    c = rows.outputs
    slope = dual[:, :c].sum(axis=0) + (penalty * bias if rows.held else 0.0)
    if not rows.held and np.abs(slope).max() > 1e-10 * rows.total:
        return np.inf
    left = rows.transposed(dual)
    left += penalty * away
    square = _dot(left, left) + (float(slope @ slope) if rows.held else 0.0)
    return divergence(dual[:, :c], residuals[:, :c], rows.y, rows.weight) + square / (2 * penalty)


def _short(table: Array) -> list[slice]:
    return threads.pieces(table.size, 8 * (threads.PIECE // (8 * SHORT)))


def _dot(a: Array, b: Array) -> float:
    flat, other = a.ravel(), b.ravel()
    return float(threads.total(lambda part: np.einsum("i,i->", flat[part], other[part]), _short(a)))


def _add(to: Array, times: float, table: Array) -> None:
    flat, other = to.ravel(), table.ravel()

    def work(part: slice) -> None:
        flat[part] += times * other[part]

    threads.run(work, _short(to))


def bias_curvature(rows: Rows, residuals: Array, penalty: float) -> Array:
    """Of the objective by the bias. If it is free, all biases together change nothing, and there it is made as large as
    of the others.
    """
    c = rows.outputs
    out = np.empty((c, c))
    for k in range(c):
        unit = np.zeros_like(residuals)
        unit[:, k] = 1
        out[k] = rows.curved(residuals, unit)[:, :c].sum(axis=0)
    if rows.held:
        return out + penalty * np.eye(c)
    least = max(float(np.trace(out)) / c, 1e-300)
    return out + (least / c if c > 1 else 0.0) + 1e-15 * least * np.eye(c)


def _conjugate(
    rows: Rows,
    residuals: Array,
    penalty: float,
    gradient: Array,
    slope: Array,
    enough: float,
    patience: float,
    radius: float,
) -> _Step:
    """Towards H^-1 gradient, until what is left of the gradient is small enough; or the scores have moved by `radius`
    in the mean; or the promise grows by less than `patience` of what each product has brought so far.
    """
    c = rows.outputs
    inverse = np.linalg.inv(bias_curvature(rows, residuals, penalty))
    scale = rows.squares(rows.own_curvature(residuals))
    scale += penalty
    np.divide(1.0, scale, out=scale)
    step = _Step(np.zeros_like(gradient), np.zeros_like(residuals), np.zeros(c), np.inf, 0.0, 1)
    left = gradient.copy()
    if slope.any():
        step.bias = inverse @ slope
        step.scores[:, :c] = step.bias
        step.promise = float(slope @ step.bias) / 2
        left -= rows.transposed(rows.curved(residuals, step.scores))
        step.passes += 1
    towards = scale * left
    power = _dot(left, towards)
    if power == 0:  # there is nothing but the bias
        step.left = 0.0
        return step
    weights, rest, scales = step.weights.ravel(), left.ravel(), scale.ravel()
    for products in range(1, MOST_PRODUCTS):
        scores = rows.product(towards)
        own = -inverse @ rows.curved(residuals, scores)[:, :c].sum(axis=0)
        scores[:, :c] += own
        bent = rows.transposed(rows.curved(residuals, scores))
        _add(bent, penalty, towards)
        t = power / _dot(towards, bent)
        flat, curved, before = towards.ravel(), bent.ravel(), power

        def moved(part: slice, t: float = t, flat: Array = flat, curved: Array = curved) -> Array:
            weights[part] += t * flat[part]
            rest[part] -= t * curved[part]
            here = rest[part]
            return np.array([np.einsum("i,i->", here, here), np.einsum("i,i,i->", here, here, scales[part])])

        step.left, power = threads.total(moved, _short(bent)).tolist()
        _add(step.scores, t, scores)
        step.bias += t * own
        step.promise += t * before / 2
        step.passes += 2
        if step.left <= enough or products * t * before / 2 < patience * step.promise:
            break
        if radius < np.inf and np.mean(step.scores**2) > radius**2:
            break

        def turned(part: slice, times: float = power / before, flat: Array = flat) -> None:
            flat[part] *= times
            flat[part] += scales[part] * rest[part]

        threads.run(turned, _short(bent))
    return step


def _searched(
    rows: Rows, penalty: float, away: Array, bias: Array, scores: Array, step: _Step, value: float, fall: float
) -> tuple[float, tuple[float, Array] | None]:
    """The first of the step, its half, its quarter ... that lowers the value as it should; and what is there."""
    straight, square, across = _dot(away, away), _dot(step.weights, step.weights), _dot(away, step.weights)
    if rows.held:
        straight += float(bias @ bias)
        square += float(step.bias @ step.bias)
        across += float(bias @ step.bias)
    for halvings in range(40):
        t = 0.5**halvings
        loss, residuals = rows.residuals(scores - t * step.scores)
        reached = loss + penalty / 2 * (straight - 2 * t * across + t * t * square)
        rounding = halvings == 0 and fall <= 1e-11 * value and reached <= value * (1 + 1e-14)
        if rounding or reached <= value - 1e-4 * t * fall:
            return t, (reached, residuals)
    return 0.0, None
