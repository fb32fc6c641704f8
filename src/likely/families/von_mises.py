"""A periodic number: an hour of the day, a weekday, a month, an angle."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.table import Kind, Table
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check, must_exist, ratio, without
from likely.families.concentration import LARGEST, MeanDirection, concentration, log_evidence, log_i0
from likely.families.family import Family, Line, Observations, Parameter
from likely.families.formula import Cell, Polynomial, line
from likely.priors import Laplace, Prior
from likely.statistics import Frame, Resultants, Statistics
from likely.statistics.sums import exact

NEEDS = "VonMises needs finite numbers, up to 1e150"


@dataclass(frozen=True, eq=False)
class Directions:
    """The concentration k times the cosine and the sine of the mean direction: classes x columns each."""

    cos: Array
    sin: Array
    period: float
    column_weights: Array | None = None

    @classmethod
    def of(cls, cos: Array, sin: Array, rows: Array, period: float) -> "Directions":
        """From the sums of cosines and sines, and the number of rows in them."""
        length = np.hypot(cos, sin)
        each = ratio(concentration(ratio(length, rows)), length)
        return cls(each * cos, each * sin, period)

    @cached_property
    def mean(self) -> Array:
        return np.arctan2(self.sin, self.cos)

    @cached_property
    def concentration(self) -> Array:
        return np.hypot(self.cos, self.sin)

    @cached_property
    def slope(self) -> Array:
        """The factors of the cosines of all columns, then of their sines: classes x twice the columns."""
        return self._weighted(self.cos, self.sin)

    @cached_property
    def constant(self) -> Array:
        """The constants of all columns, then zeros: classes x twice the columns."""
        return self._weighted(-log_i0(self.concentration) - np.log(self.period), np.zeros_like(self.cos))

    def log_density(self, steps: Array) -> Array:
        """The log density of each cell, 0 if it is missing. `steps` has the cosines of all columns, then their
        sines."""
        return np.nan_to_num(np.add(*np.split(self.constant + self.slope * steps, 2, axis=-1)))

    def _weighted(self, *both: Array) -> Array:
        table = np.hstack(both)
        return table if self.column_weights is None else table * np.tile(self.column_weights, 2)


@dataclass(frozen=True, repr=False)
class VonMises(Family):
    """log p(x | y) = k cos(2 pi (x - m) / period) - log(period I0(k)), with I0 the modified Bessel function.

    x and x + `period` mean the same: VonMises(period=24) for hours, 7 for weekdays, 12 for months, 360 for degrees; the
    default is 2 pi, for radians. It makes no difference where the period starts. "auto" tries this family on columns
    with a period that the table knows, such as a time of day.

    Each value is a unit vector. The vectors of the n rows of a class add up to one of length R and direction m;
    k solves I1(k) / I0(k) = R / n. The prior adds rows spread evenly round the circle, by default one, so that k is
    finite: then it is R / (n + 1).

    Parameters
    ----------
    prior : Prior, default `Laplace()`
        The prior of the concentration: pseudo-counts spread evenly round the circle.
    period : float, default 2 pi
        The period: 24 for hours, 7 for weekdays, 360 for degrees.

    See Also
    --------
    Gaussian : numbers that are not periodic.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import VonMises
    >>> nb = NaiveBayes(VonMises(period=24)).fit([[23], [1], [11], [13]], ["night", "night", "day", "day"])
    >>> nb.predict([[0], [12]]).tolist()
    ['night', 'day']
    """

    prior: Prior = Laplace()
    period: float = 2 * np.pi
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Resultants,)

    def __post_init__(self) -> None:
        if not 0 < self.period < np.inf:
            raise ValueError(f"the period must be above 0, not {self.period}")

    @classmethod
    def offered(cls, prior: Prior | None, kind: Kind, table: Table, columns: Sequence[int]) -> list[Self]:
        periods = dict.fromkeys(table.periods[j] for j in columns if j in table.periods)
        return [replace(cls.smoothed_by(prior), period=period) for period in periods]

    def suits(self, table: Table, columns: Sequence[int]) -> NDArray[np.bool]:
        return np.array([table.periods.get(j) == self.period for j in columns], np.bool)

    def count(self, seen: Observations, frame: Frame) -> Resultants:
        steps = self._steps(seen.cells)
        total, n = np.zeros((2, seen.classes, steps.shape[1]))
        _native.totals(steps, seen.y, seen.weight, _native.FINITE, total, n)
        cos, sin = np.hsplit(total, 2)
        return Resultants(exact(n[:, : cos.shape[1]], seen.weight is None), cos, sin)

    def estimate(self, block: Block) -> Directions:
        directions = self._found(block)
        must_exist((self._rows > 0) | (directions.concentration < LARGEST), "VonMises has no spread")
        return directions

    def _found(self, block: Block) -> Directions:
        sums = block.statistics
        return Directions.of(sums.cos, sums.sin, sums.n + self._rows, self.period)

    def score(self, parameters: Directions, cells: Array, out: Array) -> None:
        line = parameters.constant, parameters.constant, parameters.slope
        _native.score_linear(self._steps(cells), _native.FINITE, *line, None, out)

    def contributions(self, parameters: Directions, cells: Array) -> Array:
        return parameters.log_density(self._steps(cells)[:, None, :])

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        column = plan.columns[at]
        return Cell(column, "cos", self.period, needs=NEEDS), Cell(column, "sin", self.period, needs=NEEDS)

    def formula(self, block: Block) -> list[Polynomial]:
        columns = len(block.columns)
        lines = zip(block.parameters.constant.T, block.parameters.slope.T, strict=True)
        return [
            line(self.cells(block, f % columns)[f // columns], constant, slope)
            for f, (constant, slope) in enumerate(lines)
        ]

    def loo(self, block: Block, seen: Observations) -> Array:
        steps, w, sums = self._steps(seen.cells), seen.weights[:, None], block.statistics
        n, left = without(sums.n[seen.y], w), np.hstack([sums.cos, sums.sin])[seen.y] - w * steps
        cos, sin = np.where(n > 0, np.hsplit(left, 2), 0.0)
        return Directions.of(cos, sin, n + self._rows, self.period).log_density(steps)

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        """Leave-one-out scores, also where `estimate` would raise: a class may have a spread again without a row."""
        before = out[np.arange(len(seen.y)), seen.y]
        self.score(replace(self._found(block), column_weights=block.column_weights), seen.cells, out)
        _native.put_own_scores(self.loo(block, seen), block.column_weights, seen.y, before, out)

    def sample(self, parameters: Directions, y: Codes, rng: "np.random.Generator") -> Array:
        return self._value(rng.vonmises(parameters.mean[y], parameters.concentration[y]))

    def whole(self, values: Array) -> Array:
        return np.rint(values) % self.period

    def describe(self, parameters: Directions, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "mean direction", self._value(parameters.mean[:, j]))
            yield Parameter(j, "concentration", parameters.concentration[:, j])

    def parameter_count(self, block: Block) -> int:
        return 2 * int(block.statistics.n.size)

    def parameter_posterior(self, block: Block, column: int) -> MeanDirection:
        sums = block.statistics.of_cells(np.arange(len(block.frame.columns)) == column)
        mean, length, rows = self._value(np.arctan2(sums.sin, sums.cos)), sums.length, sums.n + self._rows
        return MeanDirection(mean[:, 0], length[:, 0], rows[:, 0])

    def log_evidence(self, block: Block) -> Array:
        sums, rows = block.statistics, np.array([[self._rows or 1.0]])
        prior = log_evidence(np.zeros((1, 1)), rows)
        return np.asarray(log_evidence(sums.length, sums.n + rows) - prior - sums.n * np.log(self.period))

    def log_bayes_factor(self, block: Block) -> Array:
        sums, of_all = block.statistics, block.statistics.pooled()
        length = ratio(of_all.length, of_all.n)
        k = concentration(length)

        def apart(alike: float) -> Array:
            both = sums + of_all * ratio(alike, of_all.n)
            return log_evidence(both.length, both.n) - log_evidence(alike * length, np.full(length.shape, alike))

        together = of_all.n * (k * length - log_i0(k))
        factor = evidence.averaged(lambda alike: apart(alike).sum(axis=0) - together[0])
        return np.where(k[0] < LARGEST, factor, 0.0)

    def features(self, block: Block, cells: Array) -> Array:
        return self._steps(cells)

    def feature_names(self, block: Block) -> Sequence[tuple[int, int | str | None]]:
        return [(j, name) for name in ("cos", "sin") for j in range(len(block.frame.columns))]

    def feature_scale(self, block: Block) -> tuple[Array, Array]:
        """Cosine and sine both get the mean of their variances, so that all directions weigh the same."""
        of_all = block.statistics.pooled()
        mean = ratio(np.vstack([of_all.cos, of_all.sin]), of_all.n)
        return mean.ravel(), np.tile(np.maximum(1 - (mean**2).sum(axis=0), 0.0) / 2, 2)

    def natural(self, parameters: Directions, frame: Frame) -> Line:
        return Line(parameters.slope, parameters.constant.sum(axis=1), self.feature_names(Block(self, (), frame)))

    @property
    def _rows(self) -> float:
        """The pseudo-count of the prior."""
        return float(self.prior.proportions(1)[0])

    def _steps(self, cells: Array) -> Array:
        """The cosines of all columns, then their sines."""
        x = np.asarray(cells, np.float64)
        if (bad := np.abs(x) > 1e150).any():
            check(int(np.argmax(bad)), np.asarray(cells), NEEDS)
        angle = np.fmod(x, self.period) * (2 * np.pi / self.period)
        return np.hstack([np.cos(angle), np.sin(angle)])

    def _value(self, angle: Array) -> Array:
        return angle * (self.period / (2 * np.pi)) % self.period
