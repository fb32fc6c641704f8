"""The contract of all statistics."""

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.statistics.labels import Placement


class NeverLearned(ValueError):
    """More was to be forgotten of a class and cell than had been learned."""

    def __init__(self, of_class: int, cell: int) -> None:
        super().__init__(f"class {of_class}, cell {cell} would hold less than nothing")
        self.of_class = of_class
        self.cell = cell


class Statistics(ABC):
    """Sums per class: all that a family knows of its data.

    A subclass is a frozen dataclass of arrays. Axis 0 of each is the class, axis 1 the cell: a column, or a category
    or bin of one. They are values: every operation gives new ones, so an error on the way changes nothing.

    The laws, which tests/laws holds for every family: zero is neutral, + commutes and associates, what is added can be
    subtracted again, and counting rows in pieces and adding is counting them at once.
    """

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
        return type(self)(**{name: _placed(array, classes, cells) for name, array in self.arrays().items()})

    def of_cells(self, kept: NDArray[np.bool]) -> Self:
        """The sums of some of the cells."""
        return type(self)(**{name: array[:, kept] for name, array in self.arrays().items()})

    def of_some_classes(self, at: slice) -> Self:
        """The sums of a stretch of the classes."""
        return type(self)(**{name: array[at] for name, array in self.arrays().items()})

    @property
    def classes(self) -> int:
        return int(next(iter(self.arrays().values())).shape[0])


def _placed(array: NDArray[Any], classes: Placement | None, cells: Placement | None) -> NDArray[Any]:
    if array.shape[1] == 1 and cells is not None and cells.at.size != 1:
        cells = None  # one number per class for all cells alike
    for axis, place in enumerate((classes, cells)):
        if place is not None:
            larger = np.zeros((*array.shape[:axis], place.size, *array.shape[axis + 1 :]), array.dtype)
            larger[(slice(None),) * axis + (place.at,)] = array
            array = larger
    return array


def subtracted(mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
    """Counts less counts. Whole numbers are exact; sums of weights may round, by 1e-9 of what they were at most."""
    left = mine - theirs
    below = left < (0 if left.dtype.kind == "i" else -1e-9 * (1 + np.abs(mine)))
    if below.any():
        raise NeverLearned(*map(int, np.argwhere(below)[0]))
    return np.asarray(np.maximum(left, 0))


def exact(sums: NDArray[np.float64], whole: bool) -> NDArray[Any]:
    """Sums as integers where every term was one, so that adding and removing is exact to the bit."""
    return sums.astype(np.int64) if whole else sums
