"""The mean and covariance of each class, from sums, a prior and two dials; and the density of rows under them.

Squares are sums of products of deviations: matrices, or where columns are independent only their diagonals. The
functions take both, and any leading axes: classes, or rows that are each left out of their own sums.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.family import Array, check
from likely.priors import Normal

EPSILON = np.finfo(np.float64).eps

NEEDS = "MultivariateGaussian needs finite numbers, up to 1e150"


class Dials(NamedTuple):
    """The regularised discriminant analysis of Friedman (1989). With (0, 0) each class has its own covariance, with
    (1, 0) all have one, with (0, 1) columns are independent, and between them the three are mixed.

    His second dial leads to a multiple of the identity, and so to an answer that depends on the units of the columns.
    This one leads to the diagonal.
    """

    tied: float
    diagonal: float


class Sums(NamedTuple):
    """Of one class, or of each."""

    n: Array
    mean: Array
    squares: Array

    def of(self, columns: NDArray[np.bool]) -> "Sums":
        """Of each class, those of some of the columns."""
        n, squares = self.n, self.squares[:, columns]
        if squares.ndim == 3:
            squares = squares[:, :, columns]
        else:
            n = n[:, columns]
        return Sums(n, np.ascontiguousarray(self.mean[:, columns]), np.ascontiguousarray(squares))


class Pool(NamedTuple):
    """Of all classes together."""

    n: Array
    mean: Array
    within: Array
    """The squares about the mean of the own class."""
    total: Array
    """The diagonal of the squares about the mean of all."""

    @classmethod
    def of(cls, sums: Sums) -> Self:
        n = sums.n.sum(axis=0)
        mean = ratio((sums.n * sums.mean).sum(axis=0), n)
        within = sums.squares.sum(axis=0)
        return cls(n, mean, within, diagonal(within, mean) + (sums.n * (sums.mean - mean) ** 2).sum(axis=0))

    @property
    def rounding(self) -> Array:
        """Squares below the rounding of the mean are none."""
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

    dials: Dials
    imagined: Array | float
    """Squares of the prior, and rows."""
    imagined_rows: float
    more_rows: float
    """What the mode of the posterior divides by, beyond its mean."""
    borrow: bool
    """Whether a column that does not vary within the classes may take its spread from between them."""
    spherical: bool
    mean: Normal | None


def blended(of_class: Sums, pool: Pool, rules: Rules) -> tuple[Array, Array]:
    """The rows and squares that a class is estimated by: its own, those of all classes, and those imagined."""
    own, tied = 1 - rules.dials.tied, rules.dials.tied
    rows = own * of_class.n + tied * pool.n + rules.imagined_rows
    return rows, own * of_class.squares + tied * pool.within + rules.imagined


def estimate(of_class: Sums, pool: Pool, rules: Rules) -> tuple[Array, Array]:
    """Means and covariances. A column that tells nothing has variance 0; NaN is one that does not exist."""
    n, mean, squares = of_class
    matrix = squares.ndim > mean.ndim
    rows, squares = blended(of_class, pool, rules)
    alone = rows <= 0  # a class of which nothing is known is like all together
    rows = np.where(alone, pool.n, rows)
    squares = np.where(alone[..., None] if matrix else alone, pool.within, squares)
    flat = pool.flat
    between = ratio(np.where(pool.constant, 0.0, pool.total), pool.n) / (rows + 1)
    if rules.spherical:  # the columns are as one
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
        covariance *= 1 - rules.dials.diagonal
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
    """As matrices; the identity in place of one that does not exist, and of a column that tells nothing."""
    variance = diagonal(covariance, mean)
    if covariance.ndim == mean.ndim:
        return np.where(variance > 0, variance, 1.0)[..., None, :] * np.eye(mean.shape[-1])
    telling = variance > 0
    deviation = np.sqrt(np.where(telling, variance, 1.0))
    factor, _ = cholesky(correlations(covariance, deviation, telling))
    scaled = factor * deviation[..., :, None]
    return np.asarray(scaled @ np.swapaxes(scaled, -1, -2))


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Mean and covariance per class; one covariance if it is the same for all."""

    mean: Array
    covariance: Array

    @cached_property
    def variance(self) -> Array:
        return diagonal(self.covariance, self.mean)

    @cached_property
    def telling(self) -> NDArray[np.bool]:
        return self.variance > 0

    @cached_property
    def deviation(self) -> Array:
        return np.sqrt(np.where(self.telling, self.variance, 1.0))

    @cached_property
    def correlation(self) -> Array:
        return correlations(self.covariance, self.deviation, self.telling)

    @cached_property
    def factor(self) -> tuple[Array, NDArray[np.bool]]:
        """The lower factors of the correlations, and which exist."""
        return cholesky(self.correlation)

    def whitening(self, told: NDArray[np.bool]) -> tuple[Array, Array]:
        """R with |R (x - mean)|^2 the squared Mahalanobis distance in the columns told, and the log density at the
        mean."""
        told = told & self.telling
        factor = self.factor[0] if told.all() else cholesky(correlations(self.covariance, self.deviation, told))[0]
        inverse = np.linalg.inv(factor) / self.deviation[:, None, :]
        inverse = np.ascontiguousarray(np.where(told[:, :, None] & told[:, None, :], np.tril(inverse), 0.0))
        logs = np.log(np.diagonal(factor, axis1=1, axis2=2)) + np.log(self.deviation) + 0.5 * np.log(2 * np.pi)
        return inverse, -np.where(told, logs, 0.0).sum(axis=1)

    @cached_property
    def whole(self) -> tuple[Array, Array]:
        """The same for rows with every cell there."""
        return self.whitening(np.ones(self.mean.shape[1], np.bool))

    def distances(self, block: Array) -> tuple[Array, Array | float]:
        """The squared Mahalanobis distance of each row from each class, and the log density at the mean."""
        found = np.empty((len(block), len(self.mean)))
        holes = np.zeros(len(block), np.uint8)
        inverse, peak = self.whole
        position = _native.distances(block, self.mean, inverse, None, None, found, None, holes)
        check(position, block, NEEDS)
        if not holes.any():
            return found, peak
        peaks = np.tile(np.broadcast_to(peak, len(self.mean)), (len(block), 1))
        rows = np.flatnonzero(holes)
        there = ~np.isnan(block[rows])
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        order = np.argsort(which, kind="stable")
        for told, at in zip(patterns, np.split(rows[order], np.cumsum(np.bincount(which))[:-1]), strict=True):
            inverse, peak = self.whitening(told)
            part = np.empty((len(at), len(self.mean)))
            cells = np.where(told, block[at], 0.0)
            _native.distances(cells, self.mean, inverse, None, None, part, None, np.zeros(len(at), np.uint8))
            found[at], peaks[at] = part, peak
        return found, peaks

    def scores(self, block: Array) -> Array:
        """log p(x | y) of each row and class."""
        found, peak = self.distances(block)
        found *= -0.5
        found += peak
        return found


