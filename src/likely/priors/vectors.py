"""Priors of the mean vector and of the covariance matrix of several columns."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likely.priors.checks import as_matrix, at_least, finite, known_estimate, positive, require
from likely.priors.prior import Array, Estimate, Prior

if TYPE_CHECKING:
    from scipy.stats.distributions import rv_frozen


@dataclass(frozen=True, repr=False, eq=False)
class Normal(Prior):
    """The prior of the mean vector of a class with a known covariance.

    Parameters
    ----------
    mean : float or array
        The prior mean of each column; one number for all columns.
    covariance : float or array
        The prior covariance of the mean. One number, or one for each column, is a diagonal matrix.

    See Also
    --------
    NormalInverseGamma : the prior of a mean and a variance.
    InverseWishart : the prior of a covariance.
    likely.GaussianClassifier : takes it as `mean_prior`.

    Examples
    --------
    >>> from likely.priors import Normal
    >>> posterior = Normal(0.0, 1.0).posterior(n=3, mean=[2.0], covariance=1.0)
    >>> round(float(posterior.mean[0]), 2), round(float(posterior.covariance[0, 0]), 2)
    (1.5, 0.25)
    """

    mean: Any
    covariance: Any

    def __post_init__(self) -> None:
        finite(mean=self.mean)
        require(not np.isnan(np.asarray(self.covariance, np.float64)).any(), "covariance must be finite, not nan")
        positive(self.covariance)

    def posterior(self, n: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> "Normal":
        """The posterior after n rows with this mean, if the covariance of rows is `covariance`. n may differ by column
        if columns are independent. Leading axes are classes.

        S_post = (S^-1 + n C^-1)^-1 and m_post = S_post (S^-1 m + n C^-1 mean). With n = 0 it is the prior.
        """
        seen = np.asarray(mean, np.float64)
        columns = seen.shape[-1]
        within = as_matrix(covariance, columns, seen.ndim + 1)
        means = np.size(self.mean)
        require(means in (1, columns), f"there are {means} means for {columns} columns")
        before, spread = np.broadcast_to(self.mean, columns), as_matrix(self.covariance, columns, 2)
        n = np.asarray(n, np.float64)
        root = np.sqrt(np.broadcast_to(n if n.ndim == seen.ndim else n[..., None], seen.shape))
        # With D = sqrt n: S_post = S - G D S and m_post = m + G D (mean - m), G = S D (C + D S D)^-1, which needs no
        # inverse of C. If every column was seen, S_post = G C / D, without a difference that could lose digits.
        reached = root[..., :, None] * spread
        both = np.where(root[..., None] > 0, within, np.eye(columns)) + reached * root[..., None, :]
        gain = np.swapaxes(np.linalg.solve(both, reached), -1, -2)
        moved = before + (gain @ (root * (seen - before))[..., None])[..., 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            whole = gain @ within / root[..., None, :]
        after = np.where((root > 0).all(axis=-1)[..., None, None], whole, spread - gain @ reached)
        return Normal(moved, (after + np.swapaxes(after, -1, -2)) / 2)

    def distribution(self) -> "rv_frozen":
        from scipy.stats import norm

        return norm(self.mean, self._deviations)

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """For each column, the central interval that contains its mean with this level."""
        from scipy.special import ndtri

        half = ndtri((1 + level) / 2) * self._deviations
        mean = np.asarray(self.mean, np.float64)
        return mean - half, mean + half

    @property
    def _deviations(self) -> Array:
        mean, covariance = np.asarray(self.mean, np.float64), np.asarray(self.covariance, np.float64)
        variance = np.diagonal(covariance, axis1=-2, axis2=-1) if covariance.ndim > mean.ndim else covariance
        return np.asarray(np.sqrt(variance))


@dataclass(frozen=True, repr=False, eq=False)
class InverseWishart(Prior):
    """The prior of a covariance: as if it were known from `rows` rows.

    In the terms of textbooks, with p columns, nu = rows + p + 1 and Psi = rows * covariance. Then its mean is
    `covariance`, and its mode is `covariance` times rows / (rows + 2 p + 2).

    Parameters
    ----------
    covariance : float or array
        The prior covariance. One number, or one for each column, is a diagonal matrix.
    rows : float
        The number of rows that the prior covariance counts as.
    estimate : "mean" or "mode", default "mean"
        The estimate of a parameter: the mean of its posterior (EAP) or its mode (MAP).

    See Also
    --------
    Normal : the prior of the mean.
    likely.GaussianClassifier : takes it as `prior`.

    Examples
    --------
    >>> from likely import GaussianClassifier
    >>> from likely.priors import InverseWishart
    >>> model = GaussianClassifier(shrinkage=0, prior=InverseWishart(1.0, rows=4))
    >>> model.fit([[0, 1], [1, 0], [4, 5]], ["a", "a", "b"]).covariances_[1].tolist()
    [[0.8, 0.0], [0.0, 0.8]]
    """

    covariance: Any
    rows: Any
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        at_least(0, rows=self.rows)
        finite(rows=self.rows, covariance=self.covariance)
        positive(self.covariance)
        known_estimate(self.estimate)

    def wishart(self, columns: int) -> "InverseWishart":
        return replace(self, covariance=as_matrix(self.covariance, columns, 2))

    def posterior(self, n: ArrayLike, squares: ArrayLike) -> "InverseWishart":
        """The posterior after n rows with these sums of products of deviations. Leading axes are classes."""
        seen = np.asarray(squares, np.float64)
        rows = self.rows + np.asarray(n, np.float64).reshape(seen.shape[:-2])
        total = seen + self.rows * as_matrix(self.covariance, seen.shape[-1], 2)
        below = np.broadcast_to(rows[..., None, None], total.shape)
        covariance = np.divide(total, below, out=np.zeros(total.shape), where=below > 0)
        return replace(self, covariance=covariance, rows=rows)

    @property
    def mean(self) -> Array:
        return np.asarray(self.covariance, np.float64)

    @property
    def mode(self) -> Array:
        covariance, rows = self.mean, np.asarray(self.rows, np.float64)
        columns = covariance.shape[-1] if covariance.ndim else 1
        rows = rows.reshape(*rows.shape, *[1] * (covariance.ndim - rows.ndim))
        return np.asarray(covariance * (rows / (rows + 2 * columns + 2)))
