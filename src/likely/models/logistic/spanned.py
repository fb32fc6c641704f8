"""Quasi-Newton, then Newton's method by conjugate gradients, for sparse rows that are fewer than their columns.

The gradient is a sum of rows, so weights that begin at their centre stay in what the rows span: U = X^T a. All work is on
tables of rows x outputs, a and its scores X X^T a, by which every product of two such weights is known; the columns are
met only within the two passes that give X X^T. Counts of 20 Newsgroups have 12 times as many columns as rows. Weights that
begin elsewhere are one direction more.

Newton's method alone does badly far from the minimum where some rows are a thousand times as long as others, as
those of counts are: 70 steps of up to 15 products each. L-BFGS, of which a step is one product, is there in 200.
Conjugate gradients are not preconditioned. The penalty is the curvature of most directions, and what rows add to it
is of few: dividing by the diagonal hides that, and took 300 products where 60 do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.iterative import bias_curvature, gap_at
from likely.models.logistic.point import Found, first_bias, relative_to
from likely.models.logistic.rows import Rows, padded

Array = NDArray[np.float64]

LIMIT = 1000
NEWTON = 50
MEMORY = 10
WINDOW = 10
SLOW = 3e-5
"""L-BFGS ends where WINDOW steps have lowered the value by less than this part of it."""
MOST_PRODUCTS = 400
FEW_PRODUCTS = 12
"""Of a step that is not the last. One that needs more is no good so far out, and L-BFGS takes over."""
MOST_NUMBERS = 1 << 22
"""Of a table of rows x outputs, of which some forty are held."""


@dataclass
class _Vector:
    """Weights X^T rows + span * beyond, and a bias."""

    rows: Array
    reach: Array
    """Their scores, without the bias."""
    span: float
    bias: Array

    @property
    def scores(self) -> Array:
        found = self.reach.copy()
        found[:, : len(self.bias)] += self.bias
        return found

    def plus(self, times: float, other: "_Vector") -> "_Vector":
        return _Vector(
            self.rows + times * other.rows,
            self.reach + times * other.reach,
            self.span + times * other.span,
            self.bias + times * other.bias,
        )


@dataclass
class _Point:
    at: _Vector
    value: float
    residuals: Array
    gradient: _Vector


class _Space:
    """The objective over what the rows span and the weights `beyond`, with which it begins."""

    def __init__(self, rows: Rows, penalty: float, beyond: Array, offset: Array) -> None:
        self.rows, self.penalty, self.beyond, self.offset = rows, penalty, beyond, offset
        self.beyond_reach = rows.product(beyond)
        self.beyond_square = _dot(beyond, beyond)
        self.own = penalty if rows.held else 0.0
        self.passes = 1

    def dot(self, a: _Vector, b: _Vector) -> float:
        across = _dot(self.beyond_reach, b.rows) + b.span * self.beyond_square if a.span else 0.0
        return _dot(a.rows, b.reach) + a.span * across + float(a.bias @ b.bias)

    def reach(self, table: Array) -> Array:
        self.passes += 2
        return self.rows.product(self.rows.transposed(table))

    def value(self, at: _Vector, square: float) -> tuple[float, Array]:
        """And the residuals; `square` is that of the weights without their bias."""
        scores = at.scores
        scores += self.offset
        loss, residuals = self.rows.residuals(scores)
        return loss + self.penalty / 2 * square + self.own / 2 * float(at.bias @ at.bias), residuals

    def square(self, at: _Vector) -> float:
        return self.dot(at, at) - float(at.bias @ at.bias)

    def point(self, at: _Vector, value: float, residuals: Array) -> _Point:
        slope = residuals[:, : self.rows.outputs].sum(axis=0) + self.own * at.bias
        reach = self.reach(residuals)
        reach += self.penalty * at.reach
        gradient = _Vector(self.penalty * at.rows + residuals, reach, self.penalty * at.span, slope)
        return _Point(at, value, residuals, gradient)

    def weights(self, at: _Vector) -> Array:
        self.passes += 1
        found = self.rows.transposed(at.rows)
        if at.span:
            found += at.span * self.beyond
        return found


def solve(rows: Rows, penalty: float, centre: Array, start: tuple[Array, Array] | None, tol: float) -> Found:
    """The minimum over weights (columns x outputs) and bias, to a gap of tol times the objective."""
    first, bias = start or (centre, first_bias(rows))
    offset = rows.scores(padded(centre, rows.width), np.zeros(rows.outputs))
    space = _Space(rows, penalty, padded(first - centre, rows.width), offset)
    empty = np.zeros((rows.number, rows.width))
    at = _Vector(empty, space.beyond_reach, 1.0, bias) if start else _Vector(empty, empty, 0.0, bias)
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
        here = _Point(at, value, residuals, here.gradient) if done else space.point(at, value, residuals)
        if done:
            break
        if t < 1 or left > enough:
            here, fell = _quasi_newton(space, here, tol), 0.0
    weights = space.weights(here.at)[:, : rows.outputs] + centre
    return Found(weights, here.at.bias, here.value, gap, space.passes)


def _quasi_newton(space: _Space, here: _Point, tol: float) -> _Point:
    """L-BFGS until it is slow."""
    memory, values = _Memory(space), [here.value]
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


class _Memory:
    """The last steps of L-BFGS and the changes of the gradient along them, as one table, so that each step reads them
    only three times: a step is a sum of them and of the gradient, whose products with each other are all known.
    """

    def __init__(self, space: _Space) -> None:
        self.space, self.number = space, 0
        size = space.rows.number * space.rows.width
        self.rows, self.reach = np.zeros((2 * MEMORY, size)), np.zeros((2 * MEMORY, size))
        self.span, self.bias = np.zeros(2 * MEMORY), np.zeros((2 * MEMORY, space.rows.outputs))
        self.products = np.zeros((2 * MEMORY, 2 * MEMORY))

    def step(self, gradient: _Vector) -> tuple[_Vector, float]:
        """The inverse curvature that is remembered times the gradient, and its product with that."""
        if not self.number:
            self.with_gradient, self.square = np.zeros(2 * MEMORY), self.space.dot(gradient, gradient)
        with_gradient, square = self.with_gradient, self.square
        last = [(self.number - back) % MEMORY for back in range(1, min(self.number, MEMORY) + 1)]
        parts, times, shares = np.zeros(2 * MEMORY), 1.0, []
        for k in last:
            along = self.products[2 * k] @ parts + times * with_gradient[2 * k]
            shares.append(along / self.products[2 * k, 2 * k + 1])
            parts[2 * k + 1] -= shares[-1]
        if last:
            moved, turned = 2 * last[0], 2 * last[0] + 1
            scale = self.products[moved, turned] / self.products[turned, turned]
            parts, times = scale * parts, scale * times
        for k, share in zip(reversed(last), reversed(shares), strict=True):
            along = self.products[2 * k + 1] @ parts + times * with_gradient[2 * k + 1]
            parts[2 * k] += share - along / self.products[2 * k, 2 * k + 1]
        self.parts, self.times = parts, times
        shape = gradient.rows.shape
        step = _Vector(
            (parts @ self.rows).reshape(shape) + times * gradient.rows,
            (parts @ self.reach).reshape(shape) + times * gradient.reach,
            float(parts @ self.span) + times * gradient.span,
            parts @ self.bias + times * gradient.bias,
        )
        return step, float(parts @ with_gradient + times * square)

    def add(self, t: float, step: _Vector, before: _Vector, after: _Vector) -> None:
        """What the last step, t times as long, has shown; nothing if the gradient does not grow along it."""
        products, parts, times, k = self.products, self.parts, self.times, 2 * (self.number % MEMORY)
        across, square, with_after = self.space.dot(before, after), self.space.dot(after, after), self._with(after)
        slope = parts @ self.with_gradient + times * self.square
        moved_before, moved_after = -t * slope, -t * (parts @ with_after + times * across)
        if moved_after > moved_before:
            moved = -t * (products @ parts + times * self.with_gradient)
            own = -t * float(parts @ moved) + t * t * times * slope
            turned = with_after - self.with_gradient
            for at, new in ((k, moved), (k + 1, turned)):
                products[at] = products[:, at] = new
            products[k, k], products[k + 1, k + 1] = own, square - 2 * across + self.square
            products[k, k + 1] = products[k + 1, k] = moved_after - moved_before
            np.multiply(step.rows.ravel(), -t, out=self.rows[k])
            np.multiply(step.reach.ravel(), -t, out=self.reach[k])
            np.subtract(after.rows.ravel(), before.rows.ravel(), out=self.rows[k + 1])
            np.subtract(after.reach.ravel(), before.reach.ravel(), out=self.reach[k + 1])
            self.span[k : k + 2] = -t * step.span, after.span - before.span
            self.bias[k : k + 2] = -t * step.bias, after.bias - before.bias
            with_after[k : k + 2] = moved_after, square - across
            self.number += 1
        self.with_gradient, self.square = with_after, square

    def _with(self, vector: _Vector) -> Array:
        """The products of all that is remembered with a vector."""
        space = self.space
        across = _dot(space.beyond_reach, vector.rows) + vector.span * space.beyond_square
        return np.asarray(self.rows @ vector.reach.ravel() + self.span * across + self.bias @ vector.bias)


def _searched(space: _Space, here: _Point, step: _Vector, slope: float, first: bool) -> tuple[float, _Point | None]:
    """Along the step until the value falls as it should and its slope is nine tenths of what it was, or less."""
    rows, low, high = space.rows, 0.0, np.inf
    scores = step.scores
    square, across = space.square(step), space.dot(step, here.at) - float(step.bias @ here.at.bias)
    begin = space.square(here.at)
    t = 1.0
    if first:  # there is no scale yet but that of the curvature along it
        bent = _dot(scores, rows.curved(here.residuals, scores)) + space.penalty * square
        t = slope / bent if bent > 0 else 1.0
    for _ in range(40):
        at = here.at.plus(-t, step)
        value, residuals = space.value(at, begin - 2 * t * across + t * t * square)
        still = _dot(residuals, scores) + space.penalty * (across - t * square)
        still += space.own * float(step.bias @ at.bias)
        if not value <= here.value - 1e-4 * t * slope:
            high = t
        elif still > 0.9 * slope:
            low = t
        else:
            return t, space.point(at, value, residuals)
        t = 2 * low if high == np.inf else (low + high) / 2
    return 0.0, None


def _conjugate(space: _Space, here: _Point, enough: float, most: int) -> tuple[_Vector, float]:
    """Towards H^-1 gradient until the square of what is left of the gradient is small enough, and that square.

    The bias is eliminated: along every direction it is the one that makes the residuals add up to zero.
    """
    rows, penalty, c = space.rows, space.penalty, space.rows.outputs
    inverse = np.linalg.inv(bias_curvature(rows, here.residuals, penalty))
    slope = here.gradient.bias
    nothing = np.zeros_like(here.residuals)
    step = _Vector(nothing, nothing, 0.0, inverse @ slope)
    level = np.zeros_like(nothing)
    level[:, :c] = step.bias
    level = rows.curved(here.residuals, level)
    none = np.zeros(c)
    left = _Vector(here.gradient.rows - level, here.gradient.reach - space.reach(level), here.gradient.span, none)
    towards = left
    power = space.dot(left, left)
    for _ in range(most):
        if power <= enough:
            break
        scores = towards.reach.copy()
        own = -inverse @ rows.curved(here.residuals, scores)[:, :c].sum(axis=0)
        scores[:, :c] += own
        curved = rows.curved(here.residuals, scores)
        bent = _dot(towards.reach, curved) + penalty * space.dot(towards, towards)
        if not bent > 0:
            break
        t = power / bent
        step = step.plus(t, _Vector(towards.rows, towards.reach, towards.span, own))
        reach = space.reach(curved)
        reach += penalty * towards.reach
        left = left.plus(-t, _Vector(curved + penalty * towards.rows, reach, penalty * towards.span, none))
        power, before = space.dot(left, left), power
        towards = left.plus(power / before, towards)
    return step, power


def _halved(space: _Space, here: _Point, step: _Vector) -> tuple[float, _Vector, float, Array]:
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


def _dot(a: Array, b: Array) -> float:
    return float(np.einsum("i,i->", a.ravel(), b.ravel()))
