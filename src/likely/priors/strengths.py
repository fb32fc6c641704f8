"""Priors for all or most families: no prior at all, and priors that are only a strength."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.priors.checks import at_least, pseudocounts, require
from likely.priors.normal import NormalInverseGamma
from likely.priors.prior import Array, Prior
from likely.priors.proportions import Dirichlet
from likely.priors.rate import Gamma
from likely.priors.vectors import InverseWishart


@dataclass(frozen=True, repr=False, eq=False)
class MaximumLikelihood(Prior):
    """No prior: a value that never occurred has probability 0.

    See Also
    --------
    Laplace, MEstimate, Auto : priors that smooth.

    Examples
    --------
    >>> from likely.priors import MaximumLikelihood
    >>> MaximumLikelihood().proportions(3).tolist()
    [0.0, 0.0, 0.0]
    """

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(np.zeros(cells))

    def gamma(self) -> "Gamma":
        return Gamma(0.0, 0.0)

    def normal(self) -> "NormalInverseGamma":
        return NormalInverseGamma(variance_rows=0.0)

    def wishart(self, columns: int) -> "InverseWishart":
        return InverseWishart(np.zeros((columns, columns)), 0.0)


@dataclass(frozen=True, repr=False, eq=False)
class MEstimate(Prior):
    """(count + m p) / (rows + m): as if m more rows had been seen, with the proportions p.

    p is the probability of a 1 (Bernoulli), one number for each value in order (Categorical and others), the rate
    (Poisson) or the variance (Gaussian). By default it is uniform, 1 / number of values; for Poisson 1; for Gaussian
    the variance within the classes.

    Parameters
    ----------
    m : float
        The number of pseudo-counts.
    p : float or one for each value, optional
        Their proportions.

    See Also
    --------
    Laplace : one pseudo-count for each value.
    Auto : chooses the number of pseudo-counts.
    Dirichlet : pseudo-counts that differ between values.

    Examples
    --------
    >>> from likely.priors import MEstimate
    >>> MEstimate(10, (0.2, 0.3, 0.5)).proportions(3).tolist()  # pseudo-counts of three values
    [2.0, 3.0, 5.0]
    """

    m: float
    p: float | tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        pseudocounts(m=self.m)
        if isinstance(self.p, (list, np.ndarray)):
            object.__setattr__(self, "p", tuple(self.p))
        at_least(0, p=0 if self.p is None else self.p)

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(self.m * self._shares(cells))

    def gamma(self) -> "Gamma":
        return Gamma(self.m * (1.0 if self.p is None else self._one_number()), self.m)

    def normal(self) -> "NormalInverseGamma":
        variance = None if self.p is None else self._one_number()
        return NormalInverseGamma(mean_rows=self.m, variance=variance, variance_rows=self.m)

    def _shares(self, cells: int) -> Array:
        if self.p is None:
            return np.full(cells, 1 / cells)
        if isinstance(self.p, tuple):
            require(len(self.p) == cells, f"p has {len(self.p)} numbers for {cells} values")
            require(abs(sum(self.p) - 1) < 1e-9, f"p must sum to 1, not {sum(self.p)}")
            return np.array(self.p)
        require(cells == 2, f"one p is enough for two values, but there are {cells}: give one p for each")
        require(self.p <= 1, f"p must be at most 1, not {self.p}")
        return np.array([1 - self.p, self.p])

    def _one_number(self) -> float:
        if isinstance(self.p, tuple):
            raise TypeError(f"one number is needed as p here, not {len(self.p)}")
        return float(self.p or 0.0)


@dataclass(frozen=True, repr=False, eq=False)
class Laplace(Prior):
    """One more row of every value (or `strength` of them): the m-estimate with m = number of values and p = 1 / m.

    For a rate it is one event in one row; for a normal one row with the mean of all classes and the variance within
    them.

    Parameters
    ----------
    strength : float, default 1
        Pseudo-counts of each value.

    See Also
    --------
    MEstimate : any number of pseudo-counts.
    Auto : chooses the number of pseudo-counts.

    Examples
    --------
    >>> from likely.priors import Laplace
    >>> Laplace().proportions(3).tolist()
    [1.0, 1.0, 1.0]
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        pseudocounts(strength=self.strength)

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(np.full(cells, self.strength, np.float64))

    def gamma(self) -> "Gamma":
        return Gamma(self.strength, self.strength)

    def normal(self) -> "NormalInverseGamma":
        return NormalInverseGamma(mean_rows=self.strength, variance_rows=self.strength)


@dataclass(frozen=True, repr=False, eq=False)
class Auto(Prior):
    """Laplace smoothing with the strength of the highest leave-one-out likelihood.

    `strength` is the one chosen, or 1 before any row is seen. `tried` has all strengths that were tried, each with its
    log likelihood. If two merged models differ in it, the first model's is kept.

    Parameters
    ----------
    strength : float, default 1
        The strength in use. Models set it.
    tried : tuple of pairs, optional
        Strengths with the leave-one-out log likelihood of each. Models set it.

    See Also
    --------
    Laplace : one pseudo-count for each value.
    MEstimate : a number of pseudo-counts that you choose.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> nb = NaiveBayes("categorical", smoothing="auto").fit([["a"], ["a"], ["b"], ["b"]] * 9, [0, 0, 1, 1] * 9)
    >>> nb.get_params()["smoothing"]
    'auto'
    """

    strength: float = 1.0
    tried: tuple[tuple[float, float], ...] = ()

    GRID: ClassVar[tuple[float, ...]] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

    def __post_init__(self) -> None:
        pseudocounts(strength=self.strength)

    def __repr__(self) -> str:
        return f"Auto({self.strength:g})"

    def __eq__(self, other: object) -> bool:
        return type(other) is Auto

    def __hash__(self) -> int:
        return hash(Auto)

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(np.full(cells, self.strength, np.float64))

    def gamma(self) -> "Gamma":
        return Gamma(self.strength, self.strength)

    def normal(self) -> "NormalInverseGamma":
        return NormalInverseGamma(variance_rows=self.strength)
