"""One of several values, each with a probability of its class."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.family import Array, Codes, Line, Parameter, Rows, log_share, terms
from likely.families.limited import Limited
from likely.families.weighable import Weighable
from likely.limits import Within
from likely.priors import Dirichlet, Laplace, Prior
from likely.statistics import Counts, Frame, Statistics
from likely.statistics.sums import exact


@dataclass(frozen=True, eq=False)
class Cells:
    """log p per class and cell; each column's cells and one more, for a value not seen before."""

    log_p: Array
    starts: NDArray[np.int64]
    weights: Array | None = None

    @cached_property
    def scores(self) -> Array:
        """log p, so many times as its column counts."""
        if self.weights is None:
            return self.log_p
        return terms(np.repeat(self.weights, np.diff(self.starts)), self.log_p)

    def at(self, codes: Codes) -> NDArray[np.int64]:
        """Which cell of all each code is; -1 stays below the first."""
        return np.where(codes < 0, -1, codes + self.starts[:-1])


@dataclass(frozen=True, repr=False)
class Categorical(Weighable):
    """log p(x | y) = log q_x. Maximum likelihood is q_v = count_v / n; with Dirichlet(a), (count_v + a) / (n + a V).

    V is the number of values seen in any class, and one more: its prior mass is kept for values that turn up later.
    With unseen=False there is no such mass, and a new value is impossible in every class.
    """

    prior: Prior = Laplace()
    unseen: bool = True
    reads: ClassVar[Literal["numbers", "categories"]] = "categories"

    def count(self, block: Any, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Counts:
        starts = frame.starts
        table = np.zeros((classes, starts[-1]))
        _native.count_cells(np.ascontiguousarray(self._codes(block, frame).T), y, weight, starts, table)
        return Counts(exact(table, weight is None))

    def estimate(self, statistics: Counts, frame: Frame) -> Cells:
        counts, imagined, starts = self._cells(statistics, frame)
        if isinstance(self.prior, Within):
            return Cells(self.limited(statistics, frame).log_p(), starts)
        share = counts + imagined
        seen = np.repeat(np.add.reduceat(share, starts[:-1], axis=1), np.diff(starts), axis=1)
        return Cells(log_share(share, seen) - self._log_widths(frame), starts)

    def score(self, parameters: Cells, block: Any, out: Array) -> None:
        _native.score_cells(np.ascontiguousarray(block.T), parameters.starts, parameters.scores, out)

    def contributions(self, parameters: Cells, block: Any) -> Array:
        at = parameters.at(block)
        return np.where(at < 0, 0.0, parameters.scores[:, at]).transpose(1, 0, 2)

    def left_out(self, statistics: Counts, block: Any, y: Codes, weight: Array | None, frame: Frame) -> Array:
        if isinstance(self.prior, Within):
            return self.limited(statistics, frame).left_out(block, y, weight)
        logs = np.empty(block.shape)
        _native.left_out_cells(*self._left_out(statistics, block, y, weight, frame), logs)
        return logs

    def score_left_out(
        self,
        statistics: Counts,
        block: Any,
        y: Codes,
        weight: Array | None,
        frame: Frame,
        out: Array,
        weights: Array | None = None,
    ) -> None:
        if isinstance(self.prior, Within):
            super().score_left_out(statistics, block, y, weight, frame, out, weights)
            return
        scores = self.parameters(statistics, frame, weights).scores
        given = self._left_out(statistics, block, y, weight, frame)
        _native.score_left_out_cells(*given, weights, scores, out)

    def left_out_total(
        self, statistics: Counts, block: Any, y: Codes, weight: Array | None, frame: Frame, whole: NDArray[np.bool]
    ) -> Array:
        """From the counts alone: as often as a cell was counted, it is given the share of one less."""
        if isinstance(self.prior, Within):
            return super().left_out_total(statistics, block, y, weight, frame, whole)
        counts, imagined, starts = self._cells(statistics, frame)
        seen = np.add.reduceat(counts, starts[:-1], axis=1)
        mass = np.add.reduceat(imagined, starts[:-1])
        below = np.repeat(np.maximum(seen - 1, 0) + mass, np.diff(starts), axis=1)
        logs = log_share(np.maximum(counts - 1, 0) + imagined, below) - self._log_widths(frame)
        return np.add.reduceat(terms(counts, logs - self._news(counts, whole, frame)).sum(axis=0), starts[:-1])

    def _news(self, counts: Array, whole: NDArray[np.bool], frame: Frame) -> Array:
        """What a whole number that occurs once costs more: left out, it is none of the values known, but one of all
        others in their range, which share the mass that is kept for one. Without this, a column of numbers that
        hardly ever repeat would look best as categories.
        """
        cost = np.zeros(counts.shape[1])
        once = counts.sum(axis=0) <= 1
        for j, labels in enumerate(frame.cells or ()):
            if whole[j] and labels.size:
                cells = slice(frame.starts[j] + j, frame.starts[j] + j + labels.size)
                others = float(labels.max()) - float(labels.min()) + 1 - labels.size + 1
                cost[cells] = np.where(once[cells], np.log(others), 0.0)
        return cost

    def sample(self, parameters: Cells, y: Codes, rng: "np.random.Generator") -> Codes:
        """Codes of values that are known; the share kept for others is divided among them."""
        codes = np.empty((len(y), len(parameters.starts) - 1), np.int32)
        for j, (a, b) in enumerate(pairwise(parameters.starts)):
            p = np.exp(parameters.log_p[:, a : b - 1])
            p[~p.any(axis=1)] = 1.0  # nothing is known: all alike
            for k in np.unique(y):
                rows = y == k
                codes[rows, j] = rng.choice(b - a - 1, rows.sum(), p=p[k] / p[k].sum())
        return codes

    def describe(self, parameters: Cells, frame: Frame) -> Iterator[Parameter]:
        assert frame.cells is not None
        for j, labels in enumerate(frame.cells):
            for cell, label in enumerate(labels.tolist()):
                yield Parameter(
                    j, f"probability of {label!r}", np.exp(parameters.log_p[:, parameters.starts[j] + cell])
                )

    def free(self, statistics: Statistics, frame: Frame) -> int:
        return statistics.classes * sum(size - (not self.unseen) for size in frame.sizes)

    def linear(self, parameters: Cells, frame: Frame) -> Line:
        cells = [(j, cell) for j, size in enumerate(frame.sizes) for cell in range(size)]
        weights = parameters.scores[:, [parameters.starts[j] + cell for j, cell in cells]]
        return Line(weights, np.zeros(len(weights)), cells)

    def features(self, statistics: Counts, block: Any, frame: Frame) -> Rows:
        """An indicator of each known value."""
        codes = self._codes(block, frame)
        known = (codes >= 0) & (codes < frame.sizes)
        starts = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        cells = (codes + frame.starts[:-1])[known]
        return Rows(starts, cells, np.ones(len(cells)), (len(codes), int(frame.starts[-1])))

    def posterior(self, statistics: Counts, frame: Frame, column: int) -> Dirichlet:
        """The posterior of the probabilities of a column's values, per class; the last is for values not seen yet."""
        cells = slice(*frame.starts[column : column + 2])
        counts = np.pad(statistics.table[:, cells], ((0, 0), (0, int(self.unseen))))
        if isinstance(self.prior, Within):
            raise ValueError(
                f"column {frame.columns[column]!r} has limits, within which what is believed is no Dirichlet"
            )
        return self.prior.dirichlet(counts.shape[1]).posterior(counts)

    def limited(self, statistics: Counts, frame: Frame) -> Limited:
        """Probabilities within the limits of the prior, with their multipliers."""
        assert isinstance(self.prior, Within)
        if frame.cells is None:
            raise TypeError(f"{self.prior!r} has limits of values, and bins are none; read the column as Categorical")
        return Limited(self.prior, *self._cells(statistics, frame), frame)

    def _left_out(
        self, statistics: Counts, block: Any, y: Codes, weight: Array | None, frame: Frame
    ) -> tuple[Codes, Codes, Array | None, NDArray[np.int64], Array, Array, Array]:
        """What the kernels that leave rows out work from."""
        counts, imagined, starts = self._cells(statistics, frame)
        codes = np.ascontiguousarray(self._codes(block, frame).T)
        return codes, y, weight, starts, counts, imagined, self._log_widths(frame)

    @property
    def imagining(self) -> Prior:
        """What imagines rows: the prior, or that within its limits."""
        if isinstance(self.prior, Within):
            return self.prior.prior or Laplace()
        return self.prior

    def _codes(self, block: Any, frame: Frame) -> Codes:
        return np.asarray(block)

    def _log_widths(self, frame: Frame) -> Any:
        return np.zeros(frame.starts[-1] + len(frame.columns))

    def _cells(self, statistics: Counts, frame: Frame) -> tuple[Array, Array, NDArray[np.int64]]:
        """Counts and imagined counts of each column's cells and the one kept for unseen values, and their starts."""
        sizes = np.asarray(frame.sizes)
        starts = frame.starts + np.arange(len(sizes) + 1)
        counts = np.zeros((statistics.classes, starts[-1]))
        known = np.ones(starts[-1], np.bool)
        known[starts[1:] - 1] = False
        counts[:, known] = statistics.table
        imagined = np.zeros(starts[-1])
        for size in set(sizes.tolist()):  # of columns there may be many, of sizes are few
            if cells := size + self.unseen:
                of_size = starts[:-1][sizes == size]
                imagined[of_size[:, None] + np.arange(cells)] = self.imagining.proportions(cells)
        return counts, imagined, starts