def log_density(mean: Array, covariance: Array, x: Array) -> Array:
    """log p(x), split over the columns; -inf where the covariance is singular or does not exist.

    A missing cell is taken out of the vector, and adds 0. The determinant of the correlations is split evenly, the
    squared distance as d_j (C^-1 d)_j.
    """
    variance = diagonal(covariance, mean)
    here = ~np.isnan(x)
    told = here & (variance > 0)
    deviation = np.where(told, variance, 1.0) ** 0.5
    z = np.where(told, x - mean, 0.0) / deviation
    logs = -0.5 * np.log(2 * np.pi) - np.log(deviation)
    if covariance.ndim > mean.ndim:
        factor, exists = cholesky(correlations(covariance, deviation, told))
        pivots = np.log(np.diagonal(factor, axis1=-2, axis2=-1)).sum(axis=-1, keepdims=True)
        logs = logs - pivots / np.maximum(told.sum(axis=-1, keepdims=True), 1)
        half = np.linalg.solve(factor, z[..., None])
        distance = z * np.linalg.solve(np.swapaxes(factor, -1, -2), half)[..., 0]
        logs = np.where(exists[..., None], logs - 0.5 * distance, -np.inf)
    else:
        logs = logs - 0.5 * z * z
    return np.where(told, logs, np.where(here & np.isnan(variance), -np.inf, 0.0))


def correlations(covariance: Array, deviation: Array, told: NDArray[np.bool]) -> Array:
    """Of the columns that tell something; the others are as if uncorrelated, so that they can be factored along."""
    together = told[..., :, None] & told[..., None, :]
    found = np.where(together, covariance / (deviation[..., :, None] * deviation[..., None, :]), 0.0)
    set_diagonal(found, 1.0)
    return found


def cholesky(matrices: Array) -> tuple[Array, NDArray[np.bool]]:
    """The lower factors of correlation matrices, and which exist; the identity where one does not."""
    least = 1e-11  # of a pivot: the share of a column's variance that the columns before it do not explain
    identity = np.eye(matrices.shape[-1])
    try:
        factors = np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        factors = np.stack([_cholesky(one) for one in matrices.reshape(-1, *identity.shape)]).reshape(matrices.shape)
    exists = np.asarray((np.diagonal(factors, axis1=-2, axis2=-1) ** 2 > least).all(axis=-1))
    return np.where(exists[..., None, None], factors, identity), exists


def _cholesky(matrix: Array) -> Array:
    try:
        return np.asarray(np.linalg.cholesky(matrix), np.float64)
    except np.linalg.LinAlgError:
        return np.zeros(matrix.shape)


def diagonal(squares: Array, like: Array) -> Array:
    """The diagonals of matrices, or what is a diagonal already: as many axes as the means have."""
    return np.diagonal(squares, axis1=-2, axis2=-1) if squares.ndim > like.ndim else squares


def set_diagonal(matrices: Array, values: Array | float) -> None:
    columns = np.arange(matrices.shape[-1])
    matrices[..., columns, columns] = values


def ratio(above: Array, below: Array) -> Array:
    """0 where nothing is below."""
    shape = np.broadcast_shapes(np.shape(above), np.shape(below))
    return np.asarray(np.divide(above, below, out=np.zeros(shape), where=np.asarray(below) > 0))
