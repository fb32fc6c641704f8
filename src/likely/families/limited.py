"""Probabilities of the values of a column under constraints, also leave-one-out: one column and class at a time."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array, without
from likely.families.family import Observations
from likely.limits import Within
from likely.statistics import Frame

if TYPE_CHECKING:
    from likely.optimize import Proportions, Sides


class Limited:
    """Constrained probabilities, from the counts of all columns (classes x cells) and the pseudo-counts of cells."""

    def __init__(
        self, prior: Within, counts: Array, pseudocounts: Array, starts: NDArray[np.int64], frame: Frame
    ) -> None:
        assert frame.cells is not None
        self.counts, self.pseudocounts, self.starts, self.names = counts, pseudocounts, starts, frame.columns
        sizes = np.diff(starts).tolist()
        self.sides = [prior.sides(cells.tolist(), size) for cells, size in zip(frame.cells, sizes, strict=True)]

    def fitted(self, column: int, counts: Array) -> "Proportions":
        """The probabilities of a column in one class, from these counts of its cells."""
        from likely.optimize import proportions

        cells = slice(*self.starts[column : column + 2])
        try:
            return proportions(counts + self.pseudocounts[cells], *self.sides[column])
        except ValueError as error:
            raise ValueError(f"column {self.names[column]!r}: {error}") from None

    def of_classes(self, column: int) -> "list[Proportions]":
        cells = slice(*self.starts[column : column + 2])
        return [self.fitted(column, own) for own in self.counts[:, cells]]

    def log_p(self) -> Array:
        """The log probabilities: classes x cells."""
        columns = range(len(self.starts) - 1)
        p = np.hstack([np.stack([each.p for each in self.of_classes(column)]) for column in columns])
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(p))

    def multipliers(self, column: int) -> "Sides":
        """The multipliers, in log-likelihood per unit of probability: classes x values of a column."""
        from likely.optimize import Sides

        fits, values = self.of_classes(column), int(np.diff(self.starts)[column]) - 1
        low, high = (np.stack([own.limits[side] for own in fits])[:, :values] for side in (0, 1))
        return Sides(low, high)

    def loo(self, seen: Observations) -> Array:
        """Leave-one-out log p of each cell in its row's class: rows x columns."""
        logs = np.zeros(seen.cells.shape)
        for column, start in enumerate(self.starts[:-1]):
            codes = seen.cells[:, column]
            known = np.flatnonzero(codes >= 0)
            cases = np.stack([seen.y[known], codes[known], seen.weights[known]])
            each, which = np.unique(cases, axis=1, return_inverse=True)
            log_p = [self._less(column, int(k), int(start) + int(cell), own) for k, cell, own in each.T]
            logs[known, column] = np.array(log_p)[which] if log_p else 0.0
        return logs

    def _less(self, column: int, of_class: int, cell: int, own: float) -> float:
        start, stop = self.starts[column : column + 2]
        left = self.counts[of_class, start:stop].copy()
        left[cell - start] = without(left[cell - start], own)
        with np.errstate(divide="ignore"):
            return float(np.log(self.fitted(column, left).p[cell - start]))
