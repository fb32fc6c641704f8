"""Files as one table, a batch at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from likely.data.stream import csv, formats
from likely.data.stream.csv import Dialect
from likely.data.stream.types import Widened, common, plain


class Batch(NamedTuple):
    """Some rows of a file."""

    table: pa.Table
    file: str
    first: int
    """The number of the first row in its file, counted from 0."""


class Stream:
    """Rows of one or several files with the same columns, in batches that have the same types.

    The format is told by a file's name: `.csv` and `.tsv` (also `.gz`, `.zst` and `.bz2`), `.parquet`, `.arrow`,
    `.feather`, `.jsonl` and `.ndjson`; any other is read as CSV. Types are those of the first batch. Where a later one
    does not fit, the stream widens the type and raises Widened: whoever reads must begin again, and comes further.
    """

    def __init__(
        self,
        files: Sequence[str],
        missing: Sequence[str] = (),
        encoding: str | None = None,
        as_text: bool = False,
    ) -> None:
        """`missing` are texts that stand for a missing cell. With `as_text` the cells of CSV stay as they are written,
        and batches of other formats have the types that they have: nothing is widened.
        """
        self.files, self.missing, self.encoding, self.as_text = list(files), list(missing), encoding, as_text
        self.types: dict[str, pa.DataType] = {}
        self.dialects: dict[str, Dialect] = {}
        self.rows = 0
        """Of all batches that were read since the last beginning."""

    def __iter__(self) -> Iterator[Batch]:
        self.rows = 0
        for file in self.files:
            first = 0
            for table in self._tables(file):
                yield Batch(self._alike(table, file), file, first)
                first += table.num_rows
                self.rows += table.num_rows
        if not self.rows:
            raise ValueError(f"{', '.join(self.files)}: there is a header, and no rows")

    def place(self, file: str, row: int) -> str:
        """Where a row is, for people."""
        if file in self.dialects:
            return f"{file}, line {csv.line_of(file, self.dialects[file], row)}"
        return f"{file}, row {row + 1}"

    def _tables(self, file: str) -> Iterator[pa.Table]:
        ends = Path(file.lower()).suffixes[-2:]
        end = ends[-1] if ends else ""
        try:
            if end in (".parquet", ".pq"):
                return (yield from formats.parquet(file))
            if end in (".arrow", ".feather", ".ipc"):
                return (yield from formats.arrow(file))
            if not {".jsonl", ".ndjson"}.isdisjoint(ends):
                return (yield from formats.json_lines(file))
        except pa.ArrowInvalid as error:
            raise ValueError(f"{file} is no {end[1:]} file: {error}") from None
        return (yield from self._csv(file))

    def _csv(self, file: str) -> Iterator[pa.Table]:
        if file not in self.dialects:
            self.dialects[file] = csv.dialect(file, self.encoding)
            _distinct(self.dialects[file].names, file)
        how = self.dialects[file]
        types = dict.fromkeys(how.names, pa.large_string()) if self.as_text else self.types
        try:
            yield from csv.batches(file, how, types, self.missing)
        except csv.Conflict as conflict:
            if conflict.value is None:  # bytes that are no text
                if how.encoding == "latin-1" or self.encoding:
                    raise ValueError(f"{file} is not in {how.encoding}; say in which it is") from None
                self.dialects[file] = how._replace(encoding="latin-1")
            else:
                self.types[conflict.column] = conflict.resolved(self.types.get(conflict.column, pa.null()))
            raise

    def _alike(self, table: pa.Table, file: str) -> pa.Table:
        """With the columns of the first batch, in their order and of their types."""
        _distinct(table.column_names, file)
        if self.as_text:
            return table
        if not self.types:
            self.types = {
                name: plain(type_) for name, type_ in zip(table.column_names, table.schema.types, strict=True)
            }
        missing = [name for name in self.types if name not in table.column_names]
        if missing and not file.lower().endswith(("jsonl", "ndjson")):
            raise ValueError(f"{file} has no column {missing[0]!r}, which {self.files[0]} has")
        new = [name for name in table.column_names if name not in self.types]
        for name in new:
            self.types[name] = plain(table[name].type)
        found = {
            name: table[name] if name in table.column_names else pa.nulls(table.num_rows, pa.null())
            for name in self.types
        }
        wide = {name: common(type_, plain(found[name].type)) for name, type_ in self.types.items()}
        if new or wide != self.types:
            begun, self.types = self.rows > 0, wide
            if begun:
                raise Widened(next((name for name in wide if name in new), ""))
        return pa.table({name: column.cast(wide[name]) for name, column in found.items()})


def _distinct(names: Sequence[str], file: str) -> None:
    name, times = Counter(names).most_common(1)[0] if names else ("", 1)
    if times > 1:
        raise ValueError(f"{file} has {times} columns of the name {name!r}; names must differ")
