"""Draws p(x | class) of a column: the distribution of the model over the rows."""

from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from likely.data import Sample
from likely.families import Block
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import percent
from likely.report.colours import CLASSES, DASHES, MARKS
from likely.report.names import apart, in_legend, most_common, short
from likely.report.picture import Picture, bars_alone, sheet, style

Array = NDArray[np.float64]

VALUES = 6
"""The most categories with bars: the most common ones."""
FINE = 200
"""The number of points of a density."""
BARS = 30
"""The most bars of the histogram of rows under a density."""
SHADED = 3
"""With more classes, no histograms are drawn under the densities: they would hide each other."""


@style()
def draw_column(model: NaiveBayesModel, sample: Sample, name: Any, bare: bool = False) -> Picture:
    """p(x | class) of a column that is no text. A `bare` figure has no title and no legend: the page has them."""
    block, at = model.block_of(name)
    shown = most_common(sample)
    place = {label: k for k, label in enumerate(model.classes.tolist())}
    of_model = [place.get(sample.classes.tolist()[k]) for k in shown]
    names = apart([sample.classes[k] for k in shown])
    kind = block.family.picture
    if kind == "bars" and _many_numbers(block, at):
        picture = _spectrum(block, at, of_model, names)
    elif kind == "bars":
        picture = _bars(block, at, of_model, names)
    elif kind == "shares":
        picture = _means(block, at, of_model, names)
    else:
        column = block.columns[at]
        cells = np.asarray(sample.table.numbers([column], slice(0, len(sample))), np.float64)[:, 0]
        picture = _density(block, at, of_model, names, [cells[sample.y == k] for k in shown])
    figure = picture.figure
    if not bare:
        figure.axes[0].set_title(short(name))
        if kind != "shares" and block.family.domain != "bit":
            figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return replace(picture, says=f"{short(name)} by class: {picture.says}")


def _alone(block: Block, at: int) -> tuple[Block, int]:
    """The block of the one column and its position there, if the column is independent of the others given the
    class."""
    if block.family.joint or len(block.columns) == 1:
        return block, at
    return block.of(np.arange(len(block.columns)) == at), 0


def log_densities(block: Block, at: int, cells: NDArray[Any]) -> Array:
    """log p(cell | class), cells x classes, without the column weight."""
    block, at = _alone(block, at)
    missing = -1 if block.frame.cells is not None else np.nan
    rows = np.full((len(cells), len(block.columns)), missing, np.int32 if missing == -1 else np.float64)
    rows[:, at] = cells
    out = np.zeros((len(cells), block.statistics.classes))
    block.family.score(block.family.estimate(block), rows, out)
    return out


def _bars(block: Block, at: int, of_model: list[int | None], names: list[str]) -> Picture:
    if block.family.domain == "bit":
        p = np.exp(log_densities(block, at, np.array([1.0])))
        values, left = ["yes"], 0
    else:
        assert block.frame.cells is not None
        labels = block.frame.cells[at]
        kept = np.argsort(-_counts(block, at), kind="stable")[:VALUES]
        if labels.dtype.kind in "iuf":
            kept = kept[np.argsort(labels[kept])]
        values, left = [short(label) for label in labels[kept].tolist()], len(labels) - len(kept)
        p = np.exp(log_densities(block, at, kept.astype(np.int32)))
    known = [(place, k) for place, k in enumerate(of_model) if k is not None]
    thick = 0.8 / max(len(known), 1)
    figure = sheet(52 + max(13 * len(values) * len(known), 17 * len(values)))
    axes = figure.subplots()
    for row, (place, k) in enumerate(known):
        where = np.arange(len(values)) + (row - (len(known) - 1) / 2) * thick
        axes.barh(where, p[:, k], thick * 0.9, color=CLASSES[place], alpha=0.85, label=in_legend(names[place]))
        for y, share in zip(where, p[:, k], strict=True):
            axes.annotate(percent(share, 0), (share, y), (3, 0), textcoords="offset points", va="center", fontsize=9.5)
    if block.family.domain == "bit":
        axes.set_yticks(
            [(row - (len(known) - 1) / 2) * thick for row in range(len(known))], [names[p] for p, _ in known]
        )
    else:
        axes.set_yticks(range(len(values)), values)
    axes.set_xlim(0, max(float(p.max()) * 1.15, 1e-9))
    bars_alone(axes)
    more = f" and {left} more" if left else ""
    if left:
        axes.set_xlabel(f"{left} more {'value' if left == 1 else 'values'}")
        axes.xaxis.set_visible(True)
        axes.set_xticks([])
    shares = "; ".join(
        f"{value} " + ", ".join(f"{names[place]} {percent(p[v, k], 0)}" for place, k in known)
        for v, value in enumerate(values[:3])
    )
    return Picture(figure, f"{shares}{more}")


def _counts(block: Block, at: int) -> NDArray[Any]:
    """The number of rows of each category of a column."""
    return np.asarray(block.statistics.arrays()["table"][:, slice(*block.frame.starts[at : at + 2])].sum(axis=0))


def _many_numbers(block: Block, at: int) -> bool:
    """Whether the categories of a column are numbers, and too many for bars."""
    if block.frame.cells is None:
        return False
    labels = block.frame.cells[at]
    return labels.dtype.kind in "iuf" and len(labels) > VALUES


