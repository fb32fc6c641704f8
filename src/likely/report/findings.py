"""What a model says of rows, and what follows from it: all that the page shows."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample
from likely.models.explain import Explanation, Reasons
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import union
from likely.store import Stored
from likely.validation import Audit, Relevance, Result, relevance
from likely.validation.in_parts import in_parts
from likely.validation.left_out import calibrated
from likely.validation.mislabelled import audited

Array = NDArray[np.float64]

FEW = 20
"""Fewer rows than that teach no calibration, and no label is doubted by them."""

PERHAPS = "It is not known whether the model has learned some of these rows; if it has, the figures are too good."
"""A note on rows that nobody has said to be new."""


@dataclass(frozen=True, eq=False)
class Findings:
    stored: Stored
    sample: Sample
    """The rows, with all classes that they or the model have."""
    learned: bool
    """Whether these are the rows that the model has learned; each was then judged by a model without it."""
    before: Result
    """By the model without calibration."""
    after: Result | None
    """By what calibration makes of that; None of too few rows."""
    audit: Audit | None
    """None of too few rows. Its rows are those whose class was learned: `audited`."""
    audited: NDArray[np.intp]
    counted: NaiveBayesModel
    """The model, or where that does not count, naive Bayes of these rows: what columns look like in each class."""
    relevance: Relevance

    @property
    def model(self) -> Any:
        return self.stored.model

    @property
    def result(self) -> Result:
        """As the model answers."""
        return self.before if self.stored.calibration is None or self.after is None else self.after

    @property
    def counts(self) -> bool:
        return bool(self.model.counts_rows)


def same_rows(model: Any, counted: Learned) -> bool:
    """Whether rows that were counted as the model counts are those it has learned: taken out, they leave nothing."""
    if not model.blocks or not np.array_equal(model.classes, counted.classes):
        return False
    try:
        left = [mine - theirs for mine, theirs in zip(model.blocks, counted.blocks, strict=True)]
    except ValueError:
        return False
    return all((block.statistics.present <= 1e-9).all() for block in left)


def findings(
    stored: Stored,
    sample: Sample,
    learned: bool,
    rows: NDArray[np.int64] | None = None,
    notes: tuple[str, ...] = (),
) -> Findings:
    """Of rows with their classes; `rows` says which they are of the data."""
    model = stored.model
    never = [label for label in sample.classes.tolist() if label not in model.classes]
    if learned and never:
        raise ValueError(f"the model has never learned class {never[0]!r}, so these are not the rows that it learned")
    if never:
        notes = (*notes, f"The model has never learned {', '.join(map(str, never[:5]))}.")
    known, here, _ = union(model.classes, sample.classes)
    sample, of_model = sample.among(known), np.arange(len(model.classes)) if here is None else here.at
    p = np.zeros((len(sample), len(known)))
    p[:, of_model], how, more = _answers(model, sample, learned)
    before = Result(
        how,
        known,
        np.arange(len(sample)) if rows is None else rows,
        sample.y,
        p.argmax(axis=1).astype(np.int32),
        p,
        sample.weight,
        notes + more,
    )
    after = _after(stored, sample, before, learned, of_model)
    sure = np.flatnonzero(np.isin(sample.y, of_model))
    audit = None
    if after is not None and len(sure) >= FEW and after.p is not None:
        codes = np.searchsorted(of_model, sample.y[sure]).astype(np.int32)
        reasons = _reasons(model, replace(sample.take(sure), y=codes, classes=model.classes), learned)
        audit = audited(model.classes, codes, np.ascontiguousarray(after.p[np.ix_(sure, of_model)]), reasons)
    counted = model if model.counts_rows else model.generative or NaiveBayesModel().learn(sample.known())
    return Findings(stored, sample, learned, before, after, audit, sure, counted, relevance(counted))


def _answers(model: Any, sample: Sample, learned: bool) -> tuple[Array, str, tuple[str, ...]]:
    """p(y | x) of rows, of those that were learned by a model without them; how, and what is to be said of it."""
    if not learned:
        return model.predict_proba(sample.table), "rows that the model has not learned", ()
    if model.counts_rows:
        return model.loo_proba(sample, model.loo_scores(sample)), "leave-one-out", ()
    found = in_parts(model, sample)
    return found.probabilities, found.how, found.notes


def _after(stored: Stored, sample: Sample, before: Result, learned: bool, of_model: NDArray[np.intp]) -> Result | None:
    """Calibrated by the model's own map where it has one and the rows are new to it; else by one of these rows, a tenth
    of them at a time by the others."""
    if stored.calibration is not None and not learned:
        p = np.zeros(before.probabilities.shape)
        p[:, of_model] = stored.predict_proba(sample.table)
    elif len(before.y) < FEW or len(before.classes) < 2:
        return None
    else:
        p = calibrated(before, stored.calibrate or True, 0)
    return replace(before, p=p, answers=p.argmax(axis=1).astype(np.int32))


def _reasons(model: Any, sample: Sample, learned: bool) -> Any:
    if not model.counts_rows:
        return None

    def of(at: int) -> Reasons:
        one = sample.take(np.array([at]))
        return Explanation(model.forget(one) if learned else model, one.table)[0]

    return of
