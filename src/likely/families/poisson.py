"""Counts of events, with a rate for each class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.table import Kind, Table
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check, ratio, terms
from likely.families.family import Domain, Family, Line, Observations, Parameter, Picture
from likely.families.formula import Cell, Polynomial, line
from likely.families.totals import number_of, totals
from likely.priors import Gamma, Prior
from likely.statistics import Frame, Statistics, Totals

MOST = 2.0**53
"""Above this, float64 does not hold every whole number."""
NEEDS = "Poisson needs whole numbers of 0 or more"


@dataclass(frozen=True, eq=False)
class Rates:
    """The rate: classes x columns."""

    rate: Array
    column_weights: Array | None = None

    @cached_property
    def weights(self) -> Array:
        """The weight of each column."""
        return np.ones(self.rate.shape[1]) if self.column_weights is None else self.column_weights

    @cached_property
    def log_rate(self) -> Array:
        """The log rate times the column weight."""
        with np.errstate(divide="ignore"):
            return terms(self.weights, np.log(self.rate))

    @cached_property
    def minus(self) -> Array:
        """Minus the rate times the column weight."""
        return -self.rate * self.weights


@dataclass(frozen=True, repr=False)
class Poisson(Family):
    """log p(x | y) = x log r - r - log x!. Maximum likelihood is r = sum / n; with Gamma(a, b), (sum + a) / (n + b).

    Parameters
    ----------
    prior : Prior, default `Gamma(0.5, 0.5)`
        The prior of the rate.

    See Also
    --------
    Multinomial : counts that share a total.
    Exponential : waiting times.
    likely.priors.Gamma : the prior of its rate.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Poisson
    >>> nb = NaiveBayes(Poisson()).fit([[2], [3], [9], [11]], ["few", "few", "many", "many"])
    >>> nb.predict([[1], [8]]).tolist()
    ['few', 'many']
    """

    prior: Prior = Gamma(0.5, 0.5)
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Totals,)
    auto: ClassVar[tuple[Kind, ...]] = ("int",)
    numeric: ClassVar[bool] = True
    domain: ClassVar[Domain] = "whole"
    lowest: ClassVar[float] = 0.0
    picture: ClassVar[Picture] = "mass"

    def suits(self, table: Table, columns: Sequence[int]) -> NDArray[np.bool]:
        return super().suits(table, columns) & (table.highest(columns) < MOST)

    def count(self, seen: Observations, frame: Frame) -> Totals:
        return totals(seen, seen.cells, _native.COUNT, NEEDS)

    def estimate(self, block: Block) -> Rates:
        events, rows = self.prior.rate()
        return Rates(ratio(block.statistics.total + events, block.statistics.seen + rows))

    def score(self, parameters: Rates, cells: Array, out: Array) -> None:
        line = parameters.minus, parameters.minus, parameters.log_rate, parameters.weights
        check(_native.score_linear(cells, _native.COUNT, *line, out), cells, NEEDS)

    def contributions(self, parameters: Rates, cells: Array) -> Array:
        from scipy.special import gammaln  # 0.3 s to load, and only explanations need it

        x = np.asarray(cells, np.float64)[:, None, :]
        logs = terms(x, parameters.log_rate) + parameters.minus - parameters.weights * gammaln(x + 1)
        return np.where(np.isnan(x), 0.0, logs)

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        return (Cell(plan.columns[at], low=0.0, high=MOST, whole=True, needs=NEEDS),)

    def formula(self, block: Block) -> list[Polynomial]:
        lines = zip(block.parameters.minus.T, block.parameters.log_rate.T, strict=True)
        return [line(self.cells(block, j)[0], minus, log_rate) for j, (minus, log_rate) in enumerate(lines)]

    def loo(self, block: Block, seen: Observations) -> Array:
        logs, (events, rows) = np.empty(seen.cells.shape), self.prior.rate()
        sums = block.statistics.total.astype(np.float64), block.statistics.seen.astype(np.float64)
        arguments = seen.cells, seen.y, seen.weight, *sums, float(events), float(rows), logs
        check(_native.left_out_poisson(*arguments), seen.cells, NEEDS)
        return logs

    def sample(self, parameters: Rates, y: Codes, rng: "np.random.Generator") -> Array:
        return rng.poisson(parameters.rate[y]).astype(np.float64)

    def describe(self, parameters: Rates, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "rate", parameters.rate[:, j])

    def parameter_count(self, block: Block) -> int:
        return int(block.statistics.total.size)

    def linear(self, parameters: Rates, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        return Line(parameters.log_rate, parameters.minus.sum(axis=1), columns)

    def parameter_posterior(self, block: Block, column: int) -> Gamma:
        return self.prior.gamma().posterior(block.statistics.total[:, column], number_of(block.statistics, column))

    def log_evidence(self, block: Block) -> Array:
        gamma = self.prior.gamma()
        a, b = (gamma.a, gamma.b) if gamma.a > 0 and gamma.b > 0 else (0.5, 0.5)
        return evidence.of_counts(block.statistics.total, block.statistics.seen, a, b)

    def log_base(self, seen: Observations) -> float:
        """log x! of every cell."""
        from scipy.special import gammaln

        x = np.nan_to_num(np.asarray(seen.cells, np.float64))
        return -float((seen.weights[:, None] * gammaln(x + 1)).sum())

    def log_bayes_factor(self, block: Block) -> Array:
        return evidence.factor_of_counts(block.statistics.total, block.statistics.seen)

    def feature_scale(self, block: Block) -> tuple[Array, Array]:
        """The mean and the variance if all classes had one rate."""
        rate = ratio(block.statistics.total.sum(axis=0), block.statistics.seen.sum(axis=0))
        return rate, rate
