"""Numbers that are normally distributed in each class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi
from typing import Any, ClassVar

import numpy as np

from likely import _native
from likely.data.table import Kind
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check, must_exist, ratio
from likely.families.family import Family, Line, Observations, Parameter
from likely.families.formula import Cell, Polynomial
from likely.priors import NormalInverseGamma, Prior
from likely.statistics import Frame, Moments, Statistics
from likely.statistics.sums import exact

NEEDS = "Gaussian needs finite numbers, up to 1e150"


@dataclass(frozen=True, eq=False)
class Normals:
    """Mean and variance: classes x columns. A column with variance 0 is constant and adds nothing to scores."""

    mean: Array
    variance: Array
    column_weights: Array | None = None

    @classmethod
    def of(cls, mean: Array, variance: Array) -> "Normals":
        """A standard deviation below the rounding error of the mean counts as 0."""
        return cls(mean, np.where(variance <= (8 * np.finfo(np.float64).eps * mean) ** 2, 0.0, variance))

    @cached_property
    def rate(self) -> Array:
        """1 / (sqrt(2) standard deviation), times the root of the column weight; 0 for constant columns."""
        rate = ratio(1.0, np.sqrt(2 * self.variance))
        return rate if self.column_weights is None else rate * np.sqrt(self.column_weights)

    @cached_property
    def constant(self) -> Array:
        """The log density at the mean, times the column weight; 0 for constant columns."""
        peak = -0.5 * np.log(2 * pi * self.variance, out=np.zeros_like(self.variance), where=self.variance > 0)
        return peak if self.column_weights is None else peak * self.column_weights

    def add(self, cells: Array, out: Array, needs: str) -> None:
        """Adds log p(x | y) of each row and class."""
        check(_native.score_gaussian(cells, self.mean, self.rate, self.constant, out), cells, needs)

    def squared_distances(self, cells: Array, needs: str) -> Array:
        """The squared distance of each row from each class mean in standard deviations, without missing cells."""
        out, nothing = np.zeros((len(cells), len(self.mean))), np.zeros_like(self.mean)
        check(_native.score_gaussian(cells, self.mean, self.rate, nothing, out), cells, needs)
        return -2 * out

    def log_density(self, x: Array) -> Array:
        """The log density of each cell; 0 where x is missing."""
        z = (x - self.mean) * self.rate
        return np.where(np.isnan(x), 0.0, self.constant - z * z)

    def sampled(self, y: Codes, rng: "np.random.Generator") -> Array:
        return rng.normal(self.mean[y], np.sqrt(self.variance[y]))

    def line(self) -> tuple[Array, Array]:
        """The weights of a linear score and the log density at the means, if all classes have the same variance."""
        return 2 * self.rate**2 * self.mean, self.constant.sum(axis=1)


@dataclass(frozen=True, repr=False)
class Gaussian(Family):
    """log p(x | y) = -1/2 log(2 pi v) - (x - m)^2 / 2v.

    Maximum likelihood is m = mean, v = M2 / n, with M2 the sum of squared deviations. The default prior adds one row
    with the variance within the classes v0, so that a class with one row, or one value, has a variance too:
    (M2 + v0) / (n + 1).

    Parameters
    ----------
    prior : Prior, default `NormalInverseGamma()`
        The prior of the mean and the variance.

    See Also
    --------
    LogNormal : positive and skewed numbers.
    Histogram : numbers of any shape.
    MultivariateGaussian : numbers that vary together.
    likely.priors.NormalInverseGamma : the prior of mean and variance.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Gaussian
    >>> nb = NaiveBayes(Gaussian()).fit([[1.0], [1.2], [3.0], [3.4]], ["a", "a", "b", "b"])
    >>> nb.predict([[1.1], [3.1]]).tolist()
    ['a', 'b']
    """

    prior: Prior = NormalInverseGamma()
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Moments,)
    auto: ClassVar[tuple[Kind, ...]] = ("float", "int", "sparse")
    numeric: ClassVar[bool] = True
    squares: ClassVar[bool] = True

    def count(self, seen: Observations, frame: Frame) -> Moments:
        return moments(seen, seen.cells, NEEDS)

    def estimate(self, block: Block) -> Normals:
        sums = block.statistics
        parameters = Normals.of(*self._prior(sums).posterior(sums.n, sums.mean, sums.m2).point)
        if np.max(self.prior.normal().variance_rows) == 0:
            must_exist((sums.n == 0) | (parameters.variance > 0), f"{type(self).__name__} has no variance")
        return parameters

    def score(self, parameters: Normals, cells: Array, out: Array) -> None:
        parameters.add(cells, out, NEEDS)

    def score_by(self, parameters: Sequence[Normals], which: Codes, cells: Array, out: Array) -> None:
        """Scores rows in place: sorting them first would take as long as scoring them."""
        mean, rate, constant = np.array([(p.mean, p.rate, p.constant) for p in parameters]).swapaxes(0, 1).copy()
        check(_native.score_gaussian_by(cells, which, mean, rate, constant, out), cells, NEEDS)

    def contributions(self, parameters: Normals, cells: Array) -> Array:
        return parameters.log_density(np.asarray(cells, np.float64)[:, None, :])

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        return (Cell(plan.columns[at], needs=NEEDS),)

    def formula(self, block: Block) -> list[Polynomial]:
        normals, none = block.parameters, np.zeros(block.statistics.classes)
        of_columns = zip(normals.mean.T, normals.constant.T, -(normals.rate.T**2), strict=True)
        return [
            Polynomial(self.cells(block, j)[0], mean, constant, none, square)
            for j, (mean, constant, square) in enumerate(of_columns)
        ]

    def loo(self, block: Block, seen: Observations) -> Array:
        logs = np.zeros(seen.cells.shape)
        arguments = *self._loo(block, seen), logs
        check(_native.left_out_gaussian(*arguments), seen.cells, NEEDS)
        return logs

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        """The prior is estimated from all classes, so leaving a row out changes every class's parameters a little."""
        arguments = *self._loo(block, seen), block.column_weights, out
        check(_native.score_left_out_gaussian(*arguments), seen.cells, NEEDS)

    def loo_contributions(self, block: Block, seen: Observations) -> Array:
        rows, columns = seen.cells.shape
        parts = np.zeros((rows, block.statistics.classes, columns))
        arguments = *self._loo(block, seen), parts
        check(_native.left_out_gaussian_cells(*arguments), seen.cells, NEEDS)
        return parts

    def sample(self, parameters: Normals, y: Codes, rng: "np.random.Generator") -> Array:
        return parameters.sampled(y, rng)

    def describe(self, parameters: Normals, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "mean", parameters.mean[:, j])
            yield Parameter(j, "standard deviation", np.sqrt(parameters.variance[:, j]))

    def parameter_count(self, block: Block) -> int:
        return 2 * int(block.statistics.mean.size)

    def parameter_posterior(self, block: Block, column: int) -> NormalInverseGamma:
        sums = block.statistics.of_cells(np.arange(len(block.frame.columns)) == column)
        return self._prior(sums).posterior(sums.n[:, 0], sums.mean[:, 0], sums.m2[:, 0])

    def log_evidence(self, block: Block) -> Array:
        return evidence.of_numbers(block.statistics, self.prior)

    def log_bayes_factor(self, block: Block) -> Array:
        return evidence.factor_of_numbers(block.statistics)

    def feature_scale(self, block: Block) -> tuple[Array, Array]:
        pooled = block.statistics.pooled()
        return pooled.mean, ratio(pooled.total, pooled.n)

    def natural(self, parameters: Normals, frame: Frame) -> Line:
        columns = range(len(frame.columns))
        precision = 2 * parameters.rate**2
        weights = np.hstack([parameters.mean * precision, -precision / 2])
        bias = (parameters.constant - parameters.mean**2 * precision / 2).sum(axis=1)
        return Line(weights, bias, [*((j, None) for j in columns), *((j, "squared") for j in columns)])

    def _loo(self, block: Block, seen: Observations) -> tuple[Any, ...]:
        """The arguments of the leave-one-out kernels: the rows, the moments, and the prior in numbers."""
        sums, prior = block.statistics, self.prior.normal()
        mean, variance = (np.nan if number is None else float(number) for number in (prior.mean, prior.variance))
        numbers = mean, prior.mean_rows, variance, prior.variance_rows, prior.estimate == "mode"
        return seen.cells, seen.y, seen.weight, sums.n.astype(np.float64), sums.mean, sums.m2, numbers

    def _prior(self, sums: Moments) -> NormalInverseGamma:
        """The prior; a mean that you did not specify is that of all classes, a variance that within the classes."""
        prior, pooled = self.prior.normal(), sums.pooled()
        variance = np.where(pooled.within > 0, pooled.within, pooled.total) / np.maximum(pooled.n, 1e-300)
        return replace(
            prior,
            mean=pooled.mean if prior.mean is None else prior.mean,
            variance=variance if prior.variance is None else prior.variance,
        )


def moments(seen: Observations, cells: Array, needs: str) -> Moments:
    """The moments of `cells` by class; an error names the cells of `seen`, which they were computed from."""
    n, mean, m2 = np.zeros((3, seen.classes, cells.shape[1]))
    check(_native.moments(cells, seen.y, seen.weight, n, mean, m2), seen.cells, needs)
    return Moments(exact(n, seen.weight is None), mean, m2)
