"""Objectives and constraints as functions: values, gradients and Hessians, which are approximated by differences if a
function does not have them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

EPSILON = float(np.finfo(np.float64).eps)
CENTRAL = (np.array([-2, -1, 1, 2]), np.array([1, -8, 8, -1]) / 12, np.array([0, -1, 1, 0]) / 2)
FORWARD = (np.arange(5), np.array([-25, 48, -36, 16, -3]) / 12, np.array([-3, 4, -1, 0, 0]) / 2)
BACKWARD = (-FORWARD[0], -FORWARD[1], -FORWARD[2])
"""Offsets in steps; weights of the fourth-order difference; weights of the second-order one, to estimate its error."""


@dataclass(frozen=True)
class Function:
    """A function of a vector, with its derivatives if you know them. The others are approximated by differences.

    The value is a number (or an array of any shape, if it is a constraint), the gradient has one more axis than the
    value, over x, and the Hessian two more.

    Parameters
    ----------
    value : callable
        x, an array, to the value.
    gradient : callable, optional
        x to the gradient.
    hessian : callable, optional
        x to the Hessian.

    See Also
    --------
    minimize : takes it as objective or constraint.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.optimize import Function, minimize
    >>> square = Function(lambda x: x @ x, gradient=lambda x: 2 * x, hessian=lambda x: 2 * np.eye(len(x)))
    >>> minimize(square, [3.0, 4.0]).x.round(6).tolist()
    [0.0, 0.0]
    """

    value: Callable[[Array], ArrayLike]
    gradient: Callable[[Array], ArrayLike] | None = None
    hessian: Callable[[Array], ArrayLike] | None = None

    def __call__(self, x: Array) -> ArrayLike:
        return self.value(x)


class Smooth:
    """A function in the form that solvers use: m values, their m x n gradients, and weighted sums of their Hessians.

    `function` is any callable, with attributes `gradient` and `hessian` if it has derivatives. Solvers may try points
    where it is not defined, so numpy's warnings are off while it is called.
    """

    def __init__(self, function: Any, name: str, low: Array, high: Array) -> None:
        if not callable(function):
            raise TypeError(f"{name} is called with x, but {type(function).__name__} cannot be called")
        self.name, self.low, self.high = name, low, high
        self.function = function
        self.given_gradient = getattr(function, "gradient", None)
        self.given_hessian = getattr(function, "hessian", None)
        self.shape: Any = None  # of the values, once they are known
        self.calls = {"values": 0, "gradients": 0, "hessians": 0}

    def values(self, x: Array) -> Array:
        out = self._called("values", self.function, x)
        if self.shape is None:
            self.shape = out.shape
        if out.shape != self.shape:
            raise ValueError(f"{self.name} has the shape {self.shape} at one point and {out.shape} at another")
        return out.ravel()

    def gradients(self, x: Array) -> Array:
        return self.gradients_and_errors(x)[0]

    def gradients_and_errors(self, x: Array) -> tuple[Array, Array]:
        """The gradient of each value, and its error: 0 if the function has a `gradient`."""
        if self.given_gradient is None:
            return differences(self.values, x, self.low, self.high)
        shape = self._shape(x)
        out = self._called("gradients", self.given_gradient, x)
        if out.shape != (*shape, x.size):
            raise ValueError(f"the gradient of {self.name} has the shape {out.shape}; {(*shape, x.size)} was expected")
        out = out.reshape(-1, x.size)
        return out, np.zeros(len(out))

    def hessian(self, x: Array, weights: Array) -> Array:
        """The sum of the Hessians of the values, each with its weight."""
        if self.given_hessian is None:
            # The function's own gradients are exact to 1e-16, those by differences to about 1e-12.
            step = 6e-6 if self.given_gradient is not None else 2e-4
            out = _slopes(lambda z: weights @ self.gradients(z), x, self.low, self.high, step)
        else:
            shape = self._shape(x)
            out = self._called("hessians", self.given_hessian, x)
            if out.shape != (*shape, x.size, x.size):
                wanted = (*shape, x.size, x.size)
                raise ValueError(f"the Hessian of {self.name} has the shape {out.shape}; {wanted} was expected")
            out = np.tensordot(weights, out.reshape(-1, x.size, x.size), 1)
        return (out + out.T) / 2

    def check(self, x: Array) -> None:
        """Raises ValueError if the function's own gradient does not agree with its values, along one direction."""
        if self.given_gradient is None:
            return
        gradients = self.gradients(x)
        along = np.random.default_rng(0).choice([-1.0, 1.0], x.size) * np.maximum(np.abs(x), 1e-3)
        inside = (x + along <= self.high) & (x + along >= self.low)
        along = np.where(inside, along, np.where(self.high - x > x - self.low, 1, -1) * np.abs(along))
        zero, one = np.zeros(1), np.full(1, 1.0)
        slope, error = differences(lambda t: self.values(x + t[0] * along), zero, -one, one)
        size = np.abs(gradients) @ np.abs(along)
        off = np.abs(slope[:, 0] - gradients @ along) > 1e-3 * size + 100 * error
        if (off & np.isfinite(slope[:, 0])).any():
            row = int(np.argmax(off))
            raise ValueError(
                f"the gradient given is not that of {self.name}: along one direction it says "
                f"{gradients[row] @ along:.6g}, the values say {slope[row, 0]:.6g}"
            )

    def _shape(self, x: Array) -> tuple[int, ...]:
        if self.shape is None:
            self.values(x)
        return tuple(self.shape)

    def _called(self, what: str, function: Any, x: Array) -> Array:
        self.calls[what] += 1
        with np.errstate(all="ignore"):
            return np.asarray(function(x.copy()), np.float64)


