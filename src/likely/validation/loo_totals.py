"""Leave-one-out of rows that lie in parts, in a pass after the fit: figures that are sums over the rows, and the rows
whose label is least probable."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample
from likely.engines.engine import Parts
from likely.fitting.over_parts import Reader, naming
from likely.models.calibration import Calibration
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned, between, percent
from likely.statistics import Labels
from likely.validation import measures
from likely.validation.measures import Array, ByClass, Reliability

P = TypeVar("P")

SUSPECTS = 100
"""Rows that are remembered for their labels."""


class PartSuspect(NamedTuple):
    partition: int
    row: int
    label: Any
    looks_like: Any
    probability: float
    """Of its label, leave-one-out."""


@dataclass(frozen=True, eq=False)
class LooTotals:
    """Leave-one-out figures of all rows. `print` shows them. Those of parts add up to those of the whole."""

    classes: Labels
    rows: int
    confusion: Array
    """How many rows of each class (down) were predicted as each class (across)."""
    squares: float
    """The sum of the squared weights."""
    loss: float
    distance: float
    bins: Array
    """Of predictions by their confidence: how many, the sums of their confidence, and how many were right."""
    suspects: tuple[PartSuspect, ...] = ()
    """The rows whose label is least probable, the least first."""

    @classmethod
    def of(cls, model: NaiveBayesModel, calibration: Calibration | None, sample: Sample, number: int) -> Self:
        """Of the rows of one part, which the model has learned with others."""
        sample = sample.among(model.classes)
        p, y, w = model.loo_proba(sample, model.loo_scores(sample)), sample.y, sample.weights
        if calibration is not None:
            with np.errstate(divide="ignore"):
                p = calibration(np.log(p))
        found = p.argmax(axis=1).astype(np.int32)
        rows, own = np.arange(len(y)), p[np.arange(len(y)), y]
        sure = p[rows, found]
        off = p.copy()
        off[rows, y] -= 1
        at = np.minimum((sure * measures.BINS).astype(np.int64), measures.BINS - 1)
        bins = np.array([np.bincount(at, w * each, measures.BINS) for each in (1.0, sure, found == y)])
        return cls(
            model.classes,
            len(y),
            measures.confusion(y, found, len(model.classes), w),
            float(w @ w),
            float(w @ measures.log_losses(p, y)),
            float(w @ (off**2).sum(axis=1)),
            bins,
            _least_probable(model.classes, number, p, y, own),
        )

    def __add__(self, other: Self) -> Self:
        suspects = sorted((*self.suspects, *other.suspects), key=lambda one: (one.probability, one[:2]))
        return replace(
            self,
            rows=self.rows + other.rows,
            confusion=self.confusion + other.confusion,
            squares=self.squares + other.squares,
            loss=self.loss + other.loss,
            distance=self.distance + other.distance,
            bins=self.bins + other.bins,
            suspects=tuple(suspects[:SUSPECTS]),
        )

    @property
    def weight(self) -> float:
        return float(self.confusion.sum())

    @property
    def error(self) -> float:
        """The share of wrong predictions."""
        return 1 - float(np.trace(self.confusion)) / self.weight

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the error: of new rows like these."""
        n = self.weight**2 / self.squares
        return measures.wilson(self.error * n, n)

    @property
    def log_loss(self) -> float:
        """The mean of -log p of the true class."""
        return self.loss / self.weight

    @property
    def brier(self) -> float:
        """The mean squared distance of the probabilities from what came out, from 0 to 2."""
        return self.distance / self.weight

    @property
    def reliability(self) -> Reliability:
        """How often predictions of about the same confidence are right."""
        rows, sure, right = self.bins[:, self.bins[0] > 0]
        return Reliability(sure / rows, right / rows, rows)

    @property
    def calibration_error(self) -> float:
        """How far confidence and accuracy lie apart (ECE)."""
        return self.reliability.error

    @property
    def by_class(self) -> ByClass:
        """Precision and recall of each class."""
        return measures.by_class(self.confusion)

    def __str__(self) -> str:
        lines = [
            ("rows", f"{self.rows:,}", ""),
            ("error", percent(self.error), f"95 % interval {between(*self.interval)}"),
            ("log loss", f"{self.log_loss:.4f}", ""),
            ("Brier score", f"{self.brier:.4f}", ""),
            ("calibration error", percent(self.calibration_error), ""),
        ]
        return "\n".join(["leave-one-out", aligned(lines, "<")])


def loo_totals(
    model: NaiveBayesModel, parts: Parts[P], as_sample: Reader[P], calibration: Calibration | None = None
) -> LooTotals:
    """Of the rows that the model has learned, all of them; with probabilities calibrated, where there is a map."""
    return parts.total(partial(_part, model, calibration, as_sample))


def _part(
    model: NaiveBayesModel, calibration: Calibration | None, as_sample: Reader[P], number: int, part: P
) -> LooTotals:
    with naming(number):
        sample = as_sample(part)
        if sample is not None:
            sample.table.must_have(model.names)
            unknown = np.setdiff1d(sample.classes, model.classes)
            if unknown.size:
                raise ValueError(f"class {unknown.tolist()[0]!r} was never learned")
            return LooTotals.of(model, calibration, sample, number)
    classes = len(model.classes)
    return LooTotals(model.classes, 0, np.zeros((classes, classes)), 0.0, 0.0, 0.0, np.zeros((3, measures.BINS)))


def _least_probable(
    classes: Labels, number: int, p: Array, y: NDArray[np.int32], own: Array
) -> tuple[PartSuspect, ...]:
    chosen = np.argsort(own, kind="stable")[:SUSPECTS]
    others = p[chosen]
    others[np.arange(len(chosen)), y[chosen]] = -1.0
    labels, instead = classes[y[chosen]].tolist(), classes[others.argmax(axis=1)].tolist()
    return tuple(
        PartSuspect(number, int(row), label, other, float(own[row]))
        for row, label, other in zip(chosen, labels, instead, strict=True)
    )
