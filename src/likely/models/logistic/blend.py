"""The options of the blend, chosen by its honest loss: how numbers are read, which pairs of columns have an interaction
term, C, and the scale of the naive Bayes log-odds.

They are chosen one after the other, each search starting from the result of the last:

- C and the scale for the first reading of numbers, then C for the other readings;
- pairs in the order of their evidence (`likely.models.choosing.pairs`), and C for them, if the first few lower the loss
  by more than a standard error of the difference; then the scale once more (C and the scale if there are no pairs);
- twice as many pairs each time, as long as that lowers the loss enough;
- at last the products of every two numbers: with them the blend can equal a Gaussian classifier, without evidence for
  each pair.

All candidates are compared on the same rows, by fits that have not seen them. A fit with more features starts from the
one with fewer.
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
"""Rows used to choose, evenly spaced in a larger table."""
ROUGH = 1e-3
"""The tolerance of the final fit, since its options were chosen by rough fits."""
NODES = 6
"""The most nodes of a column in a pair."""
MOST_WEIGHTS = 100_000
"""The most weights of all pairs and classes."""
MOST_PRODUCTS = 50_000_000
"""The most multiplications of a pass: features of pairs in all rows, times classes."""
WORTH = 0.01
"""The share of the loss by which doubling the number of pairs must lower it."""


@dataclass(frozen=True)
class Chosen:
    """The chosen options, and all candidates that were tried."""

    design: Design
    best: Tried
    tried: list[Tried]
    start: SoftmaxFit | None = None
    evidence: Sequence[PairEvidence] = ()
    tol: float = 1e-6
    """The tolerance of the final fit."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """What to choose from, and the rows to choose by."""

    design: Callable[[ChosenReading, Pairs, bool], Design]
    rows: Callable[[Design], SoftmaxRows]
    """The rows to choose by, with the features of a design."""
    without: Callable[[Mask], Array]
    """The log-odds of naive Bayes without the hidden rows."""
    readings: Sequence[ChosenReading]
    axes: dict[int, GridAxis]
    """The axes of the columns that may be paired."""


def choose_blend(sample: Sample, candidates: Candidates) -> Chosen:
    """The blend's options, chosen by the rows of `candidates`; `sample` gives the evidence of pairs."""
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
    """Lists of the first pairs to try. The first list has the pairs with evidence, at most one for every two columns;
    each further list is twice as long."""
    good = sum(pair.log_factor > 0 for pair in evidence)
    both = [(axes[pair.first], axes[pair.second]) for pair in evidence]
    weights = np.cumsum([len(a.nodes) * len(b.nodes) for a, b in both]) * len(sample.classes)
    products = np.cumsum([(1 + a.numeric) * (1 + b.numeric) for a, b in both]) * len(sample) * len(sample.classes)
    most = int(np.sum((weights <= MOST_WEIGHTS) & (products <= MOST_PRODUCTS)))
    number, lists = min(good, max(1, len(axes) // 2), most), list[list[tuple[int, int]]]()
    while number > 0 and (not lists or number > len(lists[-1])):
        lists.append([(pair.first, pair.second) for pair in evidence[:number]])
        number = min(2 * number, most)
    return lists


def _few_products(axes: dict[int, GridAxis], best: "_Candidate", sample: Sample) -> bool:
    """Whether there are two numbers or more, and few enough products, with those of the pairs, for one pass."""
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
        """The honest loss with the chosen scale."""
        return self.honest.scaled(self.trial.nb_scale)

    def losses(self) -> Array:
        return self.judged.losses(self.trial.c)


class _BlendSearch:
    """The search, with the best candidate so far and all that were tried."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates, self.tried = candidates, list[Tried]()
        self.best: _Candidate | None = None

    def consider(self, reading: ChosenReading, pairs: Pairs = (), products: bool = False) -> bool:
        """Tries a candidate. Returns whether it is better than the best so far, by enough; it is then the best."""
        offered, before = self.candidates, self.best
        design = offered.design(reading, pairs, products)
        grown = before is not None and design.features[: before.design.size] == before.design.features
        honest = FoldLoss.of(offered.rows(design), offered.without, begin=before.judged if before and grown else None)
        if before is not None and before.trial.pairs and _clearly_worse(honest.scaled(before.trial.nb_scale), before):
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
        """Refines the best candidate: C to half a decade, unless there are pairs, whose fits take long; and a smaller
        scale of naive Bayes if that is better."""
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
    """Values of C to try after the best candidate so far. With pairs or products C is rarely larger than without, and
    with twice as many pairs it is the same."""
    if before.trial.pairs:
        return (before.trial.c,)
    return [c for c in DECADES if c <= before.trial.c] if together else DECADES


def _with_less_penalty(
    honest: FoldLoss, trial: Tried, start: SoftmaxFit | None
) -> tuple[Tried, SoftmaxFit | None, list[Tried]]:
    """Multiplies C by ten as long as that lowers the loss plus the prior of C by more than a standard error of the
    difference. If naive Bayes fits the single columns, the best C without pairs is small. It would then hold the
    weights of pairs, which naive Bayes does not have, at zero."""
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


def _clearly_worse(honest: FoldLoss, before: _Candidate) -> bool:
    """Whether the first of several folds already shows that more pairs don't lower the loss enough, by two standard
    errors. Fits with more pairs take the longest."""
    if len(honest.parts) < 2:
        return False
    first, now = honest.first(), honest.first().losses(before.trial.c)
    gain = before.judged.first().losses(before.trial.c) - now
    return first.mean(gain) + 2 * first.standard_error(gain) < WORTH * first.mean(now)


def _better(now: _Candidate, before: _Candidate) -> bool:
    """Whether the loss is lower: for the first pairs and for products by more than a standard error of the difference,
    for more pairs by the share WORTH of it."""
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
    """The same function, cached by its rows."""
    known: dict[bytes, Any] = {}

    def cached(hidden: Mask) -> Any:
        key = hidden.tobytes()
        if key not in known:
            known[key] = without(hidden)
        return known[key]

    return cached
