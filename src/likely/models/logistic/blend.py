"""What the blend leaves open, chosen by its honest loss: how numbers are read, which pairs of columns have a term of
their own, C, and the scale of the naive Bayes log-odds.

One is chosen after the other, each beginning where the last ended: readings first, then pairs in the order of their
evidence (`likely.models.choosing.pairs`), if the first few lower the loss by more than a standard error of the
difference, and then twice as many each time for as long as it falls. All are judged on the same rows, by fits that had
no part in them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.data.sample import Array, Sample
from likely.models.choosing.pairs import PairEvidence, ranked_pairs
from likely.models.logistic.design import ChosenReading, Design
from likely.models.logistic.grid import GridAxis
from likely.models.logistic.strength import DECADES, NB_SCALES, FoldLoss, Mask, Tried, least
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows

ROWS = 5_000
"""Rows by which is chosen, evenly spaced in a larger table."""
NODES = 6
"""Of a column in a pair."""
MOST_WEIGHTS = 100_000
"""Of all pairs and classes."""


@dataclass(frozen=True)
class Chosen:
    """What was chosen, and all that was tried."""

    design: Design
    best: Tried
    tried: list[Tried]
    start: SoftmaxFit | None = None
    evidence: Sequence[PairEvidence] = ()


@dataclass(frozen=True, eq=False)
class Candidates:
    """What may be chosen from."""

    design: Callable[[ChosenReading, Sequence[tuple[int, int]]], Design]
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
        for pairs in _more_and_more(evidence, axes, len(sample.classes)):
            if not search.consider(search.best.reading, pairs):
                break
    search.rescale()
    best = search.best
    return Chosen(best.design, best.trial, search.tried, best.start, evidence)


def _more_and_more(
    evidence: Sequence[PairEvidence], axes: dict[int, GridAxis], classes: int
) -> "list[list[tuple[int, int]]]":
    """The first pairs: as many as have evidence, or half as many as there are columns, then twice as many each time."""
    good = sum(pair.log_factor > 0 for pair in evidence)
    sizes = [len(axes[pair.first].nodes) * len(axes[pair.second].nodes) for pair in evidence]
    most = int(np.searchsorted(np.cumsum(sizes) * classes, MOST_WEIGHTS, side="right"))
    number, found = min(good, max(1, len(axes) // 2)), list[list[tuple[int, int]]]()
    while 0 < number <= most:
        found.append([(pair.first, pair.second) for pair in evidence[:number]])
        if number == len(evidence):
            break
        number = min(2 * number, len(evidence))
    return found


@dataclass(frozen=True, eq=False)
class _Candidate:
    reading: ChosenReading
    design: Design
    trial: Tried
    start: SoftmaxFit | None
    honest: FoldLoss

    def losses(self) -> Array:
        return self.honest.scaled(self.trial.nb_scale).losses(self.trial.c)


class _BlendSearch:
    """The best so far."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates, self.tried = candidates, list[Tried]()
        self.best: _Candidate | None = None

    def consider(self, reading: ChosenReading, pairs: Sequence[tuple[int, int]] = ()) -> bool:
        """Whether it is better than the best so far, and is that now: the first pairs must be by a standard error."""
        offered, before = self.candidates, self.best
        design = offered.design(reading, pairs)
        honest = FoldLoss.of(offered.rows(design), offered.without)
        scales, begin = (NB_SCALES, 1.0) if before is None else ((before.trial.nb_scale,), before.trial.c)
        grid = [c for c in DECADES if c <= begin] if pairs else DECADES  # more weights need no less of a penalty
        trial, start, tried = least(honest, None, scales, begin, grid)
        self.tried += [each._replace(reading=reading, pairs=len(pairs)) for each in tried]
        now = _Candidate(reading, design, trial._replace(reading=reading, pairs=len(pairs)), start, honest)
        if before is not None and honest.parts:
            gain = before.losses() - now.losses()
            first = pairs and not before.trial.pairs
            if honest.mean(gain) <= (honest.standard_error(gain) if first else 0.0):
                return False
        elif before is not None:
            return False
        self.best = now
        return True

    def rescale(self) -> None:
        """The best with less of naive Bayes, where that is better, and C to half a decade."""
        assert self.best is not None
        best = self.best
        scales = NB_SCALES[NB_SCALES.index(best.trial.nb_scale) :]
        trial, start, tried = least(best.honest, None, scales, best.trial.c)
        self.tried += [each for each in (_like(best.trial, each) for each in tried) if each not in self.tried]
        self.best = replace(best, trial=_like(best.trial, trial), start=start)


def _like(trial: Tried, other: Tried) -> Tried:
    return other._replace(reading=trial.reading, pairs=trial.pairs)


def remembered(without: Callable[[Mask], Any]) -> Callable[[Mask], Any]:
    """The same for the same rows, worked out once."""
    known: dict[bytes, Any] = {}

    def found(hidden: Mask) -> Any:
        key = hidden.tobytes()
        if key not in known:
            known[key] = without(hidden)
        return known[key]

    return found
