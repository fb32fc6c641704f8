"""Some of the rows of a stream, evenly spaced, by which a model is judged once it has learned them all."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.labelled import Labelled, as_number
from likely.data import Table, read
from likely.data.stream import columns
from likely.statistics import Labels
from likely.validation.measures import Codes

MOST_ROWS = 100_000
MOST_BYTES = 32 << 20
"""A share of wrong answers among 100,000 is known to 0.3 of a hundredth; more rows would not say much more."""


@dataclass
class Kept:
    rows: int = 0
    """Of all that came by."""
    step: int = 1
    """One in so many is kept."""
    tables: list[pa.Table] = field(default_factory=list)
    labels: list[NDArray[Any]] = field(default_factory=list)
    weights: list[NDArray[np.float64]] = field(default_factory=list)
    places: list[NDArray[np.int64]] = field(default_factory=list)

    def add(self, part: Labelled) -> None:
        rows = np.arange(-self.rows % self.step, len(part.y), self.step)
        self.tables.append(part.columns.take(columns.numbers(rows)))
        self.labels.append(part.classes[part.y[rows]])
        self.places.append(self.rows + rows)
        if part.weight is not None:
            self.weights.append(part.weight[rows])
        self.rows += len(part.y)
        while self.count > MOST_ROWS or (self.count > 1000 and sum(table.nbytes for table in self.tables) > MOST_BYTES):
            self._thin()

    @property
    def count(self) -> int:
        return sum(map(len, self.labels))

    def _thin(self) -> None:
        self.step *= 2
        kept = [np.flatnonzero(places % self.step == 0) for places in self.places]
        self.tables = [table.take(columns.numbers(rows)) for table, rows in zip(self.tables, kept, strict=True)]
        for column in (self.labels, self.weights, self.places):
            column[:] = [array[rows] for array, rows in zip(column, kept, strict=False)]

    @property
    def at(self) -> NDArray[np.int64]:
        """Which of the rows that came by these are."""
        return np.concatenate(self.places)

    def rows_of(self, classes: Labels, missing: Any) -> tuple[Table, Codes, NDArray[np.float64] | None]:
        """The rows, their classes as positions among these, and their weights."""
        table = read(pa.concat_tables(self.tables), as_number(missing))
        y = np.searchsorted(classes, np.concatenate(self.labels)).astype(np.int32)
        return table, y, np.concatenate(self.weights) if self.weights else None
