"""Draws the decision boundary of a model over two columns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from likely.data import Sample, Table
from likely.families import Family
from likely.report.colours import CLASSES, INK, MARKS, OTHERS, QUIET
from likely.report.columns import ends_of
from likely.report.names import in_legend, most_common, short
from likely.report.picture import Picture, sheet, style
from likely.report.plane import Plane
from likely.store import Stored

Array = NDArray[np.float64]

FINE = 120
"""How many values of a column of numbers the model is evaluated at."""
DOTS = 600
"""The most rows to draw, evenly spaced among all rows with both cells."""
LINES = 12
"""With more classes, no boundary lines are drawn: they would cover the figure."""
VALUES = 8
"""The most categories of a column to draw: the most common ones."""


class Axis(NamedTuple):
    """A column as an axis of the figure."""

    column: int
    name: Any
    asked: NDArray[Any]
    """The values at which the model is evaluated."""
    dots: Array
    """The position of each row; NaN if it is not drawn."""
    labels: list[str] | None = None
    """The labels of categories, which are at 0, 1, 2, ...; None for numbers."""
    of_all: int = 0
    """The number of categories of the column, drawn or not."""

    @property
    def ends(self) -> tuple[float, float]:
        if self.labels:
            return -0.5, len(self.asked) - 0.5
        half = float(self.asked[1] - self.asked[0]) / 2
        return float(self.asked[0]) - half, float(self.asked[-1]) + half


def drawable(table: Table) -> list[int]:
    """The columns that can be an axis of the figure: all except texts."""
    return [j for j, kind in enumerate(table.kinds) if kind != "text"]


@style()
def draw_plane(stored: Stored, sample: Sample, columns: Sequence[Any]) -> Picture:
    """The most probable class by these two columns alone, in a deeper colour if its probability is higher; and the
    rows."""
    model, table, classes = stored.model, sample.table, sample.classes
    across, up = (_axis(table, name, _family(model, name)) for name in columns)
    if across.column == up.column:
        raise ValueError(f"a boundary is drawn over two columns, not over {columns[0]!r} twice")
    figure = sheet(330)
    axes = figure.subplots()
    shown = most_common(sample)
    p = _asked(stored, table, across, up)
    of_model = {label: at for at, label in enumerate(model.classes.tolist())}
    colours = np.tile(to_rgb(OTHERS), (len(model.classes), 1))
    for place, k in enumerate(shown):
        if classes.tolist()[k] in of_model:
            colours[of_model[classes.tolist()[k]]] = to_rgb(CLASSES[place])
    _shade(axes, p, colours, across, up)
    _dots(axes, sample, shown, across, up)
    for axis, side in ((across, axes.xaxis), (up, axes.yaxis)):
        if axis.labels:
            side.set_ticks(range(len(axis.labels)), axis.labels)
    if across.labels and sum(map(len, across.labels)) > 34:
        axes.tick_params(axis="x", rotation=40)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
    axes.set(xlim=across.ends, ylim=up.ends, xlabel=short(across.name), ylabel=short(up.name))
    figure.legend(
        loc="outside lower center", ncols=2 if len(shown) > 3 else len(shown), handlelength=1, markerscale=1.6
    )
    others = len(table.names) - 2
    note = _note(model, others)
    if note:
        figure.suptitle(note, fontsize=9.5, color=QUIET, x=0.02, ha="left")
    left = [f"{short(axis.name)}: {len(axis.labels)} of {axis.of_all}" for axis in (across, up) if axis.labels]
    values = f"; values drawn: {', '.join(left)}" if left else ""
    return Picture(
        figure,
        f"Decision boundary over {short(across.name)} and {short(up.name)} between "
        f"{', '.join(short(classes[k]) for k in shown)}{values}. {note}".rstrip(),
    )


def _note(model: Any, others: int) -> str:
    if not others:
        return ""
    many = f"The {others} other columns are" if others > 1 else "The other column is"
    return f"{many} left out" + (", as if missing." if model.counts_rows else ": missing, read as means.")


def _family(model: Any, name: Any) -> Family | None:
    """The family by which the model reads the column; None for a logistic regression that is not shrunk to naive
    Bayes."""
    counts = model if model.counts_rows else model.generative
    return None if counts is None else counts.chosen_families.get(name)


def _axis(table: Table, name: Any, family: Family | None) -> Axis:
    names = [*table.names]
    if name not in names:
        some = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
        raise ValueError(f"there is no column {name!r}; the columns are {some}")
    j = names.index(name)
    domain = None if family is None else family.domain
    if table.kinds[j] == "text" or domain == "text":
        raise ValueError(f"column {name!r} has texts, which can't be an axis; a boundary needs numbers or categories")
    if table.kinds[j] == "category" or domain == "category":
        codes, (labels,) = table.categories([j], slice(0, table.rows), None)
        return _lanes(table, j, codes[:, 0], labels)
    values = np.asarray(table.numbers([j], slice(0, table.rows)), np.float64)[:, 0]
    there = values[np.isfinite(values)]
    if not there.size:
        raise ValueError(f"column {name!r} has no value in these rows, so there is nothing to draw")
    whole = table.kinds[j] in ("bool", "int") or domain in ("bit", "whole")
    distinct = np.unique(there)
    if whole and len(distinct) <= VALUES:
        codes = np.where(np.isfinite(values), np.searchsorted(distinct, values), -1)
        return _lanes(table, j, codes, distinct)
    low, high = ends_of(there)
    if whole:
        step = max(1.0, np.ceil((high - low) / FINE))
        return Axis(j, name, np.arange(np.floor(low), high + step, step), values + _scatter(len(values), 0.3, j))
    room = 0.08 * (high - low) or max(abs(high) * 0.1, 1.0)
    return Axis(j, name, np.linspace(low - room, high + room, FINE), values)


def _lanes(table: Table, j: int, codes: NDArray[np.int32], labels: NDArray[Any]) -> Axis:
    """An axis with the categories side by side, in order; if there are many, the most common ones."""
    rows = np.bincount(codes[codes >= 0], minlength=len(labels))
    kept = np.argsort(-rows, kind="stable")[:VALUES]
    if not rows.any():
        raise ValueError(f"column {table.names[j]!r} has no value in these rows, so there is nothing to draw")
    kept = kept[np.argsort(labels[kept])]
    place = np.full(len(labels) + 1, np.nan)
    place[kept] = np.arange(len(kept))
    names = [_named(label, table.kinds[j]) for label in labels[kept].tolist()]
    return Axis(j, table.names[j], labels[kept], place[codes] + _scatter(len(codes), 0.32, j), names, len(labels))


def _named(label: Any, kind: str) -> str:
    return str(bool(label)).lower() if kind == "bool" else f"{label:g}" if isinstance(label, float) else short(label)


def _scatter(rows: int, by: float, seed: int) -> Array:
    """Random offsets, so that rows with equal cells do not hide each other."""
    return np.random.default_rng(seed).uniform(-by, by, rows)


def _asked(stored: Stored, table: Table, across: Axis, up: Axis) -> Array:
    """p(y | the two columns), of shape (points up, points across, classes)."""
    shape = len(up.asked), len(across.asked)
    cells = {
        across.column: np.tile(across.asked, shape[0]),
        up.column: np.repeat(up.asked, shape[1]),
    }
    kinds = ["int" if kind == "sparse" else kind for kind in table.kinds]
    p = np.asarray(stored.predict_proba(Plane(table.names, kinds, cells)))
    return p.reshape(*shape, -1)


def _shade(axes: Axes, p: Array, colours: Array, across: Axis, up: Axis) -> None:
    classes, first = p.shape[2], p.argmax(axis=2)
    sure = (p.max(axis=2) - 1 / classes) / max(1 - 1 / classes, 1e-9)
    pixels = np.dstack([colours[first], 0.06 + 0.36 * sure])
    lanes = bool(across.labels or up.labels)
    axes.imshow(
        pixels,
        extent=(*across.ends, *up.ends),
        origin="lower",
        aspect="auto",
        interpolation="nearest" if lanes else "bilinear",
    )
    if lanes or len(np.unique(first)) > LINES:
        return
    for k in np.unique(first)[1:] if classes == 2 else np.unique(first):
        ahead = p[:, :, k] - np.delete(p, k, axis=2).max(axis=2, initial=-1.0)
        if ahead.min() < 0 < ahead.max():
            axes.contour(across.asked, up.asked, ahead, [0.0], colors=INK, linewidths=1.2)


def _dots(axes: Axes, sample: Sample, shown: list[int], across: Axis, up: Axis) -> None:
    rows = np.flatnonzero(np.isfinite(across.dots) & np.isfinite(up.dots))
    rows = rows[:: max(1, -(-len(rows) // DOTS))]
    for place, k in enumerate(shown):
        own = rows[sample.y[rows] == k]
        axes.scatter(
            across.dots[own],
            up.dots[own],
            13,
            color=CLASSES[place],
            marker=MARKS[place],
            linewidth=0,
            alpha=0.8,
            label=in_legend(sample.classes[k]),
        )
    others = rows[~np.isin(sample.y[rows], shown)]
    if len(others):
        axes.scatter(
            across.dots[others], up.dots[others], 9, color=OTHERS, linewidth=0, alpha=0.7, label="other classes"
        )
