"""Texts: a linear classifier of largest margin, stacked with naive Bayes.

There are more words than texts, and many of the classes may be rare. Then weights of the largest margin, for each class
against all others, are learned faster and predict better than weights of the least log loss. (Reuters R52, tf-idf of
words: accuracy 0.949 in 0.4 s, compared with 0.937 in 2.3 s.) A margin is not a log-odds, so the scores are

    z_k = margin_scale * margin_k(x) + nb_scale * nb_k(x) + bias_k

with nb_k the log-odds of naive Bayes. The scales and biases minimise the log loss of held-out rows, with naive Bayes
leave-one-out. The same loss, on the first fold, chooses the open options: whether to add pairs of words, then C.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Sample
from likely.engines import threads
from likely.engines.steps import announce
from likely.families import Family, Plan
from likely.models.learned import count
from likely.models.logistic.design import Design, IndicatesMissing, design
from likely.models.logistic.fit import LogisticFit
from likely.models.logistic.honest_loss import Mask, held_out
from likely.models.logistic.shrinkage_target import left_out_scores, log_odds
from likely.models.logistic.strength import Tried
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.margins import TOL, HeldOutScores, MarginFit, margin_gap, score_held_out, solve_margins
from likely.optimize.softmax import SoftmaxFit
from likely.statistics import Frame

GRID = tuple(4.0**power for power in range(-4, 5))
"""Values of C to try. Rows have length 1, so that 1 is close to the best for most texts."""
ENOUGH, PER_CLASS = 1000, 50
"""The least number of held-out rows, in total and for each class: every class has a bias to calibrate."""
ROUGH = 1.0
"""The tolerance, in margins, of fits that are only compared: on Reuters R52 a smaller one gives the same accuracy."""
WORTH = 0.99
"""Pairs of words, and another C, must lower the loss below this share of it, to be worth their memory and time."""
USUAL = 5.0
"""The mean of the prior of the scale of margins, and its standard deviation."""


class MarginCalibration(NamedTuple):
    """The scales and biases that turn margins and naive Bayes into log-odds."""

    margin_scale: float
    nb_scale: float
    bias: Array
    log_loss: float
    """The mean log loss of the rows it was fitted to; NaN without any."""

    def scores(self, margins: Array, nb: Array) -> Array:
        return np.asarray(self.margin_scale * margins + self.nb_scale * nb + self.bias)


def calibrate(margins: Array, nb: Array, y: Any, weight: Array, biased: bool = True) -> MarginCalibration:
    """The calibration of the least log loss; margins and nb are rows x outputs. The scales are 0 or more, and that of
    naive Bayes at most 1. Biases have a normal prior with standard deviation 1."""
    from scipy.optimize import minimize

    outputs = margins.shape[1]

    def parts(u: Array) -> MarginCalibration:
        return MarginCalibration(float(u[0]), float(u[1]), u[2:] if biased else np.zeros(outputs), np.nan)

    def objective(u: Array) -> tuple[float, Array]:
        losses, residuals = _losses(parts(u).scores(margins, nb), y)
        residuals *= weight[:, None]
        away, bias = (u[0] - USUAL) / USUAL, u[2:]
        value = float(weight @ losses) + 0.5 * (away**2 + float(bias @ bias))
        slopes = [np.sum(residuals * margins) + away / USUAL, np.sum(residuals * nb)]
        return value, np.append(slopes, residuals.sum(axis=0) + bias if biased else ())

    start = np.append([USUAL, 0.5], np.zeros(outputs if biased else 0))
    bounds = [(0.0, None), (0.0, 1.0), *([(None, None)] * (len(start) - 2))]
    with threads.blas_alone():
        best = parts(minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds).x)
    losses, _ = _losses(best.scores(margins, nb), y)
    return best._replace(log_loss=float(np.average(losses, weights=weight)) if len(y) else np.nan)


def _losses(scores: Array, y: Any) -> tuple[Array, Array]:
    """-log p(y | x) of each row, and its gradient by the scores: p, minus 1 for the row's own class."""
    all_ = np.column_stack([np.zeros(len(y)), scores]) if scores.shape[1] == 1 else scores
    own = np.arange(len(y)), y
    p = np.exp(all_ - all_.max(axis=1, keepdims=True, initial=-np.inf))
    p /= p.sum(axis=1, keepdims=True)
    losses = -np.log(np.maximum(p[own], np.finfo(np.float64).tiny))
    p[own] -= 1
    return losses, p[:, -scores.shape[1] :]


