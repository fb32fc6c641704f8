"""The result of validation: the predictions for rows that were not learned, and all figures computed from them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.models.log_odds import log_odds, probability
from likely.plotted import Plotted
from likely.printing import aligned, between, percent
from likely.statistics import Labels
from likely.tabular import Cells, Tabular, by_class
from likely.typing import Classifier, Label
from likely.validation import measures
from likely.validation.measures import Array, ByClass, Codes, Reliability
from likely.validation.rare_class import RareClass, rare_class
from likely.validation.risk import Risk, risk

MOST_ODDS = 1e300
"""The log-odds if all other classes are impossible, for measures that need finite numbers. The log-odds of long texts
are in the thousands."""

SHOWN = 8
"""The most classes that are printed."""


@dataclass(frozen=True, eq=False)
class Result(Tabular, Plotted):
    """Predictions for rows that were not learned, with their labels. `print(result)` shows the figures.

    See Also
    --------
    leave_one_out : makes one.
    cross_validate : makes one.
    holdout : makes one.
    thresholds : what each threshold finds, misses and costs.
    """

    how: str
    """How the rows were judged."""
    classes: Labels
    rows: NDArray[np.intp]
    """Which rows of the data were judged."""
    y: Codes
    """The class of each of these rows: a position among the classes."""
    answers: Codes
    """The predicted class of each of these rows."""
    log_p: Array | None = None
    """The log probabilities, rows x classes, if the model has any."""
    weight: Array | None = None
    notes: tuple[str, ...] = ()
    """Sentences on what the figures do not cover, or how they were computed."""
    fit: Callable[[], Any] | None = field(default=None, repr=False)

    @cached_property
    def model(self) -> Classifier:
        """The model learned from all rows."""
        if self.fit is None:
            raise ValueError(f"{self.how}: there is no model fitted to all rows")
        fitted: Classifier = self.fit()
        return fitted

    @cached_property
    def probabilities(self) -> Array:
        """The probabilities, rows x classes, in the order of `classes`."""
        return np.asarray(np.exp(self.log_probabilities))

    @property
    def log_probabilities(self) -> Array:
        """The log probabilities, rows x classes: they still differ if probabilities round to 0 or 1."""
        if self.log_p is None:
            raise ValueError(f"{self.how}: the model predicts classes, not probabilities")
        return self.log_p

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
        """The probability of each prediction."""
        return np.asarray(self.probabilities[np.arange(len(self.answers)), self.answers])

    @property
    def log_odds(self) -> Array:
        """The log-odds of each class against all others, rows x classes. They rank rows as the probabilities do, but
        without ties between probabilities that round to 0 or 1."""
        return log_odds(self.log_probabilities)

    # Figures

    @property
    def error(self) -> float:
        """The share of wrong predictions."""
        return measures.mean(~self.right, self.weight)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the error on new rows like these."""
        n = measures.effective(len(self.y), self.weight)
        return measures.wilson(self.error * n, n)

    @property
    def baseline(self) -> float:
        """The error of always predicting the most common class."""
        return float(1 - self.by_class.rows.max() / self.by_class.rows.sum())

    @property
    def log_loss(self) -> float:
        """The mean of -log p of the true class."""
        return measures.log_loss(self.probabilities, self.y, self.weight)

    @property
    def brier(self) -> float:
        """The Brier score: the mean squared distance of the probabilities from the true classes, from 0 to 2."""
        return measures.brier(self.probabilities, self.y, self.weight)

    def reliability(self, bins: int = measures.BINS) -> Reliability:
        """How often predictions of about the same confidence are right."""
        return measures.reliability(self.confidence, self.right, self.weight, bins)

    @property
    def calibration_error(self) -> float:
        """How far confidence and accuracy are apart: the expected calibration error (ECE)."""
        return self.reliability().error

    @property
    def confusion(self) -> Array:
        """How many rows of each class (down) were predicted as each class (across)."""
        return measures.confusion(self.y, self.answers, len(self.classes), self.weight)

    @property
    def by_class(self) -> ByClass:
        """Precision and recall of each class."""
        return measures.by_class(self.confusion)

    @property
    def risk(self) -> Risk:
        """The error against coverage, if rows with the highest confidence are predicted first."""
        return risk(self.confidence, self.right, self.weight)

    @cached_property
    def rare(self) -> RareClass | None:
        """The rare class, if there is one: its recall and precision, and what a threshold would change."""
        if self.log_p is None:
            return None
        return rare_class(self.probabilities, self.y, self.answers, self.classes, self.weight)

    def roc(self, of_class: Label | None = None) -> tuple[Array, Array, Array]:
        """The false positive rates, true positive rates and thresholds for one class against the others (by default the
        second). Rows are ranked by log-odds, so several thresholds may round to probability 1."""
        from sklearn.metrics import roc_curve

        at = self.position(of_class)
        found = roc_curve(self.y == at, self._ranking(at), sample_weight=self.weight)
        return found[0], found[1], np.append(np.inf, probability(found[2][1:]))

    def _ranking(self, at: int) -> Array:
        """The log-odds of a class, clipped to finite numbers."""
        return np.nan_to_num(self.log_odds[:, at], posinf=MOST_ODDS, neginf=-MOST_ODDS)

    @property
    def auc(self) -> float:
        """The area under the ROC curve; with more than two classes, the mean over the classes, each against the
        others."""
        from sklearn.metrics import roc_auc_score

        there = [1] if len(self.classes) == 2 else np.unique(self.y).tolist()
        areas = [roc_auc_score(self.y == k, self._ranking(k), sample_weight=self.weight) for k in there]
        return float(np.mean(areas))

    def position(self, label: Label | None = None) -> int:
        """The position of a class among the classes; 1 if none is named."""
        if label is None:
            return min(1, len(self.classes) - 1)
        found = np.flatnonzero(self.classes == label)
        if not found.size:
            raise ValueError(f"there is no class {label!r}; the classes are {_some(self.classes)}")
        return int(found[0])

    # In print

    def __str__(self) -> str:
        return self.described("" if self.rare is None else str(self.rare))

    def described(self, first: str) -> str:
        """The text that `print` shows, with `first` as the first sentence."""
        return "\n".join([*filter(None, [first]), self.how, aligned(self.lines(), "<"), *self._table(), *self.notes])

    def _table(self) -> list[str]:
        """The lines below the figures."""
        return class_lines(self.classes, self.confusion)

    def cells(self) -> Cells:
        """The rows judged: label, prediction, and the probability of each class."""
        columns = {"row": self.rows, "label": self.labels, "prediction": self.predictions}
        return columns if self.log_p is None else by_class(columns, self.classes, self.probabilities)

    @property
    def caption(self) -> str:
        figures = (" ".join(line).strip() for line in self.lines())
        return "\n".join([self.how, *figures, *self.notes])

    def lines(self) -> list[tuple[str, ...]]:
        """The figures: name, number and remark."""
        lines: list[tuple[str, ...]] = [
            ("rows", f"{len(self.rows):,}", ""),
            ("error", percent(self.error, self._digits), self._spread()),
            ("baseline", percent(self.baseline), f"always predicting {self._commonest!r}"),
        ]
        if self.log_p is not None:
            lines += [("log loss", f"{self.log_loss:.4f}", ""), ("Brier score", f"{self.brier:.4f}", "")]
            lines.append(("calibration error", percent(self.calibration_error), ""))
        return lines

    @property
    def _commonest(self) -> Any:
        return self.classes.tolist()[int(self.by_class.rows.argmax())]

    def _spread(self) -> str:
        return f"95 % interval {between(*self.interval, self._digits)}"

    @property
    def _digits(self) -> int:
        """The decimals of an error in percent: one more if it is below 1 %."""
        return 1 if self.error >= 0.01 or not self.error else 2


def class_lines(classes: Labels, confusion: Array) -> list[str]:
    """A line for each class; if there are many, only those with the most errors."""
    precision, recall, rows = measures.by_class(confusion)
    names = [str(label) for label in classes.tolist()]
    wrong = rows - np.diag(confusion)
    shown = sorted(np.argsort(-wrong, kind="stable")[:SHOWN].tolist())
    across = shown if len(names) <= SHOWN else []
    lines: list[tuple[str, ...]] = [("class", "", "rows", "precision", "recall", *(f"as {names[k]}" for k in across))]
    for k in shown:
        counts = (f"{confusion[k, other]:,.6g}" for other in across)
        lines.append((names[k], "", f"{rows[k]:,.6g}", percent(precision[k]), percent(recall[k]), *counts))
    more = [] if len(shown) == len(names) else [f"and {len(names) - len(shown):,} more classes"]
    return ["", aligned(lines), *more]


def _some(labels: Labels) -> str:
    return ", ".join(map(repr, labels[:5].tolist())) + (", ..." if len(labels) > 5 else "")
