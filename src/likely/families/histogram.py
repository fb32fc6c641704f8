"""A number of any distribution: counted in bins of about as many rows each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.categorical import Categorical, Cells
from likely.families.family import Array, Codes, Parameter, check
from likely.priors import Laplace, Prior
from likely.statistics import Counts, Frame

MOST = 64
"""Bins at the most, a power of two."""


@dataclass(frozen=True, repr=False)
class Histogram(Categorical):
    """log p(x | y) = log q_bin - log width. As Categorical over bins; for the skewed columns on which Gaussian fails.

    `bins` is how many, or "auto": of 2, 4, ... 64 quantile bins those under which the rows, each left out of its own
    count, are most probable. Or the edges themselves, as a tuple of numbers. A value beyond the outer edges is read as
    the edge. Bins are part of the frame: they are cut at the first fit and stay.
    """

    prior: Prior = Laplace()
    bins: int | Literal["auto"] | tuple[float, ...] = "auto"
    unseen: bool = False
    reads: ClassVar[Literal["numbers", "categories"]] = "numbers"

    def __post_init__(self) -> None:
        if isinstance(self.bins, (list, np.ndarray)):
            object.__setattr__(self, "bins", tuple(float(edge) for edge in self.bins))
        if isinstance(self.bins, tuple) and (len(self.bins) < 2 or any(np.diff(self.bins) <= 0)):
            raise ValueError(f"the edges of bins must ascend and be two at least, not {self.bins}")
        if isinstance(self.bins, int) and self.bins < 1:
            raise ValueError(f"bins must be 1 or more, not {self.bins}")
        if self.unseen:
            raise ValueError("every number falls into a bin: Histogram keeps no mass for unseen values")

    def frame(
        self,
        columns: Sequence[Any],
        block: Any,
        y: Codes,
        classes: int,
        weight: Array | None,
        whole: NDArray[np.bool],
    ) -> Frame:
        if isinstance(self.bins, tuple):
            return Frame(columns, edges=(np.array(self.bins),) * len(columns))
        values = np.asarray(block, np.float64)
        seen = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0)[:, None]
        low, high = (pick(values, axis=0, initial=start, where=seen) for pick, start in _EXTREMES)
        low, high = np.where(low > high, 0.0, low), np.where(low > high, 0.0, high)
        room = np.where(whole | (low == high), 0.5, 0.0)
        rows = len(values) if weight is None else weight.sum()
        bins = min(MOST, 2 ** int(np.log2(max(rows / 4, 2)))) if self.bins == "auto" else self.bins
        cuts = _quantiles(values, weight, bins)
        finest = np.vstack([low - room, np.where(whole, np.ceil(cuts) - 0.5, cuts), high + room])
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = self._best_steps(finest, block, y, classes, weight) if self.bins == "auto" else [1] * len(columns)
        edges = []
        for j, step in enumerate(steps):
            inner = finest[step:-1:step, j]
            inner = np.unique(inner[(inner > low[j]) & (inner < high[j])])
            edges.append(np.concatenate([finest[:1, j], inner, finest[-1:, j]]))
        return Frame(columns, edges=tuple(edges))

    def score(self, parameters: Cells, block: Any, out: Array) -> None:
        assert isinstance(parameters, Bins)
        super().score(parameters, _bin(block, parameters.edges), out)

    def estimate(self, statistics: Counts, frame: Frame) -> Cells:
        assert frame.edges is not None
        cells = super().estimate(statistics, frame)
        return Bins(cells.log_p, cells.starts, frame.edges)

    def contributions(self, parameters: Cells, block: Any) -> Array:
        assert isinstance(parameters, Bins)
        return super().contributions(parameters, _bin(block, parameters.edges))

    def sample(self, parameters: Cells, y: Codes, rng: np.random.Generator) -> Any:
        assert isinstance(parameters, Bins)
        weighted = Cells(parameters.log_p + _log_widths(parameters.edges), parameters.starts)
        codes = super().sample(weighted, y, rng)
        low = np.stack([edges[:-1][codes[:, j]] for j, edges in enumerate(parameters.edges)], axis=1)
        high = np.stack([edges[1:][codes[:, j]] for j, edges in enumerate(parameters.edges)], axis=1)
        return rng.uniform(low, high)

    def describe(self, parameters: Cells, frame: Frame) -> Iterator[Parameter]:
        assert isinstance(parameters, Bins)
        p = np.exp(parameters.log_p + _log_widths(parameters.edges))
        for j, edges in enumerate(parameters.edges):
            for cell in range(len(edges) - 1):
                name = f"probability of {edges[cell]:.6g} to {edges[cell + 1]:.6g}"
                yield Parameter(j, name, p[:, parameters.starts[j] + cell])

    def _codes(self, block: Any, frame: Frame) -> Codes:
        assert frame.edges is not None
        return _bin(block, frame.edges)

    def _log_widths(self, frame: Frame) -> Any:
        assert frame.edges is not None
        return _log_widths(frame.edges)

    def _best_steps(self, edges: Array, block: Any, y: Codes, classes: int, weight: Array | None) -> list[int]:
        """For each column, how many of the finest bins to join: all halvings come from one count."""
        most, columns = len(edges) - 1, edges.shape[1]
        frame = Frame(tuple(range(columns)), edges=tuple(np.ascontiguousarray(edges.T)))
        counts = self.count(block, y, classes, weight, frame).table.reshape(classes, columns, most)
        rows = counts.sum(axis=2, keepdims=True)
        best, steps = np.full(columns, -np.inf), np.ones(columns, np.intp)
        step = 1
        while step < most:
            imagined = self.prior.proportions(most // step)
            # A bin that is empty adds nothing; its width may be nothing too, where one value fills several bins.
            share = np.maximum(counts - 1, 0) + imagined
            share /= np.maximum(rows - 1, 0) + imagined.sum()
            share /= np.diff(edges[::step], axis=0).T
            value = (counts * np.log(share, out=np.zeros(share.shape), where=counts > 0)).sum(axis=(0, 2))
            steps[value > best] = step
            best = np.maximum(value, best)
            counts = counts[:, :, ::2] + counts[:, :, 1::2]
            step *= 2
        return steps.tolist()


@dataclass(frozen=True, eq=False)
class Bins(Cells):
    edges: tuple[Array, ...]


_EXTREMES = ((np.min, np.inf), (np.max, -np.inf))


def _quantiles(values: Array, weight: Array | None, bins: int) -> Array:
    """What parts each column into so many bins of equal weight: bins - 1 numbers per column.

    Where a bin ends between two values, half-way between them; where it ends within the weight of one, that value.
    """
    order = np.argsort(values, axis=0, kind="stable")  # missing cells come last
    ascending = np.take_along_axis(values, order, axis=0)
    weights = (1.0 if weight is None else weight[order]) * ~np.isnan(ascending)
    cuts = np.zeros((bins - 1, values.shape[1]))
    for j, reached in enumerate(np.cumsum(weights, axis=0).T):
        if reached[-1] > 0:
            targets = np.arange(1, bins) * reached[-1] / bins
            below, above = (np.searchsorted(reached, targets, side) for side in ("left", "right"))
            cuts[:, j] = (ascending[below, j] + ascending[above, j]) / 2
    return cuts


def _bin(block: Any, edges: tuple[Array, ...]) -> Codes:
    inner = np.concatenate([column[1:-1] for column in edges])
    starts = np.concatenate([[0], np.cumsum([len(column) - 2 for column in edges])]).astype(np.int64)
    codes = np.empty((block.shape[1], block.shape[0]), np.int32)
    check(_native.bin_cells(block, inner, starts, codes), block, "Histogram needs finite numbers, up to 1e150")
    return codes.T


def _log_widths(edges: tuple[Array, ...]) -> Array:
    """Of each column's bins and the cell kept for unseen values, which no number falls into."""
    return np.concatenate([np.append(np.log(np.diff(column)), 0.0) for column in edges])
