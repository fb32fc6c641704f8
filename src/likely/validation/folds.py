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
    """The result of k-fold cross-validation. `error` is pooled: all wrong predictions divided by all rows. If the folds
    differ in size, the mean of the fold errors is a different number.
    """

    part: NDArray[np.intp] = None  # type: ignore[assignment]
    """The fold of each row."""

    @property
    def fold_errors(self) -> Array:
        """The error on each fold."""
        w = np.ones(len(self.part)) if self.weight is None else self.weight
        return np.asarray(np.bincount(self.part, w * ~self.right) / np.bincount(self.part, w))

    @property
    def mean_fold_error(self) -> float:
        """The mean of the errors of the folds."""
        return float(self.fold_errors.mean())

    @property
    def pooled_error(self) -> float:
        """All wrong predictions divided by all rows: the same as `error`."""
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
        """The standard error of the mean over the folds, as if they were independent. They learn many rows in common,
        so it is a little too low."""
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
        Whether each fold has the same share of each class.
    group : labels, optional
        A value for each row. Rows of one group stay together, so that no group is both learned and judged.
    frame : "refit" or "kept", default "refit"
        "refit" makes the choices that depend on rows (families, bins, options with "auto") again for each fold, without
        its rows. "kept" makes them once on all rows: faster, but the figures are a little too good.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        The seed of the random numbers.

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
    (0.13, 5)
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
    """The predictions without fitting k times, and the choices that were made on all rows. None if the frame is not
    "kept", or if all rows of a class are in one fold.
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
