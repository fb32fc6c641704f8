"""k-fold cross-validation: each fold is predicted by a model fitted to the other folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.models.folds import score_folds
from likely.printing import between, percent
from likely.typing import Classifier, LabelsLike, TableLike, WeightsLike
from likely.validation.frames import Choice, chosen_by_rows, in_view, leaves_open
from likely.validation.learner import Answers, Learner, Model, ModelLearner, learner
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
        parts = f"± {100 * error:.1f} points, from {between(errors.min(), errors.max())}"
        first, pooled, *others = super().lines()
        return [
            first,
            ("error, pooled", *pooled[1:]),
            ("error, mean of folds", percent(self.mean_fold_error), parts),
            *others,
        ]

    @property
    def standard_error(self) -> float:
        """Of the mean over the folds, as if they were independent; they share rows learned, so it is a little low."""
        return float(self.fold_errors.std(ddof=1) / np.sqrt(len(self.fold_errors)))


def cross_validate(
    model: Classifier | Model,
    x: TableLike,
    y: LabelsLike,
    k: int = 10,
    *,
    stratify: bool = False,
    group: LabelsLike | None = None,
    frame: Choice = "refit",
    sample_weight: WeightsLike = None,
    seed: int = 0,
) -> Folds:
    """k-fold cross-validation: each fold is predicted by a model fitted on the other folds.

    Parameters
    ----------
    model : classifier
        One of Likely's, or any scikit-learn classifier. Its parameters are used, not what it may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    k : int, default 10
        The number of folds. They are random, and of equal size.
    stratify : bool, default False
        Whether each part has the same share of each class.
    group : labels, optional
        A value for each row. Rows of one group stay together, so that no group is both learned and judged.
    frame : "refit" or "kept", default "refit"
        "refit" chooses what a model chooses by looking at rows (families, bins, options left open) again for each
        fold, without its rows. "kept" chooses it once, with all rows in view: faster, and a little too good.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        Of the random numbers.

    Returns
    -------
    Folds
        A `Result` with the error of each fold. `error` is pooled: all wrong predictions divided by all rows.

    See Also
    --------
    leave_one_out : as many folds as rows, in one pass.
    holdout : one split.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import cross_validate
    >>> result = cross_validate(NaiveBayes(), X, y, k=5, stratify=True)
    >>> round(result.error, 2), len(result.fold_errors)
    (0.12, 5)
    """
    if frame not in ("refit", "kept"):
        raise ValueError(f"the frame is 'refit' or 'kept', not {frame!r}")
    bound = learner(model, x, y, sample_weight)
    sample = bound.sample
    part = folds(k, sample.y, np.random.default_rng(seed), stratify, group)
    merged = _merged(bound, part, frame)
    (codes, log_p), notes = (answers_of_parts(bound, part, k), ()) if merged is None else merged
    how = " of whole groups" if group is not None else ", stratified" if stratify else ""
    return Folds(
        f"{bound.name}, {k}-fold cross-validation{how}",
        sample.classes,
        np.arange(len(sample)),
        sample.y,
        codes,
        log_p,
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
    if (there.sum(axis=1) < 2).any() or (frame == "refit" and leaves_open(bound.model, sample.table)):
        return None
    model, scores = score_folds(bound.model, sample, part)
    chosen = chosen_by_rows(model)
    if chosen and frame == "refit":
        return None
    _native.normalise(scores, model.log_prior(), True)
    return Answers.of(scores), in_view(chosen)


def answers_of_parts(bound: Learner, part: NDArray[np.intp], k: int) -> Answers:
    n, classes = len(bound.sample), len(bound.sample.classes)
    codes, log_p, probabilities = np.empty(n, np.int32), np.empty((n, classes)), True
    for fold in progress(range(k), "folds"):
        rows = np.flatnonzero(part == fold)
        answers = bound.answer(bound.learn(np.flatnonzero(part != fold)), rows)
        codes[rows] = answers.codes
        if answers.log_p is None:
            probabilities = False
        else:
            log_p[rows] = answers.log_p
    return Answers(codes, log_p if probabilities else None)
