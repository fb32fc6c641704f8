"""The choice of a family for each column: of those that can read it, the one with the highest leave-one-out
likelihood."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Sample
from likely.data.table import Kind, Table
from likely.engines import threads
from likely.families import FAMILIES, Family, Plan
from likely.families.block import naming
from likely.models.choosing.named import named_families
from likely.priors import Prior
from likely.statistics import Frame

ROWS = 10_000
"""Rows used to choose, evenly spaced in a larger table. The standard error of a mean log likelihood is then about 0.01
per row; where two families differ by less, either will do."""

FIRST, CLEAR, CELL = 2_000, 30.0, 0.4
"""Rows used first; the difference of log likelihoods, in nats, with which they decide alone; and what each further cell
adds to that difference (see `_near`). All ROWS would choose otherwise for 10 of the 423 columns of `bench accuracy
--only tables`, most of them of spambase; with 50 and 1 for the same 10, and with 30 and 0 for 19."""

ALIKE = 0.5
"""Families within this many nats count as equal, and the first of the registry is chosen, the best known."""

FEW = 100
"""A column counts as constant if at most one row in this many differs."""

SHARED = 1 << 14
"""From this many cells on, candidates are compared in parallel, by threads."""

Reading = tuple[Family, Sequence[int]]
"""A family, and the columns that it reads."""


def read_by(sample: Sample, families: Any, smoothing: Prior | None) -> list[Plan]:
    """A plan for each family, with its columns: the families that you named, and the best for all other columns."""
    named = [
        reading
        for choice in named_families(sample.table.names, families)
        for reading in _readings(*choice, sample.table)
    ]
    look = Look(sample, smoothing)
    blocks: list[Reading] = []
    for family, columns in [*named, *look.best_of_others([members for _, members in named])]:
        same = next((at for at, (other, _) in enumerate(blocks) if other == family and not family.joint), None)
        if same is None:
            blocks.append((family, columns))
        else:
            blocks[same] = family, sorted([*blocks[same][1], *columns])
    alike = [sum(type(other) is type(family) for other, _ in blocks) for family, _ in blocks]
    return [
        look.plan(family.settled(look.sample, columns[0], times), columns)
        for (family, columns), times in zip(blocks, alike, strict=True)
    ]


def _readings(family: Family, columns: Sequence[int], table: Table) -> Iterator[Reading]:
    """The family that was named, with its columns. Each column of texts is read by itself, by a family of words."""
    kinds = {j: family.for_kind(table.kinds[j]) for j in columns}
    texts = [j for j in columns if kinds[j].reads == "text"]
    yield from ((kinds[j], [j]) for j in texts)
    if len(texts) < len(columns):
        yield family, columns if not texts else [j for j in columns if j not in texts]


def names_of(table: Table, columns: Sequence[int]) -> Sequence[Hashable]:
    """The names of some columns of a table."""
    names = table.names
    return names if len(columns) == len(names) else tuple(names[j] for j in columns)


def read_as_text(sample: Sample, kind: Kind, columns: Sequence[int]) -> set[int]:
    """Which of these columns of a kind "auto" reads as texts."""
    texts: set[int] = set()
    for family in FAMILIES.values():
        if kind in family.auto and family.reads == "text":
            suited = family().suits(sample.at_most(ROWS).table, columns)
            texts |= {columns[at] for at in np.flatnonzero(suited).tolist()}
    return texts


class Look:
    """The rows by which families are chosen, and the frames in which candidates were compared."""

    def __init__(self, sample: Sample, smoothing: Prior | None) -> None:
        self.all, self.sample, self.smoothing = sample, sample.at_most(ROWS), smoothing
        few = self.sample.at_most(FIRST)
        self.looks = [self.sample] if few is self.sample else [few, self.sample]
        self.frames: dict[Family, tuple[Sequence[int], Frame]] = {}

    def best_of_others(self, named: list[Sequence[int]]) -> Iterator[Reading]:
        """Families for the columns that you did not name."""
        kinds = self.sample.table.kinds
        if sum(map(len, named)) == len(kinds):
            return
        decided = {j for columns in named for j in columns}
        for kind in dict.fromkeys(kinds):
            columns: Sequence[int] = range(len(kinds))
            if decided or kinds.count(kind) < len(kinds):
                columns = [j for j, other in enumerate(kinds) if other == kind and j not in decided]
            if columns:
                yield from self._best(kind, columns)

    def _best(self, kind: Kind, columns: Sequence[int]) -> Iterator[Reading]:
        """Families for columns of one kind. A family whose columns depend on each other is not compared column by
        column: it reads every column that suits it."""
        table = self.sample.table
        candidates = [
            offered for family in FAMILIES.values() for offered in family.offered(self.smoothing, kind, table, columns)
        ]
        for family in (candidate for candidate in candidates if not candidate.independent):
            if family.reads == "text":
                suited = family.suits(self.sample.table, columns)
                yield from ((family, [columns[at]]) for at in np.flatnonzero(suited).tolist())
                columns = _some(columns, np.flatnonzero(~suited))
            elif family.suits(self.all.table, columns).all():
                yield family, columns
                columns = ()
        independent = [family for family in candidates if family.independent]
        if len(independent) == 1 and columns:
            yield independent[0], columns
        elif independent and columns:
            best = self._judged(independent, kind, columns)
            for at, family in enumerate(independent):
                if (best == at).any():
                    yield family, _some(columns, np.flatnonzero(best == at))

    def _judged(self, candidates: list[Family], kind: Kind, columns: Sequence[int]) -> NDArray[np.intp]:
        """Which of the candidates is the best for each column.

        A column that is almost constant is not compared by leave-one-out: without the one row that differs, it has no
        spread. Its few other values must not weigh much: reading one of the 54 columns of covertype as Gaussian raised
        the error from 0.33 to 0.45.
        """
        behind, cells = np.zeros((2, len(candidates), len(columns)))
        near = np.ones(behind.shape, np.bool)
        for sample in self.looks:
            near &= near.sum(axis=0) > 1
            readings = [
                (family, _some(columns, np.flatnonzero(at))) for family, at in zip(candidates, near, strict=True)
            ]
            judge = map if len(sample) * len(columns) < SHARED else threads.stream
            logs = np.full(behind.shape, -np.inf)
            for at, result in enumerate(judge(partial(self.loo, sample=sample), readings)):
                logs[at, near[at]], cells[at, near[at]] = result
            with np.errstate(invalid="ignore"):  # a column that no candidate can read
                behind = np.where(near, logs.max(axis=0) - logs, behind)
            near &= _near(behind, cells)
        best = self._best_readable(candidates, columns, behind)
        constant = next((at for at, family in enumerate(candidates) if kind in family.auto_constant), None)
        if constant is not None:
            best[self._constant(columns)] = constant
        return best

    def _best_readable(self, candidates: list[Family], columns: Sequence[int], behind: Array) -> NDArray[np.intp]:
        """The best of the candidates that can read all rows, not only those of the sample."""
        while True:
            best, able = (behind <= behind.min(axis=0) + ALIKE).argmax(axis=0), True
            for at, family in enumerate(candidates):
                won = np.flatnonzero(best == at)
                bad = won[~family.suits(self.all.table, _some(columns, won))] if len(won) else won
                behind[at, bad], able = np.inf, able and not len(bad)
            if able:
                return np.asarray(best)

    def loo(self, reading: Reading, sample: Sample) -> tuple[Array, Array]:
        """The leave-one-out log likelihood of each column, -inf if the family cannot read it; and how many cells it
        counts there, in all classes together."""
        family, columns = reading
        logs, cells = np.full(len(columns), -np.inf), np.zeros(len(columns))
        if columns and (suited := family.suits(sample.table, columns)).any():
            plan = self._plan(family, _some(columns, np.flatnonzero(suited)), sample)
            if sample is self.sample:
                self.frames[family] = plan.columns, plan.frame
            block = plan.count(sample, step=self._step(sample))
            logs[suited] = family.loo_total(block, block.observe(sample))
            cells[suited] = len(sample.classes) * np.diff(block.frame.starts)
        return logs, cells

    def _constant(self, columns: Sequence[int]) -> NDArray[np.intp]:
        """The positions of the columns with one value in nearly all rows: at most one row in `FEW` differs."""
        constant = np.arange(len(columns))
        for sample in self.looks:
            if len(constant):
                numbers = sample.table.numbers(_some(columns, constant), slice(None))
                above = (numbers > np.fmin.reduce(numbers, axis=0)).sum(axis=0)
                below = (numbers < np.fmax.reduce(numbers, axis=0)).sum(axis=0)
                constant = constant[np.minimum(above, below) <= max(1, len(sample) // FEW)]
        return constant

    def plan(self, family: Family, columns: Sequence[int]) -> Plan:
        """The plan of a family, with the frame in which its columns were compared, if they were."""
        judged, frame = self.frames.get(family, ((), None))
        place = {j: at for at, j in enumerate(judged)}
        if frame is not None and place.keys() >= set(columns):
            return Plan(family, columns, frame.of([place[j] for j in columns]))
        return self._plan(family, columns, self.sample)

    def _plan(self, family: Family, columns: Sequence[int], sample: Sample) -> Plan:
        plan = Plan(family, columns, Frame(names_of(sample.table, columns)))
        with naming(plan.frame, 0, self._step(sample)):
            return replace(plan, frame=family.frame(plan.frame.columns, plan.observe(sample)))

    def _step(self, sample: Sample) -> int:
        """The number of rows of the table for each row of the sample."""
        return -(-len(self.all) // max(len(sample), 1))


def _near(behind: Array, cells: Array) -> NDArray[np.bool]:
    """Which candidates are so close to the best that more rows may change the choice. A candidate with more cells loses
    about half a nat for each of them, however few rows there are, while its gain grows with the rows. So it is excluded
    only with a larger difference."""
    of_best = cells[behind.argmin(axis=0), np.arange(cells.shape[1])]
    return np.asarray(behind < CLEAR + CELL * np.maximum(cells - of_best, 0.0))


def _some(columns: Sequence[int], at: NDArray[np.intp]) -> Sequence[int]:
    """The columns at some positions."""
    return columns if len(at) == len(columns) else [columns[j] for j in at.tolist()]