class HeldOutMargins(NamedTuple):
    """Held-out rows, with their margins, and with the leave-one-out log-odds of naive Bayes."""

    rows: Any
    margins: Array
    nb: Array
    y: Any
    weight: Array

    def calibration(self, biased: bool = True) -> MarginCalibration:
        return calibrate(self.margins, self.nb, self.y, self.weight, biased)

    def scores(self) -> Array:
        """Scores, rows x outputs. Even rows are calibrated by the odd ones, and odd rows by the even ones."""
        out = np.empty(self.margins.shape)
        for half, other in ((slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))):
            calibration = HeldOutMargins(*(each[other] for each in self)).calibration()
            out[half] = calibration.scores(self.margins[half], self.nb[half])
        return out


@dataclass(frozen=True, eq=False)
class Margins:
    """Rows of one design; fits margins to all of them, or with some held out."""

    design: Design
    sample: Sample
    nb: Array
    """The log-odds of naive Bayes for each row, leave-one-out."""
    tol: float
    _tried: dict[float, tuple[Array, float]] = field(default_factory=dict)
    """By C, on the first fold: the dual of a rough fit, and the log loss of the judged rows with the best scales."""

    @cached_property
    def x(self) -> Any:
        return self.design.compact(self.sample.table)

    def free_rows(self) -> None:
        """Frees the features; they are read again when needed. For words that takes a tenth of the time of reading and
        fitting pairs."""
        self.__dict__.pop("x", None)

    @property
    def classes(self) -> int:
        return len(self.sample.classes)

    def fit(self, c: float, start: Array | None = None) -> MarginFit:
        sample = self.sample
        return solve_margins(self.x, sample.y, self.classes, sample.weight, c, start=start, tol=self.tol)

    def without(
        self, hidden: Mask, rows: NDArray[np.intp], c: float, start: Array | None, tol: float | None = None
    ) -> HeldOutScores:
        """Scores of these rows by margins fitted without the hidden ones."""
        weight = np.where(hidden, 0.0, self.sample.weights)
        return score_held_out(
            self.x, self.sample.y, self.classes, weight, c, rows, start=start, tol=self.tol if tol is None else tol
        )

    @cached_property
    def folds(self) -> list[tuple[Mask, Mask]]:
        """For each fold, which rows to judge, and which rows to hide from the fit. Rows whose class is only among the
        hidden ones are not judged."""
        y, weight = self.sample.y, self.sample.weights
        folds = []
        for judged, hidden in held_out(len(y), enough=max(ENOUGH, PER_CLASS * self.classes)):
            learned = np.bincount(y, np.where(hidden, 0.0, weight), self.classes) > 0
            folds.append((judged & learned[y] & (weight > 0), hidden))
        return folds

    def loss(self, c: float) -> float:
        """The log loss of the judged rows of the first fold."""
        if c not in self._tried:
            announce(f"Blend: held-out texts with C = {c:g}")
            judged, hidden = self.folds[0]
            start = next((dual for dual, _ in reversed(self._tried.values())), None)
            rows = np.flatnonzero(judged)
            dual, scores = self.without(hidden, rows, c, start, ROUGH)
            calibration = self._held_out(rows, scores).calibration(biased=False)
            self._tried[c] = dual, calibration.log_loss
        return self._tried[c][1]

    @property
    def losses(self) -> list[tuple[float, float]]:
        """The loss of each C that was tried."""
        return [(c, loss) for c, (_, loss) in sorted(self._tried.items())]

    def with_held_out(self, c: float) -> "tuple[MarginFit, HeldOutMargins]":
        """The fit of all rows, and the margins of held-out rows."""
        announce(f"Blend: all texts with C = {c:g}")
        whole = self.fit(c, start=self._tried[c][0] if c in self._tried else None)
        announce(f"Blend: held-out texts, {len(self.folds)} of 5 folds, to be calibrated by")
        parts = [(np.flatnonzero(judged), hidden) for judged, hidden in self.folds]
        margins = [self.without(hidden, rows, c, whole.dual).scores for rows, hidden in parts]
        return whole, self._held_out(np.concatenate([rows for rows, _ in parts]), np.concatenate(margins))

    def _held_out(self, rows: Any, margins: Array) -> "HeldOutMargins":
        return HeldOutMargins(rows, margins, self.nb[rows], self.sample.y[rows], self.sample.weights[rows])


