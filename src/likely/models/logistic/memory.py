"""What steps of L-BFGS have shown of the curvature, of weights that rows span."""

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.span import Space, Vector, product

Array = NDArray[np.float64]

MEMORY = 10


class Memory:
    """The last steps of L-BFGS and the changes of the gradient along them, as one table, so that each step reads them
    only three times: a step is a sum of them and of the gradient, whose products with each other are all known.
    """

    def __init__(self, space: Space) -> None:
        self.space, self.number = space, 0
        size = space.rows.number * space.rows.width
        self.rows, self.reach = np.zeros((2 * MEMORY, size)), np.zeros((2 * MEMORY, size))
        self.span, self.bias = np.zeros(2 * MEMORY), np.zeros((2 * MEMORY, space.rows.outputs))
        self.products = np.zeros((2 * MEMORY, 2 * MEMORY))

    def step(self, gradient: Vector) -> tuple[Vector, float]:
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
        step = Vector(
            (parts @ self.rows).reshape(shape) + times * gradient.rows,
            (parts @ self.reach).reshape(shape) + times * gradient.reach,
            float(parts @ self.span) + times * gradient.span,
            parts @ self.bias + times * gradient.bias,
        )
        return step, float(parts @ with_gradient + times * square)

    def add(self, t: float, step: Vector, before: Vector, after: Vector) -> None:
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

    def _with(self, vector: Vector) -> Array:
        """The products of all that is remembered with a vector."""
        space = self.space
        across = product(space.beyond_reach, vector.rows) + vector.span * space.beyond_square
        return np.asarray(self.rows @ vector.reach.ravel() + self.span * across + self.bias @ vector.bias)
