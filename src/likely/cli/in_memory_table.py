"""Holds all rows in memory, for models that must read them many times."""

from bisect import bisect_right
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.labelled_batches import LabelledBatch, batches_for_new_model
from likely.cli.options import Reading
from likely.cli.sources import Source, placing
from likely.data import Sample, encode_target, read
from likely.data.dataset import Batch, Dataset
from likely.data.findings import Finding, TargetSummary

NO_CELLS = pa.table({})


@dataclass
class InMemoryTable:
    """The batches of a source, as one table."""

    rows: int = 0
    size: int = 0
    """The size of the columns, in bytes."""
    tables: list[pa.Table] = field(default_factory=list)
    labels: list[NDArray[Any]] = field(default_factory=list)
    weights: list[NDArray[np.float64]] = field(default_factory=list)
    places: list[tuple[int, Batch]] = field(default_factory=list)
    """The first row of each batch in the table, and the batch without its cells."""

    def add(self, part: LabelledBatch) -> None:
        sample = part.sample
        self.labels.append(sample.classes[sample.y])
        self.weights += [] if sample.weight is None else [sample.weight]
        self.hold(part.columns, part.batch)

    def hold(self, columns: pa.Table, batch: Batch) -> None:
        """Adds the columns of a batch alone."""
        self.tables.append(columns)
        self.places.append((self.rows, batch._replace(table=NO_CELLS, written=lambda: NO_CELLS)))
        self.rows += columns.num_rows
        self.size += columns.nbytes

    @property
    def columns(self) -> pa.Table:
        return pa.concat_tables(self.tables)

    def sample(self) -> Sample:
        classes, y = encode_target(self.y)
        return Sample(read(self.columns), y, classes, np.concatenate(self.weights) if self.weights else None)

    @property
    def y(self) -> NDArray[Any]:
        return np.concatenate(self.labels)

    def place(self, source: Source, row: int) -> str:
        """The file and line of a row."""
        start, batch = self.places[bisect_right(self.places, row, key=lambda place: place[0]) - 1]
        return source.place(batch.file, batch.first, batch.after_first(row - start))

    def naming(self, source: Source) -> AbstractContextManager[None]:
        """Adds the file and line to an error about a row."""
        return placing(lambda row: self.place(source, row))


def findings_of_rows(source: Source, target: str | None, rows: InMemoryTable) -> list[Finding]:
    """What you should check in the columns of a table."""
    if not isinstance(source, Dataset) or target is None:
        return []
    labels, times = np.unique(rows.y, return_counts=True)
    return source.findings(TargetSummary(target, dict(zip(labels.tolist(), times.tolist(), strict=True))))


def read_all(source: Source, target: str | None, reading: Reading) -> InMemoryTable:
    rows = InMemoryTable()
    for part in batches_for_new_model(source, target, reading):
        rows.add(part)
    return rows
