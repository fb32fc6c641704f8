"""A random sample of the rows of a stream, to validate a model on once it has learned them all."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.labelled_batches import LabelledBatch
from likely.data import Sample, read
from likely.data.stream import columns
from likely.statistics import Labels

MOST_ROWS = 100_000
MOST_BYTES = 32 << 20
"""The 95 % interval of an error on 100,000 rows is at most 0.6 % wide; more rows would add little."""


@dataclass
class RowSample:
    """Rows chosen by a hash of their place, so that no order or period of the rows can matter."""

    rows: int = 0
    """Of the whole stream so far."""
    step: int = 1
    """About one row in `step`, a power of 2, is in the sample."""
    tables: list[pa.Table] = field(default_factory=list)
    labels: list[NDArray[Any]] = field(default_factory=list)
    weights: list[NDArray[np.float64]] = field(default_factory=list)
    places: list[NDArray[np.int64]] = field(default_factory=list)

    def add(self, part: LabelledBatch) -> None:
        sample = part.sample
        rows = self._chosen(self.rows + np.arange(len(sample)))
        self.tables.append(part.columns.take(columns.numbers(rows)))
        self.labels.append(sample.classes[sample.y[rows]])
        self.places.append(self.rows + rows)
        if sample.weight is not None:
            self.weights.append(sample.weight[rows])
        self.rows += len(sample)
        while self.count > MOST_ROWS or (self.count > 1000 and sum(table.nbytes for table in self.tables) > MOST_BYTES):
            self._thin()

    @property
    def count(self) -> int:
        return sum(map(len, self.labels))

    def _chosen(self, places: NDArray[np.int64]) -> NDArray[np.intp]:
        return np.flatnonzero(_hash(places) % np.uint64(self.step) == 0)

    def _thin(self) -> None:
        self.step *= 2
        kept = [self._chosen(places) for places in self.places]
        self.tables = [table.take(columns.numbers(rows)) for table, rows in zip(self.tables, kept, strict=True)]
        for column in (self.labels, self.weights, self.places):
            column[:] = [array[rows] for array, rows in zip(column, kept, strict=False)]

    @property
    def at(self) -> NDArray[np.int64]:
        """The positions of the sampled rows in the stream."""
        return np.concatenate(self.places)

    def sample(self, classes: Labels) -> Sample:
        """The sampled rows, with their classes as positions among these."""
        table = read(pa.concat_tables(self.tables))
        y = np.searchsorted(classes, np.concatenate(self.labels)).astype(np.int32)
        return Sample(table, y, classes, np.concatenate(self.weights) if self.weights else None)


def _hash(places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """SplitMix64's: neighbours have nothing in common."""
    mixed = (places.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
