"""Which C, and how far naive Bayes is trusted: those of the least log loss on rows that had no part in the weights, but
for what is known beforehand (`unlikely`).

Where the curvature can be factored every row is left out in turn, by a step of Newton's (`information`). Of more
unknowns than that, where one step does not tell, or where naive Bayes has learned the rows too, a fifth of them is held
out and the rest fitted again, for as many fifths as make ENOUGH rows. (A step leaves a row out of the weights alone:
what naive Bayes has learned of it stays in the scores of all others, and strengths look better than they are.) Of rows
in the order in which they came the last three fifths are judged, each by what was learned from all before it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.families.family import Array, Codes
from likely.models.logistic.information import information
from likely.models.logistic.rows import Dense, Rows, padded
from likely.models.logistic.solver import MOST_UNKNOWNS, Solution, rotated, solve_rows, wide

GRID = tuple(10.0 ** (step / 2) for step in range(-12, 9))
TRUSTS = (1.0, 0.5, 0.25, 0.0)
"""Shares of the log odds of naive Bayes that weights are drawn to. It counts what comes together twice, and where
weights are learned beside it all of it is too much. Of all rows of `python -m bench.twins` the dial has the lowest
error on all nine tables."""
FOLDS = 5
ENOUGH = 2000
"""Rows held out: the standard error of their mean log loss is then some hundredths, and that of differences less."""
DOUBTFUL = 1e-3
"""The share of rows of which one step may not tell: with more, classes that are nearly told apart looked better and
better the less of a penalty there was."""
ROUGH = 1e-3
"""To what gap fits are brought that are only compared."""


Mask = NDArray[np.bool]
Start = tuple[Array, Array]
"""Weights, outputs x columns, and bias."""


class Doubtful(Exception):
    """A step of Newton's does not tell what becomes of rows that are left out."""


class Tried(NamedTuple):
    """A strength that was tried, its log loss on rows left out, and the trust that it was tried with."""

    c: float
    log_loss: float
    trust: float = 1.0


@dataclass(frozen=True)
class Path:
    """Rough solutions of the same rows by strength, each begun at the nearest that is there."""

    rows: Rows
    found: dict[float, Solution] = field(default_factory=dict)

    def at(self, c: float) -> Solution:
        if c not in self.found:
            self.found[c] = solve_rows(self.rows, c, start=self.start(c), tol=ROUGH)
        return self.found[c]

    @property
    def known(self) -> int:
        """How many classes have any weight."""
        return int(np.count_nonzero(np.bincount(self.rows.y, self.rows.weight)))

    def start(self, c: float) -> Start | None:
        near = min(self.found, key=lambda other: abs(log(other) - log(c)), default=None)
        return None if near is None else (self.found[near].weights, self.found[near].bias)


