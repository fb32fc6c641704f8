"""Measures of predictions, from codes of classes and probabilities. A row of weight w counts as w rows."""

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
"""The number of bins of confidence for the calibration error, as in Guo et al. (2017)."""


def wilson(wrong: float, of: float, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share. Unlike share ± z · standard error, it stays between 0 and 1, and is not empty for
    a share of 0."""
    share, pull = wrong / of, z * z / of
    centre, half = share + pull / 2, z * sqrt(share * (1 - share) / of + pull / (4 * of))
    return max(centre - half, 0.0) / (1 + pull), min((centre + half) / (1 + pull), 1.0)  # against rounding errors


def weights(rows: int, weight: Array | None) -> Array:
    """The weight of each row; 1 for each if `weight` is None."""
    return np.ones(rows) if weight is None else weight


def mean(values: NDArray[Any], weight: Array | None) -> float:
    return float(np.average(values, weights=weight))


def effective(rows: int, weight: Array | None) -> float:
    """The effective number of rows: how many rows of equal weight give as precise a mean."""
    return float(rows) if weight is None else float(weight.sum() ** 2 / (weight**2).sum())


def log_loss(p: Array, y: Codes, weight: Array | None = None) -> float:
    """The mean log loss of the rows."""
    return mean(log_losses(p, y), weight)


def log_losses(p: Array, y: Codes) -> Array:
    """-log p of the true class of each row. A probability of 0 counts as 2e-16, as in scikit-learn."""
    own = p[np.arange(len(y)), y]
    return np.asarray(-np.log(np.maximum(own, np.finfo(np.float64).eps)))


def brier(p: Array, y: Codes, weight: Array | None = None) -> float:
    """The Brier score: the mean squared distance of the probabilities from the true classes, summed over classes, from
    0 to 2."""
    off = p.copy()
    off[np.arange(len(y)), y] -= 1
    return mean((off**2).sum(axis=1), weight)


@dataclass(frozen=True, eq=False)
class Reliability(Tabular, Plotted):
    """Predictions in bins of confidence: the mean confidence, the accuracy and the number of rows of each bin."""

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
    """The reliability in bins of equal width; empty bins are left out."""
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
    """Precision and recall of each class; NaN if there are no rows to take a share of."""

    precision: Array
    """Of the rows predicted as the class, the share that is of the class."""
    recall: Array
    """Of the rows of the class, the share that is predicted as the class."""
    rows: Array


def by_class(table: NDArray[Any]) -> ByClass:
    """From a confusion matrix."""
    hits, given, own = np.diag(table).astype(np.float64), table.sum(axis=0), table.sum(axis=1)
    precision, recall = (
        np.divide(hits, below, out=np.full(len(hits), np.nan), where=below > 0) for below in (given, own)
    )
    return ByClass(precision, recall, own)
