"""Which of several models to take: the simplest, unless another is better by more than chance."""

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
    """By the log loss after the most rows, the same rows for all: what is less simple must be better than what was best
    before it by more than its interval.
    """
    losses = {name: curve.log_losses[name] for name in simplest_first}
    chosen, beaten = simplest_first[0], list[str]()
    for name in simplest_first[1:]:
        by, half = _last(curve, losses[chosen] - losses[name])
        if by > half:
            beaten.append(chosen)
            chosen = name
    least = min(losses, key=lambda name: float(losses[name][-1].mean()))
    loss = f"{float(losses[chosen][-1].mean()):.4f}"
    ahead = _figure(_last(curve, losses[chosen] - losses[least]))
    if beaten:
        by_how_much = [f"{name} by {_figure(_last(curve, losses[name] - losses[chosen]))}" for name in beaten]
        others = "" if least == chosen else f" {least} is ahead of it by {ahead}, which may be chance."
        reason = f"Its log loss, {loss}, is below that of what is simpler: {', '.join(by_how_much)}.{others}"
    elif least == chosen:
        reason = f"Its log loss is the least, {loss}, and it is the simplest."
    else:
        reason = f"It is the simplest, with a log loss of {loss}; {least} is ahead by {ahead}, which may be chance."
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
