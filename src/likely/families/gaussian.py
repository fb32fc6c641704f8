"""A number that spreads normally about a mean of its class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi
from typing import ClassVar

import numpy as np

from likely import _native
from likely.families.family import Array, Codes, Degenerate, Line, Parameter, check
from likely.families.weighable import Weighable
from likely.priors import NormalInverseGamma, Prior
from likely.statistics import Frame, Moments, Statistics
from likely.statistics.moments import Pooled
from likely.statistics.sums import exact

NEEDS = "Gaussian needs finite numbers, up to 1e150"


@dataclass(frozen=True, eq=False)
class Normals:
    """Mean and variance per class and column. A column without any variance is constant and tells nothing."""

    mean: Array
    variance: Array
    weights: Array | None = None

    @classmethod
    def of(cls, mean: Array, variance: Array) -> "Normals":
        """A spread below the rounding of the mean is none."""
        return cls(mean, np.where(variance <= (8 * np.finfo(np.float64).eps * mean) ** 2, 0.0, variance))

    @cached_property
    def rate(self) -> Array:
        rate = np.divide(1.0, np.sqrt(2 * self.variance), out=np.zeros_like(self.variance), where=self.variance > 0)
        return rate if self.weights is None else rate * np.sqrt(self.weights)

    @cached_property
    def constant(self) -> Array:
        peak = -0.5 * np.log(2 * pi * self.variance, out=np.zeros_like(self.variance), where=self.variance > 0)
        return peak if self.weights is None else peak * self.weights

    def log_density(self, x: Array) -> Array:
        """Cell by cell; 0 where x is missing."""
        z = (x - self.mean) * self.rate
        return np.where(np.isnan(x), 0.0, self.constant - z * z)


@dataclass(frozen=True, repr=False)
class Gaussian(Weighable):
    """log p(x | y) = -1/2 log(2 pi v) - (x - m)^2 / 2v.

    Maximum likelihood is m = mean, v = M2 / n. The default prior adds one row of the variance within the classes, so a
    class with one row, or one value, has a variance too: (M2 + v0) / (n + 1).
    """

    prior: Prior = NormalInverseGamma()
    squares: ClassVar[bool] = True

    def count(self, block: Array, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Moments:
        n, mean, m2 = np.zeros((3, classes, block.shape[1]))
        check(_native.moments(block, y, weight, n, mean, m2), block, NEEDS)
        return Moments(exact(n, weight is None), mean, m2)

    def estimate(self, statistics: Moments, frame: Frame) -> Normals:
        prior = self._prior(statistics.pooled())
        parameters = Normals.of(*prior.posterior(statistics.n, statistics.mean, statistics.m2).point)
        flat = (statistics.n > 0) & (parameters.variance == 0)
        if flat.any() and np.max(self.prior.normal().variance_rows) == 0:
            of_class, column = map(int, np.argwhere(flat)[0])
            raise Degenerate("Gaussian has no variance", of_class, column, "give it a prior, or leave the column out")
        return parameters

    def score(self, parameters: Normals, block: Array, out: Array) -> None:
        position = _native.score_gaussian(block, parameters.mean, parameters.rate, parameters.constant, out)
        check(position, block, NEEDS)

    def score_by(self, parameters: Sequence[Normals], which: Codes, block: Array, out: Array) -> None:
        """Where the rows lie: to sort them first takes as long as to score them."""
        mean, rate, constant = np.array([(p.mean, p.rate, p.constant) for p in parameters]).swapaxes(0, 1).copy()
        check(_native.score_gaussian_by(block, which, mean, rate, constant, out), block, NEEDS)

    def contributions(self, parameters: Normals, block: Array) -> Array:
        return parameters.log_density(np.asarray(block, np.float64)[:, None, :])

    def left_out(self, statistics: Moments, block: Array, y: Codes, weight: Array | None, frame: Frame) -> Array:
        logs = np.zeros(block.shape)
        check(_native.left_out_gaussian(block, y, weight, *self._left_out(statistics), logs), block, NEEDS)
        return logs

    def score_left_out(
        self,
        statistics: Moments,
        block: Array,
        y: Codes,
        weight: Array | None,
        frame: Frame,
        out: Array,
        weights: Array | None = None,
    ) -> None:
        """The prior is drawn from all classes, so a row left out moves every class's parameters a little."""
        sums = self._left_out(statistics)
        check(_native.score_left_out_gaussian(block, y, weight, *sums, weights, out), block, NEEDS)

    def contributions_left_out(
        self, statistics: Moments, block: Array, y: Codes, weight: Array | None, frame: Frame
    ) -> Array:
        parts = np.zeros((block.shape[0], statistics.classes, block.shape[1]))
        check(_native.left_out_gaussian_cells(block, y, weight, *self._left_out(statistics), parts), block, NEEDS)
        return parts

    def sample(self, parameters: Normals, y: Codes, rng: "np.random.Generator") -> Array:
        return rng.normal(parameters.mean[y], np.sqrt(parameters.variance[y]))

    def describe(self, parameters: Normals, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "mean", parameters.mean[:, j])
            yield Parameter(j, "standard deviation", np.sqrt(parameters.variance[:, j]))

    def free(self, statistics: Statistics, frame: Frame) -> int:
        return statistics.classes * 2 * len(frame.columns)

    def posterior(self, statistics: Moments, frame: Frame, column: int) -> NormalInverseGamma:
        prior = self._prior(Pooled(*(sums[column] for sums in statistics.pooled())))
        return prior.posterior(*(sums[:, column] for sums in (statistics.n, statistics.mean, statistics.m2)))

    def natural(self, parameters: Normals, frame: Frame) -> Line:
        columns = range(len(frame.columns))
        precision = 2 * parameters.rate**2
        weights = np.hstack([parameters.mean * precision, -precision / 2])
        bias = (parameters.constant - parameters.mean**2 * precision / 2).sum(axis=1)
        return Line(weights, bias, [*((j, None) for j in columns), *((j, "squared") for j in columns)])

    def _left_out(self, statistics: Moments) -> tuple[Array, Array, Array, tuple[float, float, float, float, bool]]:
        """What the kernels that leave rows out work from: the moments, and the prior in numbers."""
        prior = self.prior.normal()
        mean, variance = (np.nan if number is None else number for number in (prior.mean, prior.variance))
        numbers = float(mean), prior.mean_rows, float(variance), prior.variance_rows, prior.estimate == "mode"
        return statistics.n.astype(np.float64), statistics.mean, statistics.m2, numbers

    def _prior(self, pooled: Pooled) -> NormalInverseGamma:
        prior = self.prior.normal()
        n = np.maximum(pooled.n, 1e-300)
        variance = np.where(pooled.within > 0, pooled.within, pooled.total) / n
        return replace(
            prior,
            mean=pooled.mean if prior.mean is None else prior.mean,
            variance=variance if prior.variance is None else prior.variance,
        )
