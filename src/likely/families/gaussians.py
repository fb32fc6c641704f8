"""The density of rows under Gaussians of any covariance; cells may be missing."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.cells import Array, Codes, check


@dataclass(frozen=True, eq=False)
class Gaussians:
    """The mean of each class and its covariance matrix; only one matrix if all classes share it."""

    mean: Array
    covariance: Array

    @cached_property
    def variance(self) -> Array:
        return diagonal(self.covariance, self.mean)

    @cached_property
    def varying(self) -> NDArray[np.bool]:
        return self.variance > 0

    @cached_property
    def deviation(self) -> Array:
        return np.sqrt(np.where(self.varying, self.variance, 1.0))

    @cached_property
    def correlation(self) -> Array:
        return correlations(self.covariance, self.deviation, self.varying)

    @cached_property
    def factor(self) -> tuple[Array, NDArray[np.bool]]:
        """The lower Cholesky factors of the correlations, and which exist."""
        return cholesky(self.correlation)

    def rank(self, k: int) -> int:
        """The rank of the correlation matrix of class k, in the columns that vary."""
        correlation = self.correlation[k][np.ix_(self.varying[k], self.varying[k])]
        return int(np.linalg.matrix_rank(correlation, tol=1e-10, hermitian=True)) if correlation.size else 0

    def whitening(self, kept: NDArray[np.bool]) -> tuple[Array, Array]:
        """R, such that |R (x - mean)|^2 is the squared Mahalanobis distance in the columns kept; and the log density at
        the mean."""
        kept = kept & self.varying
        factor = self.factor[0] if kept.all() else cholesky(correlations(self.covariance, self.deviation, kept))[0]
        inverse = np.linalg.inv(factor) / self.deviation[:, None, :]
        inverse = np.ascontiguousarray(np.where(kept[:, :, None] & kept[:, None, :], np.tril(inverse), 0.0))
        logs = np.log(np.diagonal(factor, axis1=1, axis2=2)) + np.log(self.deviation) + 0.5 * np.log(2 * np.pi)
        return inverse, -np.where(kept, logs, 0.0).sum(axis=1)

    @cached_property
    def whole(self) -> tuple[Array, Array]:
        """`whitening` for rows without missing cells."""
        return self.whitening(np.ones(self.mean.shape[1], np.bool))

    def add(self, cells: Array, out: Array, needs: str) -> None:
        """Adds log p(x | y) of each row and class to `out`."""
        distance, peak = self.distances(cells, needs)
        distance *= -0.5
        distance += peak
        out += distance

    def squared_distances(self, cells: Array, needs: str) -> Array:
        """The squared Mahalanobis distance of each row from each class mean, without missing cells."""
        return self.distances(cells, needs)[0]

    def log_density(self, x: Array) -> Array:
        """log p(x), divided among the columns; 0 where x is missing."""
        return log_density(self.mean, self.covariance, x)

    def sampled(self, y: Codes, rng: "np.random.Generator") -> Array:
        rows = rng.standard_normal((len(y), self.mean.shape[1]))
        for k in range(len(self.mean)):
            at = min(k, len(self.covariance) - 1)
            rows[y == k] = rows[y == k] @ self.factor[0][at].T * np.sqrt(self.variance[at])
        return self.mean[y] + rows

    def line(self) -> tuple[Array, Array]:
        """The weights of a linear score and the log density at the means, if all classes share one covariance."""
        inverse, peak = self.whole
        return self.mean @ inverse[0].T @ inverse[0], peak

    def distances(self, cells: Array, needs: str) -> tuple[Array, Array | float]:
        """The squared Mahalanobis distance of each row from each class, and the log density at the mean."""
        squared = np.empty((len(cells), len(self.mean)))
        holes = np.zeros(len(cells), np.uint8)
        inverse, peak = self.whole
        position = _native.distances(cells, self.mean, inverse, None, None, squared, None, holes)
        check(position, cells, needs)
        if not holes.any():
            return squared, peak
        peaks = np.tile(np.broadcast_to(peak, len(self.mean)), (len(cells), 1))
        rows = np.flatnonzero(holes)
        there = ~np.isnan(cells[rows])
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        order = np.argsort(which, kind="stable")
        for kept, at in zip(patterns, np.split(rows[order], np.cumsum(np.bincount(which))[:-1]), strict=True):
            inverse, peak = self.whitening(kept)
            part = np.empty((len(at), len(self.mean)))
            there_only = np.where(kept, cells[at], 0.0)
            _native.distances(there_only, self.mean, inverse, None, None, part, None, np.zeros(len(at), np.uint8))
            squared[at], peaks[at] = part, peak
        return squared, peaks


def log_density(mean: Array, covariance: Array, x: Array) -> Array:
    """log p(x), divided among the columns; -inf where the covariance is singular or does not exist.

    A missing cell is marginalised out, and adds 0. The log determinant of the correlations is divided equally; column j
    gets d_j (C^-1 d)_j of the squared distance, with d = x - mean.
    """
    variance = diagonal(covariance, mean)
    here = ~np.isnan(x)
    kept = here & (variance > 0)
    deviation = np.where(kept, variance, 1.0) ** 0.5
    z = np.where(kept, x - mean, 0.0) / deviation
    logs = -0.5 * np.log(2 * np.pi) - np.log(deviation)
    if covariance.ndim > mean.ndim:
        factor, exists = cholesky(correlations(covariance, deviation, kept))
        pivots = np.log(np.diagonal(factor, axis1=-2, axis2=-1)).sum(axis=-1, keepdims=True)
        logs = logs - pivots / np.maximum(kept.sum(axis=-1, keepdims=True), 1)
        half = np.linalg.solve(factor, z[..., None])
        distance = z * np.linalg.solve(np.swapaxes(factor, -1, -2), half)[..., 0]
        logs = np.where(exists[..., None], logs - 0.5 * distance, -np.inf)
    else:
        logs = logs - 0.5 * z * z
    return np.where(kept, logs, np.where(here & np.isnan(variance), -np.inf, 0.0))


def correlations(covariance: Array, deviation: Array, kept: NDArray[np.bool]) -> Array:
    """The correlations of the columns kept. The others count as uncorrelated, so that the matrix can be factored."""
    together = kept[..., :, None] & kept[..., None, :]
    matrix = np.where(together, covariance / (deviation[..., :, None] * deviation[..., None, :]), 0.0)
    set_diagonal(matrix, 1.0)
    return matrix


def cholesky(matrices: Array) -> tuple[Array, NDArray[np.bool]]:
    """The lower Cholesky factors of correlation matrices, and which exist; the identity where one does not."""
    least = 1e-11  # the least pivot: the share of a column's variance that the columns before it do not explain
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
    """The diagonals of matrices; `squares` itself if it has as many axes as `like`, and so is a diagonal already."""
    return np.diagonal(squares, axis1=-2, axis2=-1) if squares.ndim > like.ndim else squares


def set_diagonal(matrices: Array, values: Array | float) -> None:
    columns = np.arange(matrices.shape[-1])
    matrices[..., columns, columns] = values
