"""Priors of a mean and a variance, each with the number of rows that it counts as."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likely.priors.checks import at_least, known_estimate, pseudocounts
from likely.priors.prior import Array, Estimate, Prior

if TYPE_CHECKING:
    from scipy.stats.distributions import rv_frozen


@dataclass(frozen=True, repr=False, eq=False)
class NormalInverseGamma(Prior):
    """The prior of a mean and a variance: as if the mean were known from `mean_rows` rows and the variance from
    `variance_rows` rows.

    By default the mean is that of the column over all classes, and the variance that within the classes. So a class
    with few rows, or with only one value, has a variance too, and no floor is needed. In the terms of textbooks
    mu_0 = mean, kappa = mean_rows, alpha = 1 + variance_rows / 2, beta = variance_rows * variance / 2.

    Parameters
    ----------
    mean : float, optional
        The prior mean; by default that of the column over all classes.
    mean_rows : float, default 0
        The number of rows that the prior mean counts as.
    variance : float, optional
        The prior variance; by default that within the classes.
    variance_rows : float, default 1
        The number of rows that the prior variance counts as.
    estimate : "mean" or "mode", default "mean"
        The estimate of a parameter: the mean of its posterior (EAP) or its mode (MAP).

    See Also
    --------
    Normal : the prior of a mean with a known variance.
    likely.families.Gaussian : the family that uses it.

    Examples
    --------
    >>> from likely.priors import NormalInverseGamma
    >>> prior = NormalInverseGamma(mean=0.0, mean_rows=2, variance=1.0, variance_rows=2)
    >>> mean, variance = prior.posterior(n=8, mean=1.0, m2=8.0).point
    >>> round(float(mean), 2), round(float(variance), 2)
    (0.8, 1.16)
    """

    mean: Any = None
    mean_rows: Any = 0.0
    variance: Any = None
    variance_rows: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        pseudocounts(mean_rows=self.mean_rows, variance_rows=self.variance_rows)
        at_least(0, variance=0 if self.variance is None else self.variance)
        known_estimate(self.estimate)

    def normal(self) -> "NormalInverseGamma":
        return self

    def posterior(self, n: ArrayLike, mean: ArrayLike, m2: ArrayLike) -> "NormalInverseGamma":
        """The posterior after n rows with this mean and sum of squared deviations. The prior must have its mean and
        variance as numbers."""
        n, mean, m2 = np.asarray(n, np.float64), np.asarray(mean, np.float64), np.asarray(m2, np.float64)
        rows = self.mean_rows + n
        share = np.divide(n, rows, out=np.zeros(np.broadcast(n, rows).shape), where=rows > 0)
        delta = mean - self.mean
        squares = self.variance_rows * self.variance + m2 + self.mean_rows * share * delta * delta
        variance_rows = self.variance_rows + n
        variance = np.divide(squares, variance_rows, out=np.zeros(squares.shape), where=variance_rows > 0)
        # Without rows and pseudo-counts: the variance of the prior.
        variance = np.where(variance_rows > 0, variance, self.variance)
        return replace(
            self, mean=self.mean + share * delta, mean_rows=rows, variance=variance, variance_rows=variance_rows
        )

    def distribution(self) -> "rv_frozen":
        """The distribution of the mean: Student's t."""
        from scipy.stats import t

        if self.mean is None or self.variance is None:
            raise ValueError(
                "NormalInverseGamma takes its mean and variance from the data; name both, or ask a posterior"
            )
        beta = self.variance_rows * self.variance / 2
        alpha = 1 + self.variance_rows / 2
        return t(2 * alpha, self.mean, np.sqrt(beta / (alpha * self.mean_rows)))

    @property
    def point(self) -> tuple[Array, Array]:
        """The estimates of mean and variance: the means of the posterior, or its joint mode."""
        if self.estimate == "mean":
            return self.mean, self.variance
        return self.mean, self.variance * self.variance_rows / (self.variance_rows + 5)
