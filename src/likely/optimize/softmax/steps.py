"""The step length of all softmax solvers."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def halved(at: Callable[[float], tuple[float, T]], value: float, fall: float) -> tuple[float, float, T] | None:
    """Backtracking: the first of the full step, its half, its quarter ... that lowers the value enough, compared with
    `fall`, which the slope predicts. Returns the share of the step, and both results of `at` there; None if no share
    does. If `fall` is below rounding errors, the full step is taken.
    """
    for halvings in range(40):
        t = 0.5**halvings
        reached, there = at(t)
        rounding = halvings == 0 and fall <= 1e-11 * abs(value) and reached <= value + 1e-14 * abs(value)
        if rounding or reached <= value - 1e-4 * t * fall:
            return t, reached, there
    return None
