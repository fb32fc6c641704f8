"""How often each category or bin of a column occurs. Categorical and Histogram count this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from likely.statistics.sums import Aggregate, Statistics, subtracted


@dataclass(frozen=True, eq=False)
class Counts(Statistics):
    """How often each cell was counted in each class."""

    aggregates: ClassVar[tuple[Aggregate, ...]] = ("cells",)

    table: NDArray[Any]
    """The counts, classes x cells: int64, or float64 if rows had weights."""

    @classmethod
    def of_aggregates(cls, found: Sequence[Mapping[Aggregate, NDArray[Any]]]) -> Self:
        return cls(found[0]["cells"])

    def __add__(self, other: Self) -> Self:
        return type(self)(self.table + other.table)

    def __sub__(self, other: Self) -> Self:
        return type(self)(subtracted(self.table, other.table))

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.table * factor)

    @property
    def present(self) -> NDArray[Any]:
        return self.table
