"""Directions as unit vectors: their number and their sum. VonMises counts this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.errors import NeverLearned
from likely.statistics.sums import Aggregate, Statistics, subtracted

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Resultants(Statistics):
    """The number of unit vectors, and their sum: classes x columns each."""

    signed: ClassVar[tuple[str, ...]] = ("cos", "sin")
    aggregates: ClassVar[tuple[Aggregate, ...]] = ("count", "sum")

    n: NDArray[Any]
    cos: Array
    """Sum of the cosines."""
    sin: Array

    @classmethod
    def of_aggregates(cls, found: Sequence[Mapping[Aggregate, NDArray[Any]]]) -> Self:
        return cls(found[0]["count"], found[0]["sum"], found[1]["sum"])

    def __add__(self, other: Self) -> Self:
        return type(self)(self.n + other.n, self.cos + other.cos, self.sin + other.sin)

    def __sub__(self, other: Self) -> Self:
        n = subtracted(self.n, other.n)
        cos, sin = np.where(n > 0, (self.cos - other.cos, self.sin - other.sin), 0.0)
        if (far := np.hypot(cos, sin) > n + 1e-9 * (1 + self.n)).any():  # longer than a sum of n unit vectors can be
            raise NeverLearned(*map(int, np.argwhere(far)[0]))
        return type(self)(n, cos, sin)

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.n * factor, self.cos * factor, self.sin * factor)

    @property
    def present(self) -> NDArray[Any]:
        return self.n

    @property
    def length(self) -> Array:
        """The length of the sum."""
        return np.hypot(self.cos, self.sin)

    def pooled(self) -> "Resultants":
        """All classes together, as one."""
        return Resultants(*(array.sum(axis=0, keepdims=True) for array in (self.n, self.cos, self.sin)))
