"""The columns of one family, counted together: what to count (`Plan`), and what was counted (`Block`)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Sample
from likely.data.table import Table
from likely.errors import BadCell, Degenerate, NeverLearned
from likely.families.cells import Array
from likely.families.family import Family, Observations
from likely.statistics import Frame, Placement, Statistics


@dataclass(frozen=True, eq=False)
class Plan:
    """Which columns of a table are read by which family, and in which frame they are counted."""

    family: Family
    columns: Sequence[int]
    frame: Frame
    column_weights: Array | None = None
    """The factor of each column's log probability in scores; None if all are 1."""

    def of(self, kept: NDArray[np.bool]) -> Self:
        """The plan of some of its columns, for a family that counts each column by itself."""
        at = np.flatnonzero(kept).tolist()
        weights = None if self.column_weights is None else self.column_weights[kept]
        return replace(self, columns=[self.columns[j] for j in at], frame=self.frame.of(at), column_weights=weights)

    def read(self, table: Table, rows: slice = slice(None)) -> Any:
        """These rows as cells of the frame."""
        return self.family.read(table, self.columns, rows, self.frame.cells)[0]

    def observe(self, sample: Sample, rows: slice = slice(None)) -> Observations:
        """These rows as cells of the frame, with their classes and weights."""
        return self._seen(sample, rows, self.read(sample.table, rows))

    def _seen(self, sample: Sample, rows: slice, cells: Any) -> Observations:
        weight = None if sample.weight is None else sample.weight[rows]
        kinds = sample.table.kinds
        whole = np.array([kinds[j] == "int" and not self.family.marks_missing for j in self.columns])
        return Observations(cells, sample.y[rows], len(sample.classes), weight, whole)

    def count(self, sample: Sample, rows: slice = slice(None), step: int = 1) -> "Block":
        """The block with the statistics of these rows. A frame of categories holds those found in the rows. If the
        sample is every `step`-th row of a table, an error names the row of that table."""
        cells, categories = self.family.read(sample.table, self.columns, rows)
        frame = self.frame if categories is None else self.frame.holding(categories)
        with naming(frame, rows.start or 0, step):
            statistics = self.family.count(self._seen(sample, rows, cells), frame)
        counted = self.counted(statistics, frame)
        return counted if sample.weight is None else counted.trimmed()

    def counted(self, statistics: Statistics, frame: Frame) -> "Block":
        """The block with these statistics, counted in `frame`, whose categories may differ from the plan's."""
        frame, order = frame.ordered()
        return Block(self.family, self.columns, frame, self.column_weights, statistics.placed(None, order))


@dataclass(frozen=True, eq=False)
class Block(Plan):
    """A plan and the statistics counted by it. Blocks add and subtract; their frames grow by union."""

    statistics: Any = None

    def __add__(self, other: Self) -> Self:
        block, mine, theirs = self._common(other)
        return replace(block, statistics=self.statistics.placed(None, mine) + other.statistics.placed(None, theirs))

    def __sub__(self, other: Self) -> Self:
        block, mine, theirs = self._common(other)
        try:
            left = self.statistics.placed(None, mine) - other.statistics.placed(None, theirs)
        except NeverLearned as error:
            error.column = block.frame.column_of(error.cell)
            raise
        return replace(block, statistics=left).trimmed()

    def __mul__(self, factor: float) -> Self:
        return replace(self, statistics=self.statistics * factor)

    def of(self, kept: NDArray[np.bool]) -> Self:
        return replace(super().of(kept), statistics=self.statistics.of_cells(np.repeat(kept, self.frame.sizes)))

    def trimmed(self) -> Self:
        """Without the categories that have no rows left, as if they had never been seen."""
        if self.frame.cells is None:
            return self
        kept = np.asarray(self.statistics.present.any(axis=0))
        if kept.all():
            return self
        frame, cells = self.frame.trimmed(kept)
        return replace(self, frame=frame, statistics=self.statistics.of_cells(cells))

    def placed(self, classes: Placement | None) -> Self:
        return replace(self, statistics=self.statistics.placed(classes, None))

    def _common(self, other: Self) -> tuple[Self, Placement | None, Placement | None]:
        if self.family != other.family:
            raise ValueError(
                f"columns {self.frame.columns!r} are read as {self.family!r} here and as {other.family!r} there; "
                "give both models the same families"
            )
        frame, mine, theirs = self.frame.union(other.frame)
        return replace(self, frame=frame), mine, theirs

    def seen(self) -> Array:
        """The total weight of the rows counted in each column."""
        present = self.statistics.present.sum(axis=0, dtype=np.float64)
        if len(present) == 1 < self.frame.starts[-1]:
            return np.full(len(self.columns), present[0])
        return np.diff(np.concatenate([[0.0], np.cumsum(present)])[self.frame.starts])

    def check_parameters(self, labels: Sequence[Any]) -> None:
        """Raises Degenerate if the parameters do not exist, and names the column and the class."""
        try:
            self.parameters  # noqa: B018 - computed here, and cached
        except Degenerate as error:
            error.column = None if error.column is None else self.frame.columns[error.column]
            error.of_class = None if error.of_class is None else labels[error.of_class]
            raise

    @cached_property
    def parameters(self) -> Any:
        return self.family.parameters(self)

    def score(self, table: Table, rows: slice, out: Array) -> None:
        with naming(self.frame, rows.start or 0):
            self.family.score(self.parameters, self.read(table, rows), out)

    def loo_scores(self, sample: Sample, rows: slice, out: Array) -> None:
        with naming(self.frame, rows.start or 0):
            self.family.loo_scores(self, self.observe(sample, rows), out)


@contextmanager
def naming(frame: Frame, first_row: int, step: int = 1) -> Iterator[None]:
    """Adds the column's name and the row of the whole table to an error that has only a position in the block."""
    try:
        yield
    except BadCell as error:
        if error.in_block:
            error.column, error.row = frame.columns[error.column], first_row + (error.row or 0) * step
            error.in_block = False
        raise
