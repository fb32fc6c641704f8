"""The format of a file, recognised by how it begins and by its name."""

import os
from contextlib import closing
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from likely.data.stream import databases, formats, places, raw
from likely.data.stream.csv import CsvFile
from likely.data.stream.formats import TypedFile
from likely.data.stream.table_file import TableFile
from likely.data.stream.workbooks import workbook

BEGINS_JSON = (b"{\n", b"{\r", b'{"', b"[{", b"[\n", b"[\r")
JSON = (".jsonl", ".ndjson")
PACKED = (".gz", ".zst", ".bz2", ".lz4")
ENDINGS = {
    **dict.fromkeys((".parquet", ".pq"), formats.parquet),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), formats.arrow),
    **dict.fromkeys(JSON, formats.json_lines),
    ".json": formats.json_document,
}


OTHERS = {
    b"%PDF": "a PDF",
    b"\x89HDF": "a file of HDF5",
    b"\x93NUMPY": "an array of numpy",
    b"<stata_dta>": "a file of Stata",
    b"$FL2": "a file of SPSS",
    b"$FL3": "a file of SPSS",
    bytes(12) + b"\xc2\xea\x81\x60": "a file of SAS",
    b"RDX": "a file of R",
    b"ORC": "a file of ORC",
    b"Obj\x01": "a file of Avro",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"7z\xbc\xaf": "an archive",
    b"Rar!": "an archive",
    b"\x80\x03": "a pickle",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
}
"""How formats that are not read begin."""
OTHER_TEXTS = {
    b"<!doctype html": "a page of the web",
    b"<html": "a page of the web",
    b"<table": "a page of the web",
    b"<?xml": "XML",
    b"@relation": "a file of Weka",
    b"-- mysql dump": "a dump of a database",
    b"-- postgresql database dump": "a dump of a database",
    b"create table": "a script of SQL",
    b"insert into": "a script of SQL",
}


class Excerpt(NamedTuple):
    """What is read of a workbook or a database."""

    sheet: str | None = None
    query: str | None = None


def files_of(data: Any, excerpt: Excerpt, csv: dict[str, Any]) -> list[TableFile[Any]]:
    """A file or a table in memory; of a folder, the tables in it."""
    if isinstance(data, TableFile):
        return [data]
    if not isinstance(data, (str, os.PathLike)):
        return [TypedFile("the table", partial(formats.in_memory, data))]
    name = os.fspath(data)
    names = places.tables_in(name)[0] if places.is_folder(name) else [name]
    if not names:
        raise ValueError(f"{name}: there is no table in this folder")
    return [recognised(one, excerpt, csv) for one in names]


def recognised(name: str, excerpt: Excerpt, csv: dict[str, Any]) -> TableFile[Any]:
    """A file, a URL or a table of a database (`shop.db::orders`); `csv` are options of CSV."""
    file = _database(name, excerpt.query)
    if file is None and excerpt.query is not None:
        raise ValueError(f"{name} is no database, so there is nothing for --query to ask")
    if file is None:
        file = _workbook(name, excerpt.sheet)
    if file is None and excerpt.sheet is not None:
        raise ValueError(f"{name} is no workbook, so it has no sheet {excerpt.sheet!r}")
    file = file or _typed(name)
    if file is None:
        _refuse_others(name)
    return file or CsvFile(name, **csv)


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
    if not _begins(name).startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):  # also of old ones
        return None
    said: dict[str, str] = {}
    return TypedFile(name, partial(workbook, sheet=sheet, said=said), said)


def _refuse_others(name: str) -> None:
    """Raises ValueError for formats that are not read, before anything is read as CSV."""
    begins = _begins(name, 512)
    text = begins.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    what = next((what for magic, what in OTHERS.items() if begins.startswith(magic)), None)
    what = what or next((what for magic, what in OTHER_TEXTS.items() if text.startswith(magic)), None)
    if what is not None:
        raise ValueError(f"{name} is {what}, which is not read; save it as CSV or Parquet")


def _typed(name: str) -> TypedFile | None:
    *_, inner, outer = ["", "", *PurePosixPath(name.lower()).suffixes]
    ending = inner if outer in PACKED and inner in (*JSON, ".json") else outer
    if ending not in ENDINGS and _begins(name).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(BEGINS_JSON):
        return TypedFile(name, formats.json_document)
    return TypedFile(name, ENDINGS[ending]) if ending in ENDINGS else None


def _begins(path: str, size: int = 64) -> bytes:
    """The first bytes of a file, decompressed."""
    if raw.compression(path) is None:
        with places.opened(path) as file:
            return bytes(file.read(size))
    with closing(raw.opened(path)) as stream:
        return stream.read(size)
