"""The honest loss of a candidate: the mean log loss of rows that had no part in the weights.

Where the curvature can be factored it is leave-one-out, by a Newton step for each row (`LooLoss`). Of more unknowns
than that, where one step is not reliable, and where naive Bayes has learned the rows too, it is that of folds
(`FoldLoss`). (A step leaves a row out of the weights alone: what naive Bayes has learned of it stays in the
scores of all others, and strengths look better than they are.)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.information import information
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows, solve
from likely.optimize.softmax.problem import Array, Codes
from likely.optimize.softmax.rough import rough

FOLDS = 5
ENOUGH = 1000
"""Rows held out, about: the standard error of their mean log loss is then some hundredths, and that of differences
less."""
UNRELIABLE = 1e-3
"""The share of rows for which one step may be unreliable: with more, classes that are nearly separable looked better
and better the less of a penalty there was."""
WIDE = 8
"""Columns for each row up to which rough fits are quicker. With more, as of texts, fits that are compared are brought
to ROUGH_WIDE, and only the last of a path is kept: it holds a number for each column and class, 14 million of Reuters
R52 with pairs of words (`python -m bench accuracy --only many_classes`)."""
ROUGH_WIDE = 1e-2

Mask = NDArray[np.bool]


def many_columns(rows: SoftmaxRows) -> bool:
    """Whether there are many more columns than rows, as of texts."""
    return rows.columns > WIDE * rows.number


@dataclass(frozen=True)
class Path:
    """Rough fits of the same rows by strength, each started at the nearest that is there."""

    rows: SoftmaxRows
    begin: "Path | None" = None
    """Of the same rows with another scale, or with the first of their columns alone: where to start the first fit."""
    wide: bool = False
    """Whether there are many more columns than rows of the whole table."""
    fits: dict[float, SoftmaxFit] = field(default_factory=dict)

    def at(self, c: float) -> SoftmaxFit:
        if c not in self.fits:
            start = self.start(c)
            if self.wide:  # there `solve` has a number for each row
                self.fits.clear()
                self.fits[c] = solve(self.rows, c, start=start, tol=ROUGH_WIDE)
            else:
                self.fits[c] = rough(self.rows, c, start)
        return self.fits[c]

    def start(self, c: float) -> SoftmaxFit | None:
        if self.fits:
            return self.fits[min(self.fits, key=lambda other: abs(log(other) - log(c)))]
        found = None if self.begin is None else self.begin.start(c)
        if found is None:
            return None
        more = self.rows.columns - found.weights.shape[1]
        return replace(found, weights=np.pad(found.weights, ((0, 0), (0, more))))

    @property
    def known(self) -> int:
        """How many classes have any weight."""
        return int(np.count_nonzero(np.bincount(self.rows.y, self.rows.weight)))


@dataclass(frozen=True)
class LooLoss:
    """The honest loss by Newton steps; infinite where these are unreliable."""

    rows: SoftmaxRows

    @cached_property
    def path(self) -> Path:
        return Path(self.rows)

    def loss(self, c: float) -> float:
        left_out = information(self.rows, self.path.at(c), c).loo()
        if left_out.doubtful.mean() > UNRELIABLE:
            return np.inf
        return float(np.average(log_losses(left_out.scores, self.rows.y), weights=self.rows.weight))

    def start(self, c: float) -> SoftmaxFit | None:
        return self.path.start(c)

    def scaled(self, nb_scale: float) -> "LooLoss":
        return LooLoss(scaled(self.rows, nb_scale))


class FoldPart(NamedTuple):
    """Rows to judge, and fits of others that know the classes of those. Each of both has rows of its own: every pass of
    a fit reads all that it has."""

    judged: Mask
    held: SoftmaxRows
    path: Path


@dataclass(frozen=True)
class FoldLoss:
    """The honest loss by folds; NaN where no row can be held out."""

    rows: SoftmaxRows
    parts: "list[FoldPart]"
    _scaled: "dict[float, FoldLoss]" = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rows: SoftmaxRows,
        nb_without: Callable[[Mask], Array] | None = None,
        time_ordered: bool = False,
        begin: "FoldLoss | None" = None,
    ) -> "FoldLoss":
        """`nb_without` gives the log-odds of naive Bayes for all rows once it has not learned some of them. Of
        time-ordered rows the last three fifths are judged, each by all rows before it; else as many fifths as make
        about ENOUGH rows. Fits start from those of `begin`, which has the first columns of the same rows.
        """
        weight = np.ones(rows.number) if rows.weight is None else rows.weight
        parts, wide = list[FoldPart](), many_columns(rows)
        for judged, hidden in held_out(rows.number, time_ordered):
            left = np.where(hidden, 0.0, weight)
            learned = np.bincount(rows.y, left, rows.y.max() + 1) > 0
            judged = judged & learned[rows.y] & (weight > 0)
            if np.count_nonzero(learned) >= 2 and judged.any():
                offset = nb_without(hidden) if nb_without else rows.offset
                before = None if begin is None else begin.parts[len(parts)].path
                here = replace(rows, weight=left, offset=offset)
                fitted = here if wide else here.of(left > 0)  # `solve` starts from a number for each row of all
                parts.append(FoldPart(judged, here.of(judged), Path(fitted, before, wide)))
        return cls(rows, parts)

    def scaled(self, nb_scale: float) -> "FoldLoss":
        """Made once: the fits of its paths are kept."""
        if nb_scale not in self._scaled:
            last = next(reversed(self._scaled.values())).parts if self._scaled else None
            begins = [part.path.begin for part in self.parts] if last is None else [part.path for part in last]
            parts = [
                FoldPart(judged, scaled(held, nb_scale), Path(scaled(path.rows.turned(), nb_scale), begin, path.wide))
                for (judged, held, path), begin in zip(self.parts, begins, strict=True)
            ]
            self._scaled[nb_scale] = FoldLoss(scaled(self.rows, nb_scale), parts)
        return self._scaled[nb_scale]

    def first(self) -> "FoldLoss":
        """By the first fold alone, with the same fits."""
        return FoldLoss(self.rows, self.parts[:1])

    @cached_property
    def judged(self) -> Mask:
        return np.asarray(np.any([np.zeros(self.rows.number, np.bool), *(part.judged for part in self.parts)], axis=0))

    def loss(self, c: float) -> float:
        return self.mean(self.losses(c)) if self.parts else np.nan

    def losses(self, c: float) -> Array:
        """Of the rows that are judged."""
        scores = np.zeros((self.rows.number, self.rows.outputs))
        for judged, held, path in self.parts:
            fit = path.at(c)
            scores[judged] = held.scores(fit.weights.T, fit.bias)[:, : self.rows.outputs]
        return log_losses(scores[self.judged], self.rows.y[self.judged])

    @cached_property
    def weight(self) -> Array:
        """Of the rows that are judged."""
        return (np.ones(self.rows.number) if self.rows.weight is None else self.rows.weight)[self.judged]

    def mean(self, of_judged: Array) -> float:
        return float(np.average(of_judged, weights=self.weight))

    def standard_error(self, of_judged: Array) -> float:
        """Of the mean."""
        return float(np.linalg.norm(self.weight * (of_judged - self.mean(of_judged))) / self.weight.sum())

    def start(self, c: float) -> SoftmaxFit | None:
        """From weights that other rows have not gone as far with: half the passes of those for the same strength. Where
        a class was hidden its bias is as good as infinite, and no start.
        """
        knowing = (part.path for part in reversed(self.parts) if part.path.known == Path(self.rows).known)
        return next((path.start(c / 4) for path in knowing), None)


def held_out(number: int, time_ordered: bool = False, enough: int = ENOUGH) -> Iterator[tuple[Mask, Mask]]:
    """Rows to judge, about `enough` in all, and those that are hidden meanwhile."""
    if time_ordered:
        fifth = np.arange(number) * FOLDS // number
        yield from ((fifth == k, fifth >= k) for k in range(FOLDS - 3, FOLDS))
    else:
        fold = np.random.default_rng(0).permutation(number) % FOLDS
        yield from ((fold == k, fold == k) for k in range(min(FOLDS, max(1, round(enough * FOLDS / number)))))


def scaled(rows: SoftmaxRows, nb_scale: float) -> SoftmaxRows:
    return rows if rows.offset is None or nb_scale == 1 else rows.shifted(nb_scale * rows.offset)


def log_losses(scores: Array, y: Codes) -> Array:
    """-log p(y | x) of each row."""
    from scipy.special import logsumexp

    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    return np.asarray(logsumexp(scores, axis=1) - scores[np.arange(len(y)), y])
