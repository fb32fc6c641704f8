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

LARGEST = 1e150
"""As in the native core, where the square of a number must be finite."""

NEEDS = "Histogram needs finite numbers, up to 1e150"


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
            return Frame(columns, edges=(np.array(self.bins, np.float64),) * len(columns))
        values = np.asarray(block, np.float64)
        if (large := np.abs(values) > LARGEST).any():
            check(int(np.flatnonzero(large)[0]), values, NEEDS)
        rows = len(block) if weight is None else weight.sum()
        bins = min(MOST, 2 ** int(np.log2(max(rows / 4, 2)))) if self.bins == "auto" else self.bins
        finest = _quantiles(values, weight, bins)
        finest = np.where(whole, np.ceil(finest) - 0.5, finest)
        # A whole number takes up one; so does a number that is alone, or up to the next where one is less than that.
        finest[-1] += whole | (finest[0] == finest[-1])
        finest[-1] = np.maximum(finest[-1], np.nextafter(finest[0], np.inf))
        steps = self._best_steps(finest, block, y, classes, weight) if self.bins == "auto" else [1] * len(columns)
        marks = [finest[::step, j] for j, step in enumerate(steps)]
        return Frame(columns, edges=tuple(np.append(column[:-1][np.diff(column) > 0], column[-1]) for column in marks))

    def score(self, parameters: Cells, block: Any, out: Array) -> None:
        assert isinstance(parameters, Bins)
        super().score(parameters, _bin(block, parameters.edges), out)

    def estimate(self, statistics: Counts, frame: Frame) -> Cells:
        assert frame.edges is not None
        cells = super().estimate(statistics, frame)
        return Bins(cells.log_p, cells.starts, edges=frame.edges)

    def contributions(self, parameters: Cells, block: Any) -> Array:
        assert isinstance(parameters, Bins)
        return super().contributions(parameters, _bin(block, parameters.edges))

    def sample(self, parameters: Cells, y: Codes, rng: "np.random.Generator") -> Any:
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
        by_column = np.ascontiguousarray(edges.T)
        counts = self.count(block, y, classes, weight, Frame(range(columns), edges=tuple(by_column))).table
        imagined = [self.prior.proportions(most >> k)[0] for k in range(most.bit_length() - 1)]
        steps = np.empty(columns, np.int64)
        _native.join_bins(counts.astype(np.float64), by_column, np.array(imagined), steps)
        return [int(step) for step in steps]


@dataclass(frozen=True, eq=False)
class Bins(Cells):
    edges: tuple[Array, ...] = ()


def _quantiles(values: Array, weight: Array | None, bins: int) -> Array:
    """What parts each column into so many bins of equal weight: bins + 1 numbers, from the lowest to the highest value.

    A cut lies half-way between two values that follow each other, never on one: a value that fills several bins has
    the first of them to itself on that side, and the others are empty.
    """
    marks = np.zeros((bins + 1, values.shape[1]))
    seen = values == values if weight is None else (values == values) & (weight > 0)[:, None]
    for j in range(values.shape[1]):
        column = values[:, j] if seen[:, j].all() else values[seen[:, j], j]
        if not column.size:
            continue
        if weight is None:
            ascending = np.sort(column)
            at = np.arange(1, bins) * column.size // bins
        else:
            order = np.argsort(column)
            ascending, reached = column[order], np.cumsum(weight[seen[:, j]][order])
            at = reached.searchsorted(np.arange(1, bins) * (reached[-1] / bins), "right")
        above = ascending[at]
        below = ascending[np.maximum(ascending.searchsorted(above) - 1, 0)]
        marks[0, j], marks[1:-1, j], marks[-1, j] = ascending[0], (below + above) / 2, ascending[-1]
    return marks


def _bin(block: Any, edges: tuple[Array, ...]) -> Codes:
    inner = np.concatenate([column[1:-1] for column in edges])
    starts = np.concatenate([[0], np.cumsum([len(column) - 2 for column in edges])]).astype(np.int64)
    codes = np.empty((block.shape[1], block.shape[0]), np.int32)
    check(_native.bin_cells(block, inner, starts, codes), block, NEEDS)
    return codes.T


def _log_widths(edges: tuple[Array, ...]) -> Array:
    """Of each column's bins and the cell kept for unseen values, which no number falls into."""
    widths = np.diff(np.concatenate([*edges, [0.0]]))
    widths[np.cumsum([len(column) for column in edges]) - 1] = 1.0
    return np.log(widths)
