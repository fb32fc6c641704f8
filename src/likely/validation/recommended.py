"""Recommends one of several models: the simplest, unless another is better by more than chance."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from likely.validation import measures
from likely.validation.curves import Curve
from likely.validation.measures import Array
from likely.validation.result import Result


class Recommendation(NamedTuple):
    model: str
    reason: str


def recommended(results: Mapping[str, Result]) -> Recommendation:
    """Recommends a model by its log loss on the same held-out rows. The models come with the simplest first. A later
    model must be better than the best one before it, by more than the 95 % interval of the mean difference.
    """
    names = list(results)
    chosen, beaten = names[0], list[str]()
    for name in names[1:]:
        by, half = _ahead(results[name], results[chosen])
        if by > half:
            beaten.append(chosen)
            chosen = name
    least = min(names, key=lambda name: results[name].log_loss)
    loss = f"{results[chosen].log_loss:.4f}"
    ahead = _figure(_ahead(results[least], results[chosen]))
    if beaten:
        by_how_much = [f"{name} by {_figure(_ahead(results[chosen], results[name]))}" for name in beaten]
        others = "" if least == chosen else f" That of {least} is lower by {ahead}, which may be chance."
        reason = f"Its log loss, {loss}, is lower than that of simpler models: {', '.join(by_how_much)}.{others}"
    elif least == chosen:
        reason = f"Its log loss, {loss}, is the lowest, and it is the simplest model."
    else:
        reason = (
            f"It is the simplest model, with log loss {loss}. That of {least} is lower by {ahead}, which may be chance."
        )
    return Recommendation(chosen, reason)


def _ahead(one: Result, other: Result) -> tuple[float, float]:
    """By how much the log loss of `other` is lower, and half the width of the 95 % interval of the difference."""
    if not np.array_equal(one.rows, other.rows):
        raise ValueError("models must be compared on the same rows; these results are for different rows")
    return ahead(_losses(other), _losses(one), one.weight)


def ahead(
    more: "Array | NDArray[np.bool]", less: "Array | NDArray[np.bool]", weight: Array | None
) -> tuple[float, float]:
    """By how much the mean of the losses `less` is lower than that of `more`, for the same rows, and half the width of
    the 95 % interval of the difference."""
    by = np.asarray(more, np.float64) - less
    mean, rows = measures.mean(by, weight), measures.effective(len(by), weight)
    spread = np.sqrt(measures.mean((by - mean) ** 2, weight) / max(rows - 1, 1))
    return mean, float(spread * stdtrit(max(rows - 1, 1), 0.975))


def _losses(result: Result) -> Array:
    return measures.log_losses(result.probabilities, result.y)


def intervals(curve: Curve, values: Array) -> tuple[Array, Array]:
    """The mean over the repeats for each size, and half the width of its 95 % interval.

    Repeats share rows, and so vary less than new rows would. Nadeau and Bengio (2003) correct for that: the variance of
    the mean is the variance of a repeat times 1/repeats + held out/learned, where the last two are shares of all rows.
    """
    repeats = values.shape[1]
    if repeats < 2:
        return values.mean(axis=1), np.full(len(values), np.nan)
    spread = values.std(axis=1, ddof=1) * np.sqrt(1 / repeats + curve.test / (1 - curve.test))
    return values.mean(axis=1), spread * float(stdtrit(repeats - 1, 0.975))


def outlook(curve: Curve, name: str, more_rows: bool = False) -> str:
    """A sentence on whether more rows would help a model. `more_rows` is True if the curve uses a sample of the
    rows."""
    if len(curve.sizes) < 2:
        return ""
    before, last = curve.sizes[-2:].tolist()
    losses = curve.log_losses[name]
    means, halves = intervals(curve, losses[-2:-1] - losses[-1:])
    by, half = float(means[-1]), float(halves[-1])
    if by > half:
        return f"More rows should help: from {before:,} to {last:,} its log loss fell by {_figure((by, half))}."
    chance = f"From {before:,} to {last:,} rows its log loss changed by no more than chance"
    return f"{chance}; the effect of all rows is not known." if more_rows else f"{chance}: more rows may not help much."


def _figure(of: tuple[float, float]) -> str:
    return f"{of[0]:.4f} ± {of[1]:.4f}"