def _spectrum(block: Block, at: int, of_model: list[int | None], names: list[str]) -> Picture:
    """The probability of each category, drawn over its value as a number."""
    assert block.frame.cells is not None
    labels = block.frame.cells[at]
    order = np.argsort(labels)
    p = np.exp(log_densities(block, at, order.astype(np.int32)))
    figure = sheet(190)
    axes = figure.subplots()
    for place, k in enumerate(of_model):
        if k is not None:
            axes.plot(
                labels[order], p[:, k], color=CLASSES[place], linestyle=DASHES[place], label=in_legend(names[place])
            )
    axes.set_ylim(0, None)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    return Picture(figure, f"the probability of each of {len(labels)} values")


def _means(block: Block, at: int, of_model: list[int | None], names: list[str]) -> Picture:
    """For counts of one multinomial: the share of this column in the total of all counts."""
    total = np.asarray(block.statistics.arrays()["total"], np.float64)
    share = total[:, at] / np.maximum(total.sum(axis=1), 1e-300)
    known = [(place, k) for place, k in enumerate(of_model) if k is not None]
    figure = sheet(52 + 17 * len(known))
    axes = figure.subplots()
    axes.barh(range(len(known)), [share[k] for _, k in known], 0.7, color=[CLASSES[p] for p, _ in known], alpha=0.85)
    axes.set_yticks(range(len(known)), [names[p] for p, _ in known])
    axes.invert_yaxis()
    axes.set_xlabel("share of all counts")
    axes.xaxis.set_major_locator(MaxNLocator(4))
    return Picture(figure, ", ".join(f"{names[place]} {percent(share[k], 2)} of all counts" for place, k in known))


def _density(block: Block, at: int, of_model: list[int | None], names: list[str], cells: list[Array]) -> Picture:
    figure = sheet(190)
    axes = figure.subplots()
    there = np.concatenate([own[np.isfinite(own)] for own in cells])
    counts = block.family.picture == "mass"
    low, high = ends_of(there)
    whole = bool((there == np.rint(there)).all()) and high - low < 60
    room = max(0.06 * (high - low), 0.6 * whole) or max(abs(high) * 0.1, 0.5)
    asked = np.linspace(max(low - room, block.family.lowest), high + room, FINE)
    if counts:
        asked = np.unique(np.rint(np.linspace(low, max(high, low + 1) + 1, 60)))
    else:
        asked = _at_edges(asked, block.family.breaks(block.frame, at))
    p = np.exp(log_densities(block, at, asked))
    highest = 0.0
    for place, own in enumerate(cells):
        if len(cells) <= SHADED:
            ends = low - room, high + room
            highest = max(highest, _rows(axes, own[np.isfinite(own)], ends, whole, CLASSES[place]))
        if (k := of_model[place]) is not None:
            axes.plot(
                asked,
                p[:, k],
                color=CLASSES[place],
                linestyle=DASHES[place],
                marker=MARKS[place] if counts and len(asked) < 25 else None,
                markersize=3.5,
                linewidth=1.5,
                label=in_legend(names[place]),
            )
    lines = p[:, [k for k in of_model if k is not None]]
    top = min(float(lines.max(initial=0.0)), 8 * float(np.median(lines.max(axis=1, initial=0.0))) or np.inf)
    axes.set_ylim(0, 1.08 * max(top, min(highest, 1.5 * top)) or 1.0)  # a high peak must not flatten the rest
    axes.set_xlim(low - room, high + room)
    if beyond := int(((there < low - room) | (there > high + room)).sum()):
        axes.set_xlabel(f"{beyond:,} {'row' if beyond == 1 else 'rows'} outside this range")
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=whole))
    middles = ", ".join(
        f"{name} {np.median(own[np.isfinite(own)]):.4g}"
        for name, own in zip(names, cells, strict=True)
        if np.isfinite(own).any()
    )
    return Picture(figure, f"medians {middles}")


def _at_edges(asked: Array, edges: Array) -> Array:
    """The points, and points just before and at each edge, so that a step is drawn vertically."""
    return np.unique(np.concatenate([asked, edges, np.nextafter(edges, -np.inf)]).clip(asked[0], asked[-1]))


def ends_of(cells: Array) -> tuple[float, float]:
    """The range to draw: without the outermost cells, and without far outliers."""
    if not cells.size:
        return 0.0, 1.0
    low, first, third, high = np.percentile(cells, [1, 25, 75, 99])
    reach = 4 * (third - first) or np.inf
    return max(low, first - reach), min(high, third + reach)


def _rows(axes: Axes, cells: Array, ends: tuple[float, float], whole: bool, colour: str) -> float:
    """Draws a histogram of the cells, and returns the height of its highest bar."""
    if not len(cells):
        return 0.0
    bars = int(np.clip(2 * np.sqrt(len(cells)), 8, BARS))
    edges = np.arange(np.floor(ends[0]), np.ceil(ends[1]) + 2) - 0.5 if whole else np.linspace(*ends, bars + 1)
    heights = np.histogram(cells, edges)[0] / (len(cells) * np.diff(edges))
    axes.stairs(heights, edges, fill=True, color=colour, alpha=0.16, linewidth=0)
    return float(heights.max())
