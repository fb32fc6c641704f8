"""The rare class of validated rows: how much of it is found, and what a threshold would change."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.printing import percent
from likely.statistics import Labels
from likely.validation import measures
from likely.validation.measures import Array, Codes
from likely.validation.rows import folds

MOST_CLASSES = 5
"""With more classes, no rare class is reported."""
RARE = 0.6
"""A class is rare if its share of the rows is at most this times an even share: 30 % for two classes, 20 % for
three."""
FEW = 20
"""With fewer rows of the class, recall can't be estimated."""
PARTS = 10
"""The number of folds on which a chosen threshold is judged, each with the threshold that the others choose."""
LITTLE = 0.05
"""A smaller change of recall is not reported."""


class RareClass(NamedTuple):
    """The recall and precision of the rare class if the most probable class is predicted, and with the threshold of the
    best F1, judged on rows that did not choose it."""

    at: int
    """Its position among the classes."""
    label: Any
    rate: float
    recall: float
    precision: float
    """NaN if the class is never predicted."""
    threshold: float
    threshold_recall: float
    threshold_precision: float

    def __str__(self) -> str:
        right = "" if np.isnan(self.precision) else f", and {percent(self.precision)} of those predictions are right"
        now = (
            f"“{self.label}” is {percent(self.rate)} of the rows: the model finds {percent(self.recall)} of it{right}."
        )
        return f"{now} {self.advice}"

    @property
    def advice(self) -> str:
        """A sentence on what a threshold would change."""
        if not self.advised:
            return "No other threshold balances the two better."
        return (
            f"With threshold {self.threshold:.2f} it would find {percent(self.threshold_recall)} of “{self.label}” in "
            f"new rows, and {percent(self.threshold_precision)} of those predictions would be right."
        )

    @property
    def advised(self) -> bool:
        """Whether the threshold changes recall enough, and its F1 is higher on rows that did not choose it."""
        f1 = _f1(self.recall, self.precision) < _f1(self.threshold_recall, self.threshold_precision)
        return f1 and abs(self.threshold_recall - self.recall) >= LITTLE


def _f1(recall: float, precision: float) -> float:
    return 0.0 if np.isnan(precision) or recall + precision == 0 else 2 * recall * precision / (recall + precision)


def rare_class(p: Array, y: Codes, answers: Codes, classes: Labels, weight: Array | None) -> RareClass | None:
    """The rare class; None if no class is rare, or if it has too few rows."""
    w = measures.weights(len(y), weight)
    shares = np.bincount(y, w, len(classes)) / w.sum()
    there = np.flatnonzero(shares)
    if not 2 <= len(there) <= MOST_CLASSES:
        return None
    at = int(there[shares[there].argmin()])
    mine = y == at
    if shares[at] > RARE / len(there) or mine.sum() < FEW:
        return None
    found = measures.by_class(measures.confusion(y, answers, len(classes), weight))
    flagged = cross_fitted(p[:, at], y, lambda rows: _best_f1(p[rows, at], mine[rows], w[rows]))
    hits = float(w[flagged & mine].sum())
    return RareClass(
        at,
        classes.tolist()[at],
        float(shares[at]),
        float(found.recall[at]),
        float(found.precision[at]),
        _best_f1(p[:, at], mine, w),
        hits / float(w[mine].sum()),
        hits / float(w[flagged].sum()) if flagged.any() else float("nan"),
    )


def cross_fitted(p: Array, y: Codes, choose: Callable[[NDArray[np.bool]], float], seed: int = 0) -> NDArray[np.bool]:
    """Which rows are flagged: those of each fold with the threshold that the other nine folds choose."""
    part = folds(min(PARTS, len(p)), y, np.random.default_rng(seed), stratify=True)
    flagged = np.empty(len(p), np.bool)
    for fold in range(int(part.max()) + 1):
        own = part == fold
        flagged[own] = p[own] >= choose(~own)
    return flagged


def _best_f1(p: Array, mine: NDArray[np.bool], w: Array) -> float:
    """The threshold with the highest F1 (the harmonic mean of recall and precision), half-way to the next lower
    probability."""
    order = np.argsort(-p, kind="stable")
    high, low = p[order], np.append(p[order][1:], 0.0)
    f1 = 2 * np.cumsum((w * mine)[order]) / (np.cumsum(w[order]) + w[mine].sum())
    at = int(np.where(low < high, f1, -np.inf).argmax())
    return float((high[at] + low[at]) / 2)
