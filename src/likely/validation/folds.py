"""k-fold cross-validation: each fold is predicted by a model fitted to the other folds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.models.folds import score_folds
from likely.validation.frames import Choice, chosen_by_rows, in_view, leaves_open
from likely.validation.learner import Answers, Learner, ModelLearner, learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import folds


@dataclass(frozen=True, eq=False)
class Folds(Result):
    """`error` is the pooled one: all wrong predictions by all rows. Where folds differ in size, the mean over the folds
    is another number, and so is every measure that is no mean over rows.
    """

    part: NDArray[np.intp] = None  # type: ignore[assignment]
    """Which part each row was in."""

    @property
    def fold_errors(self) -> Array:
        """The error on each part."""
        w = np.ones(len(self.part)) if self.weight is None else self.weight
        return np.asarray(np.bincount(self.part, w * ~self.right) / np.bincount(self.part, w))

    @property
    def mean_fold_error(self) -> float:
        """The mean of the errors of the folds."""
        return float(self.fold_errors.mean())

    @property
    def pooled_error(self) -> float:
        """All wrong answers by all rows: the same as `error`."""
        return self.error

    def lines(self) -> list[tuple[str, ...]]:
        errors = self.fold_errors
        error = self.standard_error
        parts = f"± {error:.4f}, from {errors.min():.4f} to {errors.max():.4f}"
        first, pooled, *others = super().lines()
        return [
            first,
            ("error, pooled", *pooled[1:]),
            ("error, mean of folds", f"{self.mean_fold_error:.4f}", parts),
            *others,
        ]

    @property
    def standard_error(self) -> float:
        """Of the mean over the folds, as if they were independent; they share rows learned, so it is a little low."""
        return float(self.fold_errors.std(ddof=1) / np.sqrt(len(self.fold_errors)))


def cross_validate(
    model: Any,
    x: Any,
    y: Any,
    k: int = 10,
    *,
    stratify: bool = False,
    group: Any = None,
    frame: Choice = "anew",
    sample_weight: Any = None,
    seed: int = 0,
) -> Folds:
    """k-fold cross-validation. The model of the other folds also chooses its frame without the fold it predicts.

    Folds are random and of equal size; with `stratify` they have the same share of each class; with `group`, a value
    for each row, they are whole groups.

    Of models that count, all folds are counted once and merged, where nothing is left to be chosen by looking at rows;
    with frame="kept" also where something is, which is then chosen once, with all rows in view.
    """
    if frame not in ("anew", "kept"):
        raise ValueError(f"the frame is 'anew' or 'kept', not {frame!r}")
    bound = learner(model, x, y, sample_weight)
    sample = bound.sample
    part = folds(k, sample.y, np.random.default_rng(seed), stratify, group)
    merged = _merged(bound, part, frame)
    (codes, p), notes = (answers_of_parts(bound, part, k), ()) if merged is None else merged
    how = " of whole groups" if group is not None else ", stratified" if stratify else ""
    return Folds(
        f"{bound.name}, {k}-fold cross-validation{how}",
        sample.classes,
        np.arange(len(sample)),
        sample.y,
        codes,
        p,
        sample.weight,
        notes,
        bound.final,
        part,
    )


def _merged(bound: Learner, part: NDArray[np.intp], frame: Choice) -> tuple[Answers, tuple[str, ...]] | None:
    """The answers without learning k times, and what was chosen with all rows in view; None where that is not asked
    for, or where a class is in one part alone.
    """
    if not isinstance(bound, ModelLearner) or not bound.model.counts_rows:
        return None
    sample = bound.sample
    there = np.zeros((len(sample.classes), int(part.max()) + 1), np.bool)
    there[sample.y, part] = True
    if (there.sum(axis=1) < 2).any() or (frame == "anew" and leaves_open(bound.model, sample.table)):
        return None
    model, scores = score_folds(bound.model, sample, part)
    chosen = chosen_by_rows(model)
    if chosen and frame == "anew":
        return None
    _native.normalise(scores, model.log_prior(), False)
    return Answers.of(scores), in_view(chosen)


def answers_of_parts(bound: Learner, part: NDArray[np.intp], k: int) -> Answers:
    n, classes = len(bound.sample), len(bound.sample.classes)
    codes, p, probabilities = np.empty(n, np.int32), np.zeros((n, classes)), True
    for fold in progress(range(k), "folds"):
        rows = np.flatnonzero(part == fold)
        answers = bound.answer(bound.learn(np.flatnonzero(part != fold)), rows)
        codes[rows] = answers.codes
        if answers.p is None:
            probabilities = False
        else:
            p[rows] = answers.p
    return Answers(codes, p if probabilities else None)
