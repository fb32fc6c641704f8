"""The rows of a query, counted by class where they lie."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.sql.dialects import Dialect, dialect_of

NUMBER = "likely_row"
"""What the number of a row is called while a sample is drawn."""

TOGETHER = 100
"""Columns that one statement reads: PostgreSQL has 1,664 results at the most, SQLite 2,000."""


class DatabaseError(ValueError):
    """A statement that a database did not carry out: because it is wrong, or the connection was lost."""


class QueryRows:
    """What `query` selects, by the column `target`. Nothing is written to the database."""

    def __init__(self, connection: Any, query: str, target: str, dialect: Dialect | None = None) -> None:
        self.connection, self.target = connection, target
        self.dialect = dialect or dialect_of(connection)
        self.query = f"({query.strip().rstrip(';')}\n) AS t"  # a comment may end it
        names = [column[0] for column in self._execute(f"SELECT * FROM {self.query} LIMIT 0").description]
        if target not in names:
            raise ValueError(f"the query has no column {target!r}; its columns are {', '.join(map(repr, names))}")
        if len(set(names)) < len(names):
            name = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the query has two columns {name!r}; name them apart with AS")
        self.columns = [name for name in names if name != target]
        if not self.columns:
            raise ValueError(f"the query has no column but {target!r}; there is nothing to learn from")

    def column(self, name: str) -> str:
        """A column in SQL. With its table: SQLite reads a name that it does not know as a text."""
        return f"t.{self.dialect.identifier(name)}"

    @cached_property
    def class_counts(self) -> dict[Any, int]:
        """How many rows each class has."""
        y = self.column(self.target)
        counted = self._all(f"SELECT {y}, count(*) FROM {self.query} GROUP BY {y}")
        found = {plain(label): int(number) for label, number in counted}
        if nothing := sum(number for label, number in found.items() if label is None or label != label):
            raise ValueError(
                f"column {self.target!r} has no class in {nothing:,} rows; add to the query that it IS NOT NULL"
            )
        return found

    @property
    def number(self) -> int:
        return sum(self.class_counts.values())

    def sample(self, most: int) -> list[list[Any]]:
        """Up to this many rows, evenly spaced in the database's own order: the columns, then the target."""
        names = ", ".join(map(self.column, (*self.columns, self.target)))
        rows, where = self.query, ""
        if (step := -(-self.number // most)) > 1:
            rows = f"(SELECT t.*, row_number() OVER () AS {NUMBER} FROM {self.query}) AS t"
            where = f" WHERE (t.{NUMBER} - 1) % {step} = 0"
        drawn = self._all(f"SELECT {names} FROM {rows}{where}")
        return [[plain(cell) for cell in column] for column in zip(*drawn, strict=True)]

    def aggregated(self, cells: Sequence[tuple[str, Sequence[str]]]) -> dict[Any, list[Any]]:
        """By class, the aggregates of expressions, one after the other. In an aggregate, `{x}` is the expression and
        `{mean}` its mean in the class, for which rows are read once more."""
        found: dict[Any, list[Any]] = {label: [] for label in self.class_counts}
        for start in range(0, len(cells), TOGETHER):
            some = cells[start : start + TOGETHER]
            inner = ", ".join(f"{expression} AS x{i}" for i, (expression, _) in enumerate(some))
            each = f"(SELECT {self.column(self.target)} AS y, {inner} FROM {self.query}{self.dialect.fence}) AS t"
            wanted = [(i, one) for i, (_, aggregates) in enumerate(some) for one in aggregates]
            results = ", ".join(one.format(x=f"t.x{i}", mean=f"m.x{i}") for i, one in wanted)
            if any("{mean}" in one for _, one in wanted):
                means = ", ".join(f"avg(t.x{i}) AS x{i}" for i in range(len(some)))
                each += f" JOIN (SELECT t.y AS y, {means} FROM {each} GROUP BY t.y) AS m ON t.y = m.y"
            counted = self._all(f"SELECT t.y, count(*), {results} FROM {each} GROUP BY t.y")
            self._check({plain(label): int(number) for label, number, *_ in counted})
            for label, _, *values in counted:
                found[plain(label)] += map(plain, values)
        return found

    def counted(self, expression: str) -> Iterator[tuple[Any, Any, int]]:
        """How often each class has each value of an expression; None is a missing cell."""
        each = f"(SELECT {self.column(self.target)} AS y, {expression} AS x FROM {self.query}{self.dialect.fence}) AS t"
        counted = self._all(f"SELECT t.y, t.x, count(*) FROM {each} GROUP BY t.y, t.x")
        total = dict.fromkeys(self.class_counts, 0)
        for label, value, number in counted:
            total[plain(label)] = total.get(plain(label), 0) + int(number)
            yield plain(label), plain(value), int(number)
        self._check(total)

    def _check(self, counted: dict[Any, int]) -> None:
        if counted != self.class_counts:
            raise DatabaseError(
                "the rows of the query changed while they were counted, and nothing was learned; "
                "count them in a transaction that sees no changes (REPEATABLE READ)"
            )

    def _all(self, statement: str) -> list[Any]:
        return list(self._execute(statement, fetch=True))

    def _execute(self, statement: str, fetch: bool = False) -> Any:
        try:
            execute = getattr(self.connection, "execute", None)  # a cursor of DuckDB's doesn't see temporary tables
            cursor = execute(statement) if execute else self.connection.cursor()
            if execute is None:
                cursor.execute(statement)
            return cursor.fetchall() if fetch else cursor
        except Exception as error:  # each driver has errors of its own
            why = " ".join(str(error).split())
            raise DatabaseError(f"the database did not carry out a query, and nothing was learned: {why}") from error


def plain(value: Any) -> Any:
    """A value of a database as a table has it."""
    return float(value) if isinstance(value, Decimal) else value


def as_column(values: list[Any]) -> NDArray[Any]:
    """Values of a database as one column of a table."""
    column = np.empty(len(values), object)
    column[:] = values
    return column
