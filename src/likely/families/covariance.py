"""The mean and covariance of each class, from sums, a prior and two dials; also with a row left out.

Squares are sums of products of deviations: matrices, or where columns are independent only their diagonals. The
functions take both, and any leading axes: classes, or rows that are each left out of their own sums.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from likely.families.family import Array
from likely.priors import Normal

_EPSILON = np.finfo(np.float64).eps


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
        return np.asarray(self.n * (8 * _EPSILON * self.mean) ** 2)

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


def estimate(of_class: Sums, pool: Pool, rules: Rules) -> tuple[Array, Array]:
    """Means and covariances. A column that tells nothing has variance 0; NaN is one that does not exist."""
    n, mean, squares = of_class
    matrix = squares.ndim > mean.ndim
    own = 1 - rules.dials.tied
    rows = own * n + rules.dials.tied * pool.n + rules.imagined_rows
    squares = own * squares + rules.dials.tied * pool.within + rules.imagined
    alone = rows <= 0  # a class of which nothing is known is like all together
    rows = np.where(alone, pool.n, rows)
    squares = np.where(alone[..., None] if matrix else alone, pool.within, squares)
    flat = pool.flat
    between = ratio(np.where(pool.total > pool.rounding, pool.total, 0.0), pool.n) / (rows + 1)
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
        covariance = np.where(flat[..., :, None] | flat[..., None, :], 0.0, covariance)
        set_diagonal(covariance, variance)
    else:
        covariance = variance
    mean = np.where(n > 0, mean, pool.mean)
    if rules.mean is not None:
        mean = rules.mean.posterior(n, mean, covariance).mean
    return mean, covariance


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
    try:
        factors = np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        exists = np.linalg.eigvalsh(matrices)[..., 0] > least
        factors = np.linalg.cholesky(np.where(exists[..., None, None], matrices, np.eye(matrices.shape[-1])))
    else:
        exists = np.ones(matrices.shape[:-2], np.bool)
    exists = exists & (np.diagonal(factors, axis1=-2, axis2=-1) ** 2 > least).all(axis=-1)
    return np.where(exists[..., None, None], factors, np.eye(matrices.shape[-1])), exists


def without(sums: Sums, pool: Pool, x: Array, y: NDArray[np.int32], w: Array) -> tuple[Sums, Pool]:
    """For each row, the sums of its own class and the pool, as if the row had never been counted.

    `w` is what each row, or each cell, weighed: 0 where it was not counted.
    """
    before, counted = sums.n[y], w > 0
    x = np.where(counted, x, sums.mean[y])
    n = _left(before, w)
    share = ratio(w, n)
    delta = sums.mean[y] - x
    matrix = sums.squares.ndim > sums.mean.ndim
    across = before * share
    lost = delta[:, :, None] * delta[:, None, :] * across[:, :, None] if matrix else delta * delta * across
    squares = sums.squares[y] - lost
    # What rounding leaves, of the sums and of the means, is nothing: as in likely.statistics.Moments.
    step = 4 * _EPSILON * (np.abs(sums.mean[y]) + np.abs(x))
    rest = diagonal(squares, delta)
    rounding = 1e-13 * (rest + 2 * delta * delta * across) + across * step * (2 * np.abs(delta) + step)
    gone = counted & ((n == 0) | (rest <= rounding))
    squares = np.where(gone[:, :, None] | gone[:, None, :] if matrix else gone, 0.0, squares)
    mean = np.where(counted, sums.mean[y] + delta * share, sums.mean[y])

    within = pool.within - sums.squares[y] + squares
    spread = diagonal(within, delta)
    flat = spread <= 1e-13 * diagonal(pool.within, pool.mean)
    within = np.where(flat[:, :, None] | flat[:, None, :] if matrix else flat, 0.0, within)
    all_n = _left(pool.n, w)
    from_all = pool.mean - x
    share = ratio(w, all_n)
    total = pool.total - np.where(counted, from_all * from_all * pool.n * share, 0.0)
    step = 4 * _EPSILON * (np.abs(pool.mean) + np.abs(x))
    rounding = 1e-13 * pool.total + pool.n * share * step * (2 * np.abs(from_all) + step)
    total = np.where((all_n == 0) | (counted & (total <= rounding)), 0.0, total)
    all_mean = np.where(all_n == 0, 0.0, np.where(counted, pool.mean + from_all * share, pool.mean))
    return Sums(n, mean, squares), Pool(all_n, all_mean, within, total)


def rank_one(
    distance: Array,
    product: Array,
    apart: Array,
    own: NDArray[np.bool],
    n: Array,
    w: Array,
    rows: Array,
    tied: float,
    columns: int,
) -> tuple[Array, Array]:
    """Scores less their peak as if the row had never been counted, from squared distances; and what was divided by.

    A row of weight w in class c, d from its mean, takes r dd' from the squares of c, r = w n / (n - w), and f r dd'
    from what class k is estimated by, with f = 1 for its own class and the dial to tied for another. In the metric of
    class k, of N rows, let D be the distance of x from the mean of k, U that from the mean of c and P the product of
    both. Then by Sherman and Morrison, with g = f r / N,

        D' = (1 - f w / N) (D + g P^2 / (1 - g U)),   log |C'| = log |C| + log(1 - g U) - columns log(1 - f w / N),

    and its own class's mean moves away from x, by which D' grows (n / (n - w))^2 times. What is given is P - D, and
    the distance between the means of k and c.
    """
    left = n - w
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(left > 1e-9 * w, n / left, np.nan)
        share = np.where(own, w, tied * w) / rows
        taken = share * times
        pivot = 1 - taken * (distance + 2 * product + apart)
        kept = (1 - share) * (distance + taken * (distance + product) ** 2 / pivot) * np.where(own, times * times, 1.0)
        score = -0.5 * (np.log(pivot) - columns * np.log1p(-share) + kept)
    return score, np.where(np.isnan(pivot), 0.0, pivot)


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


def _left(n: Array, w: Array) -> Array:
    left = n - w
    return np.where(left <= 1e-9 * w, 0.0, left)
