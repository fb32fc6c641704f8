"""Probabilities of values, or of classes, between bounds: a prior with constraints."""

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
    """Probabilities of values, or of classes, from low to high. Each bound is one number for all, a number for each, or
    {value: number}.

    The estimates maximise the likelihood of the rows, with the pseudo-counts of `prior`, under the bounds: counts
    divided by one number and clipped (`likely.optimize.proportions`). Without `prior`, values have the default prior of
    the family, and classes none. A value or class that has not been seen yet has no bounds.

    Parameters
    ----------
    low : float, one for each value, or dict from value to float, default 0
        The lowest probabilities.
    high : float, one for each value, or dict from value to float, default 1
        The highest probabilities.
    prior : Prior, optional
        The prior that has the pseudo-counts.

    See Also
    --------
    likely.optimize.proportions : computes the probabilities, with their multipliers.
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
        """The probabilities for counts that include pseudo-counts. The first counts are those of `values`; the others
        have no bounds."""
        from likely.optimize import proportions

        return proportions(counts, *self.sides(values, len(counts)))

    def sides(self, values: Sequence[Hashable], cells: int) -> tuple[Array, Array]:
        """The bounds of each cell. The first cells are those of `values`; the others have no bounds."""
        low, high = np.zeros(cells), np.ones(cells)
        for limits, side in ((low, self.low), (high, self.high)):
            each = [side.get(value, limits[0]) for value in values] if isinstance(side, Mapping) else side
            limits[: len(values)] = each
        return low, high
