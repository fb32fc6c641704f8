"""Which columns depend on the class."""

import numpy as np

from likely.report.colours import CLASSES, LINE, OTHERS
from likely.report.names import short
from likely.report.picture import Picture, sheet, style
from likely.validation import Relevance

SHOWN = 15
"""Columns that have a bar each: those that depend most."""


@style()
def draw_relevance(found: Relevance) -> Picture:
    """The log Bayes factor of each column; below 0, the rows speak against it."""
    factors = np.asarray(found.log_factors[:SHOWN])
    names = [short(column) for column in found.columns[:SHOWN]]
    figure = sheet(62 + 19 * len(names))
    axes = figure.subplots()
    at = np.arange(len(names))
    axes.barh(at, factors, 0.66, color=[CLASSES[0] if factor > 0 else OTHERS for factor in factors], alpha=0.85)
    axes.axvline(0, color=LINE, linewidth=1)
    for y, factor in zip(at, factors, strict=True):
        axes.annotate(
            f"{factor:,.1f}" if abs(factor) < 100 else f"{factor:,.0f}",
            (max(factor, 0.0), y),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=9.5,
        )
    axes.set_yticks(at, names)
    axes.set_xscale("symlog", linthresh=max(1.0, float(np.abs(factors).max()) / 20))
    axes.margins(x=0.18, y=0.02)
    axes.xaxis.set_visible(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    top = ", ".join(f"{name} {factor:.1f}" for name, factor in zip(names[:5], factors, strict=False))
    return Picture(figure, f"Log Bayes factor of each column that it depends on the class, the largest first: {top}")
