"""Tables that come as rows of Python values: sheets of workbooks, and tables of SQLite."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from likely.data.stream.formats import ROWS

SQLITE = b"SQLite format 3\0"


def workbook(path: str, sheet: str | None = None) -> Iterator[pa.Table]:
    """A sheet of a workbook of Excel or LibreOffice: the one of this name, or the first. Row 1 has the names."""
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        raise ImportError(
            f"{path} is a workbook; reading it needs python-calamine: pip install 'likely[excel]'"
        ) from None
    try:
        book = CalamineWorkbook.from_path(path)
    except Exception as error:  # its errors have no common class
        raise ValueError(f"{path} can't be read as a workbook: {error}") from None
    if sheet is not None and sheet not in book.sheet_names:
        raise ValueError(f"{path} has no sheet {sheet!r}; it has {', '.join(map(repr, book.sheet_names))}")
    rows = book.get_sheet_by_name(sheet or book.sheet_names[0]).to_python()
    if not rows:
        raise ValueError(f"{path} is empty")
    names = [str(name).strip() or f"column {j + 1}" for j, name in enumerate(rows[0])]
    for start in range(1, len(rows), ROWS):
        part = rows[start : start + ROWS]
        yield _table(names, [[None if cell == "" else cell for cell in column] for column in zip(*part, strict=True)])


def sqlite(path: str, table: str | None = None, query: str | None = None) -> Iterator[pa.Table]:
    """A table of a database, or the rows of a query. Nothing is written."""
    with closing(sqlite3.connect(f"file:{quote(str(Path(path).absolute()))}?mode=ro", uri=True)) as database:
        try:
            cursor = database.execute(query or f'SELECT * FROM "{_named(database, path, table)}"')
            names = [column[0] for column in cursor.description or ()]
            while rows := list(islice(cursor, ROWS)):
                yield _table(names, list(zip(*rows, strict=True)))
        except sqlite3.Error as error:
            raise ValueError(f"{path}: {error}") from None


def _named(database: sqlite3.Connection, path: str, table: str | None) -> str:
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    if table is None and len(tables) == 1:
        table = str(tables[0])
    if table is None or table not in tables:
        raise ValueError(f"{path} has the tables {', '.join(map(repr, tables))}; name one, as {path}::TABLE")
    return table.replace('"', '""')


def _table(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> pa.Table:
    return pa.table([_column(column) for column in columns], names=list(names))


def _column(cells: Sequence[Any]) -> pa.Array:
    """Of the type that all cells are of; else of their texts."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {float} and all(cell is None or cell.is_integer() for cell in cells):
        return pa.array([None if cell is None else int(cell) for cell in cells], pa.int64(), from_pandas=False)
    if len(kinds) <= 1 or kinds == {int, float}:
        return pa.array(cells, from_pandas=False)
    if kinds == {date, datetime}:
        return pa.array(
            [cell if cell is None or isinstance(cell, datetime) else datetime.combine(cell, time()) for cell in cells]
        )
    return pa.array([None if cell is None else _text(cell) for cell in cells], pa.large_string())


def _text(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
