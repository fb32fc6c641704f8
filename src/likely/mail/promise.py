"""Chooses the threshold on confidence, so that the share of right messages among the filed ones is the promised
precision.

There are nine levels of strictness. The first aims at the promised precision, each next one at a fifth fewer wrong
guesses than the one before. The confidence of the last `WINDOW` guesses gives a threshold for each aim. For each level
we also record what it would have filed, and how many of these were wrong.

A level passes while its record is in order. Let `a` be the share of wrong guesses allowed. In every stretch of the last
`WINDOW` messages, the level may have filed at most `a` times its filed messages wrongly, plus one, or plus `SLACK`
times the number that it filed in the window if this is more (Page's cumulative sum test, 1954). The first level that
passes is used; if none passes, nothing is filed. So over-confidence, for example after you change how you file, is
noticed after a few mistakes, whatever its cause, and no longer counts once it is `WINDOW` messages ago.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.mail.confidence import LEAST, STEP, WINDOW
from likely.optimize.softmax.problem import Array

WARM = 100
"""No message is filed before this many guesses: among fewer, too few are wrong to learn what a wrong one looks like."""

NEVER = 2.0
"""A threshold above every confidence: nothing is filed."""

LEVELS = np.array([0.8**level for level in range(9)])
"""The share of wrong guesses that each level aims at, relative to the share allowed."""

SLACK = 0.005
"""Half a percentage point: the precision may be one point short. It is more than the one message above 200 messages. If
both are half as much again, a tenth more is filed on made accounts, but 11 and 18 % of these, not 7 and 11 %, fall
short of 95 and 97 % by over a point (`python -m bench filing --only made_accounts`)."""


class LevelChoice(NamedTuple):
    """The level to use for the next guesses, chosen by the guesses before them."""

    thresholds: Array
    """The threshold of each level."""
    level: int | None
    """The level to use; None if no level passes."""

    @property
    def threshold(self) -> float:
        return NEVER if self.level is None else float(self.thresholds[self.level])


def looks(sure: Array, right: NDArray[np.bool], precision: float) -> list[LevelChoice]:
    """The level chosen before every `STEP` guesses, and after the last one. `sure` is the confidence in each guess, and
    `right` whether it was right."""
    wrong = 1 - precision
    excess, count = np.zeros((2, len(LEVELS), len(sure) + 1))  # of each level, over the messages filed before a guess
    found: list[LevelChoice] = []
    for start in [*range(0, len(sure), STEP), len(sure)]:
        recent = slice(max(0, start - WINDOW), start)
        now = excess[:, start] - excess[:, recent.start : start + 1].min(axis=1)
        slack = np.maximum(1.0, SLACK * (count[:, start] - count[:, recent.start]))
        fit = np.flatnonzero(now <= slack + 1e-9)  # sums are rounded
        look = LevelChoice(_thresholds(sure[recent], 1 - wrong * LEVELS), int(fit[0]) if fit.size else None)
        rows = slice(start, min(start + STEP, len(sure)))
        filed = sure[rows] >= look.thresholds[:, None]
        steps = np.where(filed, np.where(right[rows], 0.0, 1.0) - wrong, 0.0)
        after = slice(rows.start + 1, rows.stop + 1)
        excess[:, after] = excess[:, start, None] + np.cumsum(steps, axis=1)
        count[:, after] = count[:, start, None] + np.cumsum(filed, axis=1)
        found.append(look)
    return found


def threshold(sure: Array, right: NDArray[np.bool], precision: float) -> float:
    """The threshold for the next guess. It needs two windows of guesses: each level is judged by the messages of the
    last window, and the thresholds at the start of that window come from the window before it."""
    first = max(0, len(sure) - 2 * WINDOW) // STEP * STEP
    return looks(sure[first:], right[first:], precision)[-1].threshold


def filed(sure: Array, right: NDArray[np.bool], precision: float) -> NDArray[np.bool]:
    """Which of the guesses would have been filed, each with the threshold known before it."""
    least = [look.threshold for look in looks(sure, right, precision)[:-1]]
    return np.asarray(sure >= np.repeat(least, STEP)[: len(sure)])


def _thresholds(sure: Array, precisions: Array) -> Array:
    """For each precision, the lowest threshold at which the mean confidence of the guesses above it reaches the
    precision. It is never above the precision itself: a guess with that confidence can't lower the share below it."""
    if len(sure) < WARM:
        return np.full(len(precisions), NEVER)
    best = -np.sort(-sure)
    mean = np.cumsum(best) / np.arange(1, len(best) + 1)  # it falls
    enough = np.searchsorted(-mean, -precisions, side="right")
    return np.where(enough, np.clip(best[enough - 1], LEAST, precisions), NEVER)
