"""The format of a file, recognised by how it begins and by its name."""

from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from likely.data.stream import databases, formats, places
from likely.data.stream.csv import CsvFile
from likely.data.stream.formats import TypedFile
from likely.data.stream.workbooks import workbook

JSON = (".jsonl", ".ndjson")
PACKED = (".gz", ".zst", ".bz2", ".lz4")
ENDINGS = {
    **dict.fromkeys((".parquet", ".pq"), formats.parquet),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), formats.arrow),
    **dict.fromkeys(JSON, formats.json_lines),
}


class Excerpt(NamedTuple):
    """What is read of a workbook or a database."""

    sheet: str | None = None
    query: str | None = None


def recognised(name: str, excerpt: Excerpt, csv: dict[str, Any]) -> CsvFile | TypedFile:
    """A file, a URL or a table of a database (`shop.db::orders`); `csv` are options of CSV."""
    file = _database(name, excerpt.query)
    if file is None and excerpt.query is not None:
        raise ValueError(f"{name} is no database, so there is nothing for --query to ask")
    if file is None:
        file = _workbook(name, excerpt.sheet)
    if file is None and excerpt.sheet is not None:
        raise ValueError(f"{name} is no workbook, so it has no sheet {excerpt.sheet!r}")
    return file or _typed(name) or CsvFile(name, **csv)


def _database(name: str, query: str | None) -> TypedFile | None:
    base, _, table = name.partition("::")
    if places.has_files(base):
        return None
    path = base if table else name
    reader = databases.reader_of(path, partial(_begins, path))
    if reader is None:
        return None
    asked = databases.Asked(table or None, query)
    return TypedFile(databases.without_password(path), partial(reader, url=path, asked=asked))


def _workbook(name: str, sheet: str | None) -> TypedFile | None:
    if not (_begins(name).startswith(b"PK\x03\x04") or name.lower().endswith((".xlsx", ".xls", ".ods"))):
        return None
    return TypedFile(name, partial(workbook, sheet=sheet))


def _typed(name: str) -> TypedFile | None:
    path = PurePosixPath(name.lower())
    ending = (
        path.with_suffix("").suffix if path.suffix in PACKED and path.with_suffix("").suffix in JSON else path.suffix
    )
    return TypedFile(name, ENDINGS[ending]) if ending in ENDINGS else None


def _begins(path: str) -> bytes:
    with places.opened(path) as file:
        return bytes(file.read(16))
