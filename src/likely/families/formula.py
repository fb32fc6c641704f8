"""How a family reads a cell and scores it, as formulas that databases and other runtimes can compute too.

A family lists the `Cell`s that it reads of a column, and its scores as a sum of terms: a polynomial of a number, a
product of two numbers, or a score for each value of a cell. These scores leave out what is the same for all classes, so
they give p(y | x) but not p(x | y). A missing cell adds nothing.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from likely.data.sample import Array

CellReading = Literal["number", "log", "cos", "sin", "above", "bin", "category", "missing"]
"""The number itself; its natural logarithm; the cosine and sine of its angle in a period; 1 where it is above a
threshold, else 0; the position of its bin; the position of its value; 1 where the cell is missing, else 0."""

LARGEST = 1e150
"""The largest number, as in the native core: the square of a larger one may be infinite."""


@dataclass(frozen=True, eq=False)
class Cell:
    """How one cell of a row is read."""

    column: int
    """Its position in the table."""
    reading: CellReading = "number"
    by: Any = None
    """The period, the threshold, the inner edges of bins (a number on an edge is in the bin above it), or the known
    values (any other value has the position after the last)."""
    low: float = -LARGEST
    high: float = LARGEST
    whole: bool = False
    needs: str = ""
    """The start of the error for a number that is not from `low` to `high`, or not whole."""
    lenient: bool = False
    """Whether a number below `low`, which can't be learned, scores as a missing cell."""
    required: bool = False
    """Whether the formula has no score for a row in which the cell is missing, as with columns that vary together."""


class Polynomial(NamedTuple):
    """constant + weight (t - centre) + square (t - centre)^2, for each class; t is what is read of the cell."""

    cell: Cell
    centre: Array
    constant: Array
    weight: Array
    square: Array


class Product(NamedTuple):
    """weight (t - centre) (u - other_centre), for each class; t and u are the numbers in two required cells."""

    cell: Cell
    other: Cell
    centre: Array
    other_centre: Array
    weight: Array


class Lookup(NamedTuple):
    """A score for each class and each whole number that the cell can be read as, from 0: classes x positions."""

    cell: Cell
    scores: Array


Term = Polynomial | Product | Lookup


def line(cell: Cell, constant: Any, weight: Array) -> Polynomial:
    """constant + weight t."""
    none = np.zeros_like(weight)
    return Polynomial(cell, none, np.broadcast_to(constant, weight.shape), weight, none)
