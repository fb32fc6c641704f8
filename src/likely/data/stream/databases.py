"""Tables and queries of databases: SQLite, DuckDB, PostgreSQL, and any with a driver of ADBC. Nothing is written."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pyarrow as pa

from likely.data.stream.formats import ROWS, in_tables
from likely.data.stream.records import table_of


class Asked(NamedTuple):
    """What is read of a database: the rows of a query, or a table; None: the only one that it has."""

    table: str | None = None
    query: str | None = None

    def statement(self, path: str, tables: Callable[[], list[str]]) -> str:
        if self.query is not None:
            return self.query
        table, names = self.table, [] if self.table is not None and "." in self.table else tables()
        if table is None and len(names) == 1:
            (table,) = names
        if table is None or (names and table not in names):
            some = f"{path} has the tables {', '.join(map(repr, names))}" if names else f"{path} is a database"
            some += "" if table is None else f", and none of the name {table!r}"
            raise ValueError(f"{some}; name one, as {path}::TABLE, or use --query 'SELECT ...'")
        return "SELECT * FROM " + ".".join('"' + part.replace('"', '""') + '"' for part in table.split("."))


Reader = Callable[..., Iterator[pa.Table]]
"""Of the name as it is shown, the path or URL, and what is asked."""


def reader_of(name: str, begins: Callable[[], bytes]) -> Reader | None:
    """By the scheme of a URL, or by how a file begins; None where it is no database."""
    readers: dict[str, Reader] = {"duckdb": duckdb, "postgresql": postgres, "postgres": postgres}
    if "://" in name:
        found: Reader = readers.get(name.partition("://")[0], adbc)
        return found
    start = begins()
    if start.startswith(b"SQLite format 3\0"):
        return sqlite
    return duckdb if start[8:12] == b"DUCK" else None


def without_password(url: str) -> str:
    return re.sub(r"(://[^:/@]*):[^@/]*@", r"\1:***@", url)


def sqlite(shown: str, url: str, asked: Asked) -> Iterator[pa.Table]:
    tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
    with closing(sqlite3.connect(f"file:{quote(str(Path(url).absolute()))}?mode=ro", uri=True)) as database:
        try:
            cursor = database.execute(asked.statement(shown, lambda: _first_cells(database.execute(tables))))
            yield from _rows(cursor)
        except sqlite3.Error as error:
            raise ValueError(f"{shown}: {error}") from None


def duckdb(shown: str, url: str, asked: Asked) -> Iterator[pa.Table]:
    driver = _driver("duckdb", shown, "'likely[duckdb]'")
    tables = "SELECT table_name FROM information_schema.tables"
    try:
        with driver.connect(url.removeprefix("duckdb://"), read_only=True) as database:
            statement = asked.statement(shown, lambda: _first_cells(database.execute(tables)))
            yield from in_tables(pa.RecordBatchReader.from_stream(database.sql(statement)))
    except driver.Error as error:
        raise ValueError(_sentence(shown, url, error)) from None


def postgres(shown: str, url: str, asked: Asked) -> Iterator[pa.Table]:
    driver = _driver("psycopg", shown, "'likely[postgres]'")
    tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    try:
        with driver.connect(url) as database:
            database.read_only = True
            statement = asked.statement(shown, lambda: _first_cells(database.execute(tables)))
            with database.cursor("likely") as cursor:  # by its name it is the server's, and holds a batch at a time
                cursor.execute(statement)
                yield from _rows(cursor)
    except driver.Error as error:
        raise ValueError(_sentence(shown, url, error)) from None


def adbc(shown: str, url: str, asked: Asked) -> Iterator[pa.Table]:
    """By the driver that has the name of the URL's scheme."""
    scheme = url.partition("://")[0]
    driver = _driver(f"adbc_driver_{scheme}.dbapi", shown, f"adbc-driver-{scheme}")
    try:
        with driver.connect(url) as database, database.cursor() as cursor:
            cursor.execute(asked.statement(shown, list))
            yield from in_tables(cursor.fetch_record_batch())
    except driver.Error as error:
        raise ValueError(_sentence(shown, url, error)) from None


def _driver(module: str, shown: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f"{shown} is a database; reading it needs its driver: pip install {package}") from None


def _sentence(shown: str, url: str, error: Exception) -> str:
    return f"{shown}: {str(error).strip().partition(chr(10))[0].replace(url, shown)}"


def _first_cells(cursor: Any) -> list[str]:
    return [row[0] for row in cursor.fetchall()]


def _rows(cursor: Any) -> Iterator[pa.Table]:
    names = [column[0] for column in cursor.description or ()]
    while rows := cursor.fetchmany(ROWS):
        yield table_of(names, list(zip(*rows, strict=True)))
