"""The statistics of a Bayes network: counts of the values of each column, and of the combinations of values of columns
that depend on each other."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from likely.errors import NeverLearned
from likely.statistics.frame import Frame
from likely.statistics.joint import Clique, JointCells
from likely.statistics.labels import Placement
from likely.statistics.sums import Statistics, check_numbers, placed, subtracted


class JointPlacement(NamedTuple):
    """The positions of the cells of columns and of cliques in a larger frame."""

    size: int
    at: NDArray[np.intp]
    joint: Placement


class JointMask(NamedTuple):
    """Which cells of columns and of cliques are kept."""

    columns: NDArray[np.bool]
    joint: NDArray[np.bool]


@dataclass(frozen=True, eq=False)
class JointFrame(Frame):
    """The values of each column, and the cliques of columns that are counted together.

    The values of a binned column are the lower edges of all its bins, including empty ones.
    """

    cliques: tuple[Clique, ...] = ()
    bins: tuple[bool, ...] = ()
    """Which columns are binned."""

    @cached_property
    def joint(self) -> JointCells:
        return JointCells(tuple(self.sizes), self.cliques)

    def column_of(self, cell: int) -> Hashable:
        if cell < self.starts[-1]:
            return super().column_of(cell)
        clique = int(np.searchsorted(self.joint.starts[1:-1], cell - self.starts[-1], side="right"))
        return self.columns[self.cliques[clique][-1]]

    def ordered(self) -> tuple["JointFrame", Any]:
        frame, order = super().ordered()
        ascending = self._with(frame)
        return ascending, None if order is None else self._placed_in(ascending, order)

    def union(self, other: Frame) -> tuple["JointFrame", Any, Any]:
        assert isinstance(other, JointFrame)
        if self.cliques != other.cliques:
            raise ValueError("the networks differ; give both models the same structure")
        frame, mine, theirs = super().union(other)
        both = self._with(frame)
        at = None if mine is None else self._placed_in(both, mine)
        return both, at, None if theirs is None else other._placed_in(both, theirs)

    def trimmed(self, kept: NDArray[np.bool]) -> tuple["JointFrame", JointMask]:
        kept = kept | np.repeat(self.bins, self.sizes)
        frame, _ = super().trimmed(kept)
        slots = [np.append(True, kept[a:b]) for a, b in zip(self.starts, self.starts[1:], strict=False)]
        masks = [reduce(np.logical_and.outer, [slots[j] for j in clique]).ravel() for clique in self.cliques]
        return self._with(frame), JointMask(kept, np.concatenate([*masks, np.zeros(0, np.bool)]))

    def _with(self, frame: Frame) -> "JointFrame":
        return self if frame is self else replace(self, cells=frame.cells)

    def _placed_in(self, larger: "JointFrame", cells: Placement) -> JointPlacement:
        slots = [
            np.append(0, 1 + cells.at[a:b] - start)
            for a, b, start in zip(self.starts, self.starts[1:], larger.starts, strict=False)
        ]
        positions = [np.zeros(0, np.int64)]
        for clique, start in zip(self.cliques, larger.joint.starts, strict=False):
            at: NDArray[Any] = np.zeros(1, np.int64)
            for j in clique:
                at = (at[:, None] * (larger.sizes[j] + 1) + slots[j]).ravel()
            positions.append(start + at)
        return JointPlacement(cells.size, cells.at, Placement(int(larger.joint.starts[-1]), np.concatenate(positions)))


@dataclass(frozen=True, eq=False)
class JointCounts(Statistics):
    """Counts of single columns and of cliques of columns."""

    table: NDArray[Any]
    """The counts of single columns, classes x cells: int64, or float64 if rows had weights."""
    joint: NDArray[Any]
    """The counts of cliques, classes x cells, as in `JointCells`."""

    def __add__(self, other: Self) -> Self:
        return type(self)(self.table + other.table, self.joint + other.joint)

    def __sub__(self, other: Self) -> Self:
        table = subtracted(self.table, other.table)
        try:
            return type(self)(table, subtracted(self.joint, other.joint))
        except NeverLearned as error:
            error.cell += table.shape[1]  # `JointFrame.column_of` numbers the cells of cliques after those of columns
            raise

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.table * factor, self.joint * factor)

    @property
    def present(self) -> NDArray[Any]:
        return self.table

    def placed(self, classes: Placement | None, cells: Any) -> Self:
        joint = None if cells is None else cells.joint
        return type(self)(placed(self.table, classes, cells), placed(self.joint, classes, joint))

    def of_cells(self, kept: Any) -> Self:
        return type(self)(self.table[:, kept.columns], self.joint[:, kept.joint])

    def check_joint(self, classes: int, frame: JointFrame) -> None:
        """Raises ValueError if these can't be counts of this many classes in this frame."""
        for name, array, cells in (
            ("table", self.table, frame.starts[-1]),
            ("joint", self.joint, frame.joint.starts[-1]),
        ):
            if array.shape != (classes, cells):
                raise ValueError(f"the shape of {name!r} is {array.shape}, not {(classes, int(cells))}")
            check_numbers(name, array)
