"""The rows of a query, as a database has them."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from likely.sql.rows import DatabaseError, QueryRows, as_column, plain

from ..databases import put

TABLE = pa.table({"x": [float(n) for n in range(25)], "y": ["a", "b", "b", "c", "b"] * 5})


def rows_of(connection, query="SELECT * FROM rows", table=TABLE):
    put(connection, table)
    return QueryRows(connection, query, "y")


@pytest.mark.parametrize("query", ["SELECT * FROM rows", " SELECT x, y FROM rows ; ", "SELECT y, x FROM rows -- all"])
def test_columns_and_classes(connection, query):
    rows = rows_of(connection, query)
    assert rows.columns == ["x"]
    assert rows.class_counts == {"a": 5, "b": 15, "c": 5}
    assert rows.number == 25


def test_a_sample_is_evenly_spaced(connection):
    x, y = rows_of(connection).sample(9)
    assert x == [0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 18.0, 21.0, 24.0]
    assert y == [TABLE["y"].to_pylist()[int(n)] for n in x]


def test_all_rows_where_they_are_few(connection):
    assert rows_of(connection).sample(25)[0] == TABLE["x"].to_pylist()


def test_aggregates(connection):
    rows = rows_of(connection)
    found = rows.aggregated([("t.x", ["count({x})", "sum({x})"]), ("t.x * 2", ["max({x})"])])
    assert found["a"] == [5, 50.0, 40.0]


def test_deviations_from_the_mean_of_a_class(connection):
    found = rows_of(connection).aggregated([("t.x", ["avg(({x} - {mean}) * ({x} - {mean}))"])])
    x, y = (np.array(TABLE[name].to_pylist()) for name in ("x", "y"))
    assert found == {label: [pytest.approx(x[y == label].var(), rel=1e-14)] for label in "abc"}


def test_more_columns_than_one_statement_has(connection):
    found = rows_of(connection).aggregated([(f"t.x + {n}", ["min({x})"]) for n in range(230)])
    assert found["a"] == [float(n) for n in range(230)]


def test_values(connection):
    counted = list(rows_of(connection).counted("CASE WHEN t.x < 5 THEN 'low' END"))
    assert sorted(counted, key=str) == [
        ("a", "low", 1), ("a", None, 4), ("b", "low", 3), ("b", None, 12), ("c", "low", 1), ("c", None, 4),
    ]  # fmt: skip


def test_rows_that_change_meanwhile(connection):
    rows = rows_of(connection)
    assert rows.number == 25
    connection.execute("INSERT INTO rows VALUES (1, 'a')")
    sentence = "the rows of the query changed while they were counted, and nothing was learned; count them in a"
    with pytest.raises(DatabaseError, match=sentence):
        rows.aggregated([("t.x", ["count({x})"])])
    with pytest.raises(DatabaseError, match=sentence):
        list(rows.counted("t.x"))


def test_two_columns_of_one_name(postgres):
    """The other databases name them apart themselves."""
    put(postgres, TABLE)
    with pytest.raises(ValueError, match="the query has two columns 'x'; name them apart with AS"):
        QueryRows(postgres, "SELECT x, x, y FROM rows", "y")


def test_nothing_but_classes(connection):
    put(connection, TABLE)
    with pytest.raises(ValueError, match="the query has no column but 'y'; there is nothing to learn from"):
        QueryRows(connection, "SELECT y FROM rows", "y")


def test_a_name_that_sqlite_would_read_as_a_text(connection):
    rows = rows_of(connection)
    with pytest.raises(DatabaseError, match="nowhere"):
        rows.aggregated([(rows.column("nowhere"), ["count({x})"])])


class Cursors:
    """A connection of a driver that has cursors alone."""

    def __init__(self, connection):
        self.connection = connection

    def cursor(self):
        return self.connection.cursor()


def test_a_driver_that_has_cursors_alone(postgres):
    from likely.sql.dialects import DIALECTS

    put(postgres, TABLE)
    rows = QueryRows(Cursors(postgres), "SELECT * FROM rows", "y", DIALECTS["postgres"])
    assert rows.class_counts["a"] == 5


def test_values_as_a_table_has_them():
    assert plain(Decimal("1.5")) == 1.5
    assert plain("a") == "a"
    assert as_column([1, None, "a"]).tolist() == [1, None, "a"]
