"""Figures of how good answers are, from codes of classes and probabilities. Weights count as that many rows."""

from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.plotted import Plotted
from likely.tabular import Cells, Tabular

Array = NDArray[np.float64]
Codes = NDArray[np.int32]

BINS = 15
"""Of confidence, by which calibration is judged: as many as Guo et al. (2017) have."""


def wilson(wrong: float, of: float, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share. Unlike share ± z · standard error it stays within 0 and 1, and has width at 0."""
    share, pull = wrong / of, z * z / of
    centre, half = share + pull / 2, z * sqrt(share * (1 - share) / of + pull / (4 * of))
    return max(centre - half, 0.0) / (1 + pull), min((centre + half) / (1 + pull), 1.0)  # where rounding leaves them


def weights(rows: int, weight: Array | None) -> Array:
    """The weight of each row, also where all are 1."""
    return np.ones(rows) if weight is None else weight


def mean(values: NDArray[Any], weight: Array | None) -> float:
    return float(np.average(values, weights=weight))


def effective(rows: int, weight: Array | None) -> float:
    """How many rows of equal weight would be worth as much."""
    return float(rows) if weight is None else float(weight.sum() ** 2 / (weight**2).sum())


def log_loss(p: Array, y: Codes, weight: Array | None = None) -> float:
    """The mean over the rows."""
    return mean(log_losses(p, y), weight)


def log_losses(p: Array, y: Codes) -> Array:
    """Of each row -log p of its own class. What had no chance at all counts as 2e-16, as in scikit-learn."""
    own = p[np.arange(len(y)), y]
    return np.asarray(-np.log(np.maximum(own, np.finfo(np.float64).eps)))


def brier(p: Array, y: Codes, weight: Array | None = None) -> float:
    """The mean squared distance of the probabilities from what came out, over all classes: from 0 to 2."""
    off = p.copy()
    off[np.arange(len(y)), y] -= 1
    return mean((off**2).sum(axis=1), weight)


@dataclass(frozen=True, eq=False)
class Reliability(Tabular, Plotted):
    """Of predictions of about the same confidence: that confidence, how often they were right, and their number."""

    confidence: Array
    accuracy: Array
    rows: Array

    def cells(self) -> Cells:
        """Confidence, accuracy and the number of rows, by bin."""
        return {"confidence": self.confidence, "accuracy": self.accuracy, "rows": self.rows}

    @property
    def caption(self) -> str:
        """The expected calibration error."""
        return f"calibration error {self.error:.3f}"

    @property
    def error(self) -> float:
        """The expected calibration error: how far confidence and accuracy are apart, on average over all rows."""
        return float((self.rows * np.abs(self.confidence - self.accuracy)).sum() / self.rows.sum())


def reliability(
    confidence: Array, right: NDArray[np.bool], weight: Array | None = None, bins: int = BINS
) -> Reliability:
    """In bins of equal width, of those that have any."""
    at = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    w = weights(len(at), weight)
    rows, sure, good = (np.bincount(at, w * values, bins).astype(np.float64) for values in (1.0, confidence, right))
    there = rows > 0
    return Reliability(sure[there] / rows[there], good[there] / rows[there], rows[there])


def confusion(y: Codes, predicted: Codes, classes: int, weight: Array | None = None) -> NDArray[Any]:
    """How many rows of each class (down) were predicted as each class (across)."""
    table = np.bincount(y.astype(np.int64) * classes + predicted, weight, classes * classes)
    return table.reshape(classes, classes)


class ByClass(NamedTuple):
    """Of each class. NaN where there is nothing to take a share of."""

    precision: Array
    """The share of rows given the class that are of it."""
    recall: Array
    """The share of rows of the class that are given it."""
    rows: Array


def by_class(table: NDArray[Any]) -> ByClass:
    """From a confusion matrix."""
    hits, given, own = np.diag(table).astype(np.float64), table.sum(axis=0), table.sum(axis=1)
    precision, recall = (
        np.divide(hits, below, out=np.full(len(hits), np.nan), where=below > 0) for below in (given, own)
    )
    return ByClass(precision, recall, own)
