"""What drives the predictions: how far each column moves the log-odds, as a mean over rows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from likely.data import Table
from likely.data.sample import Array
from likely.families.effects import Effects, joined
from likely.models.explain import Explanations
from likely.report.colours import CLASSES
from likely.report.names import apart
from likely.report.picture import Picture, bars_alone, sheet, style

ROWS = 5_000
"""The most rows to explain, evenly spaced among all: more would not change the figure visibly."""
SHOWN = 15
SEEN = 0.005
"""A smaller move would be written as 0.00: the column has no bar."""
NAME = 30
"""The longest name, in characters: names of pairs are long."""
FARTHEST = 50.0
"""Log-odds are clipped here: a column that makes a class impossible would move them infinitely far."""


class Driver(NamedTuple):
    name: Any
    moves: float
    """The mean absolute deviation of what it adds to the log-odds."""


def drivers(explanations: Explanations, focus: int | None, texts: Sequence[str] = ()) -> list[Driver]:
    """The columns by how far they move the log-odds of the class in focus against the others, or of all classes if
    there is none, the farthest first. The words of a column in `texts` count together. Columns that move nothing are
    left out: the model does not use them."""
    sums, rows, moves = dict[Any, Array](), dict[Any, int](), dict[Any, Array]()
    n = len(explanations)
    means: dict[Any, Array] = {}
    for measured in (False, True):  # first the means, then the distances from them
        for piece in explanations.pieces():
            effects = _by_column(explanations.effects(piece), texts)
            odds = _log_odds(effects.adds, focus)
            if measured:
                nothing = np.zeros(odds.shape[1])
                odds = np.abs(odds - np.array([means.get(title, nothing) for title in effects.titles])[effects.title])
            order = np.argsort(effects.title, kind="stable")
            starts = np.flatnonzero(np.diff(effects.title[order], prepend=-1))
            totals = np.add.reduceat(odds[order], starts, axis=0) if len(starts) else odds
            counts = np.diff(np.append(starts, len(order)))
            for at, total, count in zip(effects.title[order][starts].tolist(), totals, counts.tolist(), strict=True):
                into, title = (moves if measured else sums), effects.titles[at]
                into[title] = into.get(title, 0.0) + total
                rows[title] = rows.get(title, 0) + (0 if measured else count)
        means = {title: total / n for title, total in sums.items()}
    found = [
        Driver(title, float((total + (n - rows[title]) * np.abs(means[title])).mean() / n))
        for title, total in moves.items()
    ]
    return sorted((one for one in found if one.moves > 1e-9), key=lambda one: -one.moves)


def _by_column(effects: Effects, texts: Sequence[str]) -> Effects:
    """The effects with words under the name of their column; a model with a single text column names only the words."""

    def column(title: Any) -> Any:
        own = [name for name in texts if str(title).startswith(f"{name}: ")]
        return own[0] if own else texts[0] if len(texts) == 1 and alone else title

    alone = len(texts) == 1 and not any(str(title).startswith(f"{texts[0]}: ") for title in effects.titles)
    return joined([replace(effects, titles=[column(title) for title in effects.titles])]) if texts else effects


def _log_odds(adds: Array, focus: int | None) -> Array:
    """The log-odds of the class in focus against the mean of the others, or of each class: entries x classes."""
    adds = np.clip(adds, -FARTHEST, FARTHEST)
    k = adds.shape[1]
    against = (adds - adds.mean(axis=1, keepdims=True)) * (k / max(k - 1, 1))
    return np.asarray(against if focus is None else against[:, focus : focus + 1])


def some_rows(table: Table) -> Table:
    return table.every(max(1, -(-table.rows // ROWS)))


@style()
def draw_drivers(found: list[Driver]) -> Picture:
    """A bar for each column, on a linear scale."""
    top = [one for one in found[:SHOWN] if one.moves >= SEEN] or found[:1]
    names, at = apart([one.name for one in top], NAME), np.arange(len(top))
    figure = sheet(52 + 20 * max(len(top), 1))
    axes = figure.subplots()
    axes.barh(at, [one.moves for one in top], 0.62, color=CLASSES[0], alpha=0.9)
    for y, one in zip(at, top, strict=True):
        axes.annotate(f"{one.moves:.2f}", (one.moves, y), (4, 0), textcoords="offset points", va="center", fontsize=9.5)
    axes.set_yticks(at, names)
    axes.set_xlim(0, 1.15 * max((one.moves for one in top), default=1.0))
    bars_alone(axes)
    listed = ", ".join(f"{name} {one.moves:.2f}" for name, one in zip(names[:5], top, strict=False))
    return Picture(figure, f"How far each column moves the log-odds on average, the farthest first: {listed}")
