"""Cells that are not of their column's type, and so were read as missing."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.inference import MOST_UNREAD, marks_missing
from likely.data.parsing import WHAT
from likely.data.schema import ColumnSchema, Schema
from likely.data.stream import columns
from likely.data.summary import ColumnSummary
from likely.errors import BadCell


@dataclass
class Unread:
    """Those of one column: how often each text occurs, and where the first is."""

    texts: Counter[str] = field(default_factory=Counter)
    place: str = ""

    def __add__(self, other: Self) -> Self:
        return replace(self, texts=self.texts + other.texts)


class UnreadCells(dict[str, Unread]):
    """By column. With `strict`, the first that does not mark a missing cell, as "unknown" does, is an error. A column
    with too many different ones is always an error."""

    def __init__(self, strict: bool = False) -> None:
        super().__init__()
        self.strict = strict

    def __add__(self, other: Self) -> Self:
        """Those of two parts of the data. Raises BadCell where both together have too many different ones."""
        both = type(self)(self.strict)
        for name in self.keys() | other.keys():
            both[name] = tally = self[name] + other[name] if name in self and name in other else (self | other)[name]
            if len(tally.texts) > MOST_UNREAD:
                comment = f", and there are more than {MOST_UNREAD} of its kind; add --type {name}=category"
                error = BadCell("", 0, name, next(iter(tally.texts)), comment)
                error.place = tally.place
                raise error
        return both

    def add(
        self, column: ColumnSchema, unread: tuple[pa.ChunkedArray, NDArray[np.bool]], place: Callable[[int], str]
    ) -> None:
        """Counts those of a batch: the cells, and which of them could not be read. Raises BadCell."""
        cells, bad = unread
        rows = np.flatnonzero(bad)
        texts = cells.take(columns.numbers(rows)).to_pylist()
        at = next((at for at, text in enumerate(texts) if not marks_missing(str(text).strip())), None)
        first = int(rows[at or 0])
        error = BadCell("", first, column.name, texts[at or 0], f", which is no {WHAT[column.type]}")
        if self.strict and at is not None:
            error.place = place(first)
            raise error
        tally = self.setdefault(column.name, Unread())
        tally.place = tally.place or place(first)
        tally.texts.update(str(text).strip() for text in texts)
        if len(tally.texts) > MOST_UNREAD:
            error.place = place(first)
            error.comment += f", and more than {MOST_UNREAD} others are none; add --type {column.name}=category"
            raise error

    def note(self, error: BadCell) -> None:
        """Notes a cell that is of its column's type, but that the family of the column cannot read. Raises the error if
        there are too many of these."""
        tally = self.setdefault(error.column, Unread())
        tally.place = tally.place or error.place
        value = error.value
        whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
        tally.texts[str(int(value)) if whole else str(value)] += 1
        if len(tally.texts) > MOST_UNREAD:
            error.comment += f"; add --type {error.column}=number"
            raise error

    # What follows from them

    def marked_in(self, schema: Schema) -> Schema:
        """The schema with these texts among those that mark a missing cell of their column."""
        met = {name: [text for text in unread.texts if text] for name, unread in self.items()}
        changed = [
            replace(column, missing=tuple(dict.fromkeys([*column.missing, *met[column.name]])))
            for column in schema.columns
            if met.get(column.name)
        ]
        return schema.with_columns(changed)

    def counted_in(self, summaries: Mapping[str, ColumnSummary], rows: int) -> dict[str, ColumnSummary]:
        """The summaries of columns, with these texts and the number of all rows."""
        found = dict(summaries)
        for name, unread in self.items():
            if name in found:
                texts = {**found[name].unread, **dict(unread.texts.most_common())}
                found[name] = replace(found[name], rows=max(rows, found[name].rows), unread=texts)
        return found

    def notes(self) -> list[str]:
        """A sentence for each column, with its most frequent texts."""
        found = []
        for name, unread in self.items():
            some = ", ".join(f"{text!r} ({times:,})" for text, times in unread.texts.most_common(3))
            found.append(f"Read as missing in column {name!r}: {some}.")
        return found
