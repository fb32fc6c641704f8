"""Draws the graph of a Bayes network, in plate notation."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Self

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from likely.models.network.graph import Graph
from likely.models.network.graphs import AveragedGraph
from likely.report.colours import CLASSES, INK, LINE, PAPER, QUIET
from likely.report.names import displayed, short
from likely.report.picture import WIDTH, Picture, sheet, style, verbatim

PLATE = 4
"""From this many on, columns that depend only on the class are drawn as one node in a plate."""

MANY = 8
"""With more columns, a single arrow leads from the class to a frame around all of them."""

HEIGHT, ACROSS = 54.0, 122.0
"""The distance from one level to the next, and from one node to its neighbour, in typographic points."""

NAME = 15
"""The longest name, in characters."""


class Layout(NamedTuple):
    """The positions of the columns of a graph: level by level, with the columns of a plate as one node."""

    levels: list[list[Any]]
    columns: int
    """The number of columns."""
    alone: list[Hashable]
    """The columns that depend only on the class."""

    @property
    def plate(self) -> bool:
        return len(self.alone) >= PLATE

    @property
    def widest(self) -> int:
        return max([1, *map(len, self.levels)])

    @property
    def size(self) -> tuple[float, float]:
        """The width and height, in typographic points."""
        return max(WIDTH, 40 + ACROSS * self.widest), 70 + HEIGHT * (len(self.levels) + 1)

    @classmethod
    def of(cls, graph: Graph) -> Self:
        columns = [node for node in graph.parents if node != graph.target]
        joined = {node for edge in graph.edges if graph.target not in edge for node in edge}
        alone = [node for node in columns if node not in joined]
        together = [_Together(block.frame.columns) for block in graph.densities if joined & {*block.frame.columns}]
        plate = len(alone) >= PLATE
        shown = {node for node in columns if node in joined or not plate}.difference(*together)
        levels = _levels(graph, [node for node in columns if node in shown])
        if more := [*together, *([_Plate(alone)] if plate else [])]:
            levels = levels or [[]]
            levels[0] += more
        return cls(levels, len(columns), alone)


@style()
def draw_network(graph: Graph | AveragedGraph) -> Picture:
    """The graph, as `plot_network` draws it, in the style of the report."""
    width, height = _size(graph)
    figure = sheet(height, width)
    plot_network(graph, figure.subplots())
    if isinstance(graph, AveragedGraph):
        return Picture(figure, f"The mean of {len(graph.graphs)} Bayes networks: {graph.factorisation}")
    layout = Layout.of(graph)
    between = [f"{parent} → {node}" for parent, node in graph.edges if parent != graph.target]
    between_columns = (
        f"; of the columns {', '.join(between[:12])}{', ...' if len(between) > 12 else ''}" if between else ""
    )
    return Picture(
        figure,
        f"A Bayes network: {graph.target} → each of {layout.columns} columns{between_columns}. {graph.factorisation}",
    )


def _size(graph: Graph | AveragedGraph) -> tuple[float, float]:
    return (WIDTH, 3.5 * HEIGHT) if isinstance(graph, AveragedGraph) else Layout.of(graph).size


def plot_network(graph: Graph | AveragedGraph, ax: Axes | None = None) -> Axes:
    """Plots the graph. An arrow leads from each variable to those that depend on it. Arrows from the class are pale,
    and observed variables are shaded. A plate is a frame around nodes that are repeated: around columns that depend
    only on the class, and around all columns, for each row. If there are many columns, a single arrow leads from the
    class to the frame. For AODE, one of its graphs represents all."""
    axes = ax
    if axes is None:
        width, height = _size(graph)
        axes = plt.subplots(figsize=(width / 72, height / 72), layout="constrained")[1]
    axes.set_axis_off()
    if isinstance(graph, AveragedGraph):
        _plot_averaged(graph, axes)
    else:
        _plot_one(graph, axes)
    return verbatim(axes)


def _plot_averaged(graph: AveragedGraph, axes: Axes) -> None:
    """Plots AODE: a column x_i, and all other columns x_j, which depend on it, in a frame for the mean over i."""
    of_class, parent, others, columns = (1.5, 0.0), (0.5, -1.0), (2.5, -1.0), len(graph.graphs)
    for start, end in ((of_class, parent), (of_class, others)):
        _arrow(axes, start, end, LINE, 1.0)
    axes.annotate(
        "", (others[0] - 0.22, others[1]), (parent[0] + 0.22, parent[1]), zorder=1,
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    _named(axes, short(graph.target, NAME), *of_class, CLASSES[0], PAPER)
    for name, place in (("x_i", parent), ("x_j", others)):
        _named(axes, name, *place, INK, LINE)
    for x, y, width, height, says in (
        (1.9, -1.6, 1.2, 0.9, f"{columns - 1} other columns"),
        (-0.2, -2.05, 3.4, 1.5, f"the mean over {columns} columns as x_i"),
        (-0.35, -2.5, 3.7, 2.95, "for each row"),
    ):
        _frame(axes, x, y, width, height)
        axes.text(x + width - 0.05, y + 0.05, says, ha="right", va="bottom", color=QUIET, fontsize=9)
    axes.set_xlim(-0.4, 3.4)
    axes.set_ylim(-2.55, 0.5)


def _plot_one(graph: Graph, axes: Axes) -> None:
    layout = Layout.of(graph)
    levels, widest = layout.levels, layout.widest
    places = _places(graph, levels)
    middle = (widest - 1) / 2
    places[graph.target] = (middle, 0.0)
    together = layout.columns - len(layout.alone) * layout.plate > MANY
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
    names = _names(list(places))
    for node, (x, y) in places.items():
        _node(axes, names[node], x, y, node == graph.target, _repeated(node))
    _frame(axes, -0.68, -len(levels) - 0.85, widest + 0.36, len(levels) + 1.3)
    axes.text(widest - 0.4, -len(levels) - 0.8, "for each row", ha="right", va="bottom", color=QUIET, fontsize=9)
    axes.set_xlim(-0.72, widest - 0.28)
    axes.set_ylim(-len(levels) - 0.9, 0.5)


class _Plate(tuple[Hashable, ...]):
    """Columns that are drawn as one node."""

    says = "columns"


class _Together(_Plate):
    """Columns of one multivariate Gaussian: each depends on all before it."""

    says = "numbers, one Gaussian"


def _parents(graph: Graph, node: Any) -> Sequence[Any]:
    return (graph.target,) if isinstance(node, _Plate) else graph.parents[node]


def _levels(graph: Graph, columns: Sequence[Hashable]) -> list[list[Any]]:
    """The columns in levels, by the length of the longest path to them. Each level is in the order of its parents."""
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
    """The position of each node. Each level is centred."""
    widest = max([1, *map(len, levels)])
    return {
        node: (at + (widest - len(level)) / 2, -float(depth + 1))
        for depth, level in enumerate(levels)
        for at, node in enumerate(level)
    }


def _names(nodes: Sequence[Any]) -> dict[Any, str]:
    """The text on each node. If long names have the same beginning, their end is shown too."""
    found = {
        node: "x" if isinstance(node, _Together) else "x_j" if isinstance(node, _Plate) else short(node, NAME)
        for node in nodes
    }
    often = Counter(found.values())
    return {
        node: name if often[name] == 1 else f"{short(node, NAME - 6)}{displayed(node)[-6:]}"
        for node, name in found.items()
    }


def _repeated(node: Any) -> str:
    """The text in the frame of a node that represents several columns."""
    return f"{len(node)} {node.says}" if isinstance(node, _Plate) else ""


def _node(axes: Axes, name: str, x: float, y: float, is_class: bool, repeated: str) -> None:
    if repeated:
        _frame(axes, x - 0.45, y - 0.52, 0.9, 0.84)
        axes.text(x + 0.4, y - 0.47, repeated, ha="right", va="bottom", color=QUIET, fontsize=9)
    _named(axes, name, x, y, CLASSES[0] if is_class else INK, PAPER if is_class else LINE)


def _named(axes: Axes, name: str, x: float, y: float, colour: str, fill: str) -> None:
    axes.text(
        x, y, name, ha="center", va="center", fontsize=10, color=colour, zorder=3,
        bbox={
            "boxstyle": "round,pad=0.45,rounding_size=0.9", "facecolor": fill, "edgecolor": colour, "lw": 1.2,
        },
    )  # fmt: skip


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, width: float) -> None:
    """Draws an arrow. It is curved if it passes a level, so that it does not cross the nodes there."""
    bend = 0.0 if abs(start[1] - end[1]) <= 1 else (0.18 if end[0] >= start[0] else -0.18)
    axes.annotate(
        "", (end[0], end[1] + 0.2), (start[0], start[1] - 0.2), zorder=1,
        arrowprops={
            "arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 1,
            "connectionstyle": f"arc3,rad={bend}",
        },
    )  # fmt: skip


def _frame(axes: Axes, x: float, y: float, width: float, height: float) -> None:
    axes.add_patch(FancyBboxPatch(
        (x, y), width, height, boxstyle="round,pad=0,rounding_size=0.08", facecolor="none", edgecolor=QUIET,
        linewidth=1.0, zorder=0,
    ))  # fmt: skip
