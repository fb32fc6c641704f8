"""Log odds of each class against all others together. They still rank rows whose probabilities all round to 1."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_odds(scores: Array) -> Array:
    """The log odds from scores or log probabilities, rows x classes. A constant added to a row cancels out.

    If a score is 40 more than all others, the probability is 1 - 4e-18, which float64 rounds to 1; its log odds are 40.
    They are infinite if there is no other class, and 0 in a row that is impossible in every class.
    """
    rows = np.arange(len(scores))
    best = scores.argmax(axis=1)
    top, rest = scores[rows, best], scores.copy()
    rest[rows, best] = -np.inf
    others = _log_sum(rest)
    with np.errstate(invalid="ignore"):
        share = np.exp(rest - top[:, None])
        share[rows, best] = 0.0
        odds = scores - top[:, None] - np.log1p(np.exp(others - top)[:, None] - share)
        odds[rows, best] = top - others
    odds[np.isneginf(top)] = 0.0
    return np.asarray(odds)


def logs(p: Array) -> Array:
    """log p; -inf where p is 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))


def probability(odds: Array) -> Array:
    """p from log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700.0, 700.0))))


def _log_sum(scores: Array) -> Array:
    """log sum exp over the classes of each row; -inf if all scores are."""
    top = scores.max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isneginf(top), -np.inf, top + np.log(np.exp(scores - top[:, None]).sum(axis=1)))
