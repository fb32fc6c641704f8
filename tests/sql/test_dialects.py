"""Names and literals come back from a database as they are, whatever they hold."""

import sqlite3

import pytest

from likely.sql.dialects import DIALECTS, dialect_of

NASTY = [
    "plain",
    "it's",
    '"quoted"',
    'a"; DROP TABLE rows; --',
    "'; DROP TABLE rows; --",
    "back\\slash\\' OR 1=1",
    "new\nline\tand -- comment /* more",
    "percent %s %(name)s %% {x} {}",
    "Ω ü 漢字 🦁",
    "$$dollar$$",
    " ",
]


@pytest.mark.parametrize("text", [*NASTY, ""])
def test_texts(connection, text):
    dialect = dialect_of(connection)
    assert connection.execute(f"SELECT {dialect.value(text)}").fetchall()[0][0] == text


@pytest.mark.parametrize("setting", ["on", "off"])
def test_texts_whatever_postgres_makes_of_a_backslash(postgres, setting):
    postgres.execute(f"SET standard_conforming_strings = {setting}")
    for text in NASTY:
        assert postgres.execute(f"SELECT {dialect_of(postgres).value(text)}").fetchone()[0] == text


@pytest.mark.parametrize("name", NASTY)
def test_names(connection, name):
    quoted = dialect_of(connection).identifier(name)
    connection.execute(f"CREATE TABLE {quoted} ({quoted} INTEGER)")
    connection.execute(f"INSERT INTO {quoted} VALUES (7)")
    assert connection.execute(f"SELECT t.{quoted} FROM {quoted} AS t").fetchall()[0][0] == 7


@pytest.mark.parametrize("number", [0.0, 0.1, -0.1, 1e300, -5e-324, 1 / 3, -1.7976931348623157e308, 123456789.0])
def test_numbers_to_the_bit(connection, number):
    dialect = dialect_of(connection)
    assert connection.execute(f"SELECT {dialect.number(number)}").fetchall()[0][0] == number
    assert connection.execute(f"SELECT 1-{dialect.number(number)}").fetchall()[0][0] == 1 - number


@pytest.mark.parametrize("value", [True, False, 3, -3, 2**62])
def test_other_values(connection, value):
    assert connection.execute(f"SELECT {dialect_of(connection).value(value)}").fetchall()[0][0] == value


def test_the_largest_of_many(connection):
    dialect = dialect_of(connection)
    for size in (1, 2, 250):
        numbers = [dialect.number(float(n)) for n in range(size)]
        assert connection.execute(f"SELECT {dialect.most(numbers)}").fetchall()[0][0] == size - 1


@pytest.mark.parametrize("text", ["a\0b", "\udc80"])
def test_what_no_database_holds(text):
    for dialect in DIALECTS.values():
        with pytest.raises(ValueError, match="holds a character that databases can't; rename it"):
            dialect.value(text)
        with pytest.raises(ValueError, match="holds a character that databases can't; rename it"):
            dialect.identifier(text)


def test_columns_without_names():
    with pytest.raises(ValueError, match="columns of a database have names, and the model has 3"):
        DIALECTS["sqlite"].identifier(3)


def test_numbers_that_are_none():
    with pytest.raises(ValueError, match="inf has no literal in SQL"):
        DIALECTS["sqlite"].number(float("inf"))


def test_the_dialect_of_a_connection():
    assert dialect_of(sqlite3.connect(":memory:")).name == "sqlite"
    with pytest.raises(TypeError, match="a connection of 'builtins' is of no database known here; give one of duckdb"):
        dialect_of(object())
    with pytest.raises(TypeError, match=r"'rows.db' is no connection; open one, as sqlite3.connect\('rows.db'\) does"):
        dialect_of("rows.db")
