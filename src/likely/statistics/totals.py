"""The sum of a column and how often it was seen: what Bernoulli, Poisson and Multinomial count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from likely.statistics.sums import Aggregate, Statistics, subtracted


@dataclass(frozen=True, eq=False)
class Totals(Statistics):
    aggregates: ClassVar[tuple[Aggregate, ...]] = ("count", "sum")

    total: NDArray[Any]
    """Classes x columns: the sum of the values; int64 where they are whole numbers, else float64."""
    seen: NDArray[Any]
    """Classes x columns: the number of values, or one column for all where no cell was missing."""

    @classmethod
    def of_aggregates(cls, found: Sequence[Mapping[Aggregate, NDArray[Any]]]) -> Self:
        return cls(found[0]["sum"], found[0]["count"])

    def __add__(self, other: Self) -> Self:
        return type(self)(self.total + other.total, self.seen + other.seen)

    def __sub__(self, other: Self) -> Self:
        return type(self)(subtracted(self.total, other.total), subtracted(self.seen, other.seen))

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.total * factor, self.seen * factor)

    @property
    def present(self) -> NDArray[Any]:
        return self.seen

    def shapes(self, name: str, classes: int, cells: int) -> list[tuple[int, ...]]:
        return [(classes, cells), (classes, 1)] if name == "seen" else [(classes, cells)]
