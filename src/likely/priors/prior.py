"""The base of all priors, with a method for each shape of prior that families need."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from likely.plotted import Plotted
from likely.priors.checks import at_least

if TYPE_CHECKING:
    from scipy.stats.distributions import rv_frozen

    from likely.priors.normal import NormalInverseGamma
    from likely.priors.proportions import Dirichlet
    from likely.priors.rate import Gamma
    from likely.priors.vectors import InverseWishart

Array = NDArray[np.float64]
Estimate = Literal["mean", "mode"]
Numbers = float | NDArray[Any]
"""One number, or an array: a posterior has one number for each class."""


class Prior(Plotted):
    """The base of all priors: pseudo-counts that are added to the statistics; see `likely.priors`."""

    def __repr__(self) -> str:
        return short(self)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(cast(Any, self)))

    def __hash__(self) -> int:
        return hash((type(self), *(_key(getattr(self, f.name)) for f in fields(cast(Any, self)))))

    def distribution(self) -> "rv_frozen":
        """The distribution of each single parameter, from scipy.stats."""
        raise TypeError(f"{type(self).__name__} is no distribution of single parameters")

    def dirichlet(self, cells: int) -> "Dirichlet":
        """This prior as a Dirichlet, for the proportions of this many cells."""
        raise self._unfit("dirichlet", "proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram)")

    def gamma(self) -> "Gamma":
        """This prior as a Gamma, for a rate."""
        raise self._unfit("gamma", "a rate (Poisson)")

    def normal(self) -> "NormalInverseGamma":
        """This prior as a normal-inverse-gamma, for a mean and a variance."""
        raise self._unfit("normal", "a mean and a variance (Gaussian)")

    def wishart(self, columns: int) -> "InverseWishart":
        """This prior as an inverse Wishart, for the covariance of this many columns."""
        raise self._unfit("wishart", "a covariance (MultivariateGaussian)")

    def proportions(self, cells: int) -> Array:
        """The pseudo-count of each cell, for the estimate (count + pseudo-count) / (sum of both over all cells)."""
        prior = self.dirichlet(cells)
        if prior.estimate == "mode":
            at_least(1, **{"for a mode, each pseudo-count": prior.alpha})
            return np.asarray(prior.alpha - 1)
        return np.asarray(prior.alpha)

    def rate(self) -> tuple[Numbers, Numbers]:
        """The pseudo-counts of events and rows, for the estimate (events + pseudo-events) / (rows + pseudo-rows)."""
        prior = self.gamma()
        if prior.estimate == "mode":
            at_least(1, **{"for a mode, the pseudo-count of events a": prior.a})
            return prior.a - 1, prior.b
        return prior.a, prior.b

    def _unfit(self, shape: str, of: str) -> TypeError:
        fit = ", ".join(each.__name__ for each in Prior.__subclasses__() if shape in vars(each))
        return TypeError(f"{self!r} is no prior for {of}; {fit} are")


def short(value: Any, **others: Any) -> str:
    """The repr of a dataclass with only the fields that differ from their defaults; `others` are other defaults."""
    defaults = {f.name: cast(Any, f.default) for f in fields(value)} | others
    shown = [f for f in fields(value) if not np.array_equal(getattr(value, f.name), defaults[f.name])]
    return f"{type(value).__name__}({', '.join(f'{f.name}={getattr(value, f.name)!r}' for f in shown)})"


def _key(value: Any) -> Any:
    """A hashable key, the same for equal values such as 1 and 1.0, or a list and an array."""
    try:
        return tuple(np.ravel(np.asarray(value, np.float64)).tolist())
    except (TypeError, ValueError):
        return value
