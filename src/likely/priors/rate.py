"""A rate: pseudo-counts of events, and of the rows they came in."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.priors.checks import known_estimate, pseudocounts
from likely.priors.prior import Estimate, Prior


@dataclass(frozen=True, repr=False, eq=False)
class Gamma(Prior):
    """A rate: as if `a` events had been seen in `b` rows."""

    a: Any = 1.0
    b: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        pseudocounts(a=self.a, b=self.b)
        known_estimate(self.estimate)

    def gamma(self) -> "Gamma":
        return self

    def posterior(self, events: ArrayLike, rows: ArrayLike) -> "Gamma":
        return replace(self, a=np.asarray(events) + self.a, b=np.asarray(rows) + self.b)

    @property
    def mean(self) -> Any:
        return self.a / self.b

    @property
    def mode(self) -> Any:
        return np.maximum(self.a - 1, 0) / self.b

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval that holds the rate with that probability."""
        from scipy.special import gammaincinv

        tail = (1 - level) / 2
        return gammaincinv(self.a, tail) / self.b, gammaincinv(self.a, 1 - tail) / self.b
