"""All rows at once, for what must go over them again and again."""

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.labelled import Labelled, anew, as_number
from likely.cli.options import Reading
from likely.cli.sources import Source, placed
from likely.data import Table, read
from likely.data.stream import Widened


@dataclass
class Whole:
    """Batches, as they come by."""

    rows: int = 0
    size: int = 0
    """Of the columns, in bytes."""
    tables: list[pa.Table] = field(default_factory=list)
    labels: list[NDArray[Any]] = field(default_factory=list)
    weights: list[NDArray[np.float64]] = field(default_factory=list)
    places: list[tuple[int, str, int]] = field(default_factory=list)
    """Of each batch its first row: among all, the file, and in that."""

    def add(self, part: Labelled) -> None:
        self.tables.append(part.columns)
        self.labels.append(part.classes[part.y])
        self.weights += [] if part.weight is None else [part.weight]
        self.places.append((self.rows, part.batch.file, part.batch.first))
        self.rows += len(part.y)
        self.size += part.columns.nbytes

    def table(self, missing: Any) -> Table:
        return read(pa.concat_tables(self.tables), as_number(missing))

    @property
    def y(self) -> NDArray[Any]:
        return np.concatenate(self.labels)

    @property
    def weight(self) -> NDArray[np.float64] | None:
        return np.concatenate(self.weights) if self.weights else None

    def place(self, source: Source, row: int) -> str:
        """Where a row is, for people."""
        start, file, first = self.places[bisect_right(self.places, row, key=lambda place: place[0]) - 1]
        return source.place(file, first + row - start)

    @contextmanager
    def naming(self, source: Source) -> Iterator[None]:
        """Says of an error that names a row where that is."""
        try:
            yield
        except ValueError as error:
            raise placed(error, "", lambda row: self.place(source, row)) from None


def whole(source: Source, target: str | None, reading: Reading) -> Whole:
    while True:
        found = Whole()
        try:
            for part in anew(source, target, reading):
                found.add(part)
        except Widened:
            continue
        return found
