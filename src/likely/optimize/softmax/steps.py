"""The length of a step, which all solvers share."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def halved(at: Callable[[float], tuple[float, T]], value: float, fall: float) -> tuple[float, float, T] | None:
    """The first of the step, its half, its quarter ... that lowers the value as its slope promises: how much of it, the
    value there, and what else `at` knows of that place. None if there is none. Where `fall`, what the slope promises,
    is lost in rounding the whole step is taken.
    """
    for halvings in range(40):
        t = 0.5**halvings
        reached, there = at(t)
        rounding = halvings == 0 and fall <= 1e-11 * abs(value) and reached <= value + 1e-14 * abs(value)
        if rounding or reached <= value - 1e-4 * t * fall:
            return t, reached, there
    return None
