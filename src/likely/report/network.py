"""The graph of a Bayes network, with plates around what is repeated."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import FancyBboxPatch

from likely.models.network.graph import Graph
from likely.report.colours import CLASSES, INK, LINE, PAPER, QUIET
from likely.report.names import short
from likely.report.picture import WIDTH, Picture, sheet, style

PLATE = 4
"""Columns from which those that depend on the class alone are one node in a plate."""

MANY = 8
"""Columns beyond which one arrow leads from the class to a frame around all of them."""

HEIGHT, ACROSS = 54.0, 104.0
"""Points from one level to the next, and from one node to its neighbour."""

NAME = 15
"""Letters of a name at the most."""


@style()
def draw_network(graph: Graph) -> Picture:
    """An arrow leads from each variable to those that depend on it; those from the class are pale. What is observed is
    shaded. A plate is a frame
    around what is repeated: columns that depend on the class alone, and all of them for each row. Of many columns, one
    arrow leads from the class to a frame around all."""
    columns = [node for node in graph.parents if node != graph.target]
    joined = {node for edge in graph.edges if graph.target not in edge for node in edge}
    alone = [node for node in columns if node not in joined]
    plate = len(alone) >= PLATE
    levels = _levels(graph, [node for node in columns if node in joined or not plate])
    if plate:
        levels = levels or [[]]
        levels[0].append(_Plate(alone))
    places = _places(graph, levels)
    widest = max([1, *map(len, levels)])
    figure = sheet(70 + HEIGHT * (len(levels) + 1), max(WIDTH, 40 + ACROSS * widest))
    axes = figure.subplots()
    axes.set_axis_off()
    middle = (widest - 1) / 2
    places[graph.target] = (middle, 0.0)
    together = len(columns) - len(alone) * plate > MANY
    if together:
        _frame(axes, -0.56, -len(levels) - 0.4, widest + 0.12, len(levels) - 0.16)
        axes.text(-0.5, -0.6, "every column", ha="left", va="top", color=QUIET, fontsize=9)
        _arrow(axes, places[graph.target], (middle, -0.72), QUIET, 1.0)
    for node in places:
        for parent in _parents(graph, node):
            pale = parent == graph.target
            if pale and together:
                continue
            _arrow(axes, places[parent], places[node], LINE if pale else INK, 1.0 if pale else 1.5)
    for node, (x, y) in places.items():
        _node(axes, node, x, y, node == graph.target, len(alone))
    _frame(axes, -0.68, -len(levels) - 0.85, widest + 0.36, len(levels) + 1.3)
    axes.text(widest - 0.4, -len(levels) - 0.8, "for each row", ha="right", va="bottom", color=QUIET, fontsize=9)
    axes.set_xlim(-0.72, widest - 0.28)
    axes.set_ylim(-len(levels) - 0.9, 0.5)
    between = [f"{parent} → {node}" for parent, node in graph.edges if parent != graph.target]
    between_columns = (
        f"; of the columns {', '.join(between[:12])}{', ...' if len(between) > 12 else ''}" if between else ""
    )
    return Picture(
        figure,
        f"A Bayes network: {graph.target} → each of {len(columns)} columns{between_columns}. {graph.factorisation}",
    )


class _Plate(tuple[Hashable, ...]):
    """Columns that are drawn as one."""


def _parents(graph: Graph, node: Any) -> Sequence[Any]:
    return (graph.target,) if isinstance(node, _Plate) else graph.parents[node]


def _levels(graph: Graph, columns: Sequence[Hashable]) -> list[list[Any]]:
    """The columns by how many others they follow on the longest way, each level in the order of what it depends on."""
    depth: dict[Hashable, int] = {}

    def of(node: Hashable) -> int:
        if node not in depth:
            depth[node] = max([0, *(1 + of(parent) for parent in graph.parents[node] if parent != graph.target)])
        return depth[node]

    found: list[list[Any]] = [[] for _ in range(max([0, *(1 + of(node) for node in columns)]))]
    for node in columns:
        found[of(node)].append(node)
    place: dict[Hashable, float] = {}
    for level in found:
        level.sort(key=lambda node: float(np.mean([place[p] for p in graph.parents[node] if p in place] or [0.0])))
        place |= {node: float(at) for at, node in enumerate(level)}
    return found


def _places(graph: Graph, levels: list[list[Any]]) -> dict[Any, tuple[float, float]]:
    """Each level in the middle of the widest."""
    widest = max([1, *map(len, levels)])
    return {
        node: (at + (widest - len(level)) / 2, -float(depth + 1))
        for depth, level in enumerate(levels)
        for at, node in enumerate(level)
    }


def _node(axes: Any, node: Any, x: float, y: float, is_class: bool, repeated: int) -> None:
    colour = CLASSES[0] if is_class else INK
    if isinstance(node, _Plate):
        _frame(axes, x - 0.45, y - 0.52, 0.9, 0.84)
        axes.text(x + 0.4, y - 0.47, f"{repeated} columns", ha="right", va="bottom", color=QUIET, fontsize=9)
    name = "x_j" if isinstance(node, _Plate) else short(node, NAME)
    axes.text(
        x, y, name, ha="center", va="center", fontsize=10, color=colour, zorder=3,
        bbox={
            "boxstyle": "round,pad=0.45,rounding_size=0.9", "facecolor": PAPER if is_class else LINE,
            "edgecolor": colour, "lw": 1.2,
        },
    )  # fmt: skip


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float], colour: str, width: float) -> None:
    """It bends where it passes a level by, so as not to cross the nodes there."""
    bend = 0.0 if abs(start[1] - end[1]) <= 1 else (0.18 if end[0] >= start[0] else -0.18)
    axes.annotate(
        "", (end[0], end[1] + 0.2), (start[0], start[1] - 0.2), zorder=1,
        arrowprops={
            "arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 1,
            "connectionstyle": f"arc3,rad={bend}",
        },
    )  # fmt: skip


def _frame(axes: Any, x: float, y: float, width: float, height: float) -> None:
    axes.add_patch(FancyBboxPatch(
        (x, y), width, height, boxstyle="round,pad=0,rounding_size=0.08", facecolor="none", edgecolor=QUIET,
        linewidth=1.0, zorder=0,
    ))  # fmt: skip
