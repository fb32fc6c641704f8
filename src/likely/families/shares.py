"""Probabilities of the cells of each column, and the counts that they are estimated from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.families.block import Block
from likely.families.cells import Array, terms
from likely.priors import Prior
from likely.statistics import Frame


@dataclass(frozen=True, eq=False)
class Shares:
    """log p: classes x cells. Each column has a cell for each value and one more for unseen values."""

    log_p: Array
    starts: NDArray[np.int64]
    column_weights: Array | None = None

    @cached_property
    def scores(self) -> Array:
        """log p times the column weight."""
        if self.column_weights is None:
            return self.log_p
        return terms(np.repeat(self.column_weights, np.diff(self.starts)), self.log_p)


class CellCounts:
    """Counts and pseudo-counts of each column's cells, plus one for unseen values; and where each column starts."""

    def __init__(self, prior: Prior, unseen: bool, block: Block) -> None:
        sizes = np.asarray(block.frame.sizes)
        self.starts = block.frame.starts + np.arange(len(sizes) + 1)
        self.counts = np.zeros((block.statistics.classes, self.starts[-1]))
        known = np.ones(self.starts[-1], np.bool)
        known[self.starts[1:] - 1] = False
        self.counts[:, known] = block.statistics.table
        self.pseudocounts = np.zeros(self.starts[-1])
        for size in set(sizes.tolist()):  # there may be many columns, but only a few sizes
            if cells := size + unseen:
                of_size = self.starts[:-1][sizes == size]
                self.pseudocounts[of_size[:, None] + np.arange(cells)] = prior.proportions(cells)

    def by_column(self, cells: Array) -> Array:
        """The sum over the cells of each column, once for each of its cells."""
        return np.repeat(np.add.reduceat(cells, self.starts[:-1], axis=-1), np.diff(self.starts), axis=-1)


def cost_of_new_values(counts: Array, frame: Frame, whole: NDArray[np.bool] | bool) -> Array:
    """The log of how many unseen values share the reserved mass, for cells counted once in a column of whole numbers.

    Leave-one-out makes such a value unseen: it is one of all other whole numbers in the column's range, which share the
    mass of one value. Without this cost, a column of numbers that hardly ever repeat would look best as categories.
    """
    cost, is_whole = np.zeros(counts.shape[1]), np.broadcast_to(whole, len(frame.columns))
    once = counts.sum(axis=0) <= 1
    for j, labels in enumerate(frame.cells or ()):
        if is_whole[j] and labels.size:
            cells = slice(frame.starts[j] + j, frame.starts[j] + j + labels.size)
            others = float(labels.max()) - float(labels.min()) + 1 - labels.size + 1
            cost[cells] = np.where(once[cells], np.log(max(others, 1.0)), 0.0)  # above 2**53 differences are rounded
    return cost
