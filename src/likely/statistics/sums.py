"""The contract of all statistics."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely.errors import NeverLearned
from likely.statistics.labels import Placement

Aggregate = Literal["count", "sum", "mean", "variance", "cells"]
"""What a database computes of a column by class: the number of values that are there, their sum, mean and variance
(divided by the number, not by one less); or how often each value occurs."""


class Statistics(ABC):
    """Sums per class: all that a family knows of its data.

    A subclass is a frozen dataclass of arrays. Axis 0 of each is the class, axis 1 the cell: a column, or a category
    or bin of one. They are values: every operation gives new ones, so an error on the way changes nothing.

    The laws, which tests/laws holds for every family: zero is neutral, + commutes and associates, what is added can be
    subtracted again, and counting rows in pieces and adding is counting them at once.
    """

    signed: ClassVar[tuple[str, ...]] = ()
    """Arrays that may be below 0."""

    aggregates: ClassVar[tuple[Aggregate, ...]] = ()
    """What they are made of by `of_aggregates`; nothing where aggregates of single columns don't make them."""

    @classmethod
    def of_aggregates(cls, found: Sequence[Mapping[Aggregate, NDArray[Any]]]) -> Self:
        """From the aggregates of what was read of each column, in the family's order."""
        raise TypeError(f"{cls.__name__} are not made of aggregates of single columns")

    @abstractmethod
    def __add__(self, other: Self) -> Self: ...

    @abstractmethod
    def __sub__(self, other: Self) -> Self:
        """Raises NeverLearned where less than nothing would be left."""

    @abstractmethod
    def __mul__(self, factor: float) -> Self:
        """As if every row had weighed that much more."""

    @property
    @abstractmethod
    def present(self) -> NDArray[Any]:
        """How many values were seen: classes x cells, or one column for all."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def placed(self, classes: Placement | None, cells: Placement | None) -> Self:
        """The same sums in a larger frame; zero where nothing was known."""
        if classes is None and cells is None:
            return self
        return type(self)(**{name: placed(array, classes, cells) for name, array in self.arrays().items()})

    def of_cells(self, kept: NDArray[np.bool]) -> Self:
        """The sums of some of the cells."""
        return type(self)(**{name: array[:, kept] for name, array in self.arrays().items()})

    def of_some_classes(self, at: slice) -> Self:
        """The sums of a stretch of the classes."""
        return type(self)(**{name: array[at] for name, array in self.arrays().items()})

    @property
    def classes(self) -> int:
        return int(next(iter(self.arrays().values())).shape[0])

    def check(self, classes: int, cells: int) -> None:
        """Raises ValueError unless these are sums of this many classes and cells, as far as can be seen."""
        for name, array in self.arrays().items():
            if array.shape not in (shapes := self.shapes(name, classes, cells)):
                raise ValueError(f"the shape of {name!r} is {array.shape}, not {shapes[0]}")
            check_numbers(name, array, name in self.signed)

    def shapes(self, name: str, classes: int, cells: int) -> list[tuple[int, ...]]:
        """Those that an array may have."""
        return [(classes, cells)]


def placed(array: NDArray[Any], classes: Placement | None, cells: Any) -> NDArray[Any]:
    """An array of classes x cells in a larger frame; zero where nothing was known."""
    if array.shape[1] == 1 and cells is not None and cells.at.size != 1:
        cells = None  # one number per class for all cells alike
    for axis, place in enumerate((classes, cells)):
        if place is not None:
            larger = np.zeros((*array.shape[:axis], place.size, *array.shape[axis + 1 :]), array.dtype)
            larger[(slice(None),) * axis + (place.at,)] = array
            array = larger
    return array


LARGEST = {np.dtype(np.int64): 2.0**62, np.dtype(np.float64): 1e300}
"""No sum of all the numbers in an array is larger, so that sums of some of them do not overflow."""


def check_numbers(name: str, array: NDArray[Any], signed: bool = False) -> None:
    if array.dtype not in LARGEST:
        raise ValueError(f"{name!r} are no numbers")
    if not np.isfinite(array).all():
        raise ValueError(f"{name!r} are not finite")
    if not signed and (array < 0).any():
        raise ValueError(f"{name!r} are below 0")
    with np.errstate(over="ignore"):
        if not np.abs(array.astype(np.float64, copy=False)).sum() < LARGEST[array.dtype]:
            raise ValueError(f"{name!r} are too large")


def subtracted(mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
    """Counts less counts. Whole numbers are exact; sums of weights may round, by 1e-9 of what they were at most. What
    rounding leaves of them is nothing."""
    left, whole = mine - theirs, mine.dtype.kind == theirs.dtype.kind == "i"
    below = left < (0 if whole else -1e-9 * (1 + np.abs(mine)))
    if below.any():
        raise NeverLearned(*map(int, np.argwhere(below)[0]))
    return left if whole else np.where(left <= 1e-13 * np.abs(mine), 0.0, left)


def exact(sums: NDArray[np.float64], whole: bool) -> NDArray[Any]:
    """Sums as integers where every term was one, so that adding and removing is exact to the bit."""
    return sums.astype(np.int64) if whole else sums
