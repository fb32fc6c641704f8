"""What every prior is: a value, that says in which shapes it can serve."""

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
"""One number, or several: of a posterior, one for each class."""


class Prior(Plotted):
    """The base of all priors. Numbers that a prior adds to the statistics; see `likely.priors`."""

    def __repr__(self) -> str:
        return short(self)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(cast(Any, self)))

    def __hash__(self) -> int:
        return hash((type(self), *(_key(getattr(self, f.name)) for f in fields(cast(Any, self)))))

    def distribution(self) -> "rv_frozen":
        """The distribution of each parameter by itself, as one of scipy.stats."""
        raise TypeError(f"{type(self).__name__} is no distribution of single parameters")

    def dirichlet(self, cells: int) -> "Dirichlet":
        """The Dirichlet prior that this one stands for, of the proportions of a number of cells."""
        raise self._unfit("dirichlet", "proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram)")

    def gamma(self) -> "Gamma":
        """The Gamma prior that this one stands for, of a rate."""
        raise self._unfit("gamma", "a rate (Poisson)")

    def normal(self) -> "NormalInverseGamma":
        """The normal-inverse-gamma prior that this one stands for, of a mean and a variance."""
        raise self._unfit("normal", "a mean and a variance (Gaussian)")

    def wishart(self, columns: int) -> "InverseWishart":
        """The inverse-Wishart prior that this one stands for, of the covariance of a number of columns."""
        raise self._unfit("wishart", "a covariance (MultivariateGaussian)")

    def proportions(self, cells: int) -> Array:
        """Pseudo-counts of each cell, as they enter (count + pseudo-count) / (all + all pseudo-counts)."""
        prior = self.dirichlet(cells)
        if prior.estimate == "mode":
            at_least(1, **{"for a mode, each pseudo-count": prior.alpha})
            return np.asarray(prior.alpha - 1)
        return np.asarray(prior.alpha)

    def rate(self) -> tuple[Numbers, Numbers]:
        """Pseudo-counts of events and rows, as they enter (events + pseudo-events) / (rows + pseudo-rows)."""
        prior = self.gamma()
        if prior.estimate == "mode":
            at_least(1, **{"for a mode, the pseudo-count of events a": prior.a})
            return prior.a - 1, prior.b
        return prior.a, prior.b

    def _unfit(self, shape: str, of: str) -> TypeError:
        fit = ", ".join(each.__name__ for each in Prior.__subclasses__() if shape in vars(each))
        return TypeError(f"{self!r} is no prior for {of}; {fit} are")


def short(value: Any, **meant: Any) -> str:
    """A dataclass with the options that differ from their defaults, or from what else is meant by default."""
    defaults = {f.name: cast(Any, f.default) for f in fields(value)} | meant
    said = [f for f in fields(value) if not np.array_equal(getattr(value, f.name), defaults[f.name])]
    return f"{type(value).__name__}({', '.join(f'{f.name}={getattr(value, f.name)!r}' for f in said)})"


def _key(value: Any) -> Any:
    """The same for values that are equal: 1 and 1.0, a list and an array."""
    try:
        return tuple(np.ravel(np.asarray(value, np.float64)).tolist())
    except (TypeError, ValueError):
        return value
