"""Draws what a pair of columns adds to the scores of a blend, over both columns."""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.patches import Rectangle

from likely.data import Table
from likely.models.logistic.grid import Grid, GridAxis
from likely.models.logistic.regression import LogisticModel
from likely.printing import number
from likely.report.colours import CLASSES
from likely.report.names import short
from likely.report.picture import Picture, sheet, style
from likely.report.rates import calendar_order


class PairTerm(NamedTuple):
    """An interaction of the blend: its grid, its position in the design, and the weights of the grid."""

    grid: Grid
    term: int
    weights: Any

    @property
    def name(self) -> str:
        return str(self.grid.title(self.term))


def pair_terms(model: LogisticModel, table: Table) -> list[PairTerm]:
    """The interactions, sorted by how much their scores differ between the rows of a table."""
    found, at = list[tuple[float, PairTerm]](), 0
    for piece in model.design.pieces:
        weights = model.solution.weights[:, at : at + piece.size]
        at += piece.size
        if isinstance(piece, Grid):
            cells = piece.read(table, slice(0, table.rows))
            parts = weights[:, cells.indices] * cells.data
            row = np.repeat(np.arange(table.rows), np.diff(cells.indptr))
            for term in piece.surfaces:
                own = (cells.indices >= piece.starts[term]) & (cells.indices < piece.starts[term + 1])
                adds = [np.bincount(row[own], part[own], table.rows) for part in parts]
                found.append((float(np.std(adds, axis=1).max()), PairTerm(piece, term, weights)))
    found.sort(key=lambda pair: -pair[0])
    return [pair for _, pair in found]


@style()
def draw_pair(model: LogisticModel, pair: PairTerm, focus: int | None = None) -> Picture:
    """What the pair adds to the log-odds of the class in focus, or of the second of two classes. With more classes: to
    the score of the class that it affects most."""
    surfaces = pair.grid.surface(pair.term, pair.weights)
    if len(surfaces) == 1:
        surfaces = np.concatenate([-surfaces, surfaces])
    of = pair_class(pair, focus)
    across, up = (pair.grid.axes[axis] for axis in pair.grid.terms[pair.term])
    (columns, i_order), (rows, j_order) = _names(across), _names(up)
    adds = surfaces[of].T[np.ix_(j_order, i_order)]  # the first column goes across
    figure = sheet(80 + 24 * len(rows))
    axes = figure.subplots()
    most = max(float(np.abs(adds).max()), 1e-12)
    for (j, i), added in np.ndenumerate(adds):
        colour, depth = CLASSES[int(added < 0)], 0.04 + 0.6 * abs(added) / most
        axes.add_patch(Rectangle((i - 0.49, j - 0.49), 0.98, 0.98, facecolor=colour, alpha=depth, linewidth=0))
        axes.text(i, j, _signed(added), ha="center", va="center", fontsize=8.5)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(-0.5, len(rows) - 0.5))
    axes.set(xlabel=short(across.name), ylabel=short(up.name))
    long = max(map(len, columns)) * len(columns) > 36
    axes.set_xticks(range(len(columns)), columns, rotation=40 if long else 0, ha="right" if long else "center")
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    j, i = np.unravel_index(np.abs(adds).argmax(), adds.shape)
    largest = f"{_signed(adds[j, i])} at {columns[i]} and {rows[j]}"
    what = f"{short(across.name)} and {short(up.name)} together add to the log-odds of {short(model.classes[of])}"
    return Picture(figure, f"What {what}; the largest value is {largest}")


def pair_class(pair: PairTerm, focus: int | None = None) -> int:
    """The class whose score the figure shows."""
    surfaces = pair.grid.surface(pair.term, pair.weights)
    if len(surfaces) == 1:
        return 1 if focus is None else focus
    return int(np.ptp(surfaces, axis=(1, 2)).argmax())


def _names(axis: GridAxis) -> tuple[list[str], list[int]]:
    """The names of the nodes in display order, and that order; months and weekdays are in calendar order."""
    names = [number(node) if axis.numeric else short(node) for node in axis.nodes.tolist()]
    order = None if axis.numeric else calendar_order(names)
    return (names, [*range(len(names))]) if order is None else ([names[at] for at in order], order)


def _signed(added: float) -> str:
    """A number with its sign and one decimal; 0.0 has no sign."""
    return "0" if abs(added) < 0.05 else f"{added:+.1f}".replace("-", "−")
