"""Which C, and how far naive Bayes is trusted: those of the least log loss on rows that had no part in the weights.

Where the curvature can be factored every row is left out in turn, by a step of Newton's (`information`). Of more
unknowns than that, or where one step does not tell, a fifth of the rows is held out and the rest fitted again, for as
many fifths as make ENOUGH rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
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

    def start(self, c: float) -> tuple[Array, Array] | None:
        near = min(self.found, key=lambda other: abs(np.log(other / c)), default=None)
        return None if near is None else (self.found[near].weights, self.found[near].bias)


@dataclass(frozen=True)
class Left:
    """Rows to be left out, and how the scores given to each differ once it is: rows x outputs."""

    rows: Rows
    change: Array | None = None
    given: Callable[[Mask], Array] | None = None
    """The scores given to all rows once some are held out."""
    whole: "Left | None" = None
    """With all of the scores, where this has a share of them."""
    share: float = 1.0

    def trusting(self, share: float) -> "Left":
        """The same with this share of the scores that are given."""
        if share == 1:
            return self
        change = None if self.change is None else share * self.change
        return Left(_with_share(self.rows, share), change, whole=self, share=share)

    @cached_property
    def path(self) -> Path:
        """Of all rows."""
        return Path(self.rows)

    def by_steps(self, c: float, solution: Solution | None = None) -> float:
        """The mean log loss, each row left out by a step of Newton's from the solution."""
        if not isinstance(self.rows, Dense) or (self.rows.columns + 1) * self.rows.outputs > MOST_UNKNOWNS:
            raise Doubtful
        told = information(self.rows, solution or self.path.at(c), c, self.change).left_out()
        if told.doubtful.mean() > DOUBTFUL:
            raise Doubtful
        return self._mean(told.scores, np.ones(self.rows.number, np.bool))

    def by_parts(self, c: float) -> float:
        """The same of rows held out in parts, and the others fitted again."""
        rows = self.rows
        scores, out = np.zeros((rows.number, rows.outputs)), np.zeros(rows.number, np.bool)
        for held, path in self.parts:
            found = path.at(c)
            scores[held] = path.rows.scores(padded(found.weights.T, rows.width), found.bias)[held, : rows.outputs]
            out |= held
        return self._mean(scores, out)

    @cached_property
    def parts(self) -> list[tuple[Mask, Path]]:
        """Fifths of the rows, until there are enough; and the others, with the scores given to them."""
        if self.whole is not None:  # what gives them is not counted again
            return [(held, Path(_with_share(path.rows, self.share))) for held, path in self.whole.parts]
        rows, found = self.rows, []
        fold = np.random.default_rng(0).permutation(rows.number) % FOLDS
        for k in range(min(FOLDS, -(-ENOUGH * FOLDS // rows.number))):
            held = fold == k
            weight = np.where(held, 0.0, 1.0 if rows.weight is None else rows.weight)
            if np.count_nonzero(np.bincount(rows.y, weight)) >= 2:
                offset = self.given(held) if self.given else rows.offset
                found.append((held, Path(replace(rows, weight=weight, offset=offset))))
        return found

    def _mean(self, scores: Array, out: Mask) -> float:
        losses = log_losses(scores[out], self.rows.y[out])
        return float(np.average(losses, weights=None if self.rows.weight is None else self.rows.weight[out]))


def _with_share(rows: Rows, share: float) -> Rows:
    return rows if rows.offset is None else replace(rows, offset=share * rows.offset)


def log_losses(scores: Array, y: Codes) -> Array:
    """-log p(y | x) of each row."""
    from scipy.special import logsumexp

    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    return np.asarray(logsumexp(scores, axis=1) - scores[np.arange(len(y)), y])


def chosen(
    left: Left, candidates: Sequence[float] | None, tol: float, trusts: Sequence[float] = (1.0,)
) -> tuple[Tried, Solution, list[Tried]]:
    """The best of the candidates, or of GRID, and of the trusts; the solution there; and all that were tried."""
    here, turned = left, False
    if isinstance(left.rows, Dense) and wide(left.rows):
        here, turned = replace(left, rows=rotated(left.rows)[0]), True
    try:
        best, judged, tried = _lowered(here, candidates, trusts, Left.by_steps)
        start = judged.path.start(best.c)
    except Doubtful:
        best, judged, tried = _lowered(here, candidates, trusts, Left.by_parts)
        # From weights that other rows have not gone as far with: half the passes of those for the same strength.
        start = judged.parts[0][1].start(best.c / 4)
    rows = left.trusting(best.trust).rows
    return best, solve_rows(rows, best.c, start=None if turned else start, tol=tol), tried


Judge = Callable[[Left, float], float]
"""All are judged alike, or losses could not be compared."""


def _lowered(
    left: Left, candidates: Sequence[float] | None, trusts: Sequence[float], judge: Judge
) -> tuple[Tried, Left, list[Tried]]:
    """The best, what it was judged by, and all that were tried: less is trusted for as long as the loss falls."""
    best, of_best, tried = Tried(1.0, np.inf), left, list[Tried]()
    for trust in trusts:
        trusting = left.trusting(trust)
        losses: dict[float, float] = {}

        def loss(c: float, trusting: Left = trusting, losses: dict[float, float] = losses) -> float:
            if c not in losses:
                losses[c] = judge(trusting, c)
            return losses[c]

        c = downhill(loss, best.c) if candidates is None else min(candidates, key=loss)
        tried += [Tried(c, losses[c], trust) for c in sorted(losses)]
        if losses[c] >= best.log_loss:
            break
        best, of_best = Tried(c, losses[c], trust), trusting
    return best, of_best, tried


def downhill(loss: Callable[..., float], start: float = 1.0) -> float:
    """The strength of the least loss on the grid, from `start` down to where both neighbours are no better."""
    at = GRID.index(start)
    while True:
        near = range(max(at - 1, 0), min(at + 2, len(GRID)))
        best = min(near, key=lambda step: (loss(GRID[step]), step != at))
        if best == at:
            return float(GRID[at])
        at = best
