"""Piecewise linear features: curves over one column, and surfaces over a pair of columns.

A number between two knots has a share of each, by linear interpolation: the weights of the nodes are then the heights
of a piecewise linear curve. For a category each value is a node. The nodes of a pair of columns are all pairs of their
nodes, and its shares the products of their shares: bilinear interpolation for two numbers. Two numbers also have the
product of both, standardised, as in the exponent of a multivariate Gaussian; without nodes they have only that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import accumulate, combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Sample
from likely.data.sparse import Csr
from likely.data.table import Labels, Table
from likely.families.effects import Effects

NUMBERS = ("int", "float", "bool")
ROWS = 50_000
"""Rows used to place knots, evenly spaced in a larger table: more rows hardly change the quantiles."""

FAR = 5.0
"""In a product, numbers are cut to this many standard deviations from the mean; else an outlier would decide alone."""

Shares = tuple[NDArray[np.int64], Array]
"""The nodes of each row, and its shares of them: rows x 2 for numbers, rows x 1 for categories."""


@dataclass(frozen=True, eq=False)
class GridAxis:
    """A column and its nodes: the knots of a number, in ascending order, or categories."""

    column: int
    name: Any
    nodes: Labels
    mean: float = 0.0
    deviation: float = 0.0
    """The standard deviation of a number; 0 for categories."""

    @property
    def numeric(self) -> bool:
        return self.deviation > 0

    def node(self, at: int) -> Any:
        """The name of a node."""
        return f"near {self.nodes[at]:.4g}" if self.numeric else self.nodes[at]

    def shares(self, table: Table, rows: slice) -> Shares:
        """The shares of each row. A missing cell, or a category without a node, has shares of 0."""
        if not self.numeric:
            codes = table.categories([self.column], rows, [self.nodes])[0]
            known = (codes >= 0) & (codes < len(self.nodes))
            return np.where(known, codes, 0).astype(np.int64), known.astype(np.float64)
        x = self.numbers(table, rows)
        if not len(self.nodes):
            return np.empty((len(x), 0), np.int64), np.empty((len(x), 0))
        low = np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, len(self.nodes) - 2)
        with np.errstate(invalid="ignore"):
            upper = np.clip((x - self.nodes[low]) / (self.nodes[low + 1] - self.nodes[low]), 0.0, 1.0)
        shares = np.column_stack([1 - upper, upper])
        shares[np.isnan(x)] = 0.0
        return np.column_stack([low, low + 1]), shares

    def numbers(self, table: Table, rows: slice) -> Array:
        return np.asarray(table.numbers([self.column], rows), np.float64)[:, 0]

    def standardised(self, table: Table, rows: slice) -> Array:
        """The standardised numbers; 0 where missing."""
        z = (self.numbers(table, rows) - self.mean) / self.deviation
        return np.nan_to_num(np.clip(z, -FAR, FAR))

    def values(self, table: Table, rows: slice) -> list[Any]:
        """The values of the cells; None where they are missing."""
        if self.numeric:
            return [None if x != x else x for x in self.numbers(table, rows).tolist()]
        codes, (labels,) = table.categories([self.column], rows, None)
        named = [*labels.tolist(), None]
        return [named[code] for code in codes[:, 0].tolist()]


@dataclass(frozen=True, eq=False)
class Grid:
    """The features of some columns or pairs: the nodes of each, and before them the product if both are numbers."""

    axes: tuple[GridAxis, ...]
    terms: tuple[tuple[int, ...], ...]
    """Positions among the axes: one for a column, two for a pair."""

    @cached_property
    def starts(self) -> list[int]:
        """The position of the first feature of each term; the last entry is the number of all features."""
        return list(accumulate((self._product(term) + self._nodes(term) for term in self.terms), initial=0))

    def _nodes(self, term: tuple[int, ...]) -> int:
        return prod(len(self.axes[axis].nodes) for axis in term)

    def _product(self, term: tuple[int, ...]) -> bool:
        return len(term) == 2 and all(self.axes[axis].numeric for axis in term)

    @property
    def size(self) -> int:
        return self.starts[-1]

    @property
    def nodes(self) -> int:
        """The number of nodes of all axes."""
        return sum(len(axis.nodes) for axis in self.axes)

    @cached_property
    def surfaces(self) -> list[int]:
        """The positions of the terms that are pairs with nodes."""
        return [at for at, term in enumerate(self.terms) if len(term) == 2 and self._nodes(term)]

    @cached_property
    def features(self) -> list[tuple[Any, Any]]:
        """(column, node), or for a pair ((column, column), (node, node)) and ((column, column), "product")."""
        names: list[tuple[Any, Any]] = []
        for term in self.terms:
            axes = [self.axes[axis] for axis in term]
            name = axes[0].name if len(axes) == 1 else tuple(axis.name for axis in axes)
            if self._product(term):
                names.append((name, "product"))
            for nodes in np.ndindex(*(len(axis.nodes) for axis in axes)):
                of_nodes = tuple(axis.node(at) for axis, at in zip(axes, nodes, strict=True))
                names.append((name, of_nodes[0] if len(axes) == 1 else of_nodes))
        return names

    def read(self, table: Table, rows: slice) -> Csr:
        """These rows x features."""
        used = sorted({axis for term in self.terms for axis in term})
        shares = {axis: self.axes[axis].shares(table, rows) for axis in used}
        products = sorted({axis for term in self.terms if self._product(term) for axis in term})
        z = {axis: self.axes[axis].standardised(table, rows) for axis in products}
        at, values = list[NDArray[np.int64]](), list[Array]()
        for start, term in zip(self.starts, self.terms, strict=False):
            nodes, share = shares[term[0]]
            if self._product(term):
                at.append(np.full((len(share), 1), start))
                values.append((z[term[0]] * z[term[1]])[:, None])
                start += 1
            for axis in term[1:]:
                across, more = shares[axis]
                nodes = (nodes[:, :, None] * len(self.axes[axis].nodes) + across[:, None]).reshape(len(nodes), -1)
                share = (share[:, :, None] * more[:, None]).reshape(len(share), -1)
            at.append(start + nodes)
            values.append(share)
        indices, data = np.concatenate(at, axis=1), np.concatenate(values, axis=1)
        present = data != 0  # a number on a knot, or outside all knots, has one share of 0: a sixth of all, or more
        starts = np.append(0, np.cumsum(present.sum(axis=1)))
        return Csr(starts, indices[present], data[present], (len(data), self.size))

    def original(self, weights: Array) -> tuple[Array, Array]:
        """The weights unchanged, and no bias: shares have no unit, and products are of standardised numbers."""
        return weights, np.zeros(len(weights))

    def effects(self, table: Table, rows: slice, weights: Array, alone: bool) -> Effects:
        """What each column or pair adds to the scores of each row."""
        cells, terms = self.read(table, rows), len(self.terms)
        row = np.repeat(np.arange(cells.shape[0]), np.diff(cells.indptr))
        key = row * terms + np.searchsorted(self.starts, cells.indices, side="right") - 1
        parts = np.empty((cells.shape[0], len(weights), terms))
        for output, own in enumerate(weights):
            added = np.bincount(key, own[cells.indices] * cells.data, cells.shape[0] * terms)
            parts[:, output] = added.reshape(-1, terms)
        shown = [cache(partial(axis.values, table, rows)) for axis in self.axes]  # read only if a value is shown

        def value(row: int, at: int) -> Any:
            values = [shown[axis]()[row] for axis in self.terms[at]]
            return values[0] if len(values) == 1 else ", ".join(map(_shown, values))

        return Effects.of_cells(parts, [self.title(at) for at in range(terms)], value)

    def title(self, term: int) -> Any:
        """The column, or both columns of a pair."""
        names = [self.axes[axis].name for axis in self.terms[term]]
        return names[0] if len(names) == 1 else " × ".join(map(str, names))

    def surface(self, term: int, weights: Array) -> Array:
        """The scores that a term adds at its nodes: outputs x nodes of each axis."""
        axes = [self.axes[axis] for axis in self.terms[term]]
        own = weights[:, self.starts[term] : self.starts[term + 1]]
        heights = own[:, self._product(self.terms[term]) :].reshape(len(own), *(len(axis.nodes) for axis in axes))
        if self._product(self.terms[term]):
            a, b = (np.clip((axis.nodes - axis.mean) / axis.deviation, -FAR, FAR) for axis in axes)
            heights = heights + own[:, :1, None] * np.outer(a, b)
        return np.asarray(heights)


def axes_of(sample: Sample, columns: Sequence[int], most: int) -> dict[int, GridAxis]:
    """The axes of these columns, by column, with up to `most` nodes each. Columns with fewer than two nodes have none.

    The knots of a number are the medians of `most` equal parts of its rows, so that outliers get no knot.
    """
    sample = sample.at_most(ROWS)
    table, axes = sample.table, dict[int, GridAxis]()
    rows = slice(0, table.rows)
    there = np.ones(table.rows, np.bool) if sample.weight is None else sample.weight > 0
    for j in columns:
        if table.kinds[j] in NUMBERS:
            x = np.asarray(table.numbers([j], rows), np.float64)[there, 0]
            x = x[np.isfinite(x)]
            knots = np.unique(x)
            if len(knots) > most:
                knots = np.unique(np.quantile(x, (np.arange(most) + 0.5) / most))
            if len(knots) > 1:
                with np.errstate(over="ignore"):  # numbers too large to square raise when rows are read
                    axes[j] = GridAxis(j, table.names[j], knots, float(x.mean()), float(x.std()))
        elif table.kinds[j] == "category":
            codes, labels = table.categories([j], rows, None)
            counts = np.bincount(codes[there, 0] + 1, minlength=len(labels[0]) + 1)[1:]
            frequent = np.argsort(-counts, kind="stable")[:most]
            frequent = frequent[counts[frequent] > 0]
            if len(frequent) > 1:
                axes[j] = GridAxis(j, table.names[j], np.sort(labels[0][frequent]))
    return axes


def curves(axes: Sequence[GridAxis]) -> Grid:
    """A curve for each of these columns."""
    return Grid(tuple(axes), tuple((at,) for at in range(len(axes))))


def surfaces(axes: dict[int, GridAxis], pairs: Sequence[tuple[int, int]]) -> Grid:
    """A surface for each of these pairs of columns."""
    columns = sorted({j for pair in pairs for j in pair})
    place = {j: at for at, j in enumerate(columns)}
    return Grid(tuple(axes[j] for j in columns), tuple((place[a], place[b]) for a, b in pairs))


def products_of(axes: Sequence[GridAxis]) -> Grid:
    """The product of every two of these columns. With x and x^2 of each, these are the features of a multivariate
    Gaussian."""
    return Grid(tuple(replace(axis, nodes=axis.nodes[:0]) for axis in axes), tuple(combinations(range(len(axes)), 2)))


def _shown(value: Any) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
