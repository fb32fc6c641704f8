"""Draws risk against coverage: the error of the predictions with the highest confidence."""

import numpy as np
from matplotlib.ticker import FuncFormatter

from likely.printing import percent
from likely.report.colours import CLASSES, QUIET
from likely.report.picture import Picture, sheet, style
from likely.validation import Result
from likely.validation.risk import Point

DRAWN = 400
"""The most points of the line."""
FEWEST = 20
"""The line starts at this many rows: the error of fewer rows jumps."""


def half_as_wrong(result: Result) -> Point | None:
    """The largest coverage with half the error; None if no prediction is wrong."""
    error = result.error
    return None if error == 0 else result.risk.at_precision(1 - error / 2)


@style()
def draw_coverage(result: Result) -> Picture:
    """The error (up) against coverage (across)."""
    figure = sheet(230)
    axes = figure.subplots()
    found, point = result.risk, half_as_wrong(result)
    first = min(int(np.searchsorted(found.coverage, FEWEST / len(result.y))), len(found.coverage) - 1)
    at = np.unique(np.linspace(first, len(found.coverage) - 1, DRAWN).astype(int))
    covered, wrong = found.coverage[at], 1 - found.precision[at]
    axes.fill_between(covered, wrong, color=CLASSES[0], alpha=0.12, linewidth=0, step="post")
    axes.step(covered, wrong, color=CLASSES[0], linewidth=1.6, where="post")
    top = min(max(float(wrong.max()), 0.01) * 1.25, 1.0)
    if point is not None and point.coverage >= 0.1:
        axes.plot([point.coverage], [1 - point.precision], "o", color=CLASSES[1], markersize=6)
        axes.vlines(point.coverage, 0, 1 - point.precision, color=CLASSES[1], linewidth=1)
        left = point.coverage > 0.5
        axes.annotate(
            f"confidence above {percent(point.threshold, 0)}",
            (point.coverage, 1 - point.precision),
            (-9 if left else 9, 8),
            textcoords="offset points",
            ha="right" if left else "left",
            color=QUIET,
            fontsize=10,
        )
    axes.set(xlim=(0, 1.01), ylim=(0, top), xlabel="share of rows, highest confidence first", ylabel="share wrong")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g} %"))
    axes.grid(True, axis="y")
    share = (
        ""
        if point is None
        else f"; of the {percent(point.coverage, 0)} with most confidence, {percent(1 - point.precision)} are wrong"
    )
    return Picture(figure, f"Risk against coverage: of all predictions {percent(result.error)} are wrong{share}")
