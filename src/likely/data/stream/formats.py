"""Formats that know their types: Parquet, Arrow and JSON by lines."""

import io
from collections.abc import Iterator, Sequence

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


def json_lines(path: str, missing: Sequence[str] = ()) -> Iterator[pa.Table]:
    """An object on each line; what one has not is missing there."""
    from pyarrow import json

    line = 0
    with pa.input_stream(path, compression="detect") as stream:
        rest = b""
        while True:
            block = stream.read(JSON_BLOCK)
            whole, newline, after = block.rpartition(b"\n") if block else (b"", b"", b"")
            if block and not newline:
                rest += block
                continue
            lines, rest = rest + whole + newline, after
            if lines.strip():
                try:
                    size = max(len(lines), 1 << 20)
                    yield json.read_json(io.BytesIO(lines), json.ReadOptions(use_threads=False, block_size=size))
                except pa.ArrowInvalid as error:
                    raise ValueError(_bad_line(path, lines, line) or f"{path} can't be read as JSON: {error}") from None
            if not block:
                return
            line += lines.count(b"\n")


def _bad_line(path: str, lines: bytes, before: int) -> str | None:
    import json

    kinds: dict[str, type] = {}
    for at, text in enumerate(lines.splitlines(), before + 1):
        try:
            cells = json.loads(text) if text.strip() else {}
        except ValueError as error:
            return f"{path}, line {at}, is no JSON: {error}"
        if not isinstance(cells, dict):
            return f"{path}, line {at}, is no object with names and values"
        for name, cell in cells.items():
            kind = float if type(cell) is int else type(cell)
            if cell is not None and kinds.setdefault(name, kind) is not kind:
                return f"{path}, line {at}, has {cell!r} in {name!r}, which is {kinds[name].__name__} before"
    return None
