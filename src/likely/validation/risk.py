"""Risk against coverage: how many rows can be answered, if only sure answers count, and how many of those are right."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.printing import percent

Array = NDArray[np.float64]


class Point(NamedTuple):
    """Answer from probability `threshold` on: that is `coverage` of all rows, `precision` of them right."""

    threshold: float
    coverage: float
    precision: float

    def __str__(self) -> str:
        coverage, precision = percent(self.coverage, 0), percent(self.precision)
        return f"predicts {coverage} of the rows at {precision} precision, from probability {self.threshold:.3f} on"


@dataclass(frozen=True, eq=False)
class Risk:
    """Thresholds from the highest on, and what answering from each on comes to."""

    threshold: Array
    coverage: Array
    precision: Array

    def at_precision(self, wanted: float) -> Point:
        """The most that can be answered with at least that precision; a threshold above 1 where nothing can."""
        enough = np.flatnonzero(self.precision >= wanted)
        return self._point(enough[-1]) if enough.size else Point(np.nextafter(1.0, 2.0), 0.0, 1.0)

    def at_threshold(self, threshold: float) -> Point:
        """What answering from this threshold on comes to."""
        above = np.flatnonzero(self.threshold >= threshold)
        return self._point(above[-1])._replace(threshold=threshold) if above.size else Point(threshold, 0.0, 1.0)

    @property
    def area(self) -> float:
        """The mean share of wrong answers over all coverages: low where the wrong ones are the unsure ones."""
        steps = np.diff(self.coverage, prepend=0.0)
        return float((steps * (1 - self.precision)).sum())

    def _point(self, at: int) -> Point:
        return Point(float(self.threshold[at]), float(self.coverage[at]), float(self.precision[at]))


def risk(confidence: Array, right: NDArray[np.bool], weight: Array | None = None) -> Risk:
    """Of the probability of each answer, and whether it was right."""
    order = np.argsort(-confidence, kind="stable")
    w = np.ones(len(order)) if weight is None else weight[order]
    answered, good = np.cumsum(w), np.cumsum(w * right[order])
    sure = confidence[order]
    last = np.append(sure[1:] < sure[:-1], True) & (answered > 0)  # rows alike in probability are answered together
    return Risk(sure[last], answered[last] / answered[-1], good[last] / answered[last])
