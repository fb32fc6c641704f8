"""Cross-validation: each of k parts judged by a model of the others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.validation.learner import Answers, Learner, learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import folds


@dataclass(frozen=True, eq=False)
class Folds(Result):
    """`error` is the pooled one: all wrong answers by all rows. Where parts differ in size, the mean over the parts is
    another number, and so is every measure that is no mean over rows.
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
        """The mean of the errors on the parts."""
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
            ("error, mean of parts", f"{self.mean_fold_error:.4f}", parts),
            *others,
        ]

    @property
    def standard_error(self) -> float:
        """Of the mean over the parts, as if they were independent; they share rows learned, so it is a little low."""
        return float(self.fold_errors.std(ddof=1) / np.sqrt(len(self.fold_errors)))


def cross_validate(
    model: Any,
    x: Any,
    y: Any,
    k: int = 10,
    *,
    stratify: bool = False,
    group: Any = None,
    sample_weight: Any = None,
    seed: int = 0,
) -> Folds:
    """The answers to each of k parts of the rows by a model of the others, which also chooses its frame without them.

    The parts are drawn at random and of equal size; with `stratify`, of each class alike; with `group`, a value for
    each row, they are whole groups.
    """
    bound = learner(model, x, y, sample_weight)
    part = folds(k, bound.y, np.random.default_rng(seed), stratify, group)
    codes, p = answers_of_parts(bound, part, k)
    how = " of whole groups" if group is not None else " of each class alike" if stratify else " at random"
    return Folds(
        f"{bound.name}, {k} parts{how}, each by a model of the others",
        bound.classes,
        np.arange(bound.rows),
        bound.y,
        codes,
        p,
        bound.weight,
        fit=bound.final,
        part=part,
    )


def answers_of_parts(bound: Learner, part: NDArray[np.intp], k: int) -> Answers:
    codes, p = np.empty(bound.rows, np.int32), np.zeros((bound.rows, len(bound.classes)))
    told = True
    for fold in progress(range(k), "parts"):
        rows = np.flatnonzero(part == fold)
        answers = bound.answer(bound.learn(np.flatnonzero(part != fold)), rows)
        codes[rows] = answers.codes
        if answers.p is None:
            told = False
        else:
            p[rows] = answers.p
    return Answers(codes, p if told else None)
