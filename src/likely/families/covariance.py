"""The mean and covariance of each class, from sums, a prior and two amounts of shrinkage.

Squares are sums of products of deviations: matrices, or only their diagonals if columns are independent. The functions
take both, with any leading axes: classes, or rows in leave-one-out.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array, ratio
from likely.families.gaussians import cholesky, correlations, diagonal, set_diagonal
from likely.priors import Estimate, InverseWishart, Normal
from likely.statistics import Moments, Scatter

EPSILON = np.finfo(np.float64).eps

NEEDS = "MultivariateGaussian needs finite numbers, up to 1e150"


class Shrinkage(NamedTuple):
    """The regularised discriminant analysis of Friedman (1989). With (0, 0) each class has its own covariance, with
    (1, 0) all classes share one, with (0, 1) columns are independent; other values mix the three.

    Friedman's second amount shrinks towards a multiple of the identity, so that predictions depend on the units of the
    columns. This one shrinks towards the diagonal.
    """

    tied: float
    diagonal: float


class Sums(NamedTuple):
    """The sums of one class, or of each class."""

    n: Array
    mean: Array
    squares: Array

    @classmethod
    def of(cls, statistics: Scatter | Moments) -> Self:
        squares = statistics.products if isinstance(statistics, Scatter) else statistics.m2
        return cls(statistics.n.astype(np.float64), statistics.mean, squares)

    def of_columns(self, columns: NDArray[np.bool]) -> "Sums":
        """The sums of some columns."""
        n, squares = self.n, self.squares[:, columns]
        if squares.ndim == 3:
            squares = squares[:, :, columns]
        else:
            n = n[:, columns]
        return Sums(n, np.ascontiguousarray(self.mean[:, columns]), np.ascontiguousarray(squares))


class Pool(NamedTuple):
    """The sums of all classes together."""

    n: Array
    mean: Array
    within: Array
    """The squares about the mean of each row's class."""
    total: Array
    """The diagonal of the squares about the mean of all rows."""

    @classmethod
    def of(cls, sums: Sums) -> Self:
        n = sums.n.sum(axis=0)
        mean = ratio((sums.n * sums.mean).sum(axis=0), n)
        within = sums.squares.sum(axis=0)
        return cls(n, mean, within, diagonal(within, mean) + (sums.n * (sums.mean - mean) ** 2).sum(axis=0))

    @property
    def rounding(self) -> Array:
        """Squares below this are rounding error of the mean, and count as 0."""
        return np.asarray(self.n * (8 * EPSILON * self.mean) ** 2)

    @property
    def constant(self) -> NDArray[np.bool]:
        """The columns that do not vary at all."""
        return np.asarray(self.total <= self.rounding)

    @property
    def flat(self) -> NDArray[np.bool]:
        """The columns that do not vary within any class."""
        return np.asarray(diagonal(self.within, self.mean) <= self.rounding)


class Rules(NamedTuple):
    """How means and covariances are estimated."""

    amounts: Shrinkage
    pseudo_squares: Array | float
    """The squares that the prior adds."""
    pseudo_rows: float
    """The rows that the prior adds."""
    more_rows: float
    """Added to the divisor of the squares: the mode of the posterior has a larger one than its mean."""
    borrow: bool
    """Whether a column that does not vary within the classes may use the variance between them."""
    spherical: bool
    mean: Normal | None


def blended(of_class: Sums, pool: Pool, rules: Rules) -> tuple[Array, Array]:
    """The rows and squares that a class is estimated from: its own mixed with the pooled ones, plus the prior's."""
    own, tied = 1 - rules.amounts.tied, rules.amounts.tied
    rows = own * of_class.n + tied * pool.n + rules.pseudo_rows
    return rows, own * of_class.squares + tied * pool.within + rules.pseudo_squares


def estimate(of_class: Sums, pool: Pool, rules: Rules) -> tuple[Array, Array]:
    """Means and covariances. A constant column has variance 0; a variance that does not exist is NaN."""
    n, mean, squares = of_class
    matrix = squares.ndim > mean.ndim
    rows, squares = blended(of_class, pool, rules)
    alone = rows <= 0  # a class without rows is estimated from all classes
    rows = np.where(alone, pool.n, rows)
    squares = np.where(alone[..., None] if matrix else alone, pool.within, squares)
    flat = pool.flat
    between = ratio(np.where(pool.constant, 0.0, pool.total), pool.n) / (rows + 1)
    if rules.spherical:  # all columns share one variance
        flat = np.asarray(flat.all(axis=-1, keepdims=True))
        between = between.mean(axis=-1, keepdims=True)
        rows, squares = np.broadcast_arrays(rows, squares)
        rows, squares = (np.repeat(a.mean(axis=-1, keepdims=True), a.shape[-1], axis=-1) for a in (rows, squares))
    below = rows + rules.more_rows
    covariance = ratio(squares, below[..., None] if matrix else below)
    variance = diagonal(covariance, mean)
    if rules.borrow:
        variance = np.where(flat, between, variance)
    variance = np.where((variance > 0) | (pool.n == 0) | (flat & rules.borrow), variance, np.nan)
    if matrix:
        covariance *= 1 - rules.amounts.diagonal
        if rules.borrow:
            covariance = np.where(flat[..., :, None] | flat[..., None, :], 0.0, covariance)
        set_diagonal(covariance, variance)
    else:
        covariance = variance
    mean = np.where(n > 0, mean, pool.mean)
    if rules.mean is not None:
        mean = rules.mean.posterior(n, mean, existing(covariance, mean)).mean
    return mean, covariance


def existing(covariance: Array, mean: Array) -> Array:
    """Covariances as positive definite matrices; where one does not exist or a column is constant, the identity."""
    variance = diagonal(covariance, mean)
    if covariance.ndim == mean.ndim:
        return np.where(variance > 0, variance, 1.0)[..., None, :] * np.eye(mean.shape[-1])
    varying = variance > 0
    deviation = np.sqrt(np.where(varying, variance, 1.0))
    factor, _ = cholesky(correlations(covariance, deviation, varying))
    scaled = factor * deviation[..., :, None]
    return np.asarray(scaled @ np.swapaxes(scaled, -1, -2))


class Posteriors(NamedTuple):
    """The posteriors of the parameters of each class."""

    mean: Normal
    covariance: InverseWishart


def posteriors(sums: Sums, rules: Rules, of_mode: Estimate) -> Posteriors:
    """The posteriors of each class; `of_mode` is the estimate of the covariance's posterior."""
    pool = Pool.of(sums)
    mean, covariance = estimate(sums, pool, rules._replace(mean=None, more_rows=0.0))
    rows = np.broadcast_to(blended(sums, pool, rules)[0], mean.shape).mean(axis=1)
    matrices = existing(covariance, mean)
    if rules.mean is not None:
        means = rules.mean.posterior(sums.n, mean, matrices)
    else:
        n = np.broadcast_to(sums.n, mean.shape)
        root = np.sqrt(n[:, :, None] * n[:, None, :])
        nothing = np.where(np.eye(mean.shape[1]) > 0, np.inf, np.zeros(matrices.shape))  # for a class without rows
        means = Normal(mean, np.divide(matrices, root, out=nothing, where=root > 0))
    return Posteriors(means, InverseWishart(matrices, rows, of_mode))
