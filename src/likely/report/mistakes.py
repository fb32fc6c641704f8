"""Mistakes worth reading: wrong predictions of the highest confidence, and what spoke for them."""

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from likely.models.explain import Reasons
from likely.printing import number
from likely.report.findings import Findings
from likely.report.names import NAMED, displayed

LISTED = 10
LONGEST = 40
"""Characters of a column's name, and of a value."""
REASONS = 3


class WrongPrediction(NamedTuple):
    row: int
    label: str
    predicted: str
    confidence: float
    why: str


def mistakes(found: Findings) -> list[WrongPrediction]:
    """The most confident first."""
    result = found.result
    wrong = np.flatnonzero(~result.right)
    worst = wrong[np.argsort(-result.confidence[wrong], kind="stable")[:LISTED]]
    listed = []
    for at, reasons in zip(worst.tolist(), found.explained(worst), strict=True):
        label, predicted = result.classes[[result.y[at], result.answers[at]]].tolist()
        listed.append(
            WrongPrediction(
                int(result.rows[at]),
                displayed(label, NAMED),
                displayed(predicted, NAMED),
                float(result.confidence[at]),
                speaks_for(reasons, predicted, label),
            )
        )
    return listed


def speaks_for(reasons: Reasons, predicted: Any, label: Any) -> str:
    """The columns that add most to the log-odds of the prediction against the true class."""
    classes = reasons.classes.tolist()
    if predicted not in classes or label not in classes:
        return ""
    a, b = classes.index(predicted), classes.index(label)
    ranked = sorted(reasons.reasons, key=lambda one: one.contributions[b] - one.contributions[a])[:REASONS]
    return ", ".join(
        displayed(one.column, LONGEST) + ("" if one.value in (None, "") else f" {_cell(one.value)}")
        for one in ranked
        if one.contributions[a] > one.contributions[b]
    )


def _cell(value: Any) -> str:
    return (
        number(float(value)) if isinstance(value, Real) and not isinstance(value, bool) else displayed(value, LONGEST)
    )
