"""Collects a model's predictions for labelled rows, batch by batch, and measures them on rows that it has not
learned."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.cli.labelled_batches import LabelledBatch
from likely.data import Sample
from likely.data.row_digest import Marks
from likely.models.log_odds import logs
from likely.printing import counted
from likely.statistics import union
from likely.store import Stored
from likely.validation import Result
from likely.validation.frames import optimism
from likely.validation.learned_rows import PERHAPS, Judged, judged_by
from likely.validation.left_out import loo_of_learned

TOO_GOOD = "The model has learned these rows, so the figures are too good; `likely validate` judges without them."

Array = NDArray[np.float64]


class PredictedRows:
    """For rows that were learned, it collects leave-one-out predictions too, if the model counts rows."""

    def __init__(self, stored: Stored, learned: str) -> None:
        """`learned` is "yes", "no", or "auto" to look rows up in the digest of the model."""
        self.stored, self.learned = stored, learned
        self.labels: list[NDArray[Any]] = []
        self.log_p: list[Array] = []
        self.loo: list[Array] = []
        self.weights: list[Any] = []
        self.marks: list[Marks] = []
        self.first: Sample | None = None
        """The rows of the first batch. If the table is small, these are all rows."""

    def add(self, part: LabelledBatch) -> None:
        sample, digest = part.sample, self.stored.digest
        labels, log_p = sample.classes[sample.y], self.stored.predict_log_proba(sample.table)
        again = np.zeros(len(sample), np.bool) if self.learned != "yes" else np.ones(len(sample), np.bool)
        if self.learned == "auto" and digest is not None:
            self.marks.append(part.marks)
            again = digest.look_up(self.marks[-1]).learned
        self.first = sample if not self.labels else self.first
        self.labels.append(labels)
        self.weights.append(sample.weight)
        self.log_p.append(log_p)
        self.loo.append(self._left_out(part, log_p, again & np.isin(labels, self.stored.model.classes)))

    def _left_out(self, part: LabelledBatch, log_p: Array, rows: NDArray[np.bool]) -> Array:
        model, calibration = self.stored.model, self.stored.calibration
        if not model.counts_rows or not rows.any():
            return log_p
        again = part.sample.take(np.flatnonzero(rows)).known().among(model.classes)
        left_out, found = model.loo_proba(again, model.loo_scores(again), log=True), log_p.copy()
        found[rows] = left_out if calibration is None else logs(calibration(left_out))
        return found

    def _as_fitted(self, judged: Judged) -> Result | None:
        """The result that `fit` and `report` show, if these are exactly the rows that the model has learned; else
        None."""
        stored, sample = self.stored, self.first
        learned = len(judged.rows) == stored.origin.rows and stored.calibration is None
        if sample is None or len(self.labels) > 1 or len(sample) != len(judged.rows) or not learned:
            return None
        return loo_of_learned(stored.model, sample.known().among(stored.model.classes), True)

    def result(self, name: str) -> Result:
        """The result, for a model with this name."""
        model, every = self.stored.model, np.concatenate(self.labels)
        judged = Judged(np.arange(len(every)), self.learned == "yes")
        if self.learned == "auto":
            digest = self.stored.digest
            unknown = judged._replace(note=PERHAPS, known=False)
            judged = unknown if digest is None else judged_by(digest, np.concatenate(self.marks))
        y, notes = every[judged.rows], [judged.note] if judged.note else []
        by_loo = judged.learned and model.counts_rows
        log_p = np.concatenate(self.loo if by_loo else self.log_p)[judged.rows]
        if by_loo and (as_fitted := self._as_fitted(judged)) is not None:
            log_p = as_fitted.log_probabilities
            notes += as_fitted.notes
        elif judged.learned:
            notes += optimism(model) if by_loo else [TOO_GOOD]
        classes, at, _ = union(model.classes, np.unique(y))
        if at is not None:  # rows of classes that the model has never learned are always predicted wrongly
            wider = np.full((len(log_p), len(classes)), -np.inf)
            wider[:, at.at] = log_p
            log_p = wider
            new = [str(label) for label in classes.tolist() if label not in model.classes]
            notes.append(f"The model has never learned {', '.join(new[:5])}.")
        return Result(
            f"{name} on {counted(len(y), 'row')}{', leave-one-out' if by_loo else ''}",
            classes,
            judged.rows,
            np.searchsorted(classes, y).astype(np.int32),
            log_p.argmax(axis=1).astype(np.int32),
            log_p,
            None if self.weights[0] is None else np.concatenate(self.weights)[judged.rows],
            tuple(notes),
        )
