"""What validation gives: the answers to rows that were not learned, and all figures read off them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.printing import aligned
from likely.statistics import Labels
from likely.validation import measures
from likely.validation.measures import Array, ByClass, Codes, Reliability
from likely.validation.risk import Risk, risk

SHOWN = 8
"""Classes that have a line each in print."""


@dataclass(frozen=True, eq=False)
class Result:
    """Of each row judged its label and the answer to it. `print(result)` shows the figures."""

    how: str
    """How the rows were judged."""
    classes: Labels
    rows: NDArray[np.intp]
    """Which rows of the data were judged."""
    y: Codes
    """Of each of them, the class it has: a position among the classes."""
    answers: Codes
    """And the predicted class."""
    p: Array | None = None
    """The probabilities, rows x classes, if the model has any."""
    weight: Array | None = None
    notes: tuple[str, ...] = ()
    """What the figures do not cover, or how they came about."""
    fit: Callable[[], Any] | None = field(default=None, repr=False)

    @cached_property
    def model(self) -> Any:
        """The model learned from all rows."""
        if self.fit is None:
            raise ValueError(f"{self.how}: there is no model of all rows")
        return self.fit()

    @property
    def probabilities(self) -> Array:
        """Rows x classes, in the order of `classes`."""
        if self.p is None:
            raise ValueError(f"{self.how}: the model predicts classes, not probabilities")
        return self.p

    @property
    def predictions(self) -> Labels:
        return np.asarray(self.classes[self.answers])

    @property
    def labels(self) -> Labels:
        """The true classes of the rows judged."""
        return np.asarray(self.classes[self.y])

    @property
    def right(self) -> NDArray[np.bool]:
        return np.asarray(self.answers == self.y)

    @property
    def confidence(self) -> Array:
        """The probability of each answer."""
        return np.asarray(self.probabilities[np.arange(len(self.answers)), self.answers])

    # Figures

    @property
    def error(self) -> float:
        """The share of wrong answers."""
        return measures.mean(~self.right, self.weight)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the error: of new rows like these."""
        n = measures.effective(len(self.y), self.weight)
        return measures.wilson(self.error * n, n)

    @property
    def log_loss(self) -> float:
        """The mean of -log p of the true class."""
        return measures.log_loss(self.probabilities, self.y, self.weight)

    @property
    def brier(self) -> float:
        """The mean squared distance of the probabilities from what came out, from 0 to 2."""
        return measures.brier(self.probabilities, self.y, self.weight)

    def reliability(self, bins: int = measures.BINS) -> Reliability:
        """How often answers are right that are about as sure."""
        return measures.reliability(self.confidence, self.right, self.weight, bins)

    @property
    def calibration_error(self) -> float:
        """How far being sure and being right lie apart (ECE)."""
        return self.reliability().error

    @property
    def confusion(self) -> NDArray[Any]:
        """How many rows of each class (down) were predicted as each class (across)."""
        return measures.confusion(self.y, self.answers, len(self.classes), self.weight)

    @property
    def by_class(self) -> ByClass:
        """Precision and recall of each class."""
        return measures.by_class(self.confusion)

    @property
    def risk(self) -> Risk:
        """How much can be answered how well, if only predictions of high confidence count."""
        return risk(self.confidence, self.right, self.weight)

    def roc(self, of_class: Any = None) -> tuple[Array, Array, Array]:
        """False alarms, hits and thresholds of one class against the rest; the second if none is named."""
        from sklearn.metrics import roc_curve

        at = self.position(of_class)
        found = roc_curve(self.y == at, self.probabilities[:, at], sample_weight=self.weight)
        return found[0], found[1], found[2]

    @property
    def auc(self) -> float:
        """The area under the ROC curve; of more than two classes the mean over those judged, each against the rest."""
        from sklearn.metrics import roc_auc_score

        there = [1] if len(self.classes) == 2 else np.unique(self.y).tolist()
        areas = [roc_auc_score(self.y == k, self.probabilities[:, k], sample_weight=self.weight) for k in there]
        return float(np.mean(areas))

    def position(self, label: Any = None) -> int:
        """Of a class among the classes; of the second if none is named."""
        if label is None:
            return min(1, len(self.classes) - 1)
        found = np.flatnonzero(self.classes == label)
        if not found.size:
            raise ValueError(f"there is no class {label!r}; the classes are {_some(self.classes)}")
        return int(found[0])

    # In print

    def __str__(self) -> str:
        return "\n".join([self.how, aligned(self.lines()), *self._table(), *self.notes])

    def lines(self) -> list[tuple[str, ...]]:
        """The figures: name, number, and what else is to be said of it."""
        lines: list[tuple[str, ...]] = [
            ("rows", str(len(self.rows)), ""),
            ("error", f"{self.error:.4f}", self._spread()),
        ]
        if self.p is not None:
            lines += [("log loss", f"{self.log_loss:.4f}", ""), ("Brier score", f"{self.brier:.4f}", "")]
            lines.append(("calibration error", f"{self.calibration_error:.4f}", ""))
        return lines

    def _spread(self) -> str:
        low, high = self.interval
        return f"95 % interval {low:.4f} to {high:.4f}"

    def _table(self) -> list[str]:
        """A line for each class: those with most wrong answers, if there are many."""
        table, (precision, recall, rows) = self.confusion, self.by_class
        names = [str(label) for label in self.classes.tolist()]
        wrong = rows - np.diag(table)
        shown = sorted(np.argsort(-wrong, kind="stable")[:SHOWN].tolist())
        across = shown if len(names) <= SHOWN else []
        lines: list[tuple[str, ...]] = [
            ("class", "", "rows", "precision", "recall", *(f"as {names[k]}" for k in across))
        ]
        for k in shown:
            counts = (f"{table[k, other]:.6g}" for other in across)
            lines.append((names[k], "", f"{rows[k]:.6g}", f"{precision[k]:.3f}", f"{recall[k]:.3f}", *counts))
        more = [] if len(shown) == len(names) else [f"and {len(names) - len(shown)} more classes"]
        return ["", aligned(lines), *more]


def _some(labels: Labels) -> str:
    return ", ".join(map(repr, labels[:5].tolist())) + (", ..." if len(labels) > 5 else "")
