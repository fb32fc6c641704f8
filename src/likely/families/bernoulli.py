"""Columns of 0 and 1, with a probability of 1 for each class."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from likely import _native
from likely.data.table import Kind
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check, csr, dense, ratio, stored, terms, without
from likely.families.family import Domain, Family, Line, Observations, Parameter, Picture
from likely.families.formula import Cell, Lookup
from likely.families.totals import number_of, totals
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame, Statistics, Totals

NEEDS = "Bernoulli needs 0 or 1"


@dataclass(frozen=True, eq=False)
class Chances:
    """The probability of a 1: classes x columns. Zeros are evidence too: log(1 - p) depends on the class."""

    p: Array
    column_weights: Array | None = None

    @cached_property
    def log_one(self) -> Array:
        """log p times the column weight."""
        with np.errstate(divide="ignore"):
            return self._weighted(np.log(self.p))

    @cached_property
    def log_zero(self) -> Array:
        """log(1 - p) times the column weight."""
        with np.errstate(divide="ignore"):
            return self._weighted(np.log1p(-self.p))

    def _weighted(self, logs: Array) -> Array:
        return logs if self.column_weights is None else terms(self.column_weights, logs)

    @cached_property
    def none(self) -> Array:
        """Zeros in the shape of p, as an argument of kernels."""
        return np.zeros_like(self.p)

    @cached_property
    def rise(self) -> Array:
        """What a 1 adds to the score of a row of zeros: columns x classes. A log(1 - p) of minus infinity is left out;
        `Bernoulli.score` adds it."""
        finite_zero = np.where(np.isneginf(self.log_zero), 0.0, self.log_zero)
        return np.ascontiguousarray((self.log_one - finite_zero).T)


@dataclass(frozen=True, repr=False)
class Bernoulli(Family):
    """log p(x | y) = x log p + (1 - x) log(1 - p).

    Maximum likelihood is p = ones / n; with Beta(a, b) its mean is (ones + a) / (n + a + b). With a `threshold`, a
    value above it is a 1 and any other a 0; without it, values must be 0 or 1.

    Parameters
    ----------
    prior : Prior, default `Laplace()`
        The prior of the probability of a 1.
    threshold : float, optional
        A value above it is a 1, any other a 0; without it, values must be 0 or 1.

    See Also
    --------
    Categorical : more than two values.
    TextBernoulli : one bit for each word of a text.
    likely.priors.Beta : the prior of its probability.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Bernoulli
    >>> nb = NaiveBayes(Bernoulli()).fit([[1], [1], [0], [0]], ["a", "a", "a", "b"])
    >>> round(float(nb.parameter_posterior(0).mean[0]), 2)  # (2 + 1) / (3 + 2)
    0.6
    """

    prior: Prior = Laplace()
    threshold: float | None = None
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Totals,)
    auto: ClassVar[tuple[Kind, ...]] = ("bool",)
    sparse: ClassVar[bool] = True
    domain: ClassVar[Domain] = "bit"
    picture: ClassVar[Picture] = "bars"

    def for_kind(self, kind: Kind) -> Family:
        from likely.families.text_bernoulli import TextBernoulli

        return TextBernoulli.named_as(self) if kind == "text" else self

    def count(self, seen: Observations, frame: Frame) -> Totals:
        return totals(seen, self._bits(seen.cells), _native.BINARY, NEEDS)

    def estimate(self, block: Block) -> Chances:
        zero, one = self.prior.proportions(2)
        ones = block.statistics.total + one
        return Chances(ratio(ones, ones + without(block.statistics.seen, block.statistics.total) + zero, 0.5))

    def score(self, parameters: Chances, cells: Any, out: Array) -> None:
        bits = self._bits(cells)
        if isinstance(bits, np.ndarray):
            zero, one = parameters.log_zero, parameters.log_one
            check(_native.score_linear(bits, _native.BINARY, zero, one, parameters.none, None, out), cells, NEEDS)
            return
        # The score of a row of zeros, plus the change by each 1, so that only ones are read. Columns that are always 1
        # in a class are checked apart: a row without all of those is impossible in that class.
        certain = np.isneginf(parameters.log_zero)
        out += np.where(certain, 0.0, parameters.log_zero).sum(axis=1)
        check(_native.csr_scores(*csr(bits), _native.BINARY, parameters.rise, out), cells, NEEDS)
        if certain.any():
            present = np.zeros_like(out)
            _native.csr_scores(*csr(bits), _native.BINARY, np.ascontiguousarray(certain.T, np.float64), present)
            out[present < certain.sum(axis=1)] = -np.inf

    def contributions(self, parameters: Chances, cells: Any) -> Array:
        x = np.asarray(self._bits(cells), np.float64)[:, None, :]
        return np.where(np.isnan(x), 0.0, np.where(x == 0, parameters.log_zero, parameters.log_one))

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        if self.threshold is not None:
            return (Cell(plan.columns[at], "above", self.threshold, -np.inf, np.inf, needs=NEEDS),)
        return (Cell(plan.columns[at], low=0.0, high=1.0, whole=True, needs=NEEDS),)

    def formula(self, block: Block) -> list[Lookup]:
        scores = np.stack([block.parameters.log_zero, block.parameters.log_one], axis=2)
        return [Lookup(self.cells(block, j)[0], scores[:, j]) for j in range(len(block.columns))]

    def loo(self, block: Block, seen: Observations) -> Array:
        bits, logs = self._bits(seen.cells), np.empty(seen.cells.shape)
        sums = block.statistics.total.astype(np.float64), block.statistics.seen.astype(np.float64)
        zero, one = self.prior.proportions(2).tolist()
        check(_native.left_out_bernoulli(bits, seen.y, seen.weight, *sums, zero, one, logs), seen.cells, NEEDS)
        return logs

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        bits, y = self._bits(seen.cells), seen.y
        if isinstance(bits, np.ndarray):
            super().loo_scores(block, seen, out)
            return
        rows = np.arange(len(y))
        own = out[rows, y]
        self.score(block.parameters, seen.cells, out)
        # For each class and weight that occurs: leave a row of zeros out of the class, then add the change by each 1.
        zero, one = self.prior.proportions(2)
        row, x = stored(bits)
        row, column = row[x != 0], bits.indices[x != 0]
        total, seen_ = block.statistics.total, block.statistics.seen
        ones, zeros = total + one, seen_ - total
        pairs, which = np.unique(np.stack([y, seen.weights]), axis=1, return_inverse=True)
        for at, (class_, each) in enumerate(pairs.T):
            k, here = int(class_), which == at
            mine = here[row]
            there = column[mine]
            absent = Chances(ratio(ones[k], ones[k] + without(zeros[k], each) + zero, 0.5)).log_zero
            less = without(total[k, there], each) + one
            present = Chances(ratio(less, less + zeros[k, there] + zero, 0.5)).log_one
            certain = np.isneginf(absent)
            absent = np.where(certain, 0.0, absent)
            own[here] += absent.sum()
            own += np.bincount(row[mine], present - absent[there], len(y))
            if certain.any():
                own[here & (np.bincount(row[mine], certain[there], len(y)) < certain.sum())] = -np.inf
        out[rows, y] = own

    def sample(self, parameters: Chances, y: Codes, rng: "np.random.Generator") -> Array:
        return (rng.random((len(y), parameters.p.shape[1])) < parameters.p[y]).astype(np.float64)

    def describe(self, parameters: Chances, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "probability of 1", parameters.p[:, j])

    def parameter_count(self, block: Block) -> int:
        return int(block.statistics.total.size)

    def linear(self, parameters: Chances, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        with np.errstate(invalid="ignore"):
            return Line(parameters.log_one - parameters.log_zero, parameters.log_zero.sum(axis=1), columns)

    def parameter_posterior(self, block: Block, column: int) -> Beta:
        """Beta(ones + a, zeros + b)."""
        prior = self.prior.dirichlet(2)
        zero, one = prior.alpha
        ones = block.statistics.total[:, column]
        return Beta(one, zero, prior.estimate).posterior(ones, number_of(block.statistics, column) - ones)

    def log_evidence(self, block: Block) -> Array:
        zero, one = evidence.proper(self.prior, 2)
        total = block.statistics.total
        return evidence.of_bits(total, block.statistics.seen - total, one, zero)

    def log_bayes_factor(self, block: Block) -> Array:
        return evidence.factor_of_bits(block.statistics.total, block.statistics.seen)

    def features(self, block: Block, cells: Any) -> Any:
        return self._bits(cells)

    def _bits(self, cells: Any) -> Any:
        if self.threshold is None:
            return cells
        if isinstance(cells, np.ndarray):
            above = (cells > self.threshold).astype(np.float64)
            return np.where(np.isnan(cells), np.nan, above) if cells.dtype.kind == "f" else above
        if self.threshold < 0:  # every cell that is not stored becomes a 1
            return (dense(cells) > self.threshold).astype(np.float64)
        bits = copy(cells)
        bits.data = (cells.data > self.threshold).astype(np.float64)
        return bits
