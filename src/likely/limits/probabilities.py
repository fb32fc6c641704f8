"""Probabilities of values, or of classes, between bounds: a prior that has limits."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.priors import Dirichlet, Prior

if TYPE_CHECKING:
    from likely.optimize import Proportions

Array = NDArray[np.float64]
Probabilities = float | Sequence[float] | NDArray[Any] | Mapping[Hashable, float]


@dataclass(frozen=True, repr=False, eq=False)
class Within(Prior):
    """Probabilities of values, or of classes, from low to high: a number for each of them, or {value: number}.

    The estimates are those under which the rows seen, with the pseudo-counts of `prior`, are most probable within the
    limits: counts divided by one number and cut (`likely.optimize.proportions`). Without a prior that of the family
    holds, and for classes none. A value or class that has not been seen yet has no limits.

    Parameters
    ----------
    low : float, one for each value, or dict from value to float, default 0
        The lowest probabilities.
    high : float, one for each value, or dict from value to float, default 1
        The highest probabilities.
    prior : Prior, optional
        The prior without limits.

    See Also
    --------
    likely.optimize.proportions : finds the shares, with their multipliers.
    likely.families.Categorical : takes it as `prior`.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.limits import Within
    >>> nb = NaiveBayes(class_prior=Within(low={"rare": 0.2})).fit([[1], [2], [3]] * 10, ["usual"] * 29 + ["rare"])
    >>> round(float(nb.predict_proba([[None]])[0, 0]), 2)
    0.2
    """

    low: Probabilities = 0.0
    high: Probabilities = 1.0
    prior: Prior | None = None

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            side = getattr(self, name)
            for value in side.values() if isinstance(side, Mapping) else [side]:
                if not 0 <= value <= 1:
                    raise ValueError(f"{name} must be a probability, from 0 to 1, not {value!r}")
        if self.prior is not None and (isinstance(self.prior, Within) or not isinstance(self.prior, Prior)):
            raise TypeError(f"prior is one without limits, such as likely.priors.Laplace(), not {self.prior!r}")

    def __hash__(self) -> int:
        return hash((Within, self.prior))

    def dirichlet(self, cells: int) -> Dirichlet:
        raise TypeError(f"{self!r} has limits, which are kept by Categorical and by class_prior alone")

    def fitted(self, counts: Array, values: Sequence[Hashable]) -> "Proportions":
        """Of counts and pseudo-counts of these values; what is counted beyond them has no limits."""
        from likely.optimize import proportions

        return proportions(counts, *self.sides(values, len(counts)))

    def sides(self, values: Sequence[Hashable], cells: int) -> tuple[Array, Array]:
        """The limits of each cell; the first cells are of these values."""
        low, high = np.zeros(cells), np.ones(cells)
        for limits, side in ((low, self.low), (high, self.high)):
            each = [side.get(value, limits[0]) for value in values] if isinstance(side, Mapping) else side
            limits[: len(values)] = each
        return low, high
