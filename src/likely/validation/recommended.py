"""Which of several models to take: the simplest of those that are as good as the best, as far as can be told."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from likely.validation.curves import Curve
from likely.validation.measures import Array


class Recommendation(NamedTuple):
    model: str
    reason: str
    outlook: str
    """Whether more rows would help."""


def intervals(curve: Curve, values: Array) -> tuple[Array, Array]:
    """The mean of each size over the repeats, and half the width of its 95 % interval.

    Repeats share rows, and so vary less than fresh rows would. Nadeau and Bengio (2003) make up for it: the variance of
    the mean is that of a repeat times 1/repeats + held out/learned, where both are shares of all rows.
    """
    repeats = values.shape[1]
    if repeats < 2:
        return values.mean(axis=1), np.full(len(values), np.nan)
    spread = values.std(axis=1, ddof=1) * np.sqrt(1 / repeats + curve.test / (1 - curve.test))
    return values.mean(axis=1), spread * float(stdtrit(repeats - 1, 0.975))


def recommended(curve: Curve, simplest_first: Sequence[str]) -> Recommendation:
    """By the log loss after the most rows, of the same rows for all: what is behind by no more than its interval is as
    good as the best.
    """
    losses = {name: curve.log_losses[name] for name in simplest_first}
    least = min(losses, key=lambda name: float(losses[name][-1].mean()))
    behind = {name: _last(curve, values - losses[least]) for name, values in losses.items()}
    as_good = [name for name, (by, half) in behind.items() if by <= half or name == least]
    chosen = as_good[0]
    simpler = [f"{name} by {_figure(behind[name])}" for name in simplest_first[: simplest_first.index(chosen)]]
    worse = f"what is simpler is behind by more than chance: {_listed(simpler)}" if simpler else ""
    loss = float(losses[least][-1].mean())
    if chosen == least:
        others = f"; {worse}" if simpler else ", and it is the simplest of them"
        reason = f"Its log loss is the least, {loss:.4f}{others}."
    else:
        ahead = f"{least} has the least log loss, {loss:.4f}, but is ahead by {_figure(behind[chosen])} only"
        reason = f"It is the simplest that is as good as the best: {ahead}{f'; {worse}' if simpler else ''}."
    return Recommendation(chosen, reason, _outlook(curve, losses[chosen]))


def _outlook(curve: Curve, losses: Array) -> str:
    if len(curve.sizes) < 2:
        return ""
    before, last = curve.sizes[-2:].tolist()
    by, half = _last(curve, losses[-2:-1] - losses[-1:])
    if by > half:
        return f"More rows should help: from {before} to {last} its log loss fell by {_figure((by, half))}."
    return f"From {before} to {last} rows its log loss changed by no more than chance: more may not help much."


def _last(curve: Curve, values: Array) -> tuple[float, float]:
    mean, half = intervals(curve, values)
    return float(mean[-1]), float(half[-1])


def _figure(of: tuple[float, float]) -> str:
    return f"{of[0]:.4f} ± {of[1]:.4f}"


def _listed(things: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(things[:-1]), things[-1]]))
