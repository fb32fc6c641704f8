"""Naive Bayes learned where the data lie: a database counts by class, and only sums and a sample leave it."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from likely.data.read import columns_table
from likely.data.sample import Sample
from likely.data.target import encode_target
from likely.families import Plan
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel
from likely.sql.counting import SqlCounting
from likely.sql.dialects import DIALECTS
from likely.sql.rows import QueryRows, as_column
from likely.statistics import Counts

SAMPLE = 20_000
"""Rows that leave the database, evenly spaced, by which families, bins, smoothing and column weights are chosen. On one
machine families are chosen by up to 10,000 rows, and the weights of 20 columns of 2 classes by 12,500."""


class Connection(Protocol):
    """Of a database, by its DB-API driver."""

    def cursor(self) -> Any: ...


class Face(Protocol):
    """A scikit-learn classifier over naive Bayes."""

    def fitted_by(self, fit: Callable[[Any], tuple[Any, Sample]], /) -> Any: ...


M = TypeVar("M", bound="NaiveBayesModel | Face")


def fit(model: M, connection: Connection, query: str, target: str, *, dialect: str | None = None) -> M:
    """Fits naive Bayes to the rows of a query, inside the database.

    Parameters
    ----------
    model : NaiveBayes
        Its parameters are used, not what it may have learned.
    connection : connection
        Of DuckDB, SQLite or PostgreSQL, by any DB-API driver.
    query : str
        A SELECT.
    target : str
        Its column of classes.
    dialect : "duckdb", "sqlite" or "postgres", optional
        The database, if the driver does not show it.

    Returns
    -------
    NaiveBayes
        The model, fitted as on one machine. The database counts all rows; families, bins, smoothing and column weights
        are chosen by a sample of up to 20,000 rows.

    See Also
    --------
    likely.NaiveBayes.fit : on this machine.
    likely.data.Dataset : reads a query to this machine.

    Examples
    --------
    >>> import sqlite3
    >>> from likely import NaiveBayes, sql
    >>> shop = sqlite3.connect(":memory:")
    >>> _ = shop.execute("CREATE TABLE visits (pages INT, bought TEXT)")
    >>> _ = shop.executemany("INSERT INTO visits VALUES (?, ?)", [(1, "no"), (2, "no"), (9, "yes"), (11, "yes")])
    >>> nb = sql.fit(NaiveBayes("poisson"), shop, "SELECT * FROM visits", "bought")
    >>> nb.class_count_.tolist()
    [2, 2]
    """
    if dialect is not None and dialect not in DIALECTS:
        raise ValueError(f"dialect is one of {', '.join(DIALECTS)}, not {dialect!r}")

    def fitted(unlearned: NaiveBayesModel) -> tuple[NaiveBayesModel, Sample]:
        if type(unlearned) is not NaiveBayesModel:
            raise ValueError(REFUSED.format(unlearned.name))
        rows = QueryRows(connection, query, target, None if dialect is None else DIALECTS[dialect])
        sample = _sample(rows)
        return unlearned.fit(sample, lambda plans, some: _counted(rows, plans, some)), sample

    if isinstance(model, NaiveBayesModel):
        return fitted(model)[0]  # type: ignore[return-value]
    if not hasattr(model, "fitted_by"):
        raise ValueError(REFUSED.format(type(model).__name__))
    return model.fitted_by(fitted)  # type: ignore[no-any-return]


REFUSED = "a database counts for naive Bayes, and not for {}; fit that on one machine"


def _sample(rows: QueryRows) -> Sample:
    """Rows from all over the query, with all its classes."""
    labels = list(rows.class_counts)
    if not labels:
        raise ValueError("the query has no rows; there is nothing to learn from")
    classes, _ = encode_target(as_column(labels))
    if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
        raise ValueError(
            f"column {rows.target!r} holds numbers that are not whole, such as {classes[0]}, and no classes"
        )
    *columns, y = rows.sample(SAMPLE)
    table = columns_table([as_column(column) for column in columns], rows.columns, None)
    for name, is_moment in zip(table.names, table.moments, strict=True):
        if is_moment:
            raise ValueError(
                f"column {name!r} holds dates or times, which are no numbers in SQL; select extract(epoch FROM "
                f"{rows.dialect.identifier(name)}), or parts of it"
            )
    codes = {label: at for at, label in enumerate(classes.tolist())}
    return Sample(table, np.array([codes[label] for label in y], np.int32), classes)


def _counted(rows: QueryRows, plans: Sequence[Plan], sample: Sample) -> Learned:
    """All rows of the query, counted by these plans."""
    for plan in plans:
        for at, name in enumerate(plan.frame.columns):
            if not plan.family.cells(plan, at) or not plan.family.counts_in[0].aggregates:
                raise ValueError(
                    f"column {name!r} is read as {type(plan.family).__name__}, which SQL can't count; name another "
                    "family, or leave it out of the query"
                )
    counting = SqlCounting(rows, sample)
    counting.check_empty()
    blocks = tuple(counting.block(plan) for plan in plans)
    per_class = np.array([[rows.class_counts[label]] for label in sample.classes.tolist()], np.int64)
    return Learned(sample.table.names, sample.table.kinds, sample.classes, Counts(per_class), blocks)
