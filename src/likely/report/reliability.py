"""Draws the reliability diagram: accuracy against confidence, before and after calibration."""

from typing import Any

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator

from likely.report.colours import CLASSES, LINE
from likely.report.picture import Picture, sheet, style
from likely.validation import Result
from likely.validation.measures import reliability

BINS = 10


@style()
def draw_reliability(
    before: Result, after: Result | None = None, names: tuple[str, str] = ("now", "calibrated")
) -> Picture:
    """Each dot is a bin of predictions with about the same confidence; a larger dot has more rows. On the diagonal, the
    model is calibrated.
    """
    figure = sheet(330)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=LINE, linewidth=1.2)
    gaps, least = [], 1.0
    results = [before] if after is None else [before, after]
    for result, name, colour, mark, dash in zip(results, names, CLASSES[1::-1], "so", ((0, (4, 2)), "-"), strict=False):
        found = reliability(result.confidence, result.right, result.weight, BINS)
        size = 12 + 90 * found.rows / found.rows.sum()
        line: Any = {"color": colour, "linewidth": 1.4, "linestyle": dash}
        axes.plot(found.confidence, found.accuracy, **line)
        axes.plot([], [], **line, marker=mark, markersize=6, label=name)
        axes.scatter(found.confidence, found.accuracy, size, color=colour, marker=mark, alpha=0.85, clip_on=False)
        gaps.append(f"{name} they are {found.error * 100:.1f} points apart on average")
        least = min(least, float(found.confidence.min()), float(found.accuracy.min()))
    low = max(0.0, np.floor(10 * least - 0.2) / 10)
    axes.set(xlim=(low, 1), ylim=(low, 1), xlabel="confidence", ylabel="share right")
    axes.set_aspect("equal", adjustable="box")
    axes.grid(True)
    for side in (axes.xaxis, axes.yaxis):
        side.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_locator(MaxNLocator(5, prune="lower"))
    figure.legend(loc="outside lower center", ncols=2)
    return Picture(figure, f"Reliability: confidence against the share of right predictions; {', '.join(gaps)}")
