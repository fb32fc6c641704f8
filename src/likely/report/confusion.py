"""Draws the confusion matrix."""

from typing import Any

import numpy as np
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from likely.printing import percent
from likely.report.colours import CLASSES
from likely.report.names import apart, short
from likely.report.picture import WIDTH, Picture, sheet, style
from likely.validation import Result

SHOWN = 8
"""The most classes with a row and a column: those with the most errors."""

NUMBERED = 18
"""The longest name, in characters, if a number follows it."""

RATED = 5
"""With at most this many classes, each cell also has its share of the true class."""


def shown(result: Result) -> list[int]:
    """The classes to show: they are the true or the predicted class of at least one row."""
    table = result.confusion
    wrong = table.sum(axis=0) + table.sum(axis=1) - 2 * np.diag(table)
    there = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    return sorted(there[np.argsort(-wrong[there], kind="stable")][:SHOWN].tolist())


@style()
def draw_confusion(result: Result) -> Picture:
    """Rows by their true class (down) and their predicted class (across)."""
    classes = shown(result)
    table = result.confusion
    names = apart([result.classes[k] for k in classes])
    there = int(((table.sum(axis=0) + table.sum(axis=1)) > 0).sum())
    counts = table[np.ix_(classes, classes)]
    if there > len(classes):
        counts, names = _with_others(table, classes), [*names, f"{there - len(classes)} others"]
    k = len(names)
    figure = sheet(90 + min(230, 60 * k))
    axes = figure.subplots()
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    for i in range(k):
        for j in range(k):
            colour, depth = CLASSES[i != j], 0.06 + 0.5 * share[i, j] if counts[i, j] else 0.04
            axes.add_patch(Rectangle((j - 0.48, i - 0.48), 0.96, 0.96, facecolor=colour, alpha=depth, linewidth=0))
            if counts[i, j]:
                said = f"{counts[i, j]:,.6g}\n{percent(share[i, j], 0)}" if k <= RATED else _number(counts[i, j])
                axes.text(j, i, said, ha="center", va="center", fontsize=10.5 if k < 7 else 9)
    axes.set(xlim=(-0.5, k - 0.5), ylim=(-0.5, k - 0.5), xlabel="predicted", ylabel="true")
    if max(map(len, names)) * 6.5 > (WIDTH - 90) / k:  # too long to fit side by side: use numbers instead
        axes.set_xticks(range(k), [str(at + 1) for at in range(k)])
        names = [f"{name}  {at + 1}" for at, name in enumerate(apart(names, NUMBERED))]
    else:
        axes.set_xticks(range(k), names)
    axes.set_yticks(range(k), names)
    axes.invert_yaxis()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return Picture(figure, _says(result, classes, there))


def _with_others(table: NDArray[Any], classes: list[int]) -> NDArray[Any]:
    group = np.full(len(table), len(classes))
    group[classes] = np.arange(len(classes))
    counts = np.zeros((len(classes) + 1,) * 2, table.dtype)
    np.add.at(counts, (group[:, None], group[None, :]), table)
    return counts


def _number(count: float) -> str:
    """A number in at most four characters, for many cells."""
    if count < 999.5:
        return f"{count:.3g}"
    size, unit = (count / 1e6, "M") if count >= 999_500 else (count / 1e3, "k")
    return f"{size:.1f}{unit}" if size < 9.95 else f"{size:.0f}{unit}"


def _says(result: Result, classes: list[int], there: int) -> str:
    table = result.confusion
    right = ", ".join(
        f"{short(result.classes[k])} {table[k, k]:g} of {table[k].sum():g}" for k in classes if table[k].any()
    )
    of = "" if there == len(classes) else f" of the {len(classes)} classes with the most errors"
    return f"Confusion matrix: rows predicted correctly{of}: {right}"
