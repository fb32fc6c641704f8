"""Databases: a fit in the database vs. a fit of the same file by Likely, and how fast each database scores rows."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import duckdb
import psycopg
import pyarrow as pa
from pyarrow import parquet

from bench.left_out import mixed_table
from bench.table import Row
from likely import NaiveBayes
from likely.data import read
from likely.export.scoring import scoring
from likely.export.sql import select
from likely.sql import DIALECTS, fit
from likely.store import Origin, Stored
from tests.databases import put
from tests.postgres import running

ROWS = 1_000_000
SCORED = {"duckdb": 100_000, "sqlite": 5_000, "postgres": 20_000}


def sql_fit() -> Iterator[Row]:
    """1M x 20 mixed columns in Parquet, in CPU seconds: DuckDB counts, vs. Arrow reads and Likely counts."""
    table, y = mixed_table(ROWS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        parquet.write_table(table.append_column("y", pa.array(y)), path)

        def ours() -> None:
            rows = parquet.read_table(path)
            NaiveBayes().fit(rows.drop_columns("y"), rows["y"])

        def pushed() -> None:
            with duckdb.connect() as connection:
                fit(NaiveBayes(), connection, f"SELECT * FROM '{path}'", "y")

        mine, theirs = (min(_cpu(work) for _ in range(3)) for work in (ours, pushed))
    yield Row("DuckDB push-down, 1M x 20 mixed", f"{theirs:.2f} s", "read and fit", f"{mine:.2f} s", mine / theirs, 0.5)


def sql_scores() -> Iterator[Row]:
    """Rows per second and core that each database scores with the exported SELECT, vs. predict: 20 columns, 5
    classes."""
    table, y = mixed_table(max(SCORED.values()))
    model = NaiveBayes().fit(table, y).model_
    stored = Stored(model, Origin())
    rows = read(table)
    ours = table.num_rows / min(_cpu(lambda: stored.predict_proba(rows)) for _ in range(3))
    for name, run in (("duckdb", _duckdb), ("sqlite", _sqlite), ("postgres", _postgres)):
        some = table.slice(0, SCORED[name])
        statement = select(scoring(stored), DIALECTS[name], "rows", [str(table.column_names[0])])
        theirs = some.num_rows / run(some, statement)
        yield Row(f"SELECT in {name}", f"{ours:,.0f} rows/s", name, f"{theirs:,.0f} rows/s", ours / theirs)


def _duckdb(table: pa.Table, statement: str) -> float:
    with duckdb.connect() as connection:
        connection.register("source", table)
        connection.execute("CREATE TABLE rows AS SELECT * FROM source")
        return _cpu(lambda: connection.execute(f"CREATE TABLE scored AS {statement}"))


def _sqlite(table: pa.Table, statement: str) -> float:
    with sqlite3.connect(":memory:") as connection:
        put(connection, table)
        return _cpu(lambda: connection.execute(f"CREATE TABLE scored AS {statement}"))


def _postgres(table: pa.Table, statement: str) -> float:
    """The time in CPU seconds of the server process for this connection."""
    with running() as place, psycopg.connect(**place) as connection:
        put(connection, table)
        connection.execute("ANALYZE rows")
        connection.execute("SET max_parallel_workers_per_gather = 0")
        process = Path(f"/proc/{connection.info.backend_pid}/stat")

        def ticks() -> int:
            return sum(map(int, process.read_text().rpartition(")")[2].split()[11:13]))

        before = ticks()
        connection.execute(f"CREATE TABLE scored AS {statement}")
        return (ticks() - before) / os.sysconf("SC_CLK_TCK")


def _cpu(work: Callable[[], Any]) -> float:
    start = process_time()
    work()
    return process_time() - start
