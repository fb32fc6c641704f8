"""Reasons as lines of a page: what speaks for the most probable class against the second, the strongest first."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.models.explain import Reasons

SHOWN = 8
LEAST = 0.005
"""Log odds that are shown: less is 0.00 in two figures."""


@dataclass(frozen=True)
class Evidence:
    what: str
    value: str
    adds: float
    """To the log odds of the first class against the second."""
    length: float
    """Of its bar, from 0 to 1."""


@dataclass(frozen=True)
class Probability:
    label: str
    p: float


def evidence(reasons: Reasons, most: int = SHOWN) -> list[Evidence]:
    found = [(str(one.column), _value(one.value), reasons.log_odds(one.contributions)) for one in reasons.ranked[:most]]
    longest = max((abs(adds) for *_, adds in found if np.isfinite(adds)), default=0.0) or 1.0
    large = [one for one in found if abs(one[2]) >= LEAST]
    return [Evidence(what, value, adds, min(abs(adds) / longest, 1.0)) for what, value, adds in large]


def probabilities(reasons: Reasons, p: Any, most: int = SHOWN) -> list[Probability]:
    """The most probable first."""
    order = np.argsort(-p, kind="stable")[:most]
    return [Probability(str(reasons.classes[at]), float(p[at])) for at in order]


def _value(value: Any) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
