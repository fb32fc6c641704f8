"""Probabilities of most likelihood within limits, in closed form but for one number."""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.optimize.constraints import Sides
from likely.optimize.function import Array
from likely.optimize.polyhedral import Infeasible


class Proportions(NamedTuple):
    """Probabilities of maximum likelihood within limits, and what the limits cost.

    See Also
    --------
    proportions : makes it.
    """

    p: Array
    total: float
    """The multiplier of sum p = 1. Without limits that hold it is the sum of the counts."""
    limits: Sides
    """The multipliers of the limits: what each costs in log-likelihood, per unit of probability."""


def proportions(counts: ArrayLike, low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> Proportions:
    """The p that maximise sum counts * log p where sum p = 1 and low <= p <= high.

    p is the counts divided by one number, cut to the limits: by Lagrange, count / p is the multiplier of the total plus
    that of the upper limit minus that of the lower. The number is found exactly, between two of the points at which a
    limit begins to hold. What seen cells can't take is shared among the others as evenly as the limits allow.

    Parameters
    ----------
    counts : array
        How often each value was seen.
    low : float or array, default 0
        The lowest probability of each value.
    high : float or array, default 1
        The highest probability of each value.

    Returns
    -------
    Proportions
        The probabilities, and the multipliers of their sum and of the limits.

    See Also
    --------
    likely.limits.Within : the same as a prior.

    Examples
    --------
    >>> from likely.optimize import proportions
    >>> proportions([8, 2, 0], low=0.1).p.round(3).tolist()
    [0.72, 0.18, 0.1]
    """
    counts = np.asarray(counts, np.float64)
    if counts.ndim != 1 or not counts.size or not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError("counts must be a vector of finite numbers of 0 or more")
    limits = []
    for name, side in (("low", low), ("high", high)):
        given = np.asarray(side, np.float64)
        if given.shape not in ((), counts.shape) or np.isnan(given).any():
            raise ValueError(f"{name} must be one number or {counts.size}, not NaN")
        limits.append(np.clip(given, 0.0, 1.0) * np.ones(counts.size))
    low, high = limits
    if (low > high).any():
        k = int(np.argmax(low > high))
        raise Infeasible(f"the limits of cell {k} exclude each other: at least {low[k]:g} and at most {high[k]:g}")
    if low.sum() > 1 + 1e-12 or high.sum() < 1 - 1e-12:
        least, most = low.sum(), high.sum()
        raise Infeasible(f"the limits allow a sum from {least:g} to {most:g}, but probabilities sum to 1")
    seen = counts > 0
    if (high[seen] == 0).any():
        raise Infeasible(f"cell {int(np.argmax(seen & (high == 0)))} was seen, but its limit is probability 0")
    rest = 1.0 - low[~seen].sum()
    if not seen.any() or high[seen].sum() <= rest:
        p = np.where(seen, high, 0.0)
        p[~seen] = _spread(low[~seen], high[~seen], 1.0 - p.sum())
        total = 0.0
    else:
        total = _divisor(counts[seen], low[seen], high[seen], rest)
        p = np.where(seen, np.clip(counts / total, low, high), low)
    slope = np.divide(counts, p, out=np.zeros(counts.size), where=seen) - total
    # A cell that no limit holds has no multiplier; what is left of its slope is rounding.
    free = (p > low) & (p < high)
    slope = np.where(free, 0.0, slope)
    return Proportions(p, total, Sides(np.maximum(-slope, 0.0), np.maximum(slope, 0.0)))


def _divisor(counts: Array, low: Array, high: Array, total: float) -> float:
    """The number by which counts, divided and cut to the limits, sum to the total."""
    with np.errstate(divide="ignore"):
        turns = np.unique(np.concatenate([counts / low, counts / high]))
    turns = turns[np.isfinite(turns)]

    def reached(turn: float) -> float:
        """What they sum to, which falls from one turn to the next."""
        return float(np.clip(counts / turn, low, high).sum())

    k = bisect_left(turns, -total, key=lambda turn: -reached(turn))
    if k < len(turns) and reached(turns[k]) == total:
        return float(turns[k])
    between = (turns[k - 1] + turns[k]) / 2 if k < len(turns) else 1.5 * turns[-1]
    share = counts / between
    free = (share > low) & (share < high)
    if not free.any():
        return float(between)
    held = np.clip(share, low, high)[~free].sum()
    return float(counts[free].sum() / (total - held))


def _spread(low: Array, high: Array, total: float) -> Array:
    """One level for all, cut to the limits, so that they sum to the total."""
    turns = np.unique(np.concatenate([low, high]))
    sums = np.array([np.clip(turn, low, high).sum() for turn in turns])
    level = np.interp(total, sums, turns) if turns.size else 0.0
    return np.asarray(np.clip(level, low, high))
