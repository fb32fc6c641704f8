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
"""What a database computes for a column and class: the number of values that are not missing, their sum, mean and
variance (divided by n, not n - 1); or how often each value occurs."""


class Statistics(ABC):
    """Sums per class: everything that a family stores about its data.

    A subclass is a frozen dataclass of arrays. Axis 0 of each is the class, axis 1 the cell: a column, or a category or
    bin of one. They are immutable: every operation returns new ones, so that an error changes nothing.

    Laws, which tests/laws checks for every family: adding zero changes nothing, + is commutative and associative,
    subtracting what was added restores the sums, and counting rows in pieces and adding gives the same as counting them
    at once.
    """

    signed: ClassVar[tuple[str, ...]] = ()
    """Arrays that may be below 0."""

    aggregates: ClassVar[tuple[Aggregate, ...]] = ()
    """The aggregates that `of_aggregates` needs; empty if the statistics can't be computed from aggregates of single
    columns."""

    @classmethod
    def of_aggregates(cls, found: Sequence[Mapping[Aggregate, NDArray[Any]]]) -> Self:
        """The statistics from aggregates of what the family reads of each column, in the order of its `cells`."""
        raise TypeError(f"{cls.__name__} are not made of aggregates of single columns")

    @abstractmethod
    def __add__(self, other: Self) -> Self: ...

    @abstractmethod
    def __sub__(self, other: Self) -> Self:
        """Raises NeverLearned if a sum would become negative."""

    @abstractmethod
    def __mul__(self, factor: float) -> Self:
        """The sums as if the weight of every row were multiplied by the factor."""

    @property
    @abstractmethod
    def present(self) -> NDArray[Any]:
        """The number of values counted: classes x cells, or classes x 1 if it is the same for all cells."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def placed(self, classes: Placement | None, cells: Placement | None) -> Self:
        """The same sums in a larger frame, with zeros for new classes and cells."""
        if classes is None and cells is None:
            return self
        return type(self)(**{name: placed(array, classes, cells) for name, array in self.arrays().items()})

    def of_cells(self, kept: NDArray[np.bool]) -> Self:
        """The sums of some of the cells."""
        return type(self)(**{name: array[:, kept] for name, array in self.arrays().items()})

    def of_some_classes(self, at: slice) -> Self:
        """The sums of a slice of the classes."""
        return type(self)(**{name: array[at] for name, array in self.arrays().items()})

    @property
    def classes(self) -> int:
        return int(next(iter(self.arrays().values())).shape[0])

    def check(self, classes: int, cells: int) -> None:
        """Raises ValueError if these can't be sums of this many classes and cells."""
        for name, array in self.arrays().items():
            if array.shape not in (shapes := self.shapes(name, classes, cells)):
                raise ValueError(f"the shape of {name!r} is {array.shape}, not {shapes[0]}")
            check_numbers(name, array, name in self.signed)

    def shapes(self, name: str, classes: int, cells: int) -> list[tuple[int, ...]]:
        """The shapes that an array may have."""
        return [(classes, cells)]


def placed(array: NDArray[Any], classes: Placement | None, cells: Any) -> NDArray[Any]:
    """An array of classes x cells in a larger frame, with zeros for new classes and cells."""
    if array.shape[1] == 1 and cells is not None and cells.at.size != 1:
        cells = None  # one number per class for all cells
    for axis, place in enumerate((classes, cells)):
        if place is not None:
            larger = np.zeros((*array.shape[:axis], place.size, *array.shape[axis + 1 :]), array.dtype)
            larger[(slice(None),) * axis + (place.at,)] = array
            array = larger
    return array


LARGEST = {np.dtype(np.int64): 2.0**62, np.dtype(np.float64): 1e300}
"""The largest sum of all numbers of an array, so that sums of some of them do not overflow."""


def check_numbers(name: str, array: NDArray[Any], signed: bool = False) -> None:
    """Raises ValueError unless an array has finite numbers of 0 or more (any sign if `signed`) whose sum does not
    overflow."""
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
    """Counts minus counts. Integers are exact. Sums of weights may have rounding errors, at most 1e-9 of their size;
    what is left within the rounding error becomes 0."""
    left, whole = mine - theirs, mine.dtype.kind == theirs.dtype.kind == "i"
    below = left < (0 if whole else -1e-9 * (1 + np.abs(mine)))
    if below.any():
        raise NeverLearned(*map(int, np.argwhere(below)[0]))
    return left if whole else np.where(left <= 1e-13 * np.abs(mine), 0.0, left)


def exact(sums: NDArray[np.float64], whole: bool) -> NDArray[Any]:
    """Sums as integers if all terms were integers (`whole`), so that adding and subtracting is exact."""
    return sums.astype(np.int64) if whole else sums
