"""How often a class is the true one, by the cells of one column: what the rows show, whatever the model."""

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
"""Groups of a column of numbers, with about as many rows each."""
VALUES = 10
"""Categories that have a bar: those that most rows have."""


FEW = 100
"""Rows of a group whose interval may run out of the picture."""


class Group(NamedTuple):
    name: str
    rows: int
    rate: float
    low: float
    high: float
    """The ends of the 95 % interval."""


def groups(sample: Sample, name: Any, focus: int) -> list[Group]:
    """Numbers by quantiles, in their order; categories by their rates, but months and weekdays in theirs."""
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
    """Below the first, between, and from the last on: of integers with both ends in the group."""
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
    """The places of months or weekdays in their order; None of other names."""
    for order in (MONTHS, WEEKDAYS):
        if names and all(name.lower()[:3] in order for name in names):
            return sorted(range(len(names)), key=lambda at: order.index(names[at].lower()[:3]))
    return None


@style()
def draw_rates(sample: Sample, names: Sequence[Any], focus: int) -> list[Picture]:
    """Of each column a bar for each group with its interval; the dashed line is the rate of all rows. All have one
    scale and one place for the bars, so that the line is in the same place and bars can be compared across columns."""
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
    shares = "; ".join(f"{one.name} {percent(one.rate)} of {one.rows:,} rows" for one in found)
    return Picture(figure, f"{short(name)}: share of {short(label)}, {percent(overall)} in all: {shares}")


def _aligned(figures: Sequence[Figure]) -> None:
    """Gives all the sides of the narrowest."""
    for figure in figures:
        figure.draw_without_rendering()  # lays it out
        figure.set_layout_engine("none")
    boxes = [figure.axes[0].get_position() for figure in figures]
    left, right = max(box.x0 for box in boxes), min(box.x1 for box in boxes)
    for figure, box in zip(figures, boxes, strict=True):
        figure.axes[0].set_position((left, box.y0, right - left, box.height))
