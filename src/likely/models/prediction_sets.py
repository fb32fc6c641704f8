"""Prediction sets: for each row a set of classes that holds the true class with the probability that you ask for.

This is conformal prediction: the jackknife of Barber et al. (2021), with the score of Sadinle et al. (2019), which has
the smallest sets. The cutoff is the leave-one-out probability of the true class that is exceeded by a share `coverage`
of the rows learned. A class is in the set of a row if its probability is not below the cutoff. Then the true class of a
new row like those learned is in its set with at least that probability, provided that leaving out one row changes
nothing else. Nothing is assumed about how the probabilities were computed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from likely.statistics import Labels
from likely.tabular import Cells, Tabular

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PredictionSets(Sequence[list[Any]], Tabular):
    """A list of classes for each row, the most probable first."""

    classes: Labels
    member: NDArray[np.bool]
    """Rows x classes: whether the class is in the set."""
    p: Array

    @property
    def sizes(self) -> NDArray[np.intp]:
        return np.asarray(self.member.sum(axis=1))

    def cells(self) -> Cells:
        """The classes of each row, the most probable first, and their number."""
        return {"row": np.arange(len(self)), "classes": list(self), "size": self.sizes}

    def covers(self, codes: NDArray[Any]) -> NDArray[np.bool]:
        """Whether the set of each row holds its class in `codes`, a position among the classes."""
        return np.asarray(self.member[np.arange(len(self)), codes])

    def __len__(self) -> int:
        return len(self.member)

    @overload
    def __getitem__(self, row: int) -> list[Any]: ...
    @overload
    def __getitem__(self, row: slice) -> "PredictionSets": ...
    def __getitem__(self, row: int | slice) -> "list[Any] | PredictionSets":
        if isinstance(row, slice):
            return PredictionSets(self.classes, self.member[row], self.p[row])
        inside = np.flatnonzero(self.member[row])
        found: list[Any] = self.classes[inside[np.argsort(-self.p[row, inside], kind="stable")]].tolist()
        return found

    def __iter__(self) -> Iterator[list[Any]]:
        return (self[row] for row in range(len(self)))


@dataclass(frozen=True, eq=False)
class Conformity:
    """The leave-one-out probability of each learned row's own class."""

    y: NDArray[np.int32]
    own: Array
    weight: Array | None = None

    def cutoffs(self, coverage: float, classes: int, by_class: bool) -> Array:
        """The least probability with which each class is in the set."""
        if not 0 < coverage < 1:
            raise ValueError(f"the coverage is above 0 and below 1, not {coverage}")
        if not by_class:
            return np.full(classes, self._cutoff(np.ones(len(self.y), np.bool), coverage))
        return np.array([self._cutoff(self.y == k, coverage) for k in range(classes)])

    def _cutoff(self, rows: NDArray[np.bool], coverage: float) -> float:
        """The r-th lowest probability of n rows, r = (1 - coverage)(n + 1) rounded down; 0 if r is 0."""
        order = np.argsort(self.own[rows], kind="stable")
        w = np.ones(len(order)) if self.weight is None else self.weight[rows][order]
        below = np.cumsum(w) <= (1 - coverage) * (w.sum() + 1) + 1e-9
        return float(self.own[rows][order][below][-1]) if below.any() else 0.0

    def sets(self, p: Array, classes: Labels, coverage: float, by_class: bool = False) -> PredictionSets:
        """The sets of rows with these probabilities. No set is empty: it always has the most probable class. With
        `by_class` the coverage holds for the rows of every class, so that rare classes are covered too."""
        member = p >= self.cutoffs(coverage, len(classes), by_class)
        member[np.arange(len(p)), p.argmax(axis=1)] = True
        return PredictionSets(classes, member, p)
