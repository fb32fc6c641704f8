"""Newton's method by conjugate gradients, and L-BFGS where that fails, for sparse rows fewer than their columns.

The gradient is a sum of rows, so all work is on tables of rows x outputs: see `span`. Counts of 20 Newsgroups have 12
times as many columns as rows.

Newton's method does badly far from the minimum where some rows are a thousand times as long as others, as those of
counts are. L-BFGS, of which a step is one product, takes over where a step of Newton's must be shortened. Conjugate
gradients are not preconditioned: the penalty is the curvature of most directions, and what rows add to it is of few,
which dividing by the diagonal hides.
"""

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.iterative import bias_curvature, gap_at
from likely.models.logistic.memory import Memory
from likely.models.logistic.point import Found, first_bias, relative_to
from likely.models.logistic.rows import Rows, padded
from likely.models.logistic.span import Point, Space, Vector, product

Array = NDArray[np.float64]

LIMIT = 1000
NEWTON = 50
WINDOW = 10
SLOW = 3e-5
"""L-BFGS ends where WINDOW steps have lowered the value by less than this part of it."""
MOST_PRODUCTS = 400
FEW_PRODUCTS = 12
"""Of a step that is not the last."""
MOST_NUMBERS = 1 << 22
"""Of a table of rows x outputs, of which some fifty are held."""


def solve(rows: Rows, penalty: float, centre: Array, start: tuple[Array, Array] | None, tol: float) -> Found:
    """The minimum over weights (columns x outputs) and bias, to a gap of tol times the objective."""
    first, bias = start or (centre, first_bias(rows))
    offset = rows.scores(padded(centre, rows.width), np.zeros(rows.outputs))
    space = Space(rows, penalty, padded(first - centre, rows.width), offset)
    empty = np.zeros((rows.number, rows.width))
    at = Vector(empty, space.beyond_reach, 1.0, bias) if start else Vector(empty, empty, 0.0, bias)
    here = space.point(at, *space.value(at, space.square(at)))
    gap, fell = np.inf, np.inf
    for _ in range(NEWTON):
        wanted = tol * relative_to(rows, here.value)
        enough, most = wanted * penalty, MOST_PRODUCTS
        if fell > 1e-3 * here.value:  # there are other steps to come
            size = space.dot(here.gradient, here.gradient)
            enough, most = max(enough, (0.05 if fell > 0.1 * here.value else 0.01) * size), FEW_PRODUCTS
        step, left = _conjugate(space, here, enough, most)
        t, at, value, residuals = _halved(space, here, step)
        if t == 0:
            break
        if t == 1 and left / (2 * penalty) <= wanted:
            moved = here.residuals - rows.curved(here.residuals, step.scores)
            gap = gap_at(rows, penalty, space.weights(at), at.bias, moved, residuals)
        fell, done = here.value - value, gap <= tol * relative_to(rows, value)
        here = Point(at, value, residuals, here.gradient) if done else space.point(at, value, residuals)
        if done:
            break
        if t < 1:
            here, fell = _quasi_newton(space, here, tol), 0.0
    weights = space.weights(here.at)[:, : rows.outputs] + centre
    return Found(weights, here.at.bias, here.value, gap, space.passes)


def _quasi_newton(space: Space, here: Point, tol: float) -> Point:
    """L-BFGS until it is slow."""
    memory, values = Memory(space), [here.value]
    for _ in range(LIMIT):
        step, slope = memory.step(here.gradient)
        if not slope > tol * relative_to(space.rows, here.value):
            break
        t, there = _searched(space, here, step, slope, first=len(values) == 1)
        if there is None:
            break
        memory.add(t, step, here.gradient, there.gradient)
        here = there
        values.append(here.value)
        if len(values) > WINDOW and values[-1 - WINDOW] - here.value <= SLOW * here.value:
            break
    return here


def _searched(space: Space, here: Point, step: Vector, slope: float, first: bool) -> tuple[float, Point | None]:
    """Along the step until the value falls as it should and its slope is nine tenths of what it was, or less."""
    rows, low, high = space.rows, 0.0, np.inf
    scores = step.scores
    square, across = space.square(step), space.dot(step, here.at) - float(step.bias @ here.at.bias)
    begin = space.square(here.at)
    t = 1.0
    if first:  # there is no scale yet but that of the curvature along it
        bent = product(scores, rows.curved(here.residuals, scores)) + space.penalty * square
        t = slope / bent if bent > 0 else 1.0
    for _ in range(40):
        at = here.at.plus(-t, step)
        value, residuals = space.value(at, begin - 2 * t * across + t * t * square)
        still = product(residuals, scores) + space.penalty * (across - t * square)
        still += space.own * float(step.bias @ at.bias)
        if not value <= here.value - 1e-4 * t * slope:
            high = t
        elif still > 0.9 * slope:
            low = t
        else:
            return t, space.point(at, value, residuals)
        t = 2 * low if high == np.inf else (low + high) / 2
    return 0.0, None


def _conjugate(space: Space, here: Point, enough: float, most: int) -> tuple[Vector, float]:
    """Towards H^-1 gradient until the square of what is left of the gradient is small enough, and that square.

    The bias is eliminated: along every direction it is the one that makes the residuals add up to zero.
    """
    rows, penalty, c = space.rows, space.penalty, space.rows.outputs
    inverse = np.linalg.inv(bias_curvature(rows, here.residuals, penalty))
    slope = here.gradient.bias
    nothing = np.zeros_like(here.residuals)
    step = Vector(nothing, nothing, 0.0, inverse @ slope)
    level = np.zeros_like(nothing)
    level[:, :c] = step.bias
    level = rows.curved(here.residuals, level)
    none = np.zeros(c)
    left = Vector(here.gradient.rows - level, here.gradient.reach - space.reach(level), here.gradient.span, none)
    towards = left
    power = space.dot(left, left)
    for _ in range(most):
        if power <= enough:
            break
        scores = towards.reach.copy()
        own = -inverse @ rows.curved(here.residuals, scores)[:, :c].sum(axis=0)
        scores[:, :c] += own
        curved = rows.curved(here.residuals, scores)
        bent = product(towards.reach, curved) + penalty * space.dot(towards, towards)
        if not bent > 0:
            break
        t = power / bent
        step = step.plus(t, Vector(towards.rows, towards.reach, towards.span, own))
        reach = space.reach(curved)
        reach += penalty * towards.reach
        left = left.plus(-t, Vector(curved + penalty * towards.rows, reach, penalty * towards.span, none))
        power, before = space.dot(left, left), power
        towards = left.plus(power / before, towards)
    return step, power


def _halved(space: Space, here: Point, step: Vector) -> tuple[float, Vector, float, Array]:
    """The first of the step, its half, its quarter ... that lowers the value as it should; 0 if none does."""
    fall = space.dot(step, here.gradient)
    t = 1.0
    for halvings in range(40):
        t = 0.5**halvings
        at = here.at.plus(-t, step)
        value, residuals = space.value(at, space.square(at))
        rounding = halvings == 0 and fall <= 1e-11 * here.value and value <= here.value * (1 + 1e-14)
        if rounding or value <= here.value - 1e-4 * t * fall:
            return t, at, value, residuals
    return 0.0, here.at, here.value, here.residuals
