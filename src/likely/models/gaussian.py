"""Gaussian classifiers: one Gaussian per class over all columns. They are naive Bayes with a single block, with methods
for its geometry."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array
from likely.data.table import Table
from likely.engines import threads
from likely.families import Block, MultivariateGaussian
from likely.families.block import naming
from likely.families.covariance import NEEDS, Posteriors
from likely.families.gaussian import Normals
from likely.families.gaussians import diagonal
from likely.models.boundary import Window, curves
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import Labels


class QuadraticForm(NamedTuple):
    """Scores as x' A x + b' x + c, with an A, b and c for each class."""

    classes: Labels
    A: Array
    b: Array
    c: Array


class GaussianModel(NaiveBayesModel):
    """The model behind `likely.GaussianClassifier`, which describes its parameters: naive Bayes with one block, a
    MultivariateGaussian."""

    name: ClassVar[str] = "GaussianClassifier"
    title: ClassVar[str] = "Gaussian classifier"

    @property
    def block(self) -> Block:
        self.check_parameters()
        return self.known.blocks[0]

    @property
    def family(self) -> MultivariateGaussian:
        family = self.known.blocks[0].family
        assert isinstance(family, MultivariateGaussian)
        return family

    @property
    def parameters(self) -> tuple[Array, Array]:
        """The mean and the covariance matrix of each class."""
        parameters = self.block.parameters
        mean = parameters.mean
        if isinstance(parameters, Normals):
            return mean, parameters.variance[:, :, None] * np.eye(mean.shape[1])
        return mean, np.broadcast_to(parameters.covariance, (*mean.shape, mean.shape[1]))

    def parameter_posteriors(self) -> Posteriors:
        """The posteriors of the means and of the covariances."""
        return self.family.posteriors(self.block)

    def squared_distances(self, table: Table) -> Array:
        """The squared Mahalanobis distance of each row from the mean of each class, without missing cells."""
        table.must_have(self.names)
        block = self.block
        out = np.empty((table.rows, len(self.classes)))

        def work(rows: slice) -> None:
            with naming(block.frame, rows.start or 0):
                out[rows] = block.parameters.squared_distances(block.read(table, rows), NEEDS)

        threads.run(work, threads.pieces(table.rows, table.row_bytes + 8 * out.shape[1]))
        return out

    def tail(self, table: Table) -> Array:
        """The probability that a row of the nearest class is at least as far from its mean as this row: the upper tail
        of chi squared, with one degree of freedom for each cell that is not missing.
        """
        from scipy.special import chdtrc

        squared = self.squared_distances(table)
        varying = (self.block.parameters.variance > 0).any(axis=0)
        cells = np.empty(table.rows)

        def work(rows: slice) -> None:
            cells[rows] = (~np.isnan(self.block.read(table, rows)) & varying).sum(axis=1)

        threads.run(work, threads.pieces(table.rows, table.row_bytes))
        return np.where(cells > 0, chdtrc(np.maximum(cells, 1), squared.min(axis=1)), 1.0)

    def quadratic(self) -> QuadraticForm:
        mean, covariance = self.parameters
        return _quadratic(self.classes, self.log_prior(), mean, covariance)

    def boundary(
        self, columns: Sequence[Any] | None, classes: Sequence[Any] | None, window: Window | None, points: int
    ) -> list[Array]:
        """The points where two classes are equally probable, given only two columns: the others are marginalised out,
        like missing cells.
        """
        at = self._two(columns if columns is not None else self.names, self.names, "columns")
        pair = self._two(classes if classes is not None else self.classes.tolist(), self.classes.tolist(), "classes")
        mean, covariance = self.parameters
        mean, covariance = mean[np.ix_(pair, at)], covariance[np.ix_(pair, at, at)]
        reach = 4 * np.sqrt(diagonal(covariance, mean))
        low, high = (
            np.asarray(window).T if window is not None else ((mean - reach).min(axis=0), (mean + reach).max(axis=0))
        )
        # Coordinates are centred on the window: far from it, the squares would lose the digits that matter.
        centre = (low + high) / 2
        both = _quadratic(self.classes[pair], self.log_prior()[pair], mean - centre, covariance)
        about = tuple(zip(low - centre, high - centre, strict=True))
        centred = curves(both.A[0] - both.A[1], both.b[0] - both.b[1], both.c[0] - both.c[1], about, points)
        return [curve + centre for curve in centred]

    def _two(self, chosen: Sequence[Any], known: Sequence[Any], what: str) -> list[int]:
        known = list(known)
        if len(chosen) != 2:
            raise ValueError(f"a boundary is drawn for two {what}; say which two of {len(chosen)}")
        if chosen[0] == chosen[1]:
            raise ValueError(f"a boundary is drawn for two {what}, not for {chosen[0]!r} twice")
        for name in chosen:
            if name not in known:
                raise ValueError(f"there is no {name!r} among the {what}")
        return [known.index(name) for name in chosen]


def _quadratic(classes: Labels, log_prior: NDArray[np.float64], mean: Array, covariance: Array) -> QuadraticForm:
    """The scores of classes as a quadratic form; constant columns have no weight."""
    variance = diagonal(covariance, mean)
    varying = variance > 0
    safe = np.where(varying[:, :, None] & varying[:, None, :], covariance, 0.0)
    safe += np.where(varying, 0.0, 1.0)[:, :, None] * np.eye(mean.shape[1])
    inverse = np.where(varying[:, :, None] & varying[:, None, :], np.linalg.inv(safe), 0.0)
    linear = (inverse @ mean[:, :, None])[:, :, 0]
    determinant = np.linalg.slogdet(safe)[1] + varying.sum(axis=1) * np.log(2 * np.pi)
    constant = log_prior - 0.5 * determinant - 0.5 * (linear * mean).sum(axis=1)
    return QuadraticForm(classes, -0.5 * inverse, linear, constant)
