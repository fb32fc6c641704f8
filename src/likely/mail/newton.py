"""Minima of smooth functions of few unknowns."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def least(
    value: Callable[[Array], float], slopes: Callable[[Array], tuple[Array, Array]], start: Array, tol: float = 1e-9
) -> Array:
    """Where a function is least, by Newton's method with steps halved until they descend.

    `slopes` gives the gradient, and a curvature that is positive definite. It ends where a step gains less than `tol`.
    """
    at, now = start, value(start)
    for _ in range(50):
        gradient, curvature = slopes(at)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while (then := value(at - size * step)) > now and size > 1e-6:
            size /= 2
        if now - then < tol * (1 + now):
            break
        at, now = at - size * step, then
    return at
