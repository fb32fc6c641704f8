"""The sum and the number of values of a column. Bernoulli, Poisson, Exponential and Multinomial count this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from likely.statistics.sums import Aggregate, Statistics, subtracted


@dataclass(frozen=True, eq=False)
class Totals(Statistics):
    """The sum and the number of values."""

    aggregates: ClassVar[tuple[Aggregate, ...]] = ("count", "sum")

    total: NDArray[Any]
    """The sum of the values, classes x columns: int64 if they are whole numbers without weights, else float64."""
    seen: NDArray[Any]
    """The number of values, classes x columns; classes x 1 for sparse cells, where none is missing."""

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
