"""Finds labelled rows: by words, by class, and those whose label may be wrong."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from likely.data.stream.columns import numbers
from likely.labelling.session import Session
from likely.validation.left_out import calibrated
from likely.validation.mislabelled import audited
from likely.validation.result import Result

FEW = 20
"""With fewer labels, none is reported as suspect: the model knows too little."""

MOST = 20_000
"""The most labels to audit; if there are more, this many are drawn at random."""


def found(session: Session, words: str = "", label: str = "") -> NDArray[np.intp]:
    """The labelled rows that contain `words` and have this `label`, as far as these are given; your last answer comes
    first."""
    rows = session.labelled
    if label:
        rows = rows[session.labels_of(rows) == label]
    if words:
        rows = rows[_holds(session.shown.take(numbers(rows)), words)]
    return rows[np.argsort(-session.answer[rows], kind="stable")]


def _holds(table: pa.Table, words: str) -> NDArray[np.bool]:
    """Which rows contain the words in one cell, regardless of case."""
    hits = np.zeros(table.num_rows, np.bool)
    for column in table.columns:
        texts = column.cast(pa.large_string(), safe=False)
        hits |= pc.match_substring(texts, words, ignore_case=True).fill_null(False).to_numpy()
    return hits


@dataclass(frozen=True)
class Suspicion:
    row: int
    label: str
    looks_like: str
    probability: float
    """The probability of its label, by a model without the row."""
    likely_wrong: bool
    """Whether the audit reports it; if not, another class is only more probable than the label."""


def suspects(session: Session) -> list[Suspicion]:
    """Labels that the audit reports as probably wrong, and labels for which another class is more probable. The second
    kind is listed because the audit can't distinguish a repeated mistake from overlapping classes. The least probable
    labels come first."""
    rows = session.labelled
    if session.model.model is None or len(rows) < FEW:
        return []
    most = session.model.at_once(MOST)
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(0).choice(rows, most, replace=False))
    sample, log_p = session.model.loo(rows, session.labels_of(rows))
    loo = Result("leave-one-out", sample.classes, rows, sample.y, log_p.argmax(axis=1).astype(np.int32), log_p)
    audit = audited(sample.classes, sample.y, calibrated(loo, True, 0).probabilities)
    own = audit.p[np.arange(len(rows)), audit.y]
    doubtful = own < audit.p.max(axis=1)
    ranks = [rank for rank, at in enumerate(audit.order) if rank < audit.found or doubtful[at]]
    shown = [(audit[rank], rank < audit.found) for rank in ranks]
    return [Suspicion(int(rows[one.row]), one.label, one.looks_like, one.probability, sure) for one, sure in shown]
