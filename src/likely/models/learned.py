"""What a model has learned: sums over rows, which can be added, subtracted and scaled."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Sample
from likely.data.table import Kind
from likely.engines import threads
from likely.errors import EmptyColumns, NeverLearned
from likely.families import Block, Plan
from likely.statistics import Counts, Labels, Placement, union
from likely.statistics.sums import exact


@dataclass(frozen=True, eq=False)
class Learned:
    """The columns of the table with their kinds, the classes with their numbers of rows, and the blocks."""

    names: Sequence[Any]
    kinds: Sequence[Kind]
    classes: Labels
    rows: Counts
    blocks: tuple[Block, ...]

    @property
    def class_counts(self) -> NDArray[Any]:
        """The number of rows of each class; with sample weights, their total weight."""
        return np.asarray(self.rows.table[:, 0])

    def __add__(self, other: Self) -> Self:
        mine, theirs = self._aligned(other)
        blocks = tuple(a + b for a, b in zip(mine.blocks, theirs.blocks, strict=True))
        return replace(mine, rows=mine.rows + theirs.rows, blocks=blocks)

    def __sub__(self, other: Self) -> Self:
        mine, theirs = self._aligned(other)
        try:
            rows = mine.rows - theirs.rows
            blocks = tuple(a - b for a, b in zip(mine.blocks, theirs.blocks, strict=True))
        except NeverLearned as error:
            error.of_class = mine.classes.tolist()[error.of_class]
            raise
        return replace(mine, rows=rows, blocks=blocks)

    def __mul__(self, factor: float) -> Self:
        return replace(self, rows=self.rows * factor, blocks=tuple(block * factor for block in self.blocks))

    def _aligned(self, other: Self) -> tuple[Self, Self]:
        """Both with the union of their classes. Raises ValueError if their columns differ."""
        if len(self.blocks) != len(other.blocks) or any(
            a.columns is not b.columns and list(a.columns) != list(b.columns)
            for a, b in zip(self.blocks, other.blocks, strict=True)
        ):
            raise ValueError(self._why_unlike(other))
        try:
            classes, mine, theirs = union(self.classes, other.classes)
        except TypeError as error:
            raise ValueError(f"classes: {error}") from None
        return self._placed(mine, classes), other._placed(theirs, classes)

    def _why_unlike(self, other: Self) -> str:
        """The error text. It lists the columns that only one of the models has, if both have names."""
        named = not any(isinstance(learned.names, range) for learned in (self, other))
        only = [*(n for n in self.names if n not in other.names), *(n for n in other.names if n not in self.names)]
        if not named or not only:
            return "the models read their columns differently; give both the same families"
        some = ", ".join(map(repr, only[:3])) + (", ..." if only[3:] else "")
        return f"the models have different columns: only one of them has {some}"

    def _placed(self, at: Placement | None, classes: Labels) -> Self:
        if at is None:
            return replace(self, classes=classes)
        blocks = tuple(block.placed(at) for block in self.blocks)
        return replace(self, classes=classes, rows=self.rows.placed(at, None), blocks=blocks)

    def refuse_incomplete(self) -> None:
        """Raises ValueError if no row has all cells of a block of columns that vary together."""
        for block in self.blocks:
            if len(block.columns) > 1 and block.family.joint and not block.statistics.present.any():
                raise ValueError(
                    f"no row has a value in each of the columns {', '.join(map(repr, block.frame.columns))}; "
                    "leave out what is often missing"
                )

    @property
    def empty(self) -> list[Any]:
        """The names of the columns without a value. They change no score."""
        columns = {j for j, kind in enumerate(self.kinds) if kind == "empty"}
        for block in self.blocks:
            if not block.family.marks_missing and block.statistics.present.shape[1] == block.frame.starts[-1]:
                columns |= {j for j, seen in zip(block.columns, block.seen(), strict=True) if seen == 0}
        return [self.names[j] for j in sorted(columns)]

    def warn_of_empty(self) -> None:
        if self.empty:
            warnings.warn(EmptyColumns(self.empty), stacklevel=2)


def count(plans: Sequence[Plan], sample: Sample) -> Learned:
    """The statistics of a sample. Its rows are counted in pieces, in parallel."""
    table, classes = sample.table, len(sample.classes)

    def work(rows: slice) -> Learned:
        weight = None if sample.weight is None else sample.weight[rows]
        per_class = np.bincount(sample.y[rows], weight, classes).astype(np.float64)[:, None]
        blocks = tuple(plan.count(sample, rows) for plan in plans)
        return Learned(table.names, table.kinds, sample.classes, Counts(exact(per_class, weight is None)), blocks)

    allocated = sum(plan.family.piece_bytes(classes, len(plan.columns)) for plan in plans)
    if any(plan.family.reads == "text" for plan in plans):  # at least two pieces: adding takes a tenth of reading
        allocated = min(allocated, len(sample) * table.row_bytes // 16)
    return threads.total(work, threads.pieces(len(sample), table.row_bytes, allocated))
