"""What is left open of a text's family, and how it is chosen: by left-out log loss."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from likely.families.family import Array, Codes

COUNTS = tuple(10.0 ** (step / 2) for step in range(-6, 1))
"""Imagined counts to choose from: those chosen on the sets of `python -m bench accuracy --only texts` lie between."""


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
    from scipy.optimize import minimize_scalar

    own = np.arange(len(y)), y
    wrong = 1 / (len(y) + 2) / (evidence.shape[1] - 1)

    def loss(log_scale: float) -> float:
        logs = np.exp(log_scale) * evidence
        logs -= logs.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        told = (1 - wrong * evidence.shape[1]) * logs[own] + wrong * logs.sum(axis=1)
        return float(0.5 * log_scale**2 / len(y) - mean @ told)

    best = minimize_scalar(loss, bounds=(-5.0, 5.0), method="bounded", options={"xatol": 0.02})
    return float(np.exp(best.x)), float(best.fun)


def downhill(loss: Callable[[float], float], start: float) -> float:
    """The imagined count of the least loss, from the start down to where both neighbours are no better."""
    at = COUNTS.index(start)
    while True:
        best = min(range(max(at - 1, 0), min(at + 2, len(COUNTS))), key=lambda step: (loss(COUNTS[step]), step != at))
        if best == at:
            return float(COUNTS[at])
        at = best
