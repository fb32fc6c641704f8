"""Leave-one-out on rows in parts, such as on a cluster, in a second pass after the fit: figures that are sums over the
rows, and an audit of the labels."""

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, Self, TypeVar

import numpy as np

from likely.data import Sample
from likely.engines.engine import Parts
from likely.fitting.over_parts import Reader, naming, spread_results
from likely.models.calibration import Calibration
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned, between, percent
from likely.statistics import Labels
from likely.validation import measures
from likely.validation.calibrate import calibration as learned_calibration
from likely.validation.measures import Array, ByClass, Codes, Reliability
from likely.validation.part_audit import PartAudit
from likely.validation.result import class_lines

P = TypeVar("P")


class CalibrationMaps(NamedTuple):
    """The calibration for the audit, and whether all figures use calibrated probabilities too."""

    audit: Calibration
    calibrates: bool


@dataclass(frozen=True, eq=False)
class LooTotals:
    """Leave-one-out figures of all rows; `print` shows them. The totals of parts add up to those of all rows."""

    classes: Labels
    rows: int
    confusion: Array
    """How many rows of each class (down) were predicted as each class (across)."""
    squares: float
    """The sum of the squared weights."""
    loss: float
    distance: float
    bins: Array
    """For each bin of confidence: the number of predictions, the sum of their confidence, and how many were right."""
    audit: PartAudit
    """The rows whose label may be wrong. The audit always uses calibrated probabilities."""

    @classmethod
    def empty(cls, classes: Labels) -> Self:
        square = np.zeros((len(classes), len(classes)))
        return cls(classes, 0, square, 0.0, 0.0, 0.0, np.zeros((3, measures.BINS)), PartAudit.empty(classes))

    @classmethod
    def of(cls, model: NaiveBayesModel, maps: CalibrationMaps, sample: Sample, number: int, first: int = 0) -> Self:
        """The totals of rows of part `number`, from its row `first` on. The model has learned these rows and others."""
        sample = _known(model, sample)
        p, y, w = model.loo_proba(sample, model.loo_scores(sample)), sample.y, sample.weights
        with np.errstate(divide="ignore"):
            calibrated = maps.audit(np.log(p))
        p = calibrated if maps.calibrates else p
        found = p.argmax(axis=1).astype(np.int32)
        rows = np.arange(len(y))
        sure = p[rows, found]
        off = p.copy()
        off[rows, y] -= 1
        share = model.class_counts / model.class_counts.sum()
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
            PartAudit.of(model.classes, calibrated, y, share, number, first),
        )

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            rows=self.rows + other.rows,
            confusion=self.confusion + other.confusion,
            squares=self.squares + other.squares,
            loss=self.loss + other.loss,
            distance=self.distance + other.distance,
            bins=self.bins + other.bins,
            audit=self.audit + other.audit,
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
        """Wilson's 95 % interval of the error on new rows like these."""
        n = self.weight**2 / self.squares
        return measures.wilson(self.error * n, n)

    @property
    def log_loss(self) -> float:
        """The mean of -log p of the true class."""
        return self.loss / self.weight

    @property
    def brier(self) -> float:
        """The Brier score: the mean squared distance of the probabilities from the true classes, from 0 to 2."""
        return self.distance / self.weight

    @property
    def reliability(self) -> Reliability:
        """How often predictions of about the same confidence are right."""
        rows, sure, right = self.bins[:, self.bins[0] > 0]
        return Reliability(sure / rows, right / rows, rows)

    @property
    def calibration_error(self) -> float:
        """The expected calibration error (ECE): how far confidence and accuracy are apart."""
        return self.reliability.error

    @property
    def by_class(self) -> ByClass:
        """Precision and recall of each class."""
        return measures.by_class(self.confusion)

    @property
    def baseline(self) -> float:
        """The error of always predicting the most common class."""
        return 1 - float(self.by_class.rows.max()) / self.weight

    def __str__(self) -> str:
        commonest = self.classes.tolist()[int(self.by_class.rows.argmax())]
        lines = [
            ("rows", f"{self.rows:,}", ""),
            ("error", percent(self.error), f"95 % interval {between(*self.interval)}"),
            ("baseline", percent(self.baseline), f"always predicting {commonest!r}"),
            ("log loss", f"{self.log_loss:.4f}", ""),
            ("Brier score", f"{self.brier:.4f}", ""),
            ("calibration error", percent(self.calibration_error), ""),
            ("labels to check", f"{len(self.audit):,}", ""),
        ]
        table = class_lines(self.classes, self.confusion)
        return "\n".join(["leave-one-out, on all rows", aligned(lines, "<"), *table])


def loo_totals(
    model: NaiveBayesModel, parts: Parts[P], as_sample: Reader[P], calibration: Calibration | None = None
) -> LooTotals:
    """The totals of all rows that the model has learned. With a map, probabilities are calibrated. Without one, the map
    for the audit is learned from rows of parts all over the data."""
    audit = _calibration(model, parts, as_sample) if calibration is None else calibration
    maps = CalibrationMaps(audit, calibration is not None)
    return parts.total(partial(_part, model, maps, as_sample))


@dataclass(frozen=True)
class LooRows:
    """Leave-one-out log probabilities of some rows, with their classes and weights."""

    log_p: Array
    y: Codes
    weights: Array

    def __len__(self) -> int:
        return len(self.y)


def _calibration(model: NaiveBayesModel, parts: Parts[P], as_sample: Reader[P]) -> Calibration:
    found = spread_results(parts, partial(_some_rows, model, as_sample)).values()
    log_p, y, weights = (np.concatenate([getattr(one, name) for one in found]) for name in ("log_p", "y", "weights"))
    return learned_calibration(log_p, y, model.classes, True, weights)


def _some_rows(model: NaiveBayesModel, as_sample: Reader[P], rows: int, number: int, part: P) -> LooRows | None:
    with naming(number):
        sample = as_sample(part)
        if sample is None:
            return None
        sample = _known(model, sample.at_most(rows))
        with np.errstate(divide="ignore"):
            return LooRows(np.log(model.loo_proba(sample, model.loo_scores(sample))), sample.y, sample.weights)


def _known(model: NaiveBayesModel, sample: Sample) -> Sample:
    """The sample with classes as positions among those of the model."""
    sample.table.must_have(model.names)
    if (unknown := np.setdiff1d(sample.classes, model.classes)).size:
        raise ValueError(f"class {unknown.tolist()[0]!r} was never learned")
    return sample.among(model.classes)


def _part(model: NaiveBayesModel, maps: CalibrationMaps, as_sample: Reader[P], number: int, part: P) -> LooTotals:
    with naming(number):
        sample = as_sample(part)
        if sample is not None:
            return LooTotals.of(model, maps, sample, number)
    return LooTotals.empty(model.classes)