@dataclass(frozen=True)
class Left:
    """Rows to be left out."""

    rows: Rows
    given: Callable[[Mask], Array] | None = None
    """The scores given to all rows once some are held out."""
    ordered: bool = False
    """Whether rows are in the order in which they came."""
    whole: "Left | None" = None
    """With all of the scores, where this has a share of them."""
    share: float = 1.0

    def trusting(self, share: float) -> "Left":
        """The same with this share of the scores that are given."""
        return self if share == 1 else replace(self, rows=_with_share(self.rows, share), whole=self, share=share)

    @cached_property
    def path(self) -> Path:
        """Of all rows."""
        return Path(self.rows)

    def by_steps(self, c: float, solution: Solution | None = None) -> float:
        """The mean log loss, each row left out by a step of Newton's from the solution."""
        rows = self.rows
        if (
            self.given
            or self.ordered
            or not isinstance(rows, Dense)
            or (rows.columns + 1) * rows.outputs > MOST_UNKNOWNS
        ):
            raise Doubtful
        told = information(rows, solution or self.path.at(c), c).left_out()
        if told.doubtful.mean() > DOUBTFUL:
            raise Doubtful
        return float(np.average(log_losses(told.scores, rows.y), weights=rows.weight))

    def by_parts(self, c: float) -> float:
        """The same of rows held out in parts, and the others fitted again; NaN where none can be."""
        return self.mean(self.losses(c)) if self.judged.any() else np.nan

    def losses(self, c: float) -> Array:
        """Of the rows that are judged in parts."""
        rows = self.rows
        scores = np.zeros((rows.number, rows.outputs))
        for judged, path in self.parts:
            found = path.at(c)
            scores[judged] = path.rows.scores(padded(found.weights.T, rows.width), found.bias)[judged, : rows.outputs]
        return log_losses(scores[self.judged], rows.y[self.judged])

    def mean(self, of_judged: Array) -> float:
        weight = self.rows.weight
        return float(np.average(of_judged, weights=None if weight is None else weight[self.judged]))

    def standard_error(self, of_judged: Array) -> float:
        """Of the mean."""
        weight = np.ones(len(of_judged)) if self.rows.weight is None else self.rows.weight[self.judged]
        away = weight * (of_judged - self.mean(of_judged))
        return float(np.linalg.norm(away) / weight.sum())

    @cached_property
    def judged(self) -> Mask:
        """The rows that are judged in parts."""
        return np.asarray(np.any([np.zeros(self.rows.number, np.bool), *(each for each, _ in self.parts)], axis=0))

    @cached_property
    def parts(self) -> list[tuple[Mask, Path]]:
        """Rows to judge, and solutions of others, with the scores given to them, that know the classes of those."""
        if self.whole is not None:  # what gives them is not counted again
            return [(judged, Path(_with_share(path.rows, self.share))) for judged, path in self.whole.parts]
        rows, found = self.rows, []
        all_ = np.ones(rows.number) if rows.weight is None else rows.weight
        for judged, hidden in self._held():
            weight = np.where(hidden, 0.0, all_)
            learned = np.bincount(rows.y, weight, rows.y.max() + 1) > 0
            judged = judged & learned[rows.y] & (all_ > 0)
            if np.count_nonzero(learned) >= 2 and judged.any():
                offset = self.given(hidden) if self.given else rows.offset
                found.append((judged, Path(replace(rows, weight=weight, offset=offset))))
        return found

    def _held(self) -> Iterator[tuple[Mask, Mask]]:
        """Rows to judge, and those that are hidden meanwhile."""
        number = self.rows.number
        if self.ordered:
            fifth = np.arange(number) * FOLDS // number
            yield from ((fifth == k, fifth >= k) for k in range(FOLDS - 3, FOLDS))
        else:
            fold = np.random.default_rng(0).permutation(number) % FOLDS
            yield from ((fold == k, fold == k) for k in range(min(FOLDS, -(-ENOUGH * FOLDS // number))))


def _with_share(rows: Rows, share: float) -> Rows:
    return rows if rows.offset is None else replace(rows, offset=share * rows.offset)


def log_losses(scores: Array, y: Codes) -> Array:
    """-log p(y | x) of each row."""
    from scipy.special import logsumexp

    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    return np.asarray(logsumexp(scores, axis=1) - scores[np.arange(len(y)), y])


def chosen(
    left: Left, candidates: Sequence[float] | None, trusts: Sequence[float] = (1.0,)
) -> tuple[Tried, Start | None, list[Tried]]:
    """The best of the candidates, or of GRID, and of the trusts; weights and bias near it; and all that were tried."""
    here, turned = left, False
    if isinstance(left.rows, Dense) and wide(left.rows):
        here, turned = replace(left, rows=rotated(left.rows)[0]), True
    try:
        best, judged, tried = _lowered(here, candidates, trusts, Left.by_steps)
        start = judged.path.start(best.c)
    except Doubtful:
        best, judged, tried = _lowered(here, candidates, trusts, Left.by_parts)
        if left.ordered and left.given and candidates is None:
            best, judged, alone = _or_alone(best, judged, [here.trusting(trust) for trust in trusts if trust])
            tried += alone
        # From weights that other rows have not gone as far with: half the passes of those for the same strength. Where
        # a class was hidden its bias is as good as infinite, and no start.
        knowing = (path for _, path in reversed(judged.parts) if path.known == judged.path.known)
        start = next((path.start(best.c / 4) for path in knowing), None)
    return best, None if turned else start, tried


Judge = Callable[[Left, float], float]
"""All are judged alike, or losses could not be compared."""


def _lowered(
    left: Left, candidates: Sequence[float] | None, trusts: Sequence[float], judge: Judge
) -> tuple[Tried, Left, list[Tried]]:
    """The best, what it was judged by, and all that were tried: less is trusted for as long as the loss falls."""
    best, of_best, least, tried = Tried(1.0, np.inf), left, np.inf, list[Tried]()
    for trust in trusts:
        trusting = left.trusting(trust)
        losses: dict[float, float] = {}

        def loss(c: float, trusting: Left = trusting, losses: dict[float, float] = losses) -> float:
            if c not in losses:
                losses[c] = judge(trusting, c)
            return float(np.nan_to_num(losses[c])) + (unlikely(c) / left.rows.total if candidates is None else 0)

        c = downhill(loss, best.c) if candidates is None else min(candidates, key=loss)
        tried += [Tried(c, losses[c], trust) for c in sorted(losses)]
        if loss(c) >= least:
            break
        best, of_best, least = Tried(c, losses[c], trust), trusting, loss(c)
    return best, of_best, tried


def _or_alone(best: Tried, judged: Left, shares: Sequence[Left]) -> tuple[Tried, Left, list[Tried]]:
    """What is given alone, where weights beside it gain no more than a standard error; and what was tried for that. Of
    what changes as it comes, the past tells less than its rows are many: for two of the four users of `bench accuracy
    --only dial_texts` naive Bayes has fewer errors than weights that were learned.
    """
    if not judged.judged.any():
        return best, judged, []
    c = GRID[0] / judged.rows.total  # at which no weight is learned, however many rows there are
    losses = [share.losses(c) for share in shares]
    alone = [Tried(c, share.mean(loss), share.share) for share, loss in zip(shares, losses, strict=True)]
    least = min(range(len(alone)), key=lambda at: alone[at].log_loss)
    gain = losses[least] - judged.losses(best.c)
    if judged.mean(gain) > judged.standard_error(gain):
        return best, judged, alone
    return alone[least], shares[least], alone


def unlikely(c: float) -> float:
    """-log p(C) beforehand: its power of ten is normal, about that of 1. It counts as one row does: where rows are few,
    those left out choose by chance."""
    return float(np.log10(c) ** 2 / 2)


def downhill(loss: Callable[..., float], start: float = 1.0) -> float:
    """The strength of the least loss on the grid, from `start` down to where both neighbours are no better."""
    at = GRID.index(start)
    while True:
        near = range(max(at - 1, 0), min(at + 2, len(GRID)))
        best = min(near, key=lambda step: (loss(GRID[step]), step != at))
        if best == at:
            return float(GRID[at])
        at = best
