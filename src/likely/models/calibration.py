"""A map from probabilities to calibrated ones. `likely.validation.calibration` learns it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.models.prediction_sets import Conformity
from likely.statistics import Labels
from likely.tabular import Cells, Tabular

Array = NDArray[np.float64]
How = Literal["temperature", "isotonic"]

LEAST = -36.0
"""The lower limit of log probabilities. Without it, a single row that is almost impossible would decide the map."""


class Steps(NamedTuple):
    """A non-decreasing, piecewise linear curve, stored as its corners."""

    x: Array
    y: Array

    def __call__(self, x: Array) -> Array:
        return np.interp(x, self.x, self.y)


@dataclass(frozen=True, eq=False)
class Calibration(Tabular):
    """Log probabilities l become softmax(scale l + offset), with an offset for each class. "isotonic" then applies a
    curve to the probability of each class, and one to that of the most probable class.

    See Also
    --------
    calibration : learns it.
    likely.NaiveBayes : `calibrate=True` uses it.
    """

    classes: Labels
    scale: float
    offset: Array
    curves: tuple[Steps, ...] = ()
    winner: Steps | None = None
    conformity: Conformity | None = None
    """For prediction sets: the probabilities of the rows from which the map was learned, each calibrated by a map of
    other rows."""

    @property
    def how(self) -> How:
        return "isotonic" if self.curves else "temperature"

    def cells(self) -> Cells:
        """The offset of each class."""
        return {"class": self.classes, "offset": self.offset}

    @property
    def caption(self) -> str:
        """The kind of map, and its scale."""
        return f"{self.how}, scale {self.scale:.4g}"

    def __call__(self, log_p: Array) -> Array:
        """Calibrated probabilities from log probabilities: rows x classes."""
        p = softmax(self.scale * np.maximum(log_p, LEAST / self.scale) + self.offset)
        return self._curved(p) if self.curves else p

    def _curved(self, p: Array) -> Array:
        """Probabilities after the curves of the classes, and of the most probable class."""
        p = np.column_stack([curve(p[:, k]) for k, curve in enumerate(self.curves)])
        p /= p.sum(axis=1, keepdims=True)
        if self.winner is None:
            return p
        rows, first = np.arange(len(p)), p.argmax(axis=1)
        before = p[rows, first]
        after = self.winner(before)
        others = np.divide(1 - after, 1 - before, out=np.zeros(len(p)), where=before < 1)
        p *= others[:, None]
        p[rows, first] = after
        return np.asarray(p / p.sum(axis=1, keepdims=True))


def softmax(z: Array) -> Array:
    """The softmax of each row."""
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return np.asarray(p)
