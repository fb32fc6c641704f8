"""One of several values, each with a probability of its class."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.family import Array, Codes, Family, Line, Parameter, per_row
from likely.priors import Dirichlet, Laplace, Prior
from likely.statistics import Counts, Frame
from likely.statistics.sums import exact


@dataclass(frozen=True, eq=False)
class Cells:
    """log p per class and cell; each column's cells and one more, for a value not seen before."""

    log_p: Array
    starts: NDArray[np.int64]

    def at(self, codes: Codes) -> NDArray[np.int64]:
        """Which cell of all each code is; -1 stays below the first."""
        return np.where(codes < 0, -1, codes + self.starts[:-1])


@dataclass(frozen=True)
class Categorical(Family):
    """log p(x | y) = log q_x. Maximum likelihood is q_v = count_v / seen; with Dirichlet(a), (count_v + a) / (seen + a V).

    V is the number of values seen anywhere plus `unseen`: the prior mass of that many values is kept for those that
    will turn up later. With unseen=0 a new value is impossible in every class.
    """

    prior: Prior = Laplace()
    unseen: int = 1
    reads: ClassVar[Literal["numbers", "categories"]] = "categories"

    def count(self, block: Any, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Counts:
        starts = frame.starts
        table = np.zeros((classes, starts[-1]))
        _native.count_cells(np.ascontiguousarray(self._codes(block, frame).T), y, weight, starts, table)
        return Counts(exact(table, weight is None))

    def estimate(self, statistics: Counts, frame: Frame) -> Cells:
        counts, imagined, starts = self._cells(statistics, frame)
        with np.errstate(divide="ignore"):
            log_p = np.log(counts + imagined)
        for a, b in zip(starts[:-1], starts[1:], strict=True):
            seen = counts[:, a:b].sum(axis=1) + self._mass(imagined[a:b])
            log_p[:, a:b] -= np.log(seen, out=np.zeros(len(seen)), where=seen > 0)[:, None]
        return Cells(log_p - self._log_widths(frame), starts)

    def score(self, parameters: Cells, block: Any, out: Array) -> None:
        _native.score_cells(np.ascontiguousarray(block.T), parameters.starts, parameters.log_p, out)

    def contributions(self, parameters: Cells, block: Any) -> Array:
        at = parameters.at(block)
        return np.where(at < 0, 0.0, parameters.log_p[:, at]).transpose(1, 0, 2)

    def left_out(self, statistics: Counts, block: Any, y: Codes, weight: Array | None, frame: Frame) -> Array:
        counts, imagined, starts = self._cells(statistics, frame)
        at = Cells(imagined, starts).at(self._codes(block, frame))
        w = per_row(weight)
        seen = np.stack(
            [counts[:, a:b].sum(axis=1) + self._mass(imagined[a:b]) for a, b in zip(starts[:-1], starts[1:], strict=True)],
            axis=1,
        )
        above = counts[y[:, None], at] - w + imagined[at]
        below = seen[y] - w
        # The weight of a row and of its class may differ by rounding: what is left of one row alone is nothing.
        above = np.where(above < 1e-9 * np.abs(w), 0.0, above)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(above > 0, np.log(above) - np.log(below), -np.inf) - self._log_widths(frame)[at]
        return np.where(at < 0, 0.0, logs)

    def sample(self, parameters: Cells, y: Codes, rng: np.random.Generator) -> Codes:
        """Codes of values that are known; the share kept for others is divided among them."""
        codes = np.empty((len(y), len(parameters.starts) - 1), np.int32)
        for j, (a, b) in enumerate(zip(parameters.starts[:-1], parameters.starts[1:], strict=True)):
            p = np.exp(parameters.log_p[:, a : b - 1])
            for k in np.unique(y):
                rows = y == k
                codes[rows, j] = rng.choice(b - a - 1, rows.sum(), p=p[k] / p[k].sum())
        return codes

    def describe(self, parameters: Cells, frame: Frame) -> Iterator[Parameter]:
        assert frame.cells is not None
        for j, labels in enumerate(frame.cells):
            for cell, label in enumerate(labels.tolist()):
                yield Parameter(j, f"probability of {label!r}", np.exp(parameters.log_p[:, parameters.starts[j] + cell]))

    def free(self, frame: Frame) -> int:
        return sum(max(size + self.unseen - 1, 0) for size in frame.sizes)

    def linear(self, parameters: Cells, frame: Frame) -> Line:
        at = [(j, cell) for j, size in enumerate(frame.sizes) for cell in range(size)]
        weights = parameters.log_p[:, [parameters.starts[j] + cell for j, cell in at]]
        return Line(weights, np.zeros(len(weights)), [(j, cell) for j, cell in at])

    def posterior(self, statistics: Counts, frame: Frame, column: int) -> Dirichlet:
        """The posterior of the probabilities of a column's values, per class; the last is for values not seen yet."""
        counts, imagined, starts = self._cells(statistics, frame)
        cells = slice(starts[column], starts[column + 1])
        return Dirichlet(imagined[cells]).posterior(counts[:, cells])

    def _codes(self, block: Any, frame: Frame) -> Codes:
        return np.asarray(block)

    def _log_widths(self, frame: Frame) -> Any:
        return np.zeros(frame.starts[-1] + len(frame.columns))

    def _cells(self, statistics: Counts, frame: Frame) -> tuple[Array, Array, NDArray[np.int64]]:
        """Counts and imagined counts of each column's cells and the one kept for unseen values, and their starts."""
        sizes = frame.sizes
        starts = frame.starts + np.arange(len(sizes) + 1)
        counts = np.zeros((statistics.classes, starts[-1]))
        known = np.ones(starts[-1], np.bool)
        known[starts[1:] - 1] = False
        counts[:, known] = statistics.table
        imagined = np.zeros(starts[-1])
        for a, size in zip(starts[:-1], sizes, strict=True):
            each = self.prior.proportions(size + self.unseen) if size + self.unseen else np.zeros(0)
            imagined[a : a + size] = each[:size]
            if self.unseen:
                imagined[a + size] = each[size]
        return counts, imagined, starts

    def _mass(self, imagined: Array) -> float:
        """All that is imagined in a column: each of the unseen values weighs as much as the one that stands for them."""
        return float(imagined.sum() + (self.unseen - 1) * imagined[-1]) if self.unseen else float(imagined.sum())
