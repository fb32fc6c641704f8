"""Tables and queries of databases."""

import sqlite3
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from likely.data import Dataset
from likely.data.stream import databases


def read(dataset: Dataset) -> dict[str, list[object]]:
    return pa.concat_tables([batch.table for batch in dataset]).to_pydict()


ROWS = [(1, 2.5, "a"), (2, None, "b"), (3, 7.5, "a")]
COLUMNS = {"n": [1, 2, 3], "price": [2.5, None, 7.5], "kind": ["a", "b", "a"]}


@pytest.fixture(params=["sqlite", "duckdb"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    connection = sqlite3.connect(path) if request.param == "sqlite" else duckdb.connect(path)
    connection.execute("CREATE TABLE sales (n INTEGER, price REAL, kind TEXT)")
    connection.executemany("INSERT INTO sales VALUES (?, ?, ?)", ROWS)
    connection.commit()
    connection.close()
    return path


def test_a_table_or_a_query(database: Path) -> None:
    assert read(Dataset(database)) == COLUMNS
    assert read(Dataset(f"{database}::sales")) == COLUMNS
    assert read(Dataset(database, query="SELECT n FROM sales WHERE n > 1")) == {"n": [2, 3]}


@pytest.mark.parametrize(
    ("name", "query", "says"),
    [
        (
            "::none",
            None,
            r"shop\.db has the tables 'sales', and none of the name 'none'; name one, as .*::TABLE, or use --query",
        ),
        ("", "SELECT x FROM sales", r"shop\.db: .*(no such column|not found)"),
        ("", "DROP TABLE sales", r"shop\.db: .*(readonly|read-only)"),
    ],
)
def test_what_the_database_has_not(name: str, query: str | None, says: str, database: Path) -> None:
    with pytest.raises(ValueError, match=says):
        read(Dataset(f"{database}{name}", query=query))


def test_a_url_of_duckdb(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "d.duckdb") as connection:
        connection.execute("CREATE SCHEMA old; CREATE TABLE old.t AS SELECT 1 AS a; CREATE TABLE u AS SELECT 2 AS a")
    assert read(Dataset(f"duckdb://{tmp_path}/d.duckdb::old.t")) == {"a": [1]}
    with pytest.raises(ValueError, match=r"d\.duckdb has the tables '[tu]', '[tu]'; name one"):
        read(Dataset(f"duckdb://{tmp_path}/d.duckdb"))


def test_a_url_with_a_driver_of_adbc(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "s.db")
    connection.executescript("CREATE TABLE t (a INT, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    connection.close()
    url = f"sqlite://{tmp_path}/s.db"
    assert read(Dataset(f"{url}::t")) == read(Dataset(url, query="SELECT * FROM t")) == {"a": [1, 2], "b": ["x", None]}
    with pytest.raises(
        ValueError, match=r"s\.db is a database; name one, as .*::TABLE, or use --query 'SELECT \.\.\.'"
    ):
        read(Dataset(url))
    with pytest.raises(ValueError, match=r"^sqlite://.*s\.db: .*no such table: u"):
        read(Dataset(f"{url}::u"))


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("snowflake://a:b@c/d", None, "adbc-driver-snowflake"),
        ("postgresql://a:b@c/d", "psycopg", r"'likely\[postgres\]'"),
        ("duckdb://none.duckdb", "duckdb", r"'likely\[duckdb\]'"),
    ],
)
def test_a_driver_that_is_not_installed(
    name: str, module: str | None, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if module is not None:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        ImportError, match=rf"is a database; reading it needs its driver: pip install {package}$"
    ) as got:
        read(Dataset(name, query="SELECT 1"))
    assert ":b@" not in str(got.value)


def test_a_password_is_not_shown() -> None:
    assert databases.without_password("postgresql://ann:se:cret@db/x") == "postgresql://ann:***@db/x"
    assert databases.without_password("postgresql://ann@db/x") == "postgresql://ann@db/x"


def test_postgres_a_batch_at_a_time(postgres_place: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setattr(databases, "ROWS", 2)
    with psycopg.connect(**postgres_place, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA files")
        connection.execute(
            "CREATE TABLE files.sales (n INT, price NUMERIC(5, 2), kind TEXT, at TIMESTAMPTZ, tags JSONB)"
        )
        with connection.cursor() as cursor:
            rows = [(*row, "2024-01-02 03:04+00", '["x"]') for row in ROWS]
            cursor.executemany("INSERT INTO files.sales VALUES (%s, %s, %s, %s, %s)", rows)
    url = f"postgresql://ann:secret@/postgres?host={postgres_place['host']}"
    data = Dataset(f"{url}::files.sales")
    assert {name: cells for name, cells in read(data).items() if name in COLUMNS} == COLUMNS
    assert [batch.table.num_rows for batch in data] == [2, 1]
    assert data.schema["at"].type == "date"
    assert read(Dataset(url, query="SELECT kind FROM files.sales WHERE n = 2")) == {"kind": ["b"]}
    with pytest.raises(ValueError, match=r'^postgresql://ann:\*\*\*@/.*: relation "none" does not exist$'):
        read(Dataset(f"{url}::none", query="SELECT * FROM none"))
    with pytest.raises(ValueError, match=r"^postgresql://ann:\*\*\*@nowhere\.invalid/x: "):
        read(Dataset("postgresql://ann:secret@nowhere.invalid/x", query="SELECT 1"))
