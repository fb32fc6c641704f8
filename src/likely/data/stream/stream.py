"""Files as one table, a batch at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from likely.data.arrow import NO_CAST
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

    The format follows from a file's name: `.csv` and `.tsv` (also `.gz`, `.zst` and `.bz2`), `.parquet`, `.arrow`,
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
        self.block = csv.BLOCK
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
        end = Path(file.lower()).suffix
        try:
            if end in (".parquet", ".pq"):
                return (yield from formats.parquet(file))
            if end in (".arrow", ".feather", ".ipc"):
                return (yield from formats.arrow(file))
            if _is_json(file):
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
            yield from csv.batches(file, how, types, self.missing, self.block)
        except csv.TooLong:
            self.block *= 8
            raise
        except csv.TypeConflict as conflict:
            if conflict.value is None:  # bytes that are no text
                if how.encoding == "latin-1" or self.encoding:
                    raise ValueError(f"{file} is not in {how.encoding}; say in which it is") from None
                self.dialects[file] = how._replace(encoding="latin-1")
            else:
                before = self.types.get(conflict.column, pa.null())
                self.types[conflict.column] = after = conflict.resolved(before)
                if after == before:
                    raise ValueError(
                        f"{file}: column {conflict.column!r} has {conflict.value!r}, which is no text"
                    ) from None
            raise

    def _alike(self, table: pa.Table, file: str) -> pa.Table:
        """With the columns of the first batch, in their order and of their types."""
        _distinct(table.column_names, file)
        if self.as_text:
            return table
        here = dict(zip(table.column_names, table.columns, strict=True))
        before = dict(self.types)
        absent = [name for name in before if name not in here]
        if absent and not _is_json(file):  # whose objects may leave out what they have not
            raise ValueError(f"{file} has no column {absent[0]!r}, which {self.files[0]} has")
        for name, column in here.items():
            type_ = plain(column.type)
            self.types[name] = common(before[name], type_) if name in before else type_
        if self.rows and self.types != before:
            raise Widened(next(name for name, type_ in self.types.items() if before.get(name) != type_))
        empty = pa.nulls(table.num_rows)
        try:
            columns = [here.get(name, empty).cast(type_) for name, type_ in self.types.items()]
        except NO_CAST as error:
            raise ValueError(f"{file}: {error}") from None
        return pa.table(columns, names=list(self.types))


def _is_json(file: str) -> bool:
    return not {".jsonl", ".ndjson"}.isdisjoint(Path(file.lower()).suffixes[-2:])


def _distinct(names: Sequence[str], file: str) -> None:
    name, times = Counter(names).most_common(1)[0] if names else ("", 1)
    if times > 1:
        raise ValueError(f"{file} has {times} columns of the name {name!r}; names must differ")
