"""Draws how often a class is the true one, by the value of one column. It shows only the rows, and no model."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from likely.data import Sample
from likely.data.dates import MONTHS
from likely.printing import number, percent
from likely.report.colours import CLASSES, INK, QUIET
from likely.report.names import apart, short
from likely.report.picture import Picture, bars_alone, sheet, style
from likely.validation.measures import effective, weights, wilson

WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
QUANTILES = 8
"""The number of groups of a column of numbers; each has about the same number of rows."""
VALUES = 10
"""The most categories with a bar: the most common ones."""


FEW = 100
"""If a group has fewer rows, its interval may extend beyond the figure."""


class Group(NamedTuple):
    name: str
    rows: int
    rate: float
    low: float
    high: float
    """`low` and `high` are the ends of the 95 % interval."""


def groups(sample: Sample, name: Any, focus: int) -> list[Group]:
    """The groups of a column. Numbers are grouped by quantiles, in order; categories are sorted by their rates, months
    and weekdays by the calendar."""
    j = [*sample.table.names].index(name)
    whole = slice(0, len(sample))
    if sample.table.kinds[j] in ("category", "empty"):
        codes, (labels,) = sample.table.categories([j], whole, None)
        return _categories(sample, focus, codes[:, 0], labels)
    values = np.asarray(sample.table.numbers([j], whole), np.float64)[:, 0]
    there = values[np.isfinite(values)]
    distinct = np.unique(there)
    if len(distinct) <= VALUES:
        codes = np.where(np.isfinite(values), np.searchsorted(distinct, values), -1)
        flags = sample.table.kinds[j] == "bool"
        names = [str(bool(x)).lower() if flags else number(x) for x in distinct.tolist()]
    else:
        integers = bool((there == np.rint(there)).all())
        edges = np.quantile(there, np.linspace(0, 1, QUANTILES + 1)[1:-1])
        edges = np.unique(np.ceil(edges) if integers else edges)
        codes = np.where(np.isfinite(values), np.searchsorted(edges, values, side="right"), -1)
        names = _ranges(edges.tolist(), integers)
    found = [_group(sample, focus, codes == at, title) for at, title in enumerate(names) if (codes == at).any()]
    missing = codes < 0
    return [*found, _group(sample, focus, missing, "missing")] if missing.any() else found


def _ranges(edges: list[float], integers: bool) -> list[str]:
    """Names of the groups: below the first edge, between edges, and from the last edge on. For integers both ends are
    included."""
    between = [
        number(a) if integers and b - a == 1 else f"{number(a)} – {number(b - integers)}" for a, b in pairwise(edges)
    ]
    return [f"< {number(edges[0])}", *between, f"≥ {number(edges[-1])}"]


def _categories(sample: Sample, focus: int, codes: NDArray[Any], labels: NDArray[Any]) -> list[Group]:
    rows = np.bincount(codes[codes >= 0], minlength=len(labels))
    kept = [at for at in np.argsort(-rows, kind="stable")[:VALUES].tolist() if rows[at]]
    names = apart([labels.tolist()[at] for at in kept])
    found = [_group(sample, focus, codes == at, name) for at, name in zip(kept, names, strict=True)]
    ordered = calendar_order([one.name for one in found])
    return sorted(found, key=lambda one: -one.rate) if ordered is None else [found[at] for at in ordered]


def _group(sample: Sample, focus: int, own: NDArray[np.bool], name: str) -> Group:
    w = weights(len(sample), sample.weight)[own]
    rate = float(w[sample.y[own] == focus].sum() / max(w.sum(), 1e-300))
    n = max(effective(int(own.sum()), None if sample.weight is None else w), 1e-9)
    return Group(name, int(own.sum()), rate, *wilson(rate * n, n))


def calendar_order(names: Sequence[str]) -> list[int] | None:
    """The order of months or weekdays in the calendar, as positions; None for other names."""
    for order in (MONTHS, WEEKDAYS):
        if names and all(name.lower()[:3] in order for name in names):
            return sorted(range(len(names)), key=lambda at: order.index(names[at].lower()[:3]))
    return None


@style()
def draw_rates(sample: Sample, names: Sequence[Any], focus: int) -> list[Picture]:
    """A figure for each column, with a bar and an interval for each group. The dashed line is the rate in all rows. All
    figures have the same scale and the same margins, so that bars can be compared across columns."""
    found = [groups(sample, name, focus) for name in names]
    overall = float(sample.class_weights[focus] / sample.class_weights.sum())
    sure = [one.high if one.rows >= FEW else one.rate for column in found for one in column]
    top = 1.04 * max(overall, *sure)
    pictures = [
        _bars(name, column, overall, top, sample.classes[focus]) for name, column in zip(names, found, strict=True)
    ]
    _aligned([picture.figure for picture in pictures])
    return pictures


def _bars(name: Any, found: list[Group], overall: float, top: float, label: Any) -> Picture:
    figure = sheet(48 + 19 * len(found))
    axes = figure.subplots()
    at = np.arange(len(found))
    axes.barh(at, [one.rate for one in found], 0.62, color=CLASSES[0], alpha=0.75)
    axes.hlines(at, [one.low for one in found], [one.high for one in found], color=INK, linewidth=1.2)
    axes.axvline(overall, color=QUIET, linewidth=1, linestyle=(0, (4, 3)))
    for y, one in zip(at, found, strict=True):
        axes.text(1.02, float(y), percent(one.rate), transform=axes.get_yaxis_transform(), va="center", fontsize=9.5)
    axes.set_yticks(at, [one.name for one in found])
    axes.set_xlim(0, top)
    bars_alone(axes)
    shares = "; ".join(f"{group.name} {percent(group.rate)} of {group.rows:,} rows" for group in found)
    return Picture(figure, f"{short(name)}: share of {short(label)}, {percent(overall)} in all: {shares}")


def _aligned(figures: Sequence[Figure]) -> None:
    """Gives all figures the margins of the narrowest plot."""
    for figure in figures:
        figure.draw_without_rendering()  # computes the layout
        figure.set_layout_engine("none")
    boxes = [figure.axes[0].get_position() for figure in figures]
    left, right = max(box.x0 for box in boxes), min(box.x1 for box in boxes)
    for figure, box in zip(figures, boxes, strict=True):
        figure.axes[0].set_position((left, box.y0, right - left, box.height))
