"""How often each combination of values of several columns occurs in each class. Bayes networks count this, and it shows
whether two columns interact."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.statistics.sums import exact

Clique = tuple[int, ...]
"""Columns that are counted together."""


@dataclass(frozen=True)
class JointCells:
    """The cells in which cliques of columns are counted: all combinations of their values, clique after clique.

    A column of v values has v + 1 slots: slot 0 for missing cells, and slot 1 + code for the others. So the sum over
    all slots of a column gives the counts of the other columns of the clique, whether this one is missing or not.

    >>> cells = JointCells((2, 3), ((0, 1),))
    >>> codes = np.array([[0, 1, 1, -1], [2, 0, 0, 1]], np.int32)  # columns x rows
    >>> counts = cells.count(codes, np.array([0, 0, 1, 1], np.int32), classes=2)
    >>> cells.of(counts, 0)[1].tolist()  # of class 1: slots of column 0 x slots of column 1
    [[0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    """

    sizes: tuple[int, ...]
    """The number of values of each column."""
    cliques: tuple[Clique, ...]
    """Counting is fastest if cliques that differ only in their last column follow each other, as in `pairs`."""

    def shape(self, clique: int) -> tuple[int, ...]:
        """The slots of each column of a clique."""
        return tuple(self.sizes[j] + 1 for j in self.cliques[clique])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The position of the first cell of each clique; the last entry is the number of all cells."""
        sizes = [prod(self.shape(q)) for q in range(len(self.cliques))]
        return np.cumsum([0, *sizes], dtype=np.int64)

    def count(self, codes: NDArray[np.int32], y: NDArray[np.int32], classes: int, weight: Any = None) -> NDArray[Any]:
        """The counts, classes x cells: int64, or float64 with weights. Codes are columns x rows, contiguous, -1 where
        missing."""
        table = np.zeros((classes, self.starts[-1]))
        members = np.array([j for clique in self.cliques for j in clique], np.int64)
        ends = np.cumsum([len(clique) for clique in self.cliques], dtype=np.int64)
        _native.count_joint(codes, y, weight, np.array(self.sizes, np.int64), members, ends, table)
        return exact(table, weight is None)

    def of(self, table: NDArray[Any], clique: int) -> NDArray[Any]:
        """The counts of one clique: classes x slots of its first column x slots of the next ..."""
        cells = table[:, self.starts[clique] : self.starts[clique + 1]]
        return cells.reshape(len(table), *self.shape(clique))


def pairs(columns: Sequence[int]) -> tuple[Clique, ...]:
    """All pairs of these columns, in the order that is fastest to count."""
    return tuple((a, b) for at, a in enumerate(columns) for b in columns[at + 1 :])
