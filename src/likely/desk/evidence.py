"""Reasons as lines of a page: the evidence for the most probable class against the second, the strongest first."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.models.explain import Reasons

SHOWN = 8
LEAST = 0.005
"""The least log-odds to show: less is 0.00 with two decimals."""


@dataclass(frozen=True)
class Evidence:
    what: str
    value: str
    adds: float
    """What it adds to the log-odds of the first class against the second."""
    length: float
    """The length of its bar, from 0 to 1."""


@dataclass(frozen=True)
class Probability:
    label: str
    p: float


def evidence(reasons: Reasons, most: int = SHOWN) -> list[Evidence]:
    strongest = reasons.ranked[:most]
    lines = [(str(line.column), _value(line.value), reasons.log_odds(line.contributions)) for line in strongest]
    longest = max((abs(adds) for *_, adds in lines if np.isfinite(adds)), default=0.0) or 1.0
    large = [line for line in lines if abs(line[2]) >= LEAST]
    return [Evidence(what, value, adds, min(abs(adds) / longest, 1.0)) for what, value, adds in large]


def probabilities(reasons: Reasons, p: Any, most: int = SHOWN) -> list[Probability]:
    """The `most` most probable classes, in order of probability."""
    order = np.argsort(-p, kind="stable")[:most]
    return [Probability(str(reasons.classes[at]), float(p[at])) for at in order]


def _value(value: Any) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
