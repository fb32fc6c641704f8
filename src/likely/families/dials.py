"""What is left open of a text's family, and how it is chosen: by left-out log loss."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from likely import _native
from likely.families.family import Array, Codes

COUNTS = tuple(10.0 ** (step / 2) for step in range(-6, 1))
"""Imagined counts to choose from: those chosen on the sets of `python -m bench accuracy --only texts` lie between."""

FARTHEST, NEAR = 5.0, 1e-3
"""How far the logarithm of a scale may be from 0, and how near it must come to the best."""


class Dials(NamedTuple):
    """What is chosen by left-out log loss: the count imagined of each word, and how much all words tell."""

    imagined: float
    scale: float


UNTUNED = Dials(0.01, 1.0)


def scaled(evidence: Array, y: Codes, mean: Array) -> tuple[float, float]:
    """The scale of evidence at which the mean log loss of the classes is least, and that loss.

    As in Platt's scaling, one text of n + 2 is taken to be of another class: a few that are all told apart do not make
    it sure of everything. And it stays at 1 by the weight of one text, where there is nothing to choose by.
    """
    n, classes = evidence.shape
    relative = evidence - evidence[np.arange(n), y][:, None]
    wrong = float(mean @ relative.sum(axis=1)) / (n + 2) / (classes - 1)
    relative, nothing = np.ascontiguousarray(relative[:, :, None]), np.zeros((n, classes))
    at, low, high = 0.0, -FARTHEST, FARTHEST  # of the logarithm of the scale
    while True:
        scale, gradient, curvature = np.exp(at), np.zeros(1), np.zeros((1, 1))
        loss = _native.weighing_pass(relative, nothing, mean, np.array([scale]), gradient, curvature)
        slope = float(scale * (gradient[0] - wrong))
        first, second = slope + at / n, slope + float(scale**2 * curvature[0, 0]) + 1 / n
        low, high = (low, at) if first > 0 else (at, high)
        there = at - first / second if second > 0 else np.inf
        there = there if low <= there <= high else (low + high) / 2
        if abs(there - at) < NEAR:
            return float(scale), float(loss - scale * wrong + 0.5 * at**2 / n)
        at = there


def downhill(loss: Callable[[float], float], start: float) -> float:
    """The imagined count of the least loss, from the start down to where both neighbours are no better."""
    at = COUNTS.index(start)
    while True:
        best = min(range(max(at - 1, 0), min(at + 2, len(COUNTS))), key=lambda step: (loss(COUNTS[step]), step != at))
        if best == at:
            return float(COUNTS[at])
        at = best