def differences(values: Callable[[Array], Array], x: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Fourth-order differences of m values, m x n, and for each value the error of its gradient.

    Steps stay within the bounds if there is room. They shrink while the second order disagrees with the fourth: near 0
    a logarithm needs steps of a hundredth of x, elsewhere the fifth root of the machine precision is best.
    """
    here = values(x)
    slopes, errors = np.full((here.size, x.size), np.nan), np.full((here.size, x.size), np.inf)
    for i in range(x.size):
        for step in EPSILON**0.2 * max(1.0, abs(x[i])) * 8.0 ** -np.arange(10):
            slope, error = _slope(values, here, x, i, step, (low[i], high[i]))
            better = bool(error.sum() < errors[:, i].sum())
            if better:
                slopes[:, i], errors[:, i] = slope, error
            size = np.abs(slopes[:, i]) + np.abs(here)
            # Below the best step size rounding errors grow; while errors are larger than this, they do not matter yet.
            if (errors[:, i] <= (1e-10 if better else 1e-3) * size).all():
                break
    return slopes, errors.max(axis=1, initial=0.0)


def _slope(
    values: Callable[[Array], Array], here: Array, x: Array, i: int, step: float, room: tuple[float, float]
) -> tuple[Array, Array]:
    below, above = x[i] - room[0], room[1] - x[i]
    fits = [CENTRAL] if min(below, above) >= 2 * step else []
    fits += [FORWARD] if above >= 4 * step else []
    fits += [BACKWARD] if below >= 4 * step else []
    for offsets, fourth, second in fits or [CENTRAL]:
        points = np.repeat(x[None], len(offsets), axis=0)
        points[:, i] += step * offsets
        exact = points[:, i] - x[i]
        values_at = np.stack([here if k == 0 else values(p) for k, p in zip(offsets, points, strict=True)])
        if np.isfinite(values_at).all():
            width = (exact[-1] - exact[0]) / (offsets[-1] - offsets[0])
            best, rough = fourth @ values_at / width, second @ values_at / width
            off = np.abs(best - rough)
            size = np.maximum(np.abs(best), np.finfo(np.float64).tiny)
            error = off * np.minimum(1.0, 10 * off / size) + 2 * EPSILON * np.abs(values_at).max(axis=0) / abs(width)
            return best, error
    return np.full(here.size, np.nan), np.full(here.size, np.inf)


def _slopes(gradient: Callable[[Array], Array], x: Array, low: Array, high: Array, step: float) -> Array:
    """Central differences of a gradient; one-sided at a bound."""
    rows = np.empty((x.size, x.size))
    for i in range(x.size):
        width = step * max(abs(x[i]), 1e-3 if step < 1e-4 else 1.0)
        for _ in range(16):
            up, down = x.copy(), x.copy()
            up[i], down[i] = min(x[i] + width, max(high[i], x[i])), max(x[i] - width, min(low[i], x[i]))
            if up[i] == down[i]:
                up[i], down[i] = x[i] + width, x[i] - width
            rows[i] = (gradient(up) - gradient(down)) / (up[i] - down[i])
            if np.isfinite(rows[i]).all():
                break
            width /= 8
    return rows
