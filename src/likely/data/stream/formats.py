"""Formats that know their types, such as Parquet, Arrow and JSON: all rows in batches, or a sample of them."""

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import Any, Self

import pyarrow as pa

from likely.data.findings import Finding
from likely.data.schema import ColumnSchema
from likely.data.stream import columns, places, raw
from likely.data.stream.csv import LONGEST_ROW
from likely.data.stream.csv_sample import PART, PARTS
from likely.data.stream.table_file import TableFile
from likely.data.stream.types import together
from likely.data.summary import ColumnSummary
from likely.data.typed_cells import trimmed_categories

ROWS = 1 << 16
SAMPLED = 1 << 12
"""Rows of each of the parts that a schema is inferred from."""
JSON_BLOCK = 8 << 20
PART_BYTES = 64 << 20
"""Uncompressed bytes of a part that a worker reads: much work for a task, in little memory."""


class TypedFile(TableFile[pa.Table]):
    """A table whose format is one of these, or that is given as tables of Arrow."""

    def __init__(
        self, path: str, tables: Callable[[str], Iterator[pa.Table]], said: Mapping[str, str] | None = None
    ) -> None:
        self.path, self.read, self.ragged = path, tables, tables in (json_lines, json_document)
        self.said: Mapping[str, str] = {} if said is None else said
        """What is worth knowing of how it was read, each with the option that changes it."""
        self.partition = places.partition_of(path)

    def tables(self) -> Iterator[pa.Table]:
        with self._naming():
            for table in self.read(self.path):
                yield self._whole(table)

    blocks = tables

    def cells(self, block: pa.Table, columns: Sequence[ColumnSchema]) -> pa.Table:
        return trimmed_categories(block, columns)

    def written(self, block: pa.Table) -> pa.Table:
        return block

    def place(self, first: int, row: int, block: pa.Table | None = None) -> str:
        return f"{self.path}, row {first + row + 1}"

    def findings(self, seen: Mapping[str, ColumnSummary]) -> Iterator[Finding]:
        for says, option in self.said.items():
            yield Finding("read", self.path, says, option)

    def _whole(self, table: pa.Table) -> pa.Table:
        """The table with the columns that its folders name, and without extension types."""
        name, times = Counter(table.column_names).most_common(1)[0] if table.num_columns else ("", 1)
        if times > 1:
            raise ValueError(f"{self.path} has {times} columns of the name {name!r}; names must differ")
        for at, field in enumerate(table.schema):
            if isinstance(field.type, pa.BaseExtensionType):
                cells = table.column(at)
                chunks = [chunk.storage for chunk in cells.chunks]
                table = table.set_column(at, field.name, pa.chunked_array(chunks, field.type.storage_type))
        for name, cell in self.partition.items():
            if name not in table.column_names:
                rows = table.num_rows
                cells = pa.nulls(rows, pa.large_string()) if cell is None else columns.texts([cell] * rows)
                table = table.append_column(name, cells)
        return table

    @property
    def least_rows(self) -> int:
        """Of Parquet all."""
        if self.read is not parquet:
            return 0
        from pyarrow import parquet as pq

        with self._naming(), places.opened(self.path) as opened, pq.ParquetFile(opened) as file:
            return int(file.metadata.num_rows)

    def split(self) -> list[Self]:
        """Of Parquet, row groups of PART_BYTES together."""
        if self.read is not parquet:
            return [self]
        from pyarrow import parquet as pq

        found: list[Self] = []
        groups, size, start, rows = list[int](), 0, 0, 0
        with self._naming(), places.opened(self.path) as opened, pq.ParquetFile(opened) as file:
            for at in range(file.num_row_groups):
                group = file.metadata.row_group(at)
                groups, size, rows = [*groups, at], size + group.total_byte_size, rows + group.num_rows
                if size >= PART_BYTES or at + 1 == file.num_row_groups:
                    part = copy(self)
                    part.read, part.start = partial(parquet, groups=groups), start
                    found.append(part)
                    groups, size, start = [], 0, rows
        return found or [self]

    def sample(self) -> tuple[pa.Table, bool]:
        with self._naming():
            parts = _row_groups(self.path) if self.read is parquet else []
        found, whole = ([self._whole(part) for part in parts], False) if parts else _kept(self.tables())
        return together(found), whole

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except pa.ArrowInvalid as error:
            format_ = getattr(getattr(self.read, "func", self.read), "__name__", "").replace("_", " ")
            raise ValueError(f"{self.path} is no {format_} file: {error}") from None


def _kept(tables: Iterable[pa.Table]) -> tuple[list[pa.Table], bool]:
    """All of them, and that they are all; or the first rows of some, evenly spaced, if all take more memory than a
    sample should."""
    found: list[pa.Table] = []
    step, whole = 1, True
    for at, table in enumerate(tables):
        if at % step == 0:
            found.append(table if whole else table.slice(0, SAMPLED))
        if whole and sum(part.nbytes for part in found) > PARTS * PART:
            found, whole = [part.slice(0, SAMPLED) for part in found], False
        if not whole and len(found) > 2 * PARTS:
            found, step = found[::2], 2 * step
    return found, whole


