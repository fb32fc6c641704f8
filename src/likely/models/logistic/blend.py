"""What the blend leaves open, chosen by its honest loss: how numbers are read, which pairs of columns have a term of
their own, C, and the scale of the naive Bayes log-odds.

One is chosen after the other, each beginning where the last ended: C and the scale for the first reading, C for the
other readings, then pairs in the order of their evidence (`likely.models.choosing.pairs`) and C for them, if the first
few lower the loss by more than a standard error of the difference; then the scale once more, or C and the scale without
pairs; then twice as many pairs each time for as long as that is worth it. At last the products of every two numbers are
tried: with them weights can be what a Gaussian classifier is, and no pair needs evidence of its own. All are judged on
the same rows, by fits that had no part in them, and a fit with more features starts from that with fewer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.data.sample import Array, Sample
from likely.models.choosing.pairs import PairEvidence, ranked_pairs
from likely.models.logistic.design import ChosenReading, Design
from likely.models.logistic.grid import GridAxis
from likely.models.logistic.honest_loss import FoldLoss, Mask
from likely.models.logistic.strength import DECADES, NB_SCALES, Tried, least, neg_log_prior
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows

Pairs = Sequence[tuple[int, int]]

ROWS = 5_000
"""Rows by which is chosen, evenly spaced in a larger table."""
ROUGH = 1e-3
"""How near weights need to be to what was chosen by rough fits."""
NODES = 6
"""Of a column in a pair."""
MOST_WEIGHTS = 100_000
"""Of all pairs and classes."""
MOST_PRODUCTS = 50_000_000
"""Of the pairs' features in all rows with weights of all classes: what one pass of a fit multiplies."""
WORTH = 0.01
"""Of the loss, by which twice as many pairs must lower it."""


@dataclass(frozen=True)
class Chosen:
    """What was chosen, and all that was tried."""

    design: Design
    best: Tried
    tried: list[Tried]
    start: SoftmaxFit | None = None
    evidence: Sequence[PairEvidence] = ()
    tol: float = 1e-6
    """How near the weights need to be."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """What may be chosen from."""

    design: Callable[[ChosenReading, Pairs, bool], Design]
    rows: Callable[[Design], SoftmaxRows]
    """Those by which is chosen."""
    without: Callable[[Mask], Array]
    readings: Sequence[ChosenReading]
    axes: dict[int, GridAxis]
    """Of the columns that may be paired."""


def choose_blend(sample: Sample, candidates: Candidates) -> Chosen:
    search = _BlendSearch(candidates)
    for reading in candidates.readings:
        search.consider(reading)
    assert search.best is not None
    axes, evidence = candidates.axes, list[PairEvidence]()
    if len(axes) > 1 and search.best.honest.parts:
        evidence = [pair for pair in ranked_pairs(sample) if pair.first in axes and pair.second in axes]
        numbers = _more_and_more(evidence, axes, sample)
        for pairs in numbers:
            if not search.consider(search.best.reading, pairs):
                break
            if pairs is numbers[0]:  # fits of more pairs take longer
                search.refine()
    if search.best.honest.parts and _few_products(axes, search.best, sample):
        search.consider(search.best.reading, search.best.pairs, products=True)
    if not search.best.trial.pairs:
        search.refine()
    best = search.best
    return Chosen(best.design, best.trial, search.tried, best.start, evidence, ROUGH)


def _more_and_more(
    evidence: Sequence[PairEvidence], axes: dict[int, GridAxis], sample: Sample
) -> "list[list[tuple[int, int]]]":
    """The first pairs: as many as have evidence, or half as many as there are columns, then twice as many each time."""
    good = sum(pair.log_factor > 0 for pair in evidence)
    both = [(axes[pair.first], axes[pair.second]) for pair in evidence]
    weights = np.cumsum([len(a.nodes) * len(b.nodes) for a, b in both]) * len(sample.classes)
    products = np.cumsum([(1 + a.numeric) * (1 + b.numeric) for a, b in both]) * len(sample) * len(sample.classes)
    most = int(np.sum((weights <= MOST_WEIGHTS) & (products <= MOST_PRODUCTS)))
    number, found = min(good, max(1, len(axes) // 2), most), list[list[tuple[int, int]]]()
    while number > 0 and (not found or number > len(found[-1])):
        found.append([(pair.first, pair.second) for pair in evidence[:number]])
        number = min(2 * number, most)
    return found


def _few_products(axes: dict[int, GridAxis], best: "_Candidate", sample: Sample) -> bool:
    """Whether there are numbers to multiply, and no more products, with those of pairs, than one pass may take."""
    numbers = sum(axis.numeric for axis in axes.values())
    values = numbers * (numbers - 1) // 2 + 4 * len(best.pairs)
    return numbers > 1 and values * len(sample) * len(sample.classes) <= MOST_PRODUCTS


@dataclass(frozen=True, eq=False)
class _Candidate:
    reading: ChosenReading
    pairs: Pairs
    products: bool
    design: Design
    trial: Tried
    start: SoftmaxFit | None
    honest: FoldLoss

    @property
    def judged(self) -> FoldLoss:
        """With the scale that was chosen."""
        return self.honest.scaled(self.trial.nb_scale)

    def losses(self) -> Array:
        return self.judged.losses(self.trial.c)


class _BlendSearch:
    """The best so far."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates, self.tried = candidates, list[Tried]()
        self.best: _Candidate | None = None

    def consider(self, reading: ChosenReading, pairs: Pairs = (), products: bool = False) -> bool:
        """Whether it is better than the best so far, by enough, and is that now."""
        offered, before = self.candidates, self.best
        design = offered.design(reading, pairs, products)
        grown = before is not None and design.features[: before.design.size] == before.design.features
        honest = FoldLoss.of(offered.rows(design), offered.without, begin=before.judged if before and grown else None)
        if before is not None and before.trial.pairs and _hopeless(honest.scaled(before.trial.nb_scale), before):
            return False
        if before is None:
            trial, start, tried = least(honest, None, NB_SCALES, grid=DECADES)
        else:
            strengths = _strengths(before, bool(pairs or products))
            trial, start, tried = least(honest, None, (before.trial.nb_scale,), before.trial.c, strengths)
            if (pairs or products) and not before.trial.pairs and honest.parts:
                trial, start, more = _with_less_penalty(honest.scaled(trial.nb_scale), trial, start)
                tried += more
        self.tried += [each._replace(reading=reading, pairs=len(pairs), products=products) for each in tried]
        trial = trial._replace(reading=reading, pairs=len(pairs), products=products)
        now = _Candidate(reading, pairs, products, design, trial, start, honest)
        if before is not None and (not honest.parts or not _better(now, before)):
            return False
        self.best = now
        return True

    def refine(self) -> None:
        """The best with C to half a decade, unless there are pairs, whose fits take long; and with less of naive Bayes
        where that is better."""
        assert self.best is not None
        best, tried = self.best, list[Tried]()
        trial, start = best.trial, best.start
        if not trial.pairs:
            trial, start, tried = least(best.honest, None, (trial.nb_scale,), trial.c)
        if best.honest.parts:
            scales = NB_SCALES[NB_SCALES.index(trial.nb_scale) :]
            trial, start, more = least(best.honest, (trial.c,), scales)
            tried += more
        self.tried += [each for each in (_like(best.trial, each) for each in tried) if each not in self.tried]
        self.best = replace(best, trial=_like(best.trial, trial), start=start)


