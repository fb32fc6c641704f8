"""The findings of a report: a model's predictions for rows, and everything that the page derives from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample
from likely.data.findings import Finding
from likely.models.decision_rule import DecisionRule
from likely.models.explain import Reasons, explanation
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import union
from likely.store import Stored
from likely.validation import Audit, Relevance, Result, relevance
from likely.validation.in_parts import in_parts
from likely.validation.learned_rows import Judged
from likely.validation.left_out import calibrated, loo_of_learned
from likely.validation.mislabelled import audited

Array = NDArray[np.float64]

FEW = 20
"""With fewer rows, no calibration is learned, and no labels are audited."""


@dataclass(frozen=True, eq=False)
class Findings:
    stored: Stored
    sample: Sample
    """The rows, with all classes that they or the model have."""
    learned: bool
    """Whether these are the rows that the model has learned; then each is judged by a model without it."""
    before: Result
    """The result without calibration."""
    after: Result | None
    """The result with calibration; None for too few rows."""
    audit: Audit | None
    """The audit of the rows in `audited`, whose class the model has learned; None for too few rows."""
    audited: NDArray[np.intp]
    counted: NaiveBayesModel
    """The model if it counts rows, else naive Bayes fitted to these rows. It shows what columns look like in each
    class."""
    relevance: Relevance
    checks: Sequence[Finding] = ()
    """What to check in the columns."""
    how_judged: tuple[str, ...] = ()
    """Notes on which choices were made without the judged rows, and how much too low the error may be. They are for the
    appendix, as they change no decision."""
    costs: Any = None
    """What mistakes cost, as `likely.models.decision_rule.cost_table` takes it; None if each mistake costs 1."""

    @property
    def model(self) -> Any:
        return self.stored.model

    @property
    def result(self) -> Result:
        """The result of the model's own probabilities."""
        return self.before if self.stored.calibration is None or self.after is None else self.after

    @property
    def texts(self) -> list[str]:
        """The columns of texts."""
        return [str(name) for name, family in self.model.chosen_families.items() if family.domain == "text"]

    @property
    def counts(self) -> bool:
        return bool(self.model.counts_rows)

    @cached_property
    def focus(self) -> int | None:
        """The code of the class that the page is about: the rare one or, of two classes, the one with fewer rows; or
        None."""
        rare, there = self.result.rare, np.flatnonzero(self.sample.class_weights)
        if rare is not None:
            return rare.at
        return int(there[::-1][self.sample.class_weights[there[::-1]].argmin()]) if len(there) == 2 else None

    @cached_property
    def decided(self) -> Result:
        """The result with predictions chosen by the costs; without costs, of the most probable class."""
        if self.costs is None:
            return self.result
        return replace(
            self.result, answers=DecisionRule.of(self.result.classes, self.costs).codes(self.result.probabilities)
        )

    def explained(self, rows: NDArray[np.intp]) -> list[Reasons]:
        """The reasons for the scores of these rows of the sample. If the rows were learned and the model counts rows,
        the reasons are those of the model without the row."""
        found = []
        for at in rows.tolist():
            one = self.sample.take(np.array([at]))
            model = self.model.forget(one) if self.learned and self.counts else self.model
            found.append(explanation(model, one.table)[0])
        return found


def same_rows(model: Any, counted: Learned) -> bool:
    """Whether the counted rows are exactly those that the model has learned: if they are subtracted, nothing is
    left."""
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
    judged: Judged,
    rows: NDArray[np.int64] | None = None,
) -> Findings:
    """The findings for labelled rows; `rows` are their positions in the data."""
    model, learned, notes = stored.model, judged.learned, (judged.note,) if judged.note else ()
    rows = judged.rows if rows is None else rows[judged.rows]
    sample = sample.take(judged.rows).known()
    never = [label for label in sample.classes.tolist() if label not in model.classes]
    if learned and never:
        raise ValueError(f"the model has never learned class {never[0]!r}, so these are not the rows that it learned")
    if never:
        notes = (*notes, f"The model has never learned {', '.join(map(str, never[:5]))}.")
    known, here, _ = union(model.classes, sample.classes)
    sample, of_model = sample.among(known), np.arange(len(model.classes)) if here is None else here.at
    log_p = np.full((len(sample), len(known)), -np.inf)
    log_p[:, of_model], how, how_judged, more = _answers(
        model, sample, learned, stored.calibration is None and len(sample) == stored.origin.rows
    )
    if not judged.known:
        how = "rows that the model may have learned"
    before = Result(
        how,
        known,
        rows,
        sample.y,
        log_p.argmax(axis=1).astype(np.int32),
        log_p,
        sample.weight,
        notes + more,
    )
    after = _after(stored, sample, before, learned, of_model)
    sure = np.flatnonzero(np.isin(sample.y, of_model))
    audit = None
    if after is not None and len(sure) >= FEW:
        codes = np.searchsorted(of_model, sample.y[sure]).astype(np.int32)
        audit = audited(model.classes, codes, np.ascontiguousarray(after.probabilities[np.ix_(sure, of_model)]), None)
    counted = model if model.counts_rows else model.generative or NaiveBayesModel().learn(sample.known())
    return Findings(
        stored, sample, learned, before, after, audit, sure, counted, relevance(counted), how_judged=how_judged
    )


def _answers(
    model: Any, sample: Sample, learned: bool, everything: bool
) -> tuple[Array, str, tuple[str, ...], tuple[str, ...]]:
    """log p(y | x) of rows, leave-one-out if they were learned; how they were judged, in words; notes; and notes for
    the appendix. `everything` is True if these are all rows of a model that is not calibrated."""
    if not learned:
        return model.predict_proba(sample.table, log=True), "rows that the model has not learned", (), ()
    if model.counts_rows:
        found = loo_of_learned(model, sample, everything)
        return found.log_probabilities, found.how, found.notes, ()
    found = in_parts(model, sample)
    return found.log_probabilities, found.how, (), found.notes


def _after(stored: Stored, sample: Sample, before: Result, learned: bool, of_model: NDArray[np.intp]) -> Result | None:
    """The calibrated result. If the model has a calibration and the rows are new, it is used. Otherwise a map is
    learned from these rows, by 10-fold cross-validation."""
    if stored.calibration is not None and not learned:
        log_p = np.full(before.log_probabilities.shape, -np.inf)
        log_p[:, of_model] = stored.predict_log_proba(sample.table)
        return replace(before, log_p=log_p, answers=log_p.argmax(axis=1).astype(np.int32))
    if len(before.y) < FEW or len(before.classes) < 2:
        return None
    return calibrated(before, stored.calibrate or True, 0)
