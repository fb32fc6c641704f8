"""Formats that know their types: Parquet, Arrow and JSON by lines."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

ROWS = 1 << 16
JSON_BLOCK = 8 << 20


def parquet(path: str) -> Iterator[pa.Table]:
    from pyarrow import parquet as pq

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS):
            yield pa.Table.from_batches([batch])


def arrow(path: str) -> Iterator[pa.Table]:
    """A file or a stream of Arrow's; Feather is the first of these."""
    with pa.memory_map(path) as stream:
        try:
            file = pa.ipc.open_file(stream)
        except pa.ArrowInvalid:
            stream.seek(0)
            yield from (pa.Table.from_batches([batch]) for batch in pa.ipc.open_stream(stream))
        else:
            yield from (pa.Table.from_batches([file.get_batch(at)]) for at in range(file.num_record_batches))


def json_lines(path: str) -> Iterator[pa.Table]:
    """An object on each line; what one has not is missing there."""
    from pyarrow import json as arrow_json

    line, rest = 0, b""
    with pa.input_stream(path, compression="detect") as stream:
        while True:
            block = stream.read(JSON_BLOCK)
            whole, newline, after = block.rpartition(b"\n")
            if block and not newline:
                rest += block
                continue
            lines, rest = rest + whole + newline, after
            if lines.strip():
                try:
                    size = max(len(lines), 1 << 20)
                    yield arrow_json.read_json(
                        io.BytesIO(lines), arrow_json.ReadOptions(use_threads=False, block_size=size)
                    )
                except pa.ArrowInvalid:
                    yield _of_mixed_types(path, lines, line)
            if not block:
                return
            line += lines.count(b"\n")


def _of_mixed_types(path: str, lines: bytes, before: int) -> pa.Table:
    """Line by line: a column with values of several types is text. Raises ValueError for a line that is no object."""
    rows: list[dict[str, Any]] = []
    for at, text in enumerate(lines.splitlines(), before + 1):
        try:
            row = json.loads(text) if text.strip() else None
        except ValueError as error:
            raise ValueError(f"{path}, line {at}, is no JSON: {error}") from None
        if row is not None and not isinstance(row, dict):
            raise ValueError(f"{path}, line {at}, is no object with names and values")
        rows += [] if row is None else [row]
    columns = {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    for name, cells in columns.items():
        kinds = {float if type(cell) is int else type(cell) for cell in cells if cell is not None}
        if len(kinds) > 1:
            columns[name] = [cell if cell is None or isinstance(cell, str) else json.dumps(cell) for cell in cells]
    return pa.table(columns)
