"""Priors of proportions, of two values or more: pseudo-counts of each value."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likely.priors.checks import known_estimate, pseudocounts, require
from likely.priors.prior import Array, Estimate, Numbers, Prior

if TYPE_CHECKING:
    from scipy.stats.distributions import rv_frozen


@dataclass(frozen=True, repr=False, eq=False)
class Beta(Prior):
    """The prior of a probability: as if `a` ones and `b` zeros had been seen. It is also the type of a posterior.

    Parameters
    ----------
    a : float, default 1
        Pseudo-count of ones.
    b : float, default 1
        Pseudo-count of zeros.
    estimate : "mean" or "mode", default "mean"
        The estimate of a parameter: the mean of its posterior (EAP) or its mode (MAP).

    See Also
    --------
    Dirichlet : more than two values.
    likely.families.Bernoulli : the family that uses it.

    Examples
    --------
    >>> from likely.priors import Beta
    >>> posterior = Beta(1, 1).posterior(ones=7, zeros=3)
    >>> round(float(posterior.mean), 3), [round(float(end), 2) for end in posterior.interval()]
    (0.667, [0.39, 0.89])
    """

    a: Numbers = 1.0
    b: Numbers = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        pseudocounts(a=self.a, b=self.b)
        known_estimate(self.estimate)

    def dirichlet(self, cells: int) -> "Dirichlet":
        require(cells == 2, f"Beta is a prior for two values, but there are {cells}: use Dirichlet")
        return Dirichlet(np.array([self.b, self.a], np.float64), self.estimate)

    def posterior(self, ones: ArrayLike, zeros: ArrayLike) -> "Beta":
        return replace(self, a=np.asarray(ones) + self.a, b=np.asarray(zeros) + self.b)

    @property
    def mean(self) -> Numbers:
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> Numbers:
        """The most probable value; NaN if both a and b are at most 1, when it does not exist."""
        a, b = np.asarray(self.a, np.float64), np.asarray(self.b, np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            inside = np.where(np.maximum(a, b) > 1, np.clip((a - 1) / (a + b - 2), 0, 1), np.nan)
        return np.where((a <= 1) & (b > 1), 0.0, np.where((b <= 1) & (a > 1), 1.0, inside))[()]

    def distribution(self) -> "rv_frozen":
        from scipy.stats import beta

        return beta(self.a, self.b)

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """The central interval that contains the probability with this level."""
        from scipy.special import betaincinv

        tail = (1 - level) / 2
        return betaincinv(self.a, self.b, tail), betaincinv(self.a, self.b, 1 - tail)


@dataclass(frozen=True, repr=False, eq=False)
class Dirichlet(Prior):
    """The prior of proportions: as if `alpha` rows of each value had been seen (one number for all, or one for each).

    Parameters
    ----------
    alpha : float or one for each value, default 1
        Pseudo-counts.
    estimate : "mean" or "mode", default "mean"
        The estimate of a parameter: the mean of its posterior (EAP) or its mode (MAP).

    See Also
    --------
    Beta : two values.
    likely.families.Categorical : a family that uses it.
    likely.families.Multinomial : another.

    Examples
    --------
    >>> from likely.priors import Dirichlet
    >>> Dirichlet([1, 1, 1]).posterior([7, 2, 0]).mean.round(3).tolist()
    [0.667, 0.25, 0.083]
    """

    alpha: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        pseudocounts(alpha=self.alpha)
        known_estimate(self.estimate)

    def dirichlet(self, cells: int) -> "Dirichlet":
        alpha = np.asarray(self.alpha, np.float64)
        require(alpha.ndim == 0 or alpha.shape == (cells,), f"alpha has {alpha.size} numbers for {cells} values")
        return replace(self, alpha=np.full(cells, alpha))

    def posterior(self, counts: ArrayLike) -> "Dirichlet":
        return replace(self, alpha=np.asarray(counts) + self.alpha)

    @property
    def mean(self) -> Array:
        alpha = np.asarray(self.alpha, np.float64)
        return np.asarray(alpha / alpha.sum(axis=-1, keepdims=True))

    @property
    def mode(self) -> Array:
        """The most probable proportions; NaN if an alpha is below 1, when they do not exist."""
        less = np.asarray(self.alpha, np.float64) - 1
        total = less.sum(axis=-1, keepdims=True)
        defined = (less >= 0).all(axis=-1, keepdims=True) & (total > 0)
        return np.asarray(np.divide(less, total, out=np.full(less.shape, np.nan), where=defined))

    @property
    def marginals(self) -> Beta:
        """The distribution of each single proportion."""
        alpha = np.asarray(self.alpha, np.float64)
        require(alpha.ndim > 0, "Dirichlet has one number for all values: give one for each value")
        return Beta(alpha, alpha.sum(axis=-1, keepdims=True) - alpha)

    def distribution(self) -> "rv_frozen":
        return self.marginals.distribution()

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """For each value, the central interval that contains its proportion with this level."""
        return self.marginals.interval(level)
