"""Differences between databases: names, literals and numbers. All other SQL is shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Dialect:
    name: str
    drivers: tuple[str, ...]
    """The Python packages of its DB-API connections."""
    double: str = "NULLIF(CAST({} AS float8), 'NaN'::float8)"
    """A column as float64, with NULL for NaN; `{}` is the column."""
    double_of_bool: str = "CAST(CAST({} AS integer) AS float8)"
    literal: str = "{}"
    """A number as float64, always with an exponent."""
    text: str = "CAST({} AS text)"
    """A value as text."""
    whole: str = "trunc({})"
    """A number without its decimals."""
    variance: str | None = "var_pop({x})"
    """The population variance (divided by n); None if the database has none, and a second pass is needed."""
    greatest: str = "greatest"
    fence: str = ""
    """Added to a subquery, so that it is computed once, and not again for each use of its columns."""
    backslash_strings: bool = False
    """Whether a setting can make a backslash in a literal an escape."""

    def identifier(self, name: Any) -> str:
        if not isinstance(name, str):
            raise ValueError(f"columns of a database have names, and the model has {name!r}; fit it on named columns")
        return '"' + _plain(name, "the name").replace('"', '""') + '"'

    def number(self, value: float) -> str:
        """A number as a literal; in parentheses if it is negative, because two minus signs begin a comment."""
        if not np.isfinite(value):
            raise ValueError(f"{value} has no literal in SQL")
        written = repr(float(value))
        written = self.literal.format(written if "e" in written else f"{written}e0")
        return f"({written})" if value < 0 else written

    def value(self, value: Any) -> str:
        """A literal that is equal to this label or cell."""
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, (bool, np.bool)):
            return "TRUE" if value else "FALSE"
        if isinstance(value, (int, np.integer)):
            return str(value) if value >= 0 else f"({value})"
        return self.number(value)

    def _string(self, value: str) -> str:
        quoted = _plain(value, "the value").replace("'", "''")
        if self.backslash_strings and "\\" in quoted:
            return "E'" + quoted.replace("\\", "\\\\") + "'"
        return f"'{quoted}'"

    def most(self, expressions: Sequence[str]) -> str:
        """The largest of these expressions. SQLite takes at most 127 arguments, and reads a single one as an
        aggregate."""
        if len(expressions) == 1:
            return expressions[0]
        if len(expressions) > 100:
            half = len(expressions) // 2
            return self.most([self.most(expressions[:half]), self.most(expressions[half:])])
        return f"{self.greatest}({', '.join(expressions)})"


def _plain(text: str, what: str) -> str:
    """The text; raises ValueError if it has a character that no database can store."""
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{what} {text!r} holds a character that databases can't; rename it")
    return text


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("duckdb", ("duckdb", "_duckdb")),
        Dialect(
            "sqlite",
            ("sqlite3",),
            double="{}",
            double_of_bool="{}",
            whole="CAST({} AS INTEGER)",
            variance=None,
            greatest="max",
            fence=" LIMIT -1 OFFSET 0",
        ),
        Dialect(
            "postgres",
            ("psycopg", "psycopg2", "pg8000"),
            literal="'{}'::float8",
            fence=" OFFSET 0",
            backslash_strings=True,
        ),
    )
}


def dialect_of(connection: Any) -> Dialect:
    """The dialect of a connection, from its Python package."""
    package = type(connection).__module__.partition(".")[0]
    if isinstance(connection, str):
        raise TypeError(f"{connection!r} is no connection; open one, as sqlite3.connect({connection!r}) does")
    for dialect in DIALECTS.values():
        if package in dialect.drivers:
            return dialect
    known = ", ".join(sorted(driver for dialect in DIALECTS.values() for driver in dialect.drivers if driver[0] != "_"))
    raise TypeError(f"a connection of {package!r} is of no database known here; give one of {known}")
