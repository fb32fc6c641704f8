"""Yes or no: a column that is 1 with a probability of its class."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from likely import _native
from likely.families.family import Array, Codes, Line, Parameter, check, csr, dense, stored, terms, without
from likely.families.poisson import seen, totals
from likely.families.weighable import Weighable
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame, Statistics, Totals

NEEDS = "Bernoulli needs 0 or 1"


@dataclass(frozen=True, eq=False)
class Chances:
    """The probability of a one. Zeros matter as much as ones: log(1 - p) depends on the class too."""

    p: Array
    weights: Array | None = None

    @cached_property
    def log_one(self) -> Array:
        with np.errstate(divide="ignore"):
            return self._weighed(np.log(self.p))

    @cached_property
    def log_zero(self) -> Array:
        with np.errstate(divide="ignore"):
            return self._weighed(np.log1p(-self.p))

    def _weighed(self, logs: Array) -> Array:
        return logs if self.weights is None else terms(self.weights, logs)

    @cached_property
    def none(self) -> Array:
        return np.zeros_like(self.p)

    @cached_property
    def rise(self) -> Array:
        """What a one adds to the score of a row of zeros: columns x classes. Finite parts only, see `Bernoulli`."""
        finite_zero = np.where(np.isneginf(self.log_zero), 0.0, self.log_zero)
        return np.ascontiguousarray((self.log_one - finite_zero).T)

    def log_probability(self, x: Array) -> Array:
        """Cell by cell; 0 where x is missing."""
        return np.where(np.isnan(x), 0.0, np.where(x == 0, self.log_zero, self.log_one))


@dataclass(frozen=True, repr=False)
class Bernoulli(Weighable):
    """log p(x | y) = x log p + (1 - x) log(1 - p).

    Maximum likelihood is p = ones / seen; with Beta(a, b) its mean is (ones + a) / (seen + a + b). With a `threshold`,
    a value above it is a one and any other a zero; without, values must be 0 or 1.
    """

    prior: Prior = Laplace()
    threshold: float | None = None
    sparse: ClassVar[bool] = True

    def count(self, block: Any, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Totals:
        return totals(self._bits(block), y, classes, weight, _native.BINARY, NEEDS)

    def estimate(self, statistics: Totals, frame: Frame) -> Chances:
        zero, one = self.prior.proportions(2)
        ones = statistics.total + one
        return Chances(_chance(ones, ones + without(statistics.seen, statistics.total) + zero))

    def score(self, parameters: Chances, block: Any, out: Array) -> None:
        bits = self._bits(block)
        if isinstance(bits, np.ndarray):
            zero, one = parameters.log_zero, parameters.log_one
            check(_native.score_linear(bits, _native.BINARY, zero, one, parameters.none, None, out), block, NEEDS)
            return
        # A row of zeros, then what its ones change: only they are read. A column that is always one in a class makes
        # a row of zeros impossible there, so it is counted apart: the row is possible only if it has all of those.
        certain = np.isneginf(parameters.log_zero)
        out += np.where(certain, 0.0, parameters.log_zero).sum(axis=1)
        check(_native.csr_scores(*csr(bits), _native.BINARY, parameters.rise, out), block, NEEDS)
        if certain.any():
            present = np.zeros_like(out)
            _native.csr_scores(*csr(bits), _native.BINARY, np.ascontiguousarray(certain.T, np.float64), present)
            out[present < certain.sum(axis=1)] = -np.inf

    def contributions(self, parameters: Chances, block: Any) -> Array:
        return parameters.log_probability(np.asarray(self._bits(block), np.float64)[:, None, :])

    def left_out(self, statistics: Totals, block: Any, y: Codes, weight: Array | None, frame: Frame) -> Array:
        bits, logs = self._bits(block), np.empty(block.shape)
        sums = statistics.total.astype(np.float64), statistics.seen.astype(np.float64)
        zero, one = self.prior.proportions(2).tolist()
        check(_native.left_out_bernoulli(bits, y, weight, *sums, zero, one, logs), block, NEEDS)
        return logs

    def score_left_out(
        self,
        statistics: Totals,
        block: Any,
        y: Codes,
        weight: Array | None,
        frame: Frame,
        out: Array,
        weights: Array | None = None,
    ) -> None:
        if isinstance(self._bits(block), np.ndarray):
            super().score_left_out(statistics, block, y, weight, frame, out, weights)
            return
        assert weights is None  # sparse columns count once
        rows = np.arange(len(y))
        own = out[rows, y]
        self.score(self.estimate(statistics, frame), block, out)
        # A row of zeros of each class and weight that occurs, left out of the class; then what the ones there change.
        bits, (zero, one) = self._bits(block), self.prior.proportions(2)
        row, x, _ = stored(bits, weight)
        row, column = row[x != 0], bits.indices[x != 0]
        ones, zeros = statistics.total + one, statistics.seen - statistics.total
        weights = np.ones(len(y)) if weight is None else weight
        pairs, which = np.unique(np.stack([y, weights]), axis=1, return_inverse=True)
        for at, (class_, each) in enumerate(pairs.T):
            k, here = int(class_), which == at
            mine = here[row]
            there = column[mine]
            absent = Chances(_chance(ones[k], ones[k] + without(zeros[k], each) + zero)).log_zero
            less = without(statistics.total[k, there], each) + one
            present = Chances(_chance(less, less + zeros[k, there] + zero)).log_one
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

    def free(self, statistics: Statistics, frame: Frame) -> int:
        return statistics.classes * len(frame.columns)

    def linear(self, parameters: Chances, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        with np.errstate(invalid="ignore"):
            return Line(parameters.log_one - parameters.log_zero, parameters.log_zero.sum(axis=1), columns)

    def features(self, statistics: Totals, block: Any, frame: Frame) -> Any:
        return self._bits(block)

    def posterior(self, statistics: Totals, frame: Frame, column: int) -> Beta:
        """Beta(ones + a, zeros + b)."""
        prior = self.prior.dirichlet(2)
        zero, one = prior.alpha
        ones = statistics.total[:, column]
        return Beta(one, zero, prior.estimate).posterior(ones, seen(statistics, column) - ones)

    def _bits(self, block: Any) -> Any:
        if self.threshold is None:
            return block
        if isinstance(block, np.ndarray):
            above = (block > self.threshold).astype(np.float64)
            return np.where(np.isnan(block), np.nan, above) if block.dtype.kind == "f" else above
        if self.threshold < 0:  # it makes ones of all that is not stored
            return (dense(block) > self.threshold).astype(np.float64)
        bits = copy(block)
        bits.data = (block.data > self.threshold).astype(np.float64)
        return bits


def _chance(ones: Array, seen: Array) -> Array:
    """Even where nothing was seen and nothing imagined."""
    return np.asarray(np.divide(ones, seen, out=np.full(np.broadcast(ones, seen).shape, 0.5), where=seen > 0))
