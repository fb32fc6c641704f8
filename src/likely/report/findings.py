"""What a model says of rows, and what follows from it: all that the page tells and draws."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Table
from likely.models.block import Block
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import Learned, NaiveBayes
from likely.statistics import Labels, union
from likely.store import Stored
from likely.validation import Audit, Relevance, Result, relevance
from likely.validation.in_parts import in_parts
from likely.validation.left_out import calibrated, posterior_left_out
from likely.validation.mislabelled import audited

Array = NDArray[np.float64]

FEW = 20
"""Fewer rows than that teach no calibration, and no label is doubted by them."""

PERHAPS = "It can't be told whether the model has learned some of these rows; if it has, the figures are too good."
"""A note on rows that nobody has said to be new."""


@dataclass(frozen=True, eq=False)
class Findings:
    stored: Stored
    table: Table
    learned: bool
    """Whether these are the rows that the model has learned; each was then judged by a model without it."""
    before: Result
    """By the model without calibration."""
    after: Result | None
    """By what calibration makes of that; None of too few rows."""
    audit: Audit | None
    """None of too few rows. Its rows are those of which the class was learned: `audited`."""
    audited: NDArray[np.intp]
    counted: NaiveBayes
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
        return isinstance(self.model, NaiveBayes)


def sums(model: Any) -> tuple[Block, ...]:
    """What a model has counted of the rows it learned: of logistic regression, what its features are made by."""
    if isinstance(model, NaiveBayes):
        return model.known.blocks
    return tuple(piece.block for piece in model.design.pieces if hasattr(piece, "block"))


def same_rows(model: Any, counted: Learned) -> bool:
    """Whether rows that were counted as the model counts are those it has learned: taken out, they leave nothing."""
    if not sums(model) or not np.array_equal(model.classes, counted.classes):
        return False
    try:
        left = [mine - theirs for mine, theirs in zip(sums(model), counted.blocks, strict=True)]
    except ValueError:
        return False
    return all((block.statistics.present <= 1e-9).all() for block in left)


def findings(
    stored: Stored,
    table: Table,
    y: NDArray[np.int32],
    weight: Array | None,
    classes: Labels,
    learned: bool,
    rows: NDArray[np.int64] | None = None,
    notes: tuple[str, ...] = (),
) -> Findings:
    """Of rows with their classes, codes among `classes`; `rows` says which they are of the data."""
    model = stored.model
    known, here, theirs = union(model.classes, classes)
    y = y if theirs is None else theirs.at.astype(np.int32)[y]
    of_model = np.arange(len(model.classes)) if here is None else here.at
    never = [label for label in classes.tolist() if label not in model.classes]
    if learned and never:
        raise ValueError(f"the model has never learned class {never[0]!r}, so these are not the rows that it learned")
    if never:
        notes = (*notes, f"The model has never learned {', '.join(map(str, never[:5]))}.")
    p = np.zeros((table.rows, len(known)))
    p[:, of_model], how, more = _answers(model, table, y, weight, learned)
    notes += more
    before = Result(
        how,
        known,
        np.arange(table.rows) if rows is None else rows,
        y,
        p.argmax(axis=1).astype(np.int32),
        p,
        weight,
        notes,
    )
    after = _after(stored, table, before, learned, of_model)
    sure = np.flatnonzero(np.isin(y, of_model))
    audit = None
    if after is not None and len(sure) >= FEW and after.p is not None:
        reasons = _reasons(model, table, y, weight, learned, sure)
        codes = np.searchsorted(of_model, y[sure]).astype(np.int32)
        audit = audited(model.classes, codes, np.ascontiguousarray(after.p[np.ix_(sure, of_model)]), reasons)
    counted = model if isinstance(model, NaiveBayes) else model.generative or _counted(table, known, y, weight)
    return Findings(stored, table, learned, before, after, audit, sure, counted, relevance(counted))


def _answers(
    model: Any, table: Table, y: NDArray[np.int32], weight: Array | None, learned: bool
) -> tuple[Array, str, tuple[str, ...]]:
    """p(y | x) of rows, of those that were learned by a model without them; how, and what is to be said of it."""
    if not learned:
        return model.posterior(table), "rows that the model has not learned", ()
    if isinstance(model, NaiveBayes):
        left_out = posterior_left_out(model, model.score_left_out(table, y, weight), y, weight)
        return left_out, "each row left out of its own count", ()
    found = in_parts(model, table, y, weight)
    return found.probabilities, found.how, found.notes


def _after(stored: Stored, table: Table, before: Result, learned: bool, of_model: NDArray[np.intp]) -> Result | None:
    """Calibrated by the model's own map where it has one and the rows are new to it; else by one of these rows, a tenth
    of them at a time by the others."""
    if stored.calibration is not None and not learned:
        p = np.zeros(before.probabilities.shape)
        p[:, of_model] = stored.posterior(table)
    elif len(before.y) < FEW or len(before.classes) < 2:
        return None
    else:
        p = calibrated(before, stored.calibrate or True, 0)
    return replace(before, p=p, answers=p.argmax(axis=1).astype(np.int32))


def _counted(table: Table, classes: Labels, y: NDArray[np.int32], weight: Array | None) -> NaiveBayes:
    model = NaiveBayes()
    there, codes = np.unique(y, return_inverse=True)
    model.learn(table, classes[there], codes.astype(np.int32), weight)
    return model


def _reasons(
    model: Any, table: Table, y: NDArray[np.int32], weight: Array | None, learned: bool, rows: NDArray[np.intp]
) -> Any:
    if not isinstance(model, NaiveBayes):
        return None

    def of(at: int) -> Reasons:
        one = rows[[at]]
        part, without = table.take(one), copy(model)
        if learned:
            without.forget(part, model.classes, y[one], None if weight is None else weight[one])
        return Explanation(without, part)[0]

    return of
