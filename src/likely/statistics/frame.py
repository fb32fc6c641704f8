"""The frame of statistics: the columns, categories and bins that must agree before statistics can be added."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.statistics.labels import Labels, Placement, union


@dataclass(frozen=True, eq=False)
class Frame:
    """The columns of a block, and the cells in which each of them is counted.

    `cells` has the categories of each column, which grow by union. `edges` has the edges of the bins of each column,
    which never change: bins are chosen once. A block with neither is counted in one cell per column.
    """

    columns: Sequence[Hashable]
    cells: tuple[Labels, ...] | None = None
    edges: tuple[NDArray[np.float64], ...] | None = None

    @cached_property
    def sizes(self) -> list[int]:
        """The number of cells of each column."""
        if self.cells is not None:
            return [len(labels) for labels in self.cells]
        if self.edges is not None:
            return [len(edges) - 1 for edges in self.edges]
        return [1] * len(self.columns)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The position of the first cell of each column; the last entry is the number of all cells."""
        if self.cells is None and self.edges is None:
            return np.arange(len(self.columns) + 1, dtype=np.int64)
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def column_of(self, cell: int) -> Hashable:
        """The column of a cell of the statistics. In a column of texts a cell is a word."""
        return self.columns[int(np.searchsorted(self.starts[1:-1], cell, side="right"))]

    @property
    def each_cell(self) -> list[tuple[int, int | str | None]]:
        """For each cell, its column and its position there."""
        return [(j, cell) for j, size in enumerate(self.sizes) for cell in range(size)]

    def value_of(self, column: int, cell: int | str | None) -> Any:
        """The value that a feature of a column stands for: a category, both edges of a bin, a word; None for the number
        itself."""
        if cell is None or isinstance(cell, str):
            return cell
        if self.cells is not None:
            return self.cells[column][cell]
        assert self.edges is not None
        return tuple(self.edges[column][cell : cell + 2].tolist())

    def holding(self, cells: tuple[Labels, ...]) -> "Frame":
        """The same columns with other categories."""
        return replace(self, cells=cells)

    def trimmed(self, kept: NDArray[np.bool]) -> tuple["Frame", Any]:
        """The frame with only the categories kept, and which cells of the statistics those are."""
        assert self.cells is not None
        cells = tuple(labels[kept[a:b]] for labels, (a, b) in zip(self.cells, pairwise(self.starts), strict=True))
        return self.holding(cells), kept

    def of(self, positions: list[int]) -> "Frame":
        """The frame of some of the columns."""
        cells = None if self.cells is None else tuple(self.cells[j] for j in positions)
        edges = None if self.edges is None else tuple(self.edges[j] for j in positions)
        return Frame(tuple(self.columns[j] for j in positions), cells, edges)

    def ordered(self) -> tuple["Frame", Placement | None]:
        """The frame with the categories of each column in ascending order, and the new position of each cell."""
        if self.cells is None:
            return self, None
        orders = [np.argsort(labels) for labels in self.cells]
        frame = Frame(self.columns, tuple(labels[order] for labels, order in zip(self.cells, orders, strict=True)))
        starts = frame.starts
        at = [start + np.argsort(order) for start, order in zip(starts, orders, strict=False)]
        return frame, Placement(int(starts[-1]), np.concatenate(at))

    def union(self, other: "Frame") -> tuple["Frame", Placement | None, Placement | None]:
        """The union of both frames, and the positions of the cells of each in it; None if they stay the same."""
        if self is other:
            return self, None, None
        if self.columns is not other.columns and list(self.columns) != list(other.columns):
            raise ValueError(f"the columns differ: {_first_difference(self.columns, other.columns)}")
        if self.edges is not None and other.edges is not None:
            for column, mine, theirs in zip(self.columns, self.edges, other.edges, strict=True):
                if not np.array_equal(mine, theirs):
                    raise ValueError(
                        f"column {column!r} was cut into different bins; give Histogram the edges of its bins"
                    )
        if self.cells is None or other.cells is None:
            return self, None, None
        labels, places = [], []
        for column, mine, theirs in zip(self.columns, self.cells, other.cells, strict=True):
            try:
                both, *where = union(mine, theirs)
            except TypeError as error:
                raise ValueError(f"column {column!r}: {error}") from None
            labels.append(both)
            places.append(where)
        frame = Frame(self.columns, tuple(labels))
        mine_at, theirs_at = ([pair[side] for pair in places] for side in (0, 1))
        return frame, frame._all(mine_at), frame._all(theirs_at)

    def _all(self, placements: list[Placement | None]) -> Placement | None:
        """The placements of all columns as one placement of all cells."""
        if all(place is None for place in placements):
            return None
        at = [
            start + (np.arange(size) if place is None else place.at)
            for start, size, place in zip(self.starts[:-1], self.sizes, placements, strict=True)
        ]
        return Placement(int(self.starts[-1]), np.concatenate(at))


def _first_difference(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> str:
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return f"{a!r} here, {b!r} there"
    return f"{len(mine)} here, {len(theirs)} there"
