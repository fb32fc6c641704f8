"""The report and the boundary of a classifier, over whatever it takes as a table."""

from collections.abc import Sequence
from typing import Any

from likely.data import Sample
from likely.models.learned import count
from likely.report.boundary import draw_plane
from likely.report.findings import PERHAPS, Findings, findings, same_rows
from likely.report.page import best_two, page
from likely.report.picture import Picture
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
    return draw_plane(_stored(model), _sample(model, X, y), two)


def found_in(model: Any, X: Any, y: Any, sample_weight: Any = None, learned: bool | None = None) -> Findings:
    inner, sample = model.model_, _sample(model, X, y, sample_weight)
    notes: tuple[str, ...] = ()
    if learned is None:
        learned = same_rows(inner, count(inner.blocks, sample))
        notes = () if learned else (PERHAPS,)
    return findings(_stored(model), sample, learned, notes=notes)


def _sample(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Sample:
    sample: Sample = model.sample_of(X, y, sample_weight)
    sample.table.must_have(model.model_.names)
    return sample


def _stored(model: Any) -> Stored:
    inner = model.model_
    rows = int(inner.class_counts.sum()) if inner.counts_rows else None
    return Stored(inner, Origin(rows, date="", missing=model.missing_values), model.calibration_, model.calibrate)
