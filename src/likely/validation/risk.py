"""Risk against coverage: if only rows with high confidence are predicted, how many these are, and how many are
right."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.plotted import Plotted
from likely.printing import percent
from likely.tabular import Cells, Tabular

Array = NDArray[np.float64]


ROUNDING = 1e-12
"""Probabilities are computed from their logs, and may be lower by this share: 0.35 as 0.3499999999999999."""


class Point(NamedTuple):
    """If rows with a probability of `threshold` or more are predicted, `coverage` is their share of all rows, and
    `precision` the share of these that is right."""

    threshold: float
    coverage: float
    precision: float

    def __str__(self) -> str:
        coverage, precision = percent(self.coverage, 0), percent(self.precision)
        return f"predicts {coverage} of the rows at {precision} precision, with threshold {self.threshold:.3f}"


@dataclass(frozen=True, eq=False)
class Risk(Tabular, Plotted):
    """Thresholds on the confidence, the highest first: the share of rows predicted at each, and their precision.

    See Also
    --------
    risk : makes it.
    Result : has it as `result.risk`.
    """

    threshold: Array
    coverage: Array
    precision: Array

    def cells(self) -> Cells:
        return {"threshold": self.threshold, "coverage": self.coverage, "precision": self.precision}

    def at_precision(self, wanted: float) -> Point:
        """The point with the highest coverage that has at least this precision; its threshold is above 1 if there is
        none."""
        enough = np.flatnonzero(self.precision >= wanted)
        return self._point(enough[-1]) if enough.size else Point(np.nextafter(1.0, 2.0), 0.0, 1.0)

    def at_threshold(self, threshold: float) -> Point:
        """The coverage and precision at this threshold."""
        above = np.flatnonzero(reached(self.threshold, threshold))
        return self._point(above[-1])._replace(threshold=threshold) if above.size else Point(threshold, 0.0, 1.0)

    @property
    def area(self) -> float:
        """The mean error over all coverages: it is low if wrong predictions have low confidence."""
        steps = np.diff(self.coverage, prepend=0.0)
        return float((steps * (1 - self.precision)).sum())

    def _point(self, at: int) -> Point:
        return Point(float(self.threshold[at]), float(self.coverage[at]), float(self.precision[at]))


def reached(p: Array, threshold: float) -> NDArray[np.bool]:
    """Which probabilities are at the threshold or above, with a tolerance for rounding. A threshold above 1 is never
    reached."""
    return np.asarray(p >= (threshold * (1 - ROUNDING) if threshold <= 1 else threshold))


def risk(confidence: Array, right: NDArray[np.bool], weight: Array | None = None) -> Risk:
    """How many rows can be predicted at which precision.

    Parameters
    ----------
    confidence : array
        The probability of the predicted class, for each row.
    right : array of bool
        Whether each prediction is right.
    weight : array, optional
        The weight of each row; 1 by default.

    Returns
    -------
    Risk
        Coverage and precision at each threshold; `at_precision` and `at_threshold` look one up.

    See Also
    --------
    Result.risk : the same for the rows of a result.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.validation import risk
    >>> found = risk(np.array([0.9, 0.8, 0.6, 0.55]), np.array([True, True, False, True]))
    >>> found.at_precision(1.0).coverage
    0.5
    """
    order = np.argsort(-confidence, kind="stable")
    w = np.ones(len(order)) if weight is None else weight[order]
    answered, good = np.cumsum(w), np.cumsum(w * right[order])
    sure = confidence[order]
    last = np.append(sure[1:] < sure[:-1], True) & (answered > 0)  # equal rows are predicted together
    return Risk(sure[last], answered[last] / answered[-1], good[last] / answered[last])
