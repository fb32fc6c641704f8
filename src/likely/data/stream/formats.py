"""Formats that know their types: Parquet, Arrow and JSON by lines, a batch at a time or rows from all over the file."""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import Any

import pyarrow as pa

from likely.data.stream import columns, places, raw
from likely.data.stream.csv import LONGEST_ROW
from likely.data.stream.csv_sample import PART, PARTS
from likely.data.stream.types import common

ROWS = 1 << 16
SAMPLED = 1 << 12
"""Rows of each of the parts that a schema is inferred from."""
JSON_BLOCK = 8 << 20
PART_BYTES = 64 << 20
"""Of a part that a worker reads, when it is not compressed: much work for a task, and little memory."""


class TypedFile:
    """A file whose format is one of these."""

    start = 0
    """The number of its first row."""

    def __init__(
        self, path: str, tables: Callable[[str], Iterator[pa.Table]], said: Mapping[str, str] | None = None
    ) -> None:
        self.path, self.read = path, tables
        self.said: Mapping[str, str] = {} if said is None else said
        """What is worth knowing of how it was read, each with the option that changes it."""
        self.partition = places.partition_of(path)

    @property
    def ragged(self) -> bool:
        """Whether rows may leave out columns that they have no value for."""
        return self.read in (json_lines, json_document)

    def tables(self) -> Iterator[pa.Table]:
        with self._naming():
            for table in self.read(self.path):
                yield self._whole(table)

    def _whole(self, table: pa.Table) -> pa.Table:
        """With the columns that folders are named by, and without types that others have defined."""
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
        """How many rows it surely has: of Parquet all, which are known without reading them."""
        if self.read is not parquet:
            return 0
        from pyarrow import parquet as pq

        with self._naming(), places.opened(self.path) as opened, pq.ParquetFile(opened) as file:
            return int(file.metadata.num_rows)

    def split(self) -> list["TypedFile"]:
        """Stretches of its rows that can be read side by side: of Parquet, row groups of PART_BYTES together."""
        if self.read is not parquet:
            return [self]
        from pyarrow import parquet as pq

        found: list[TypedFile] = []
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
        """Rows from all over the file, and whether they are all of it; a table without columns if there are none."""
        found, whole = self._spread()
        return together(found) if found else pa.table({}), whole

    def _spread(self) -> tuple[list[pa.Table], bool]:
        with self._naming():
            if self.read is parquet and (parts := _row_groups(self.path)):
                return [self._whole(part) for part in parts], False
        return _kept(self.tables())

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except pa.ArrowInvalid as error:
            format_ = getattr(getattr(self.read, "func", self.read), "__name__", "").replace("_", " ")
            raise ValueError(f"{self.path} is no {format_} file: {error}") from None


def _kept(tables: Iterable[pa.Table]) -> tuple[list[pa.Table], bool]:
    """All of them, or if these take more memory than a sample should, the first rows of some, evenly spaced."""
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


def together(tables: list[pa.Table]) -> pa.Table:
    """As one table: a column has the narrowest type for all, and is missing where a table lacks it."""
    types: dict[str, pa.DataType] = {}
    for table in tables:
        for field in table.schema:
            types[field.name] = common(types.get(field.name, pa.null()), field.type)
    return pa.concat_tables([as_types(table, types) for table in tables])


def as_types(table: pa.Table, types: dict[str, pa.DataType]) -> pa.Table:
    empty = pa.nulls(table.num_rows)
    here = dict(zip(table.column_names, table.columns, strict=True))
    columns = [here.get(name, pa.chunked_array([empty])) for name in types]
    return pa.table(
        [_cast(column, type_) for column, type_ in zip(columns, types.values(), strict=True)], names=list(types)
    )


def _cast(column: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    return column if column.type == type_ else column.cast(type_)


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
    """A file or a stream of Arrow's; Feather is the first of these."""
    with pa.memory_map(path) if not places.is_url(path) else places.opened(path) as stream:
        try:
            file = pa.ipc.open_file(stream)
        except pa.ArrowInvalid:
            stream.seek(0)
            batches: Iterable[pa.RecordBatch] = pa.ipc.open_stream(stream)
        else:
            batches = (file.get_batch(at) for at in range(file.num_record_batches))
        for batch in batches:
            for start in range(0, batch.num_rows, ROWS):
                yield pa.Table.from_batches([batch.slice(start, ROWS)])


def json_lines(path: str) -> Iterator[pa.Table]:
    """An object on each line; what one has not is missing there."""
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
