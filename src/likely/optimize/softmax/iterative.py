"""Newton's method by conjugate gradients, for sparse rows and for many columns.

It needs only products of the rows with tables. The scores along a step are known, so its length and the gap need no
pass over the rows. The bias is eliminated from the equations of a step: in every direction it is the one that makes the
residuals sum to zero, to first order.

The dual point is the probabilities that the linear model of a step predicts: q = p - A (X d + its bias). If
H d = gradient - rest, then G(q) = -penalty (W - d) + rest, so that at the end of a full step the gap is

    sum_i s_i KL(q_i | p_i there)  +  |rest|^2 / (2 penalty)

and the conjugate gradients must reduce their residual, `rest`.

If rows have very different lengths, as counts have, the quadratic model of a step is good only nearby. So there is a
trust region: a step ends when the mean change of the scores reaches a radius, which grows or shrinks with how well the
model predicted the fall.
"""

from typing import NamedTuple

import numpy as np

from likely.optimize.softmax.certificate import duality_gap
from likely.optimize.softmax.problem import Array, SoftmaxFit
from likely.optimize.softmax.space import ColumnSpace, RowSpace
from likely.optimize.softmax.steps import halved

LIMIT = 300
MOST_PRODUCTS = 400
MOST_NUMBERS = 1 << 22
"""The most numbers of a table of rows x outputs in `RowSpace`."""


def solve(space: ColumnSpace, start: SoftmaxFit | None, tol: float) -> SoftmaxFit:
    """The minimum over weights (columns x outputs) and bias, up to a gap of tol times the objective."""
    rows, penalty = space.rows, space.penalty
    here = space.start(start)
    value, residuals = space.along(here, np.zeros_like(here))(0.0)
    gap = radius = fell = np.inf
    for _ in range(LIMIT):
        gradient = space.gradient(here, residuals)
        size, wanted = space.dot(gradient, gradient), tol * rows.scale_of(value)
        level = np.abs(space.bias(gradient)).max() <= 1e-12 * rows.total
        if level and penalty and size / (2 * penalty) <= wanted:
            gap = size / (2 * penalty)
            break
        # When a step is likely to be the last, half of the tolerated gap is left for the residual.
        enough = wanted * penalty if penalty else 1e-6 * size
        if fell > 1e-3 * value:
            enough = max(enough, 0.01 * size)
        step = _conjugate(space, residuals, gradient, enough, 0.5 if fell > 0.1 * value else 0.0, radius, value)
        moved = halved(space.along(here, step.vector), value, space.dot(gradient, step.vector))
        if moved is None:
            break
        t, reached, after = moved
        fell, length = value - reached, t * np.sqrt(np.mean(space.scores(step.vector) ** 2))
        here -= t * step.vector
        if t == 1 and penalty and step.left / (2 * penalty) <= wanted:
            dual = residuals - rows.curved(residuals, space.scores(step.vector))
            # Computed from the rows: the residual of the conjugate gradients has rounding errors.
            rest = penalty * space.weights(here, dual / penalty)
            slope = dual[:, : rows.outputs].sum(axis=0) + space.bias(space.ridge(here))
            gap = duality_gap(rows, penalty, dual, after, rest, slope, rows.total)
        if t < 1 or fell < 0.25 * step.promise:
            radius = min(radius, length)
        elif fell > 0.75 * step.promise:
            radius = max(radius, 3 * length)
        value, residuals = reached, after
        wanted = tol * rows.scale_of(value)
        if gap <= wanted or (not penalty and step.promise <= wanted):
            break
    c = rows.outputs
    of_rows = space.table(here)[:, :c] if isinstance(space, RowSpace) else None
    return SoftmaxFit(space.weights(here)[:, :c].T, space.bias(here), value, gap, space.passes, dual=of_rows)


class _Step(NamedTuple):
    """A step of the conjugate gradients."""

    vector: Array
    left: float
    """The squared norm of the residual gradient."""
    promise: float
    """By how much the value would fall if it were quadratic."""


def _conjugate(
    space: ColumnSpace,
    residuals: Array,
    gradient: Array,
    enough: float,
    patience: float,
    radius: float,
    value: float,
) -> _Step:
    """Conjugate gradients towards H^-1 gradient. They end when the residual gradient is small enough, when the mean
    change of the scores is `radius`, when the predicted fall grows by less than `patience` times its mean growth so
    far, or when it is above the value, which can't fall below 0. (With the last rule counts of 20 Newsgroups take 1,379
    passes, without it 4,283.)
    """
    rows, c = space.rows, space.rows.outputs
    inverse = np.linalg.inv(_bias_curvature(space, residuals))
    scaled, slope = space.preconditioned(residuals), space.bias(gradient)
    step, left = space.made(0.0, inverse @ slope, 0.0), gradient.copy()
    promise = float(slope @ space.bias(step)) / 2
    if slope.any():
        left -= space.bent(step, residuals)
    space.bias(left)[:] = 0.0
    towards = scaled(left)
    square, power = space.dot(left, left), space.dot(left, towards)
    for products in range(1, MOST_PRODUCTS):
        if square <= enough:  # only the bias is left to change
            break
        space.reached(towards)
        space.bias(towards)[:] = -inverse @ rows.curved(residuals, space.reach(towards))[:, :c].sum(axis=0)
        bent = space.bent(towards, residuals)
        t = power / space.dot(towards, bent)
        step += t * towards
        left -= t * bent
        space.bias(left)[:] = 0.0
        promise += t * power / 2
        next_ = scaled(left)
        square, (power, before) = space.dot(left, left), (space.dot(left, next_), power)
        if products * t * before / 2 < patience * promise or promise > value:
            break
        if radius < np.inf and np.mean(space.scores(step) ** 2) > radius**2:
            break
        towards *= power / before
        towards += next_
    return _Step(step, square, promise)


def _bias_curvature(space: ColumnSpace, residuals: Array) -> Array:
    """The Hessian of the objective in the biases. If they are free, a constant added to all of them changes no loss;
    that direction is given the mean curvature of the others.
    """
    c = space.rows.outputs
    out = np.array([space.rows.curved_by(residuals, k).sum(axis=0) for k in range(c)])
    if space.rows.penalise_bias:
        return out + space.penalty * np.eye(c)
    least = max(float(np.trace(out)) / c, 1e-300)
    return out + (least / c if c > 1 else 0.0) + 1e-15 * least * np.eye(c)
