"""A count of events that come at a rate of its class."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likely import _native
from likely.families.family import Array, Codes, Line, Parameter, check, csr, terms
from likely.families.weighable import Weighable
from likely.priors import Gamma, Prior
from likely.statistics import Frame, Statistics, Totals
from likely.statistics.sums import exact

NEEDS = "Poisson needs whole numbers of 0 or more"


@dataclass(frozen=True, eq=False)
class Rates:
    rate: Array
    weights: Array | None = None

    @cached_property
    def times(self) -> Array:
        """How often each column counts."""
        return np.ones(self.rate.shape[1]) if self.weights is None else self.weights

    @cached_property
    def log_rate(self) -> Array:
        """Of each column, so many times."""
        with np.errstate(divide="ignore"):
            return terms(self.times, np.log(self.rate))

    @cached_property
    def minus(self) -> Array:
        return -self.rate * self.times


@dataclass(frozen=True, repr=False)
class Poisson(Weighable):
    """log p(x | y) = x log r - r - log x!. Maximum likelihood is r = sum / n; with Gamma(a, b), (sum + a) / (n + b)."""

    prior: Prior = Gamma(0.5, 0.5)

    def count(self, block: Any, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Totals:
        return totals(block, y, classes, weight, _native.COUNT, NEEDS)

    def estimate(self, statistics: Totals, frame: Frame) -> Rates:
        events, rows = self.prior.rate()
        return Rates(_ratio(statistics.total + events, statistics.seen + rows))

    def score(self, parameters: Rates, block: Array, out: Array) -> None:
        line = parameters.minus, parameters.minus, parameters.log_rate, parameters.times
        check(_native.score_linear(block, _native.COUNT, *line, out), block, NEEDS)

    def contributions(self, parameters: Rates, block: Array) -> Array:
        from scipy.special import gammaln  # 0.3 s to load, and only explanations need it

        x = np.asarray(block, np.float64)[:, None, :]
        logs = terms(x, parameters.log_rate) + parameters.minus - parameters.times * gammaln(x + 1)
        return np.where(np.isnan(x), 0.0, logs)

    def left_out(self, statistics: Totals, block: Array, y: Codes, weight: Array | None, frame: Frame) -> Array:
        logs, (events, rows) = np.empty(block.shape), self.prior.rate()
        sums = statistics.total.astype(np.float64), statistics.seen.astype(np.float64)
        check(_native.left_out_poisson(block, y, weight, *sums, float(events), float(rows), logs), block, NEEDS)
        return logs

    def sample(self, parameters: Rates, y: Codes, rng: "np.random.Generator") -> Array:
        return rng.poisson(parameters.rate[y]).astype(np.float64)

    def describe(self, parameters: Rates, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "rate", parameters.rate[:, j])

    def free(self, statistics: Statistics, frame: Frame) -> int:
        return statistics.classes * len(frame.columns)

    def linear(self, parameters: Rates, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        return Line(parameters.log_rate, parameters.minus.sum(axis=1), columns)

    def posterior(self, statistics: Totals, frame: Frame, column: int) -> Gamma:
        return self.prior.gamma().posterior(statistics.total[:, column], seen(statistics, column))


def totals(block: Any, y: Codes, classes: int, weight: Array | None, kind: int, needs: str) -> Totals:
    """Sum and number of the values by class, dense or sparse: what Poisson, Bernoulli and Multinomial count."""
    whole = weight is None and block.dtype.kind in "iub"
    total = np.zeros((classes, block.shape[1]))
    if isinstance(block, np.ndarray):
        seen = np.zeros_like(total)
        check(_native.totals(block, y, weight, kind, total, seen), block, needs)
    else:
        seen = np.bincount(y, weight, classes).astype(np.float64)[:, None]
        check(_native.csr_totals(*csr(block), y, weight, kind, total), block, needs)
    return Totals(exact(total, whole), exact(seen, weight is None))


def seen(statistics: Totals, column: int) -> Array:
    """How many values of a column were seen, per class."""
    return np.asarray(np.broadcast_to(statistics.seen, statistics.total.shape)[:, column])


def _ratio(above: Array, below: Array) -> Array:
    """0 where nothing was seen and nothing imagined."""
    return np.asarray(np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=below > 0))
