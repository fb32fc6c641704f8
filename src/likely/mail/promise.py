"""Which guesses to file so that the share of right ones is the one promised.

There are levels of strictness. Each asks the confidence for a precision: the first for the one promised, each other
for a fifth fewer wrong guesses than the one before. From what is asked comes a threshold, by the confidence of the last
guesses. And each level has a record of its own: what it would have filed, and how that turned out.

A level may be used while its record is in order: with a share `a` of wrong guesses allowed, in no stretch of the last
`WINDOW` messages, however long, has it filed more wrong ones than `a` times the messages filed, and one more, or
`SLACK` of all that it filed in that window where this is more (Page's cumulative sum test, 1954). The first level that
may be used is; if none may, nothing is filed. So confidence that turns out to be too high, as after a change in how you
file, is noticed after a few mistakes, whatever its cause, and forgiven by and by.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.mail.confidence import LEAST, STEP, WINDOW
from likely.optimize.softmax.problem import Array

WARM = 100
"""Guesses before the first message is filed: of fewer, too few are wrong to show what a wrong one looks like."""

NEVER = 2.0
"""The threshold where no confidence is enough."""

LEVELS = np.array([0.8**level for level in range(9)])
"""The share of the wrong guesses allowed that each level asks for."""

SLACK = 0.005
"""Half of the point by which the share of right ones may be short; one message is that share of 200. With half as much
again of both, a tenth more is filed on made accounts, and 11 and 18 % of these, not 7 and 11, fall short by over a
point of 95 and 97 % (`python -m bench filing --only made_accounts`)."""


class LevelChoice(NamedTuple):
    """The level to use at one time, by what came before."""

    thresholds: Array
    """Of each level."""
    level: int | None
    """The one to use; None where the record of none is in order."""

    @property
    def threshold(self) -> float:
        return NEVER if self.level is None else float(self.thresholds[self.level])


def looks(sure: Array, right: NDArray[np.bool], precision: float) -> list[LevelChoice]:
    """Every `STEP` guesses, and after the last, by what came before: the confidence in each guess, and whether it was
    right."""
    wrong = 1 - precision
    excess, count = np.zeros((2, len(LEVELS), len(sure) + 1))  # before each guess, of all filed before it
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
    """The confidence that the next guess must have to be filed: the record of each level goes back over one window, and
    what it filed then over another."""
    first = max(0, len(sure) - 2 * WINDOW) // STEP * STEP
    return looks(sure[first:], right[first:], precision)[-1].threshold


def filed(sure: Array, right: NDArray[np.bool], precision: float) -> NDArray[np.bool]:
    """Which of the guesses would have been filed, the threshold of each taken from those before it alone."""
    least = [look.threshold for look in looks(sure, right, precision)[:-1]]
    return np.asarray(sure >= np.repeat(least, STEP)[: len(sure)])


def _thresholds(sure: Array, precisions: Array) -> Array:
    """The confidence that guesses must have so that of all with as much, each of these shares is right. A guess whose
    own confidence is that share can't spoil it, though all before may have been clearer."""
    if len(sure) < WARM:
        return np.full(len(precisions), NEVER)
    best = -np.sort(-sure)
    mean = np.cumsum(best) / np.arange(1, len(best) + 1)  # it falls
    enough = np.searchsorted(-mean, -precisions, side="right")
    return np.where(enough, np.clip(best[enough - 1], LEAST, precisions), NEVER)
