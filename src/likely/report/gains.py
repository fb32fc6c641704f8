"""Draws curves over all thresholds on the probability of a class: gain, lift, and precision against recall."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

from likely.printing import percent
from likely.report.colours import CLASSES, QUIET
from likely.report.picture import Picture, sheet, style
from likely.validation.thresholds import Cut, Thresholds

DRAWN = 300
"""The most points of a line."""
NARROW = 240.0
"""Their width, in typographic points: three fit side by side."""
FEWEST = 0.005
"""The lift is drawn from this share of flagged rows on: for fewer rows it jumps."""


@style()
def draw_gains(found: Thresholds, chosen: Cut | None) -> Picture:
    """The share of the class that is found, against the share of flagged rows. The dot is the current decision."""
    figure = sheet(215, NARROW)
    axes = figure.subplots()
    at = _drawn(found)
    axes.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (4, 3)), label="at random")
    axes.plot([0, found.rate, 1], [0, 1, 1], color=QUIET, linewidth=1, linestyle=(0, (1, 2)), label="perfect")
    axes.plot([0, *found.flagged[at]], [0, *found.recall[at]], color=CLASSES[0], linewidth=1.8, label="model")
    if chosen is not None:
        axes.plot(chosen.flagged, chosen.recall, "o", color=CLASSES[1], markersize=7)
    _shares(axes, "rows flagged", "share found")
    figure.legend(loc="outside lower center", ncols=3)
    tenth = found[int(np.searchsorted(found.flagged, 0.1))]
    return Picture(
        figure, f"Gains: the {percent(tenth.flagged)} most probable rows have {percent(tenth.recall)} of the class"
    )


@style()
def draw_lift(found: Thresholds) -> Picture:
    """The lift: how many times more frequent the class is among the flagged rows than among all rows."""
    figure = sheet(215, NARROW)
    axes = figure.subplots()
    at = [k for k in _drawn(found) if found.flagged[k] >= FEWEST] or [len(found) - 1]
    axes.plot(found.flagged[at], found.precision[at] / found.rate, color=CLASSES[0], linewidth=1.8)
    axes.axhline(1, color=QUIET, linewidth=1, linestyle=(0, (4, 3)))
    _shares(axes, "rows flagged", "lift")
    axes.set_ylim(0, 1.08 * float((found.precision[at] / found.rate).max()))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    tenth = found[int(np.searchsorted(found.flagged, 0.1))]
    return Picture(figure, f"Lift by the share of rows flagged: {tenth.lift:.1f} at {percent(tenth.flagged)}")


@style()
def draw_precision_recall(found: Thresholds, chosen: Cut | None) -> Picture:
    """The share of flagged rows that are of the class, against the share of the class that is found."""
    figure = sheet(215, NARROW)
    axes = figure.subplots()
    at = [k for k in _drawn(found) if found.flagged[k] >= FEWEST or found.recall[k] >= 0.02] or [len(found) - 1]
    axes.plot(found.recall[at], found.precision[at], color=CLASSES[0], linewidth=1.8)
    axes.axhline(found.rate, color=QUIET, linewidth=1, linestyle=(0, (4, 3)))
    if chosen is not None:
        axes.plot(chosen.recall, chosen.precision, "o", color=CLASSES[1], markersize=7)
    _shares(axes, "share found (recall)", "precision")
    return Picture(figure, f"Precision against recall; average precision {found.average_precision:.2f}")


def _drawn(found: Thresholds) -> list[int]:
    """Positions of points that are evenly spaced by the share of flagged rows, not by threshold."""
    wanted = np.searchsorted(found.flagged, np.linspace(0, 1, DRAWN) - 1e-12)
    return sorted({*np.minimum(wanted, len(found) - 1).tolist()})


def _shares(axes: Axes, across: str, up: str) -> None:
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=across, ylabel=up)
    axes.grid(True)
    for side in (axes.xaxis, axes.yaxis):
        side.set_major_locator(MultipleLocator(0.25))
        side.set_major_formatter(FuncFormatter(_in_percent))


def _in_percent(value: float, _: int) -> str:
    return f"{100 * value:.0f} %"