def _strengths(before: _Candidate, together: bool) -> Sequence[float]:
    """Values of C to try after the best so far: more weights mostly need no less of a penalty, and twice as many pairs
    need as much as half of them."""
    if before.trial.pairs:
        return (before.trial.c,)
    return [c for c in DECADES if c <= before.trial.c] if together else DECADES


def _with_less_penalty(
    honest: FoldLoss, trial: Tried, start: SoftmaxFit | None
) -> tuple[Tried, SoftmaxFit | None, list[Tried]]:
    """With C ten times as large, for as long as that lowers the loss, and the prior of C, by more than a standard error
    of the difference. Where naive Bayes is all that columns need one by one, their weights are held near it by a C that
    leaves nothing to pairs, which naive Bayes knows nothing of."""
    tried, losses = list[Tried](), honest.losses(trial.c)
    for c in (c for c in DECADES if c > trial.c):
        now = honest.losses(c)
        tried.append(trial._replace(c=c, log_loss=honest.mean(now)))
        gain = losses - now
        prior = (neg_log_prior(c) - neg_log_prior(trial.c)) / honest.rows.total
        if honest.mean(gain) <= honest.standard_error(gain) + prior:
            break
        trial, losses, start = tried[-1], now, honest.start(c)
    return trial, start, tried


def _hopeless(honest: FoldLoss, before: _Candidate) -> bool:
    """Whether the first of several folds already shows that more pairs are not worth it, by two standard errors: their
    fits take the longest of all."""
    if len(honest.parts) < 2:
        return False
    first, now = honest.first(), honest.first().losses(before.trial.c)
    gain = before.judged.first().losses(before.trial.c) - now
    return first.mean(gain) + 2 * first.standard_error(gain) < WORTH * first.mean(now)


def _better(now: _Candidate, before: _Candidate) -> bool:
    """Whether the loss is lower: for the first pairs by more than a standard error of the difference, for more of them
    by what they are worth."""
    gain = before.losses() - now.losses()
    if not now.trial.pairs and not now.products:
        least_gain = 0.0
    elif now.products or not before.trial.pairs:
        least_gain = now.honest.standard_error(gain)
    else:
        least_gain = WORTH * now.trial.log_loss
    return now.honest.mean(gain) > least_gain


def _like(trial: Tried, other: Tried) -> Tried:
    return other._replace(reading=trial.reading, pairs=trial.pairs, products=trial.products)


def remembered(without: Callable[[Mask], Any]) -> Callable[[Mask], Any]:
    """The same for the same rows, worked out once."""
    known: dict[bytes, Any] = {}

    def found(hidden: Mask) -> Any:
        key = hidden.tobytes()
        if key not in known:
            known[key] = without(hidden)
        return known[key]

    return found
