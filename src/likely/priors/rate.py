"""The prior of a rate: pseudo-counts of events and of rows."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from likely.priors.checks import known_estimate, pseudocounts
from likely.priors.prior import Estimate, Numbers, Prior

if TYPE_CHECKING:
    from scipy.stats.distributions import rv_frozen


@dataclass(frozen=True, repr=False, eq=False)
class Gamma(Prior):
    """The prior of a rate: as if `a` events had been seen in `b` rows.

    Parameters
    ----------
    a : float, default 1
        Pseudo-count of events.
    b : float, default 1
        Pseudo-count of rows.
    estimate : "mean" or "mode", default "mean"
        The estimate of a parameter: the mean of its posterior (EAP) or its mode (MAP).

    See Also
    --------
    likely.families.Poisson : a family that uses it.
    likely.families.Exponential : another.

    Examples
    --------
    >>> from likely.priors import Gamma
    >>> posterior = Gamma(1, 1).posterior(events=35, rows=10)
    >>> round(float(posterior.mean), 3)
    3.273
    """

    a: Numbers = 1.0
    b: Numbers = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        pseudocounts(a=self.a, b=self.b)
        known_estimate(self.estimate)

    def gamma(self) -> "Gamma":
        return self

    def posterior(self, events: ArrayLike, rows: ArrayLike) -> "Gamma":
        return replace(self, a=np.asarray(events) + self.a, b=np.asarray(rows) + self.b)

    @property
    def mean(self) -> Numbers:
        return self.a / self.b

    @property
    def mode(self) -> Numbers:
        return np.maximum(self.a - 1, 0) / self.b

    def distribution(self) -> "rv_frozen":
        from scipy.stats import gamma

        return gamma(self.a, scale=1 / np.asarray(self.b))

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """The central interval that contains the rate with this level."""
        from scipy.special import gammaincinv

        tail = (1 - level) / 2
        return gammaincinv(self.a, tail) / self.b, gammaincinv(self.a, 1 - tail) / self.b
