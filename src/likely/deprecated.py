"""Renamed parameters: the old name works for two minor versions, with a warning that shows the new name."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MINORS = 2
"""The number of minor versions for which an old name works."""


def removal(since: str) -> str:
    """The version that removes a name that was renamed in version `since`."""
    major, minor, _ = map(int, since.split("."))
    return f"{major}.{minor + MINORS}.0"


def renamed(since: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a function with renamed parameters, as old=new: `@renamed("0.2.0", ordered="time_ordered")`.

    The warning is a FutureWarning, which Python shows to everyone who runs a program, not only in tests.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in names.keys() & kwargs.keys():
                if names[old] in kwargs:
                    raise TypeError(f"{old!r} is the old name of {names[old]!r}, and both are given")
                warnings.warn(
                    f"{old!r} was renamed to {names[old]!r} in Likely {since}; {removal(since)} will not know it",
                    FutureWarning,
                    stacklevel=2,
                )
                kwargs[names[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
