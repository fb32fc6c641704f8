"""The rows that a family reads, and the types of what it describes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Codes


@dataclass(frozen=True, eq=False)
class Observations:
    """The cells of some rows, with their classes (codes from 0) and weights."""

    cells: Any
    y: Codes
    classes: int
    weight: Array | None = None
    """None if each row has weight 1."""
    whole: NDArray[np.bool] | bool = False
    """Which columns hold whole numbers. Their density is a probability, that of an interval of width 1: at most 1."""

    @property
    def weights(self) -> Array:
        return np.ones(len(self.y)) if self.weight is None else self.weight

    def part(self, rows: slice) -> "Observations":
        weight = None if self.weight is None else self.weight[rows]
        return Observations(self.cells[rows], self.y[rows], self.classes, weight, self.whole)


class Parameter(NamedTuple):
    """A line of a model's description: one parameter of one column, for all classes."""

    column: int
    name: str
    values: Array


class Line(NamedTuple):
    """Scores as weights @ features + bias. A feature is a column, or one cell or word of it."""

    weights: Array
    bias: Array
    features: Sequence[tuple[int, int | str | None]]


class Reason(NamedTuple):
    """What one column of a row, or one word of a text, adds to the score of each class."""

    column: Any
    value: Any
    contributions: Array
