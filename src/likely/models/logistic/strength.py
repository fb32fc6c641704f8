"""The choice of C and of the scale of the naive Bayes log-odds: the candidate with the least sum of its honest loss
(`honest_loss`) and the negative log prior of C."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from likely.models.logistic.design import ChosenReading
from likely.models.logistic.honest_loss import FoldLoss, LooLoss, Mask, many_columns
from likely.optimize.grid import downhill
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.problem import Array
from likely.optimize.softmax.solver import MOST_UNKNOWNS, rotated, wide

GRID = tuple(10.0 ** (step / 2) for step in range(-12, 9))
DECADES = GRID[::2]
TEXT_STRENGTH = 100.0
"""The C at which the search starts, in decades, if there are many more columns than rows."""
NB_SCALES = (1.0, 0.5, 0.25, 0.0)
"""Scales of the naive Bayes log-odds to try. Naive Bayes counts correlated evidence twice, so that a scale of 1 may be
too much if weights are learned in addition. In `python -m bench.twins`, on all rows, the blend has the lowest error on
all nine tables."""


class Tried(NamedTuple):
    """A candidate and its log loss on held-out rows."""

    c: float
    log_loss: float
    nb_scale: float = 1.0
    reading: ChosenReading = "family"
    pairs: int = 0
    """The number of pairs of columns with an interaction term."""
    products: bool = False
    """Whether the product of every two numbers is a feature."""


def choose(
    rows: SoftmaxRows,
    candidates: Sequence[float] | None = None,
    nb_scales: Sequence[float] = (1.0,),
    nb_without: Callable[[Mask], Array] | None = None,
    time_ordered: bool = False,
) -> tuple[Tried, SoftmaxFit | None, list[Tried]]:
    """The best C of the candidates (or of GRID) with the best scale; a fit near it to start from; and all that were
    tried. `nb_without` and `time_ordered` are as in `FoldLoss`.
    """
    here = rotated(rows)[0] if isinstance(rows, DenseRows) and wide(rows) else rows
    few = isinstance(here, DenseRows) and (here.columns + 1) * here.outputs <= MOST_UNKNOWNS
    tried: list[Tried] = []
    if few and nb_without is None and not time_ordered:
        best, start, tried = least(LooLoss(here), candidates, nb_scales)
    if not tried or any(trial.log_loss == np.inf for trial in tried):
        folds = FoldLoss.of(here, nb_without, time_ordered)
        begin, grid = (TEXT_STRENGTH, DECADES) if many_columns(here) else (1.0, GRID)
        best, start, tried = least(folds, candidates, nb_scales, begin, grid)
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
    """The candidate of the least honest loss. Scales are tried in order as long as the loss falls. For each, C is one
    of the candidates or, if they are None, found by a search on the grid from `begin`."""
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
    """Naive Bayes alone, if weights learned in addition gain less than a standard error. If texts change with time, old
    rows are weaker evidence than their number suggests: for two of the four users of `bench accuracy --only
    blend_texts`, naive Bayes has fewer errors than weights that were learned.
    """
    c = GRID[0] / folds.rows.total  # so small that weights stay at naive Bayes, for any number of rows
    alone = {nb_scale: folds.scaled(nb_scale).losses(c) for nb_scale in nb_scales if nb_scale}
    trials = [Tried(c, folds.mean(losses), nb_scale) for nb_scale, losses in alone.items()]
    of_alone = min(trials, key=lambda trial: trial.log_loss)
    gain = alone[of_alone.nb_scale] - folds.scaled(best.nb_scale).losses(best.c)
    if folds.mean(gain) > folds.standard_error(gain):
        return best, start, tried + trials
    return of_alone, folds.scaled(of_alone.nb_scale).start(c), tried + trials


def neg_log_prior(c: float) -> float:
    """-log p(C), with log10 C standard normal. It weighs as much as one row, and so matters only if there are few rows:
    their held-out loss is mostly chance."""
    return float(np.log10(c) ** 2 / 2)
