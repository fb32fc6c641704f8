"""A history whose messages stay in the file of the index until they are needed: the messages of a large account take
more memory than everything that is computed from them."""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from sys import intern
from typing import overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.mail.history import Entry, History
from likely.mail.reading import COLUMNS

AT_ONCE = 500
"""How many messages to read from the file at once."""

SHORT = 500
"""Texts with fewer characters are not compressed: it would take longer than parsing the message."""

FIELDS = ", ".join(Entry.__slots__)


@dataclass(frozen=True)
class IndexedRows:
    """Rows of the table "messages" by their rowids, in any order. They can't change while `database` reads in one
    transaction."""

    database: sqlite3.Connection
    numbers: NDArray[np.int64]

    def read(self, columns: str) -> Iterator[sqlite3.Row]:
        for start in range(0, len(self.numbers), AT_ONCE):
            numbers = self.numbers[start : start + AT_ONCE].tolist()
            query = f"SELECT rowid, {columns} FROM messages WHERE rowid IN ({', '.join('?' * len(numbers))})"
            rows = {row["rowid"]: row for row in self.database.execute(query, numbers)}
            yield from (rows[number] for number in numbers)

    def at(self, part: slice | NDArray[np.int64]) -> "IndexedRows":
        return IndexedRows(self.database, self.numbers[part])


class IndexedEntries(Sequence[Entry]):
    def __init__(self, rows: IndexedRows) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows.numbers)

    def __iter__(self) -> Iterator[Entry]:
        return (Entry(*tuple(row)[1:]) for row in self.rows.read(FIELDS))

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        if isinstance(at, slice):
            return list(IndexedEntries(self.rows.at(at)))
        row = range(len(self))[at]
        return self[row : row + 1][0]


class IndexedMail:
    """The table that `likely.mail.table` makes, read from the file when you slice it."""

    def __init__(self, rows: IndexedRows) -> None:
        self.rows = rows

    @property
    def num_rows(self) -> int:
        return len(self.rows.numbers)

    def __getitem__(self, part: slice) -> pa.Table:
        rows = list(self.rows.at(part).read(", ".join(COLUMNS)))
        return pa.table({column: _column([row[column] for row in rows]) for column in COLUMNS})


@dataclass(frozen=True)
class IndexedHistory(History):
    @classmethod
    def of_rows(cls, rows: IndexedRows) -> "IndexedHistory":
        return cls(IndexedEntries(rows), IndexedMail(rows))

    def of(self, rows: Iterable[int]) -> History:
        return self.of_rows(self.mail.rows.at(np.fromiter(rows, np.int64)))

    @cached_property
    def folders(self) -> list[str]:
        return [intern(entry.folder) for entry in self.entries]

    @cached_property
    def dates(self) -> NDArray[np.float64]:
        return np.fromiter((entry.date for entry in self.entries), float, len(self))


def packed(text: str) -> str | bytes:
    """The form in which the file keeps a text: compressed, unless it is short."""
    return text if len(text) < SHORT else zlib.compress(text.encode("utf-8"), 1)


def unpacked(kept: str | bytes) -> bytes:
    return kept.encode("utf-8") if isinstance(kept, str) else zlib.decompress(kept)


def _column(kept: list[str | bytes]) -> pa.LargeStringArray:
    texts = list(map(unpacked, kept))
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return pa.LargeStringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(texts)))
