"""The choice of C and of the scale of the naive Bayes log-odds: candidates, an honest loss for each, the least.

The honest loss is the mean log loss of rows that had no part in the weights, and the prior of C (`neg_log_prior`).
Where the curvature can be factored it is leave-one-out, by a Newton step for each row (`LooLoss`). Of more unknowns
than that, where one step is not reliable, and where naive Bayes has learned the rows too, it is that of folds
(`FoldLoss`). (A step leaves a row out of the weights alone: what naive Bayes has learned of it stays in the
scores of all others, and strengths look better than they are.)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.design import ChosenReading
from likely.models.logistic.information import information
from likely.optimize.grid import downhill
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows, solve
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.problem import Array, Codes
from likely.optimize.softmax.rough import rough
from likely.optimize.softmax.solver import MOST_UNKNOWNS, rotated, wide

GRID = tuple(10.0 ** (step / 2) for step in range(-12, 9))
DECADES = GRID[::2]
NB_SCALES = (1.0, 0.5, 0.25, 0.0)
"""Of the naive Bayes log-odds. Naive Bayes counts twice what comes together, and where weights are learned with it all
of it is too much. Of all rows of `python -m bench.twins` the blend has the lowest error on all nine tables."""
FOLDS = 5
ENOUGH = 1000
"""Rows held out: the standard error of their mean log loss is then some hundredths, and that of differences less."""
UNRELIABLE = 1e-3
"""The share of rows for which one step may be unreliable: with more, classes that are nearly separable looked better
and better the less of a penalty there was."""
ROUGH = 1e-3
"""To what gap fits are brought that are only compared."""

WIDE = 8
"""Columns for each row up to which rough fits are quicker."""

Mask = NDArray[np.bool]


class Tried(NamedTuple):
    """A candidate and its log loss on rows that were left out."""

    c: float
    log_loss: float
    nb_scale: float = 1.0
    reading: ChosenReading = "family"
    pairs: int = 0
    """How many pairs of columns have a term of their own."""


@dataclass(frozen=True)
class Path:
    """Rough fits of the same rows by strength, each started at the nearest that is there."""

    rows: SoftmaxRows
    fits: dict[float, SoftmaxFit] = field(default_factory=dict)

    def at(self, c: float) -> SoftmaxFit:
        if c not in self.fits:
            # Of many more columns than rows, as of texts, `solve` has a number for each row.
            few = self.rows.columns <= WIDE * self.rows.number
            start = self.start(c)
            self.fits[c] = rough(self.rows, c, start) if few else solve(self.rows, c, start=start, tol=ROUGH)
        return self.fits[c]

    def start(self, c: float) -> SoftmaxFit | None:
        return self.fits[min(self.fits, key=lambda other: abs(log(other) - log(c)))] if self.fits else None

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


@dataclass(frozen=True)
class FoldLoss:
    """The honest loss by folds; NaN where no row can be held out."""

    rows: SoftmaxRows
    parts: list[tuple[Mask, Path]]
    """Rows to judge, and fits of others that know the classes of those."""
    _scaled: "dict[float, FoldLoss]" = field(default_factory=dict)

    @classmethod
    def of(
        cls, rows: SoftmaxRows, nb_without: Callable[[Mask], Array] | None = None, time_ordered: bool = False
    ) -> "FoldLoss":
        """`nb_without` gives the log-odds of naive Bayes for all rows once it has not learned some of them. Of
        time-ordered rows the last three fifths are judged, each by all rows before it; else as many fifths as make
        ENOUGH rows.
        """
        weight, parts = np.ones(rows.number) if rows.weight is None else rows.weight, []
        for judged, hidden in _hidden(rows.number, time_ordered):
            left = np.where(hidden, 0.0, weight)
            learned = np.bincount(rows.y, left, rows.y.max() + 1) > 0
            judged = judged & learned[rows.y] & (weight > 0)
            if np.count_nonzero(learned) >= 2 and judged.any():
                offset = nb_without(hidden) if nb_without else rows.offset
                parts.append((judged, Path(replace(rows, weight=left, offset=offset))))
        return cls(rows, parts)

    def scaled(self, nb_scale: float) -> "FoldLoss":
        """Made once: the fits of its paths are kept."""
        if nb_scale not in self._scaled:
            parts = [(judged, Path(scaled(path.rows, nb_scale))) for judged, path in self.parts]
            self._scaled[nb_scale] = FoldLoss(scaled(self.rows, nb_scale), parts)
        return self._scaled[nb_scale]

    @cached_property
    def judged(self) -> Mask:
        return np.asarray(np.any([np.zeros(self.rows.number, np.bool), *(each for each, _ in self.parts)], axis=0))

    def loss(self, c: float) -> float:
        return self.mean(self.losses(c)) if self.parts else np.nan

    def losses(self, c: float) -> Array:
        """Of the rows that are judged."""
        scores = np.zeros((self.rows.number, self.rows.outputs))
        for judged, path in self.parts:
            fit = path.at(c)
            scores[judged] = path.rows.scores(fit.weights.T, fit.bias)[judged, : self.rows.outputs]
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
        knowing = (path for _, path in reversed(self.parts) if path.known == Path(self.rows).known)
        return next((path.start(c / 4) for path in knowing), None)


def choose(
    rows: SoftmaxRows,
    candidates: Sequence[float] | None = None,
    nb_scales: Sequence[float] = (1.0,),
    nb_without: Callable[[Mask], Array] | None = None,
    time_ordered: bool = False,
) -> tuple[Tried, SoftmaxFit | None, list[Tried]]:
    """The best of the candidates, or of GRID, and of the scales; a fit near it to start from; and all that were tried.
    `nb_without` and `time_ordered` are as in `FoldLoss`.
    """
    here = rotated(rows)[0] if isinstance(rows, DenseRows) and wide(rows) else rows
    few = isinstance(here, DenseRows) and (here.columns + 1) * here.outputs <= MOST_UNKNOWNS
    tried: list[Tried] = []
    if few and nb_without is None and not time_ordered:
        best, start, tried = least(LooLoss(here), candidates, nb_scales)
    if not tried or any(trial.log_loss == np.inf for trial in tried):
        folds = FoldLoss.of(here, nb_without, time_ordered)
        best, start, tried = least(folds, candidates, nb_scales)
        if folds.parts and time_ordered and nb_without and candidates is None:
            best, start, tried = _or_naive_bayes(folds, best, start, tried, nb_scales)
    return best, start if here is rows else None, tried


def least(
    honest: LooLoss | FoldLoss,
    candidates: Sequence[float] | None,
    nb_scales: Sequence[float],
    begin: float = 1.0,
    grid: Sequence[float] = GRID,
) -> tuple[Tried, SoftmaxFit | None, list[Tried]]:
    """The least honest loss: scales are tried from the first on for as long as it falls, and C of the grid from `begin`
    on, unless there are candidates."""
    best, start, lowest, tried = Tried(begin, np.inf), None, np.inf, list[Tried]()
    for nb_scale in nb_scales:
        here, losses = honest.scaled(nb_scale), dict[float, float]()

        def loss(c: float, here: LooLoss | FoldLoss = here, losses: dict[float, float] = losses) -> float:
            if c not in losses:
                losses[c] = here.loss(c)
            prior = neg_log_prior(c) / here.rows.total if candidates is None else 0.0
            return prior + float(np.nan_to_num(losses[c], posinf=np.inf))

        c = downhill(loss, grid, best.c) if candidates is None else min(candidates, key=loss)
        tried += [Tried(c, losses[c], nb_scale) for c in sorted(losses)]
        if loss(c) >= lowest:
            break
        best, start, lowest = Tried(c, losses[c], nb_scale), here.start(c), loss(c)
    return best, start, tried


def _or_naive_bayes(
    folds: FoldLoss, best: Tried, start: SoftmaxFit | None, tried: list[Tried], nb_scales: Sequence[float]
) -> tuple[Tried, SoftmaxFit | None, list[Tried]]:
    """Naive Bayes alone, where weights learned with it gain no more than a standard error. Of what changes with time
    the past says less than its rows are many: for two of the four users of `bench accuracy --only blend_texts` naive
    Bayes has fewer errors than weights that were learned.
    """
    c = GRID[0] / folds.rows.total  # at which no weight is learned, however many rows there are
    alone = {nb_scale: folds.scaled(nb_scale).losses(c) for nb_scale in nb_scales if nb_scale}
    trials = [Tried(c, folds.mean(losses), nb_scale) for nb_scale, losses in alone.items()]
    of_alone = min(trials, key=lambda trial: trial.log_loss)
    gain = alone[of_alone.nb_scale] - folds.scaled(best.nb_scale).losses(best.c)
    if folds.mean(gain) > folds.standard_error(gain):
        return best, start, tried + trials
    return of_alone, folds.scaled(of_alone.nb_scale).start(c), tried + trials


def _hidden(number: int, time_ordered: bool) -> Iterator[tuple[Mask, Mask]]:
    """Rows to judge, and those that are hidden meanwhile."""
    if time_ordered:
        fifth = np.arange(number) * FOLDS // number
        yield from ((fifth == k, fifth >= k) for k in range(FOLDS - 3, FOLDS))
    else:
        fold = np.random.default_rng(0).permutation(number) % FOLDS
        yield from ((fold == k, fold == k) for k in range(min(FOLDS, -(-ENOUGH * FOLDS // number))))


def scaled(rows: SoftmaxRows, nb_scale: float) -> SoftmaxRows:
    return rows if rows.offset is None or nb_scale == 1 else replace(rows, offset=nb_scale * rows.offset)


def log_losses(scores: Array, y: Codes) -> Array:
    """-log p(y | x) of each row."""
    from scipy.special import logsumexp

    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    return np.asarray(logsumexp(scores, axis=1) - scores[np.arange(len(y)), y])


def neg_log_prior(c: float) -> float:
    """-log p(C): its power of ten is normal, about that of 1. It weighs as much as one row does: where rows are few,
    those left out choose by chance."""
    return float(np.log10(c) ** 2 / 2)
