"""The honest loss of a candidate: the mean log loss of rows that its weights were not fitted to.

If the Hessian can be factored, it is leave-one-out, by one Newton step for each row (`LooLoss`). It is cross-validated
(`FoldLoss`) if there are more unknowns, if one step is not reliable, or if naive Bayes has learned the rows too. (A
step removes a row from the weights, but not from naive Bayes, whose scores of all other rows still depend on it; then
large values of C look better than they are.)
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
"""About the number of held-out rows: the standard error of their mean log loss is then a few hundredths, and that of
differences smaller."""
UNRELIABLE = 1e-3
"""The largest share of rows for which one step may be unreliable. With more, nearly separable classes seemed to be
predicted better with ever larger C."""
WIDE = 8
"""Up to this many columns for each row, rough fits are faster. With more, as for texts, compared fits have the
tolerance ROUGH_WIDE, and only the last fit of a path is stored: it has a number for each column and class, 14 million
for Reuters R52 with pairs of words (`python -m bench accuracy --only many_classes`)."""
ROUGH_WIDE = 1e-2

Mask = NDArray[np.bool]


def many_columns(rows: SoftmaxRows) -> bool:
    """Whether there are many more columns than rows, as for texts."""
    return rows.columns > WIDE * rows.number


@dataclass(frozen=True)
class Path:
    """Rough fits of the same rows by C, each started from the fit with the nearest C."""

    rows: SoftmaxRows
    begin: "Path | None" = None
    """Where to start the first fit: the path of the same rows with another scale, or with only the first columns."""
    wide: bool = False
    """Whether there are many more columns than rows in the whole table."""
    fits: dict[float, SoftmaxFit] = field(default_factory=dict)

    def at(self, c: float) -> SoftmaxFit:
        """The fit with this C."""
        if c not in self.fits:
            start = self.start(c)
            if self.wide:  # `solve` then also starts from a number for each row
                self.fits.clear()
                self.fits[c] = solve(self.rows, c, start=start, tol=ROUGH_WIDE)
            else:
                self.fits[c] = rough(self.rows, c, start)
        return self.fits[c]

    def start(self, c: float) -> SoftmaxFit | None:
        """A start for the fit with this C; None if there is none."""
        if self.fits:
            return self.fits[min(self.fits, key=lambda other: abs(log(other) - log(c)))]
        nearest = None if self.begin is None else self.begin.start(c)
        if nearest is None:
            return None
        more = self.rows.columns - nearest.weights.shape[1]
        return replace(nearest, weights=np.pad(nearest.weights, ((0, 0), (0, more))))

    @property
    def known(self) -> int:
        """How many classes have rows with a weight above 0."""
        return int(np.count_nonzero(np.bincount(self.rows.y, self.rows.weight)))


@dataclass(frozen=True)
class LooLoss:
    """The honest loss by Newton steps; infinite if these are unreliable."""

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
    """Rows to judge, and fits of other rows that have the same classes. Both are copies of their rows, because every
    pass of a fit reads all rows that it has."""

    judged: Mask
    held: SoftmaxRows
    path: Path


@dataclass(frozen=True)
class FoldLoss:
    """The honest loss by cross-validation; NaN if no row can be held out."""

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
        """The folds of these rows. `nb_without` gives the log-odds of naive Bayes for all rows when it has not learned
        the hidden ones. If rows are time-ordered, the last three fifths are judged, each by all rows before it;
        otherwise as many fifths as have about ENOUGH rows. Fits start from those of `begin`, which has the first
        columns of the same rows.
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
                fitted = here if wide else here.of(left > 0)  # with wide rows, a start has a number for each row
                parts.append(FoldPart(judged, here.of(judged), Path(fitted, before, wide)))
        return cls(rows, parts)

    def scaled(self, nb_scale: float) -> "FoldLoss":
        """The loss with this scale of naive Bayes; cached, with the fits of its paths."""
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
        """The loss on the first fold only, with the same fits."""
        return FoldLoss(self.rows, self.parts[:1])

    @cached_property
    def judged(self) -> Mask:
        return np.asarray(np.any([np.zeros(self.rows.number, np.bool), *(part.judged for part in self.parts)], axis=0))

    def loss(self, c: float) -> float:
        return self.mean(self.losses(c)) if self.parts else np.nan

    def losses(self, c: float) -> Array:
        """The log losses of the judged rows."""
        scores = np.zeros((self.rows.number, self.rows.outputs))
        for judged, held, path in self.parts:
            fit = path.at(c)
            scores[judged] = held.scores(fit.weights.T, fit.bias)[:, : self.rows.outputs]
        return log_losses(scores[self.judged], self.rows.y[self.judged])

    @cached_property
    def weight(self) -> Array:
        """The weights of the judged rows."""
        return (np.ones(self.rows.number) if self.rows.weight is None else self.rows.weight)[self.judged]

    def mean(self, of_judged: Array) -> float:
        return float(np.average(of_judged, weights=self.weight))

    def standard_error(self, of_judged: Array) -> float:
        """The standard error of the mean."""
        return float(np.linalg.norm(self.weight * (of_judged - self.mean(of_judged))) / self.weight.sum())

    def start(self, c: float) -> SoftmaxFit | None:
        """A start for the fit of all rows: the fit of a fold with a smaller C, c / 4, which needs half the passes of a
        start with the same C. A fold without rows of some class is not used: the bias of that class is almost infinite.
        """
        knowing = (part.path for part in reversed(self.parts) if part.path.known == Path(self.rows).known)
        return next((path.start(c / 4) for path in knowing), None)


def held_out(number: int, time_ordered: bool = False, enough: int = ENOUGH) -> Iterator[tuple[Mask, Mask]]:
    """Pairs of masks: the rows to judge, about `enough` in total, and the rows to hide from the fit."""
    if time_ordered:
        fifth = np.arange(number) * FOLDS // number
        yield from ((fifth == k, fifth >= k) for k in range(FOLDS - 3, FOLDS))
    else:
        fold = np.random.default_rng(0).permutation(number) % FOLDS
        yield from ((fold == k, fold == k) for k in range(min(FOLDS, max(1, round(enough * FOLDS / number)))))


def scaled(rows: SoftmaxRows, nb_scale: float) -> SoftmaxRows:
    """The rows with the log-odds of naive Bayes times a scale."""
    return rows if rows.offset is None or nb_scale == 1 else rows.shifted(nb_scale * rows.offset)


def log_losses(scores: Array, y: Codes) -> Array:
    """-log p(y | x) of each row."""
    from scipy.special import logsumexp

    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    return np.asarray(logsumexp(scores, axis=1) - scores[np.arange(len(y)), y])
