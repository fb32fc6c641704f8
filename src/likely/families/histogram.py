"""Numbers of any distribution, counted in bins with about the same number of rows each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from likely import _native
from likely.data.table import Kind, Labels, Table
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.categorical import Categorical
from likely.families.cells import Array, Codes, check
from likely.families.family import Domain, Family, Observations, Parameter, Picture, Reads
from likely.families.formula import LARGEST, Cell
from likely.families.shares import Shares
from likely.priors import Laplace, Prior
from likely.statistics import Frame

MOST = 64
"""The most bins of a column, a power of two."""

NEEDS = "Histogram needs finite numbers, up to 1e150"


@dataclass(frozen=True, eq=False)
class BinShares(Shares):
    """log q_bin - log width of each bin, and the edges of the bins of each column."""

    edges: tuple[Array, ...] = ()

    @property
    def p(self) -> Array:
        """The probability of each bin, not divided by its width."""
        return np.exp(self.log_p + _log_widths(self.edges))


@dataclass(frozen=True, repr=False)
class Histogram(Categorical):
    """log p(x | y) = log q_bin - log width: Categorical over bins, for skewed columns, which Gaussian does not fit.

    `bins` is their number, a tuple of their edges, or "auto": then 2, 4, ... 64 quantile bins are tried, and those with
    the highest leave-one-out likelihood are used. A value outside the outer edges is read as the nearest one. Bins are
    part of the frame: they are cut at the first fit and do not change later.

    Parameters
    ----------
    prior : Prior, default `Laplace()`
        The prior of the probabilities of the bins.
    unseen : bool, default False
        Not used: every number is in a bin.
    bins : int, tuple of floats, or "auto", default "auto"
        The number of quantile bins, or their edges. "auto" tries 2, 4, ... 64 bins and uses those with the highest
        leave-one-out likelihood.

    See Also
    --------
    Gaussian : normally distributed numbers.
    Categorical : values without an order.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Histogram
    >>> nb = NaiveBayes(Histogram(bins=(0, 1, 10, 100))).fit([[0.5], [0.1], [50], [5]], ["a", "a", "b", "b"])
    >>> nb.predict([[0.2], [70]]).tolist()
    ['a', 'b']
    """

    prior: Prior = Laplace()
    bins: int | Literal["auto"] | tuple[float, ...] = "auto"
    unseen: bool = False
    reads: ClassVar[Reads] = "numbers"
    auto: ClassVar[tuple[Kind, ...]] = ("float", "int")
    auto_constant: ClassVar[tuple[Kind, ...]] = ("float",)
    has_edges: ClassVar[bool] = True
    stepwise: ClassVar[bool] = True
    domain: ClassVar[Domain] = "number"
    picture: ClassVar[Picture] = "density"

    def __post_init__(self) -> None:
        if isinstance(self.bins, (list, np.ndarray)):
            object.__setattr__(self, "bins", tuple(float(edge) for edge in self.bins))
        if isinstance(self.bins, tuple) and (len(self.bins) < 2 or any(np.diff(self.bins) <= 0)):
            raise ValueError(f"the edges of bins must ascend and be two at least, not {self.bins}")
        if isinstance(self.bins, int) and self.bins < 1:
            raise ValueError(f"bins must be 1 or more, not {self.bins}")
        if self.unseen:
            raise ValueError("every number falls into a bin: Histogram keeps no mass for unseen values")

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Any, None]:
        return table.numbers(columns, rows), None

    def frame(self, columns: Sequence[Any], seen: Observations) -> Frame:
        if isinstance(self.bins, tuple):
            return Frame(columns, edges=(np.array(self.bins, np.float64),) * len(columns))
        values = np.asarray(seen.cells, np.float64)
        if (large := np.abs(values) > LARGEST).any():
            check(int(np.flatnonzero(large)[0]), values, NEEDS)
        rows = len(values) if seen.weight is None else seen.weight.sum()
        bins = min(MOST, 2 ** int(np.log2(max(rows / 4, 2)))) if self.bins == "auto" else self.bins
        finest = _quantiles(values, seen.weight, bins)
        finest = np.where(seen.whole, np.ceil(finest) - 0.5, finest)
        # The last bin needs a width: a whole number gets 1, and so does the only value of a column. If adding 1 is less
        # than the rounding of so large a number, it extends to the next float64.
        finest[-1] += seen.whole | (finest[0] == finest[-1])
        finest[-1] = np.maximum(finest[-1], np.nextafter(finest[0], np.inf))
        steps = self._best_steps(finest, seen) if self.bins == "auto" else [1] * len(columns)
        marks = [finest[::step, j] for j, step in enumerate(steps)]
        return Frame(columns, edges=tuple(np.append(column[:-1][np.diff(column) > 0], column[-1]) for column in marks))

    def estimate(self, block: Block) -> BinShares:
        assert block.frame.edges is not None
        shares = super().estimate(block)
        return BinShares(shares.log_p, shares.starts, edges=block.frame.edges)

    def score(self, parameters: BinShares, cells: Any, out: Array) -> None:  # type: ignore[override]
        super().score(parameters, _bin(cells, parameters.edges), out)

    def contributions(self, parameters: BinShares, cells: Any) -> Array:  # type: ignore[override]
        return super().contributions(parameters, _bin(cells, parameters.edges))

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        assert plan.frame.edges is not None
        return (Cell(plan.columns[at], "bin", plan.frame.edges[at][1:-1], needs=NEEDS),)

    value, values = Family.value, Family.values
    unlearn_own_categories = Family.unlearn_own_categories

    def chosen_by_rows(self, frame: Frame) -> list[str]:
        return [] if isinstance(self.bins, tuple) else ["the bins of"]

    def sample(self, parameters: BinShares, y: Codes, rng: "np.random.Generator") -> Any:  # type: ignore[override]
        with np.errstate(divide="ignore"):
            codes = super().sample(Shares(np.log(parameters.p), parameters.starts), y, rng)
        low = np.stack([edges[:-1][codes[:, j]] for j, edges in enumerate(parameters.edges)], axis=1)
        high = np.stack([edges[1:][codes[:, j]] for j, edges in enumerate(parameters.edges)], axis=1)
        return rng.uniform(low, high)

    def describe(self, parameters: BinShares, frame: Frame) -> Iterator[Parameter]:  # type: ignore[override]
        for j, edges in enumerate(parameters.edges):
            for cell in range(len(edges) - 1):
                name = f"probability of {edges[cell]:.6g} to {edges[cell + 1]:.6g}"
                yield Parameter(j, name, parameters.p[:, parameters.starts[j] + cell])

    def log_evidence(self, block: Block) -> Array:
        assert block.frame.edges is not None
        widths = np.concatenate([np.log(np.diff(edges)) for edges in block.frame.edges])
        own = np.add.reduceat(block.statistics.table * widths, block.frame.starts[:-1], axis=1)
        return super().log_evidence(block) - own

    def log_bayes_factor(self, block: Block) -> Array:
        return evidence.factor_of_bins(block.statistics.table.astype(np.float64), np.diff(block.frame.starts))

    def breaks(self, frame: Frame, column: int) -> Array:
        assert frame.edges is not None
        return frame.edges[column]

    def codes(self, cells: Any, frame: Frame) -> Codes:
        assert frame.edges is not None
        return _bin(cells, frame.edges)

    def log_widths(self, frame: Frame) -> Any:
        assert frame.edges is not None
        return _log_widths(frame.edges)

    def _best_steps(self, edges: Array, seen: Observations) -> list[int]:
        """For each column, how many of the finest bins to join into one. All numbers of bins are tried from one
        count."""
        most, columns = len(edges) - 1, edges.shape[1]
        by_column = np.ascontiguousarray(edges.T)
        counts = self.count(seen, Frame(range(columns), edges=tuple(by_column))).table
        pseudocounts = [self.prior.proportions(most >> k)[0] for k in range(most.bit_length() - 1)]
        steps = np.empty(columns, np.int64)
        _native.join_bins(counts.astype(np.float64), by_column, np.array(pseudocounts), steps)
        return [int(step) for step in steps]


def _quantiles(values: Array, weight: Array | None, bins: int) -> Array:
    """The edges that cut each column into bins of equal weight, from the least value to the largest: (bins + 1) x
    columns.

    A cut is half-way between two neighbouring values, never on one. A value with more rows than one bin holds gives
    equal cuts, and so empty bins.
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


def _bin(cells: Any, edges: tuple[Array, ...]) -> Codes:
    """The bin of each number: rows x columns."""
    inner = np.concatenate([column[1:-1] for column in edges])
    starts = np.concatenate([[0], np.cumsum([len(column) - 2 for column in edges])]).astype(np.int64)
    codes = np.empty((cells.shape[1], cells.shape[0]), np.int32)
    check(_native.bin_cells(cells, inner, starts, codes), cells, NEEDS)
    return codes.T


def _log_widths(edges: tuple[Array, ...]) -> Array:
    """The log widths of each column's bins, then a 0 for its cell of unseen values, which no number falls into."""
    widths = np.diff(np.concatenate([*edges, [0.0]]))
    widths[np.cumsum([len(column) for column in edges]) - 1] = 1.0
    return np.log(widths)
