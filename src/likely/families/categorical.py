"""One of several values, each with a probability for each class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.sparse import Csr
from likely.data.table import Kind, Labels, Table
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, log_share, terms
from likely.families.family import Domain, Family, Line, Observations, Parameter, Picture, Reads
from likely.families.formula import Cell, Lookup
from likely.families.limited import Limited
from likely.families.own_categories import unlearn_own_categories
from likely.families.shares import CellCounts, Shares, cost_of_new_values
from likely.limits import Within
from likely.priors import Dirichlet, Laplace, Prior
from likely.statistics import Counts, Frame, Statistics
from likely.statistics.sums import exact


@dataclass(frozen=True, repr=False)
class Categorical(Family):
    """log p(x | y) = log q_x. Maximum likelihood is q_v = count_v / n; with Dirichlet(a), (count_v + a) / (n + a V).

    V is the number of values seen in any class, plus one, which reserves prior mass for values not seen yet.
    With unseen=False there is no mass for those, and a new value is impossible in every class.

    Parameters
    ----------
    prior : Prior, default `Laplace()`
        The prior of the probabilities of the values.
    unseen : bool, default True
        Whether to reserve prior mass for values not seen yet.

    See Also
    --------
    Bernoulli : two values.
    Histogram : numbers in bins.
    likely.priors.Dirichlet : the prior of its probabilities.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Categorical
    >>> nb = NaiveBayes(Categorical()).fit([["red"], ["red"], ["blue"]], [1, 1, 2])
    >>> nb.predict([["red"], ["blue"]]).tolist()
    [1, 2]
    """

    prior: Prior = Laplace()
    unseen: bool = True
    reads: ClassVar[Reads] = "categories"
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Counts,)
    auto: ClassVar[tuple[Kind, ...]] = ("category", "int")
    auto_constant: ClassVar[tuple[Kind, ...]] = ("int",)
    numeric: ClassVar[bool] = True
    domain: ClassVar[Domain] = "category"
    picture: ClassVar[Picture] = "bars"

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Codes, tuple[Labels, ...] | None]:
        codes, labels = table.categories(columns, rows, known)
        return codes, tuple(labels) if known is None else None

    def count(self, seen: Observations, frame: Frame) -> Counts:
        table = np.zeros((seen.classes, frame.starts[-1]))
        codes = np.ascontiguousarray(self.codes(seen.cells, frame).T)
        _native.count_cells(codes, seen.y, seen.weight, frame.starts, table)
        return Counts(exact(table, seen.weight is None))

    def estimate(self, block: Block) -> Shares:
        cells = self._cells(block)
        if isinstance(self.prior, Within):
            return Shares(self.limited(block).log_p(), cells.starts)
        share = cells.counts + cells.pseudocounts
        return Shares(log_share(share, cells.by_column(share)) - self.log_widths(block.frame), cells.starts)

    def score(self, parameters: Shares, cells: Any, out: Array) -> None:
        _native.score_cells(np.ascontiguousarray(cells.T), parameters.starts, parameters.scores, out)

    def contributions(self, parameters: Shares, cells: Any) -> Array:
        at = np.where(cells < 0, -1, cells + parameters.starts[:-1])
        return np.where(at < 0, 0.0, parameters.scores[:, at]).transpose(1, 0, 2)

    def value(self, cell: Any, frame: Frame, column: int) -> Any:
        assert frame.cells is not None
        labels = frame.cells[column]
        return None if cell < 0 else "(new value)" if cell == len(labels) else labels.tolist()[cell]

    def values(self, cells: Any, frame: Frame, column: int) -> NDArray[Any]:
        assert frame.cells is not None
        return np.asarray(frame.cells[column][cells[:, column]])

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        values = None if plan.frame.cells is None else plan.frame.cells[at]
        return (Cell(plan.columns[at], "category", values),)

    def formula(self, block: Block) -> list[Lookup]:
        shares = block.parameters
        each = (shares.scores[:, a : b - 1 + self._has_others] for a, b in pairwise(shares.starts))
        return [Lookup(self.cells(block, j)[0], scores) for j, scores in enumerate(each)]

    def loo(self, block: Block, seen: Observations) -> Array:
        if isinstance(self.prior, Within):
            return self.limited(block).loo(seen)
        logs = np.empty(seen.cells.shape)
        arguments = *self._loo(block, seen), logs
        _native.left_out_cells(*arguments)
        return logs

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        if isinstance(self.prior, Within):
            super().loo_scores(block, seen, out)
        else:
            arguments = *self._loo(block, seen), block.column_weights, block.parameters.scores, out
            _native.score_left_out_cells(*arguments)

    def loo_total(self, block: Block, seen: Observations) -> Array:
        """From the counts alone: each of the c rows of a cell has the probability estimated from c - 1."""
        if isinstance(self.prior, Within):
            return super().loo_total(block, seen)
        cells = self._cells(block)
        others = np.maximum(cells.by_column(cells.counts) - 1, 0) + cells.by_column(cells.pseudocounts)
        logs = log_share(np.maximum(cells.counts - 1, 0) + cells.pseudocounts, others)
        logs -= self.log_widths(block.frame) + cost_of_new_values(cells.counts, block.frame, seen.whole)
        return np.add.reduceat(terms(cells.counts, logs).sum(axis=0), cells.starts[:-1])

    def unlearn_own_categories(self, block: Block, seen: Observations, scores: Array) -> NDArray[np.bool]:
        return unlearn_own_categories(self, block, seen, scores)

    def sample(self, parameters: Shares, y: Codes, rng: "np.random.Generator") -> Codes:
        """Codes of known values; the probability reserved for unseen values is divided among them."""
        codes = np.empty((len(y), len(parameters.starts) - 1), np.int32)
        for j, (a, b) in enumerate(pairwise(parameters.starts)):
            p = np.exp(parameters.log_p[:, a : b - 1])
            p[~p.any(axis=1)] = 1.0  # a class without counts: uniform
            for k in np.unique(y):
                rows = y == k
                codes[rows, j] = rng.choice(b - a - 1, rows.sum(), p=p[k] / p[k].sum())
        return codes

    def describe(self, parameters: Shares, frame: Frame) -> Iterator[Parameter]:
        for j, labels in enumerate(frame.cells or ()):
            for cell, label in enumerate(labels.tolist()):
                log_p = parameters.log_p[:, parameters.starts[j] + cell]
                yield Parameter(j, f"probability of {label!r}", np.exp(log_p))

    def parameter_count(self, block: Block) -> int:
        return int(block.statistics.classes * sum(size - (not self.unseen) for size in block.frame.sizes))

    def linear(self, parameters: Shares, frame: Frame) -> Line:
        weights = parameters.scores[:, [parameters.starts[j] + cell for j, cell in frame.each_cell]]
        return Line(weights, np.zeros(len(weights)), frame.each_cell)

    def parameter_posterior(self, block: Block, column: int) -> Dirichlet:
        """The posterior of the probabilities of a column's values, for each class; the last is for unseen values."""
        if isinstance(self.prior, Within):
            name = block.frame.columns[column]
            raise ValueError(f"column {name!r} has limits, within which the posterior is no Dirichlet")
        counts = self._padded(block, column)
        return self.prior.dirichlet(counts.shape[1]).posterior(counts)

    def multipliers(self, block: Block, column: int) -> Any:
        if isinstance(self.prior, Within):
            return self.limited(block).multipliers(column)
        return super().multipliers(block, column)

    def log_evidence(self, block: Block) -> Array:
        columns = [self._padded(block, j) for j in range(len(block.frame.columns))]
        each = [evidence.of_cells(counts, evidence.proper(self.prior, counts.shape[1])) for counts in columns]
        return np.stack(each, axis=1)

    def log_bayes_factor(self, block: Block) -> Array:
        return evidence.factor_of_cells(block.statistics.table.astype(np.float64), np.diff(block.frame.starts))

    def features(self, block: Block, cells: Any) -> Csr:
        """An indicator of each known value."""
        codes = self.codes(cells, block.frame)
        known = (codes >= 0) & (codes < block.frame.sizes)
        starts = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        at = (codes + block.frame.starts[:-1])[known]
        return Csr(starts, at, np.ones(len(at)), (len(codes), int(block.frame.starts[-1])))

    def feature_count(self, block: Block) -> int:
        return int(block.frame.starts[-1])

    def feature_names(self, block: Block) -> Sequence[tuple[int, int | str | None]]:
        return block.frame.each_cell

    def feature_terms(self, block: Block, weights: Array, means: Array, scales: Array) -> Iterator[Lookup]:
        for j, (a, b) in enumerate(pairwise(block.frame.starts)):
            yield Lookup(self.cells(block, j)[0], np.pad(weights[:, a:b], ((0, 0), (0, int(self._has_others)))))

    @property
    def _has_others(self) -> bool:
        """Whether a cell can have a value that the frame does not have."""
        return self.reads == "categories"

    @property
    def inner_prior(self) -> Prior:
        """The prior that has the pseudo-counts: this one, or the one inside `Within`."""
        return (self.prior.prior or Laplace()) if isinstance(self.prior, Within) else self.prior

    def limited(self, block: Block) -> Limited:
        """The probabilities under the constraints of the prior, with their multipliers."""
        assert isinstance(self.prior, Within)
        if block.frame.cells is None:
            raise TypeError(f"{self.prior!r} has limits of values, and bins are none; read the column as Categorical")
        cells = self._cells(block)
        return Limited(self.prior, cells.counts, cells.pseudocounts, cells.starts, block.frame)

    def codes(self, cells: Any, frame: Frame) -> Codes:
        """The cells as codes of the frame's categories or bins."""
        return np.asarray(cells)

    def log_widths(self, frame: Frame) -> Any:
        """The log width of each bin of each column, and of its cell for unseen values; 0 for categories."""
        return 0.0

    def _cells(self, block: Block) -> CellCounts:
        return CellCounts(self.inner_prior, self.unseen, block)

    def _loo(self, block: Block, seen: Observations) -> tuple[Any, ...]:
        """The arguments of the leave-one-out kernels."""
        cells = self._cells(block)
        widths = np.broadcast_to(np.asarray(self.log_widths(block.frame), np.float64), cells.starts[-1]).copy()
        codes = np.ascontiguousarray(self.codes(seen.cells, block.frame).T)
        return codes, seen.y, seen.weight, cells.starts, cells.counts, cells.pseudocounts, widths

    def _padded(self, block: Block, column: int) -> Array:
        """The counts of a column's cells, with a 0 for unseen values."""
        cells = slice(*block.frame.starts[column : column + 2])
        return np.pad(block.statistics.table[:, cells].astype(np.float64), ((0, 0), (0, int(self.unseen))))