def in_memory(table: Any, _: str) -> Iterator[pa.Table]:
    """A table of Arrow's, or a frame that can be read as one."""
    if isinstance(table, pa.Table):
        yield table
    elif hasattr(table, "__arrow_c_stream__"):
        yield pa.RecordBatchReader.from_stream(table).read_all()
    else:
        raise TypeError(f"data are names of files, or a frame of pandas, polars or Arrow, not {type(table).__name__}")


def parquet(path: str, groups: Sequence[int] | None = None) -> Iterator[pa.Table]:
    """All rows, or those of some row groups."""
    from pyarrow import parquet as pq

    with places.opened(path) as opened, pq.ParquetFile(opened) as file:
        for batch in file.iter_batches(ROWS, row_groups=groups):
            yield pa.Table.from_batches([batch])


def _row_groups(path: str) -> list[pa.Table]:
    """The first rows of groups evenly spaced, of a large file that has many."""
    from pyarrow import parquet as pq

    with places.opened(path) as opened, pq.ParquetFile(opened) as file:
        groups = file.num_row_groups
        size = sum(file.metadata.row_group(at).total_byte_size for at in range(groups))
        if groups < PARTS // 2 or size <= PARTS * PART:
            return []
        chosen = sorted({part * groups // PARTS for part in range(PARTS)})
        return [pa.Table.from_batches([next(file.iter_batches(SAMPLED, row_groups=[at]))]) for at in chosen]


def arrow(path: str) -> Iterator[pa.Table]:
    """An Arrow file, as Feather is, or an Arrow stream."""
    with pa.memory_map(path) if not places.is_url(path) else places.opened(path) as stream:
        try:
            file = pa.ipc.open_file(stream)
        except pa.ArrowInvalid:
            stream.seek(0)
            batches: Iterable[pa.RecordBatch] = pa.ipc.open_stream(stream)
        else:
            batches = (file.get_batch(at) for at in range(file.num_record_batches))
        yield from in_tables(batches)


def in_tables(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches of any size as tables of at most ROWS rows."""
    for batch in batches:
        for start in range(0, batch.num_rows, ROWS):
            yield pa.Table.from_batches([batch.slice(start, ROWS)])


def json_lines(path: str) -> Iterator[pa.Table]:
    """An object on each line. Values that it lacks are missing."""
    from pyarrow import json as arrow_json

    line, waiting, stream = 0, b"", raw.opened(path)
    try:
        while True:
            more = stream.read(max(JSON_BLOCK, len(waiting)))
            whole, newline, waiting = (waiting + more).rpartition(b"\n") if more else (waiting, b"", b"")
            lines = whole + newline
            if len(waiting) > LONGEST_ROW:
                raise ValueError(f"{path}, line {line + 1}, is longer than {LONGEST_ROW >> 20} MB")
            if lines.strip():
                try:
                    size = max(len(lines), 1 << 20)
                    yield arrow_json.read_json(
                        io.BytesIO(lines), arrow_json.ReadOptions(use_threads=False, block_size=size)
                    )
                except pa.ArrowInvalid:
                    yield _of_mixed_types(path, lines, line)
            if not more:
                return
            line += lines.count(b"\n")
    finally:
        stream.close()


def json_document(path: str) -> Iterator[pa.Table]:
    """A list of objects, alone or as the one list in an object; or an object on each line."""
    stream = raw.opened(path)
    try:
        data = stream.read(LONGEST_ROW + 1)
    finally:
        stream.close()
    try:
        document = json.loads(data) if len(data) <= LONGEST_ROW else None
    except (ValueError, RecursionError):
        document = None
    lists = [value for value in document.values() if isinstance(value, list)] if isinstance(document, dict) else []
    lists = [document] if isinstance(document, list) else lists
    if len(lists) == 1 and all(isinstance(row, dict) for row in lists[0]):
        for start in range(0, len(lists[0]), ROWS):
            yield _of_rows(lists[0][start : start + ROWS])
    elif data.lstrip()[:1] == b"[":
        large = len(data) > LONGEST_ROW
        why = (
            f"of more than {LONGEST_ROW >> 20} MB: write an object on each line" if large else "but no list of objects"
        )
        raise ValueError(f"{path} is JSON, {why}")
    else:
        yield from json_lines(path)


def _of_mixed_types(path: str, lines: bytes, before: int) -> pa.Table:
    """Line by line: a column with values of several types is text. Raises ValueError for a line that is no object."""
    rows: list[dict[str, Any]] = []
    for at, text in enumerate(lines.splitlines(), before + 1):
        try:
            row = json.loads(text) if text.strip() else None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}, line {at}, is no JSON: {error}") from None
        if row is not None and not isinstance(row, dict):
            raise ValueError(f"{path}, line {at}, is no object with names and values")
        rows += [] if row is None else [row]
    return _of_rows(rows)


def _of_rows(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Objects as a table; a column with values of several types, lists or objects is text."""
    found = {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    for name, cells in found.items():
        kinds = {float if type(cell) is int else type(cell) for cell in cells if cell is not None}
        if len(kinds) > 1 or kinds & {list, dict}:
            found[name] = [cell if cell is None or isinstance(cell, str) else json.dumps(cell) for cell in cells]
    return pa.table(found)
