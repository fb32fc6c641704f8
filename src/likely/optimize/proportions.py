"""Maximum likelihood probabilities under bounds, in closed form except for one number."""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.optimize.constraints import Sides
from likely.optimize.function import Array
from likely.optimize.polyhedral import Infeasible


class Proportions(NamedTuple):
    """Maximum likelihood probabilities under bounds, with the multipliers of the bounds.

    See Also
    --------
    proportions : makes it.
    """

    p: Array
    total: float
    """The multiplier of sum p = 1. If no bound is active, it is the sum of the counts."""
    limits: Sides
    """The multipliers of the bounds: the cost of each in log-likelihood, per unit of probability."""


def proportions(counts: ArrayLike, low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> Proportions:
    """The p that maximise sum counts * log p where sum p = 1 and low <= p <= high.

    p is the counts divided by one number, clipped to the bounds: by the Lagrangian, count / p is the multiplier of the
    total plus that of the upper bound minus that of the lower. The number is found exactly, between two points at which
    a bound becomes active. If the upper bounds of the seen values sum to less than 1, the rest is divided among the
    others as evenly as their bounds allow.

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
        bounds = np.asarray(side, np.float64)
        if bounds.shape not in ((), counts.shape) or np.isnan(bounds).any():
            raise ValueError(f"{name} must be one number or {counts.size}, not NaN")
        limits.append(np.clip(bounds, 0.0, 1.0) * np.ones(counts.size))
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
    # A value without an active bound has no multiplier; its slope is only rounding.
    free = (p > low) & (p < high)
    slope = np.where(free, 0.0, slope)
    return Proportions(p, total, Sides(np.maximum(-slope, 0.0), np.maximum(slope, 0.0)))


def _divisor(counts: Array, low: Array, high: Array, total: float) -> float:
    """The divisor with which the counts, divided by it and clipped to the bounds, sum to the total."""
    with np.errstate(divide="ignore"):
        turns = np.unique(np.concatenate([counts / low, counts / high]))
    turns = turns[np.isfinite(turns)]

    def reached(turn: float) -> float:
        """The sum for this divisor, which falls as the divisor grows."""
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
    """The same number for all, clipped to the bounds, so that they sum to the total."""
    turns = np.unique(np.concatenate([low, high]))
    sums = np.array([np.clip(turn, low, high).sum() for turn in turns])
    level = np.interp(total, sums, turns) if turns.size else 0.0
    return np.asarray(np.clip(level, low, high))
