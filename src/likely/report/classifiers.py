"""The report and the boundary of a classifier, over whatever it takes as a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Table, encode_target, read
from likely.models.naive_bayes import NaiveBayes, count
from likely.report.boundary import draw_plane
from likely.report.findings import PERHAPS, Findings, findings, same_rows, sums
from likely.report.page import best_two, page
from likely.report.picture import Picture
from likely.statistics import Labels
from likely.store import Origin, Stored


def report(
    model: Any, X: Any, y: Any, *, sample_weight: Any = None, learned: bool | None = None, title: str = "Report"
) -> str:
    """The page, as text of HTML, of a fitted classifier of ours on these rows.

    If they are the rows that it has learned, each is judged as if it had never been. That is found out by counting
    them; `learned` says it otherwise.
    """
    return page(found_in(model, X, y, sample_weight, learned), title)


def draw_boundary(model: Any, X: Any, y: Any, columns: Sequence[Any] | None = None) -> Picture:
    """The most probable class over two columns, all others left out, with the rows; without `columns`, over the two
    that depend most on the class.
    """
    two = best_two(found_in(model, X, y)) if columns is None else columns
    if len(two) != 2:
        raise ValueError(f"a boundary is drawn over two columns of numbers or categories, not over {len(two)}")
    return draw_plane(_stored(model), *_read(model, X, y), two)


def found_in(model: Any, X: Any, y: Any, sample_weight: Any = None, learned: bool | None = None) -> Findings:
    inner, (table, classes, codes) = model.model_, _read(model, X, y)
    weight = model.row_weights(y, table, sample_weight)
    notes: tuple[str, ...] = ()
    if learned is None:
        learned = same_rows(inner, count([block.plan for block in sums(inner)], table, classes, codes, weight))
        notes = () if learned else (PERHAPS,)
    return findings(_stored(model), table, codes, weight, classes, learned, notes=notes)


def _read(model: Any, X: Any, y: Any) -> tuple[Table, Labels, NDArray[np.int32]]:
    table = read(X, model.missing_values)
    table.must_have(model.model_.names)
    classes, codes = encode_target(y)
    if len(codes) != table.rows:
        raise ValueError(f"the table has {table.rows} rows and y has {len(codes)}")
    return table, classes, codes


def _stored(model: Any) -> Stored:
    inner = model.model_
    rows = int(inner.known.rows.table.sum()) if isinstance(inner, NaiveBayes) else None
    return Stored(inner, Origin(rows, date="", missing=model.missing_values), model.calibration_, model.calibrate)