class Stacked(NamedTuple):
    """The stacked model: weights and bias of tf-idf features, to be added to nb_scale times the log-odds of naive
    Bayes."""

    design: Design
    c: float
    tried: list[Tried]
    held_out: HeldOutMargins
    calibration: MarginCalibration
    """Fitted to the held-out rows."""
    solution: SoftmaxFit


def reads_margins(generative: NaiveBayesModel | None) -> bool:
    """Whether all blocks of naive Bayes have features for margins; only texts have."""
    return generative is not None and all(block.family.discriminative() for block in generative.blocks)


def stacked(
    sample: Sample,
    generative: NaiveBayesModel,
    candidates: Sequence[float] | None,
    missing: IndicatesMissing,
    tol: float | None,
) -> Stacked:
    """The stacked model, with C chosen from the candidates; from GRID if they are None."""
    announce("Blend: texts left out of naive Bayes")
    nb = log_odds(left_out_scores(generative, sample))
    grid = GRID if candidates is None else candidates
    c = 1.0 if candidates is None else candidates[0]

    def reads(families: Sequence[Family]) -> Margins:
        return Margins(_design(families, generative, sample, missing), sample, nb, tol or TOL)

    announce("Blend: words")
    first, *others = _readings(generative)
    best = reads(first)
    judged = best.folds[0][0].any()
    for families in others if judged else ():
        best.loss(c)
        best.free_rows()
        announce("Blend: words and pairs of them")
        other = reads(families)
        best = other if other.loss(c) < WORTH * best.loss(c) else best
        del other  # frees its rows
    if len(grid) > 1 and judged:
        c = _least(best.loss, grid, c) if candidates is None else min(grid, key=best.loss)
    fit, kept = best.with_held_out(c)
    calibration = kept.calibration()
    objective, gap = margin_gap(fit, best.x, sample.y, len(sample.classes), sample.weight, c)
    scale = calibration.margin_scale
    bias = scale * fit.bias + calibration.bias
    solution = SoftmaxFit(scale * fit.weights, bias, objective, gap, fit.passes, fit.message)
    tried = [Tried(each, loss, calibration.nb_scale) for each, loss in best.losses]
    return Stacked(best.design, c, tried, kept, calibration, solution)


def _least(loss: Callable[[float], float], grid: Sequence[float], c: float) -> float:
    """A search from c to larger values, or else to smaller ones, as long as the loss falls below WORTH of the last."""
    at = grid.index(c)
    for turn in (1, -1):
        while 0 <= at + turn < len(grid) and loss(grid[at + turn]) < WORTH * loss(grid[at]):
            at += turn
    return grid[at]


def scores_held_out(known: LogisticFit, sample: Sample, tol: float | None) -> Array:
    """Scores of the rows that were learned, rows x outputs: by margins from five-fold cross-validation, and by naive
    Bayes leave-one-out."""
    assert known.generative is not None
    assert known.margin_scale is not None
    margins = Margins(known.design, sample, log_odds(left_out_scores(known.generative, sample)), tol or TOL)
    whole, out = margins.fit(known.c), np.zeros(margins.nb.shape)
    for judged, hidden in held_out(len(out), enough=len(out)):
        out[judged] = margins.without(hidden, np.flatnonzero(judged), known.c, whole.dual).scores
    bias = known.solution.bias - known.margin_scale * whole.bias
    return MarginCalibration(known.margin_scale, known.nb_scale, bias, np.nan).scores(out, margins.nb)


def _readings(generative: NaiveBayesModel) -> list[list[Family]]:
    """Lists of a family for each block of naive Bayes, the simplest first."""
    offered = [block.family.discriminative() for block in generative.blocks]
    return [[each[min(at, len(each) - 1)] for each in offered] for at in range(max(map(len, offered)))]


def _design(
    families: Sequence[Family], generative: NaiveBayesModel, sample: Sample, missing: IndicatesMissing
) -> Design:
    """The design of these families, without features that only one row has."""
    pairs = zip(families, generative.blocks, strict=True)
    plans = [Plan(family, block.columns, Frame(block.frame.columns)) for family, block in pairs]
    counted = count(plans, sample)
    shared = tuple(block.family.shared(block) for block in counted.blocks)
    return design(replace(counted, blocks=shared), len(sample), False, missing)
