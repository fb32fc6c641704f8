"""Mistakes worth reading: the wrong predictions with the highest confidence, and the evidence for them."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from likely.models.explain import Reasons
from likely.printing import number
from likely.report.findings import Findings
from likely.report.names import NAMED, displayed

LISTED = 10
LONGEST = 40
"""The longest name of a column, and the longest value, in characters."""
REASONS = 3


class WrongPrediction(NamedTuple):
    row: int
    label: str
    predicted: str
    confidence: float
    why: str


def mistakes(found: Findings) -> list[WrongPrediction]:
    """The wrong predictions, those with the highest confidence first."""
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
                speaks_for(reasons, predicted, label, found.texts),
            )
        )
    return listed


def speaks_for(reasons: Reasons, predicted: Any, label: Any, texts: Sequence[str] = ()) -> str:
    """The columns that add most to the log-odds of the predicted class against the true class; for `texts`, the
    words."""
    classes = reasons.classes.tolist()
    if predicted not in classes or label not in classes:
        return ""
    a, b = classes.index(predicted), classes.index(label)
    ranked = sorted(reasons.reasons, key=lambda one: one.contributions[b] - one.contributions[a])[:REASONS]
    return ", ".join(
        _word(one.column, one.value, texts) or _column(one.column, one.value)
        for one in ranked
        if one.contributions[a] > one.contributions[b]
    )


def _column(name: Any, value: Any) -> str:
    return displayed(name, LONGEST) + ("" if value in (None, "") else f" {_cell(value)}")


def _word(name: Any, times: Any, texts: Sequence[str]) -> str:
    """A word without the name of its text column, and how often it occurs if more than once; "" for other columns."""
    own = next((text for text in texts if str(name).startswith(f"{text}: ")), None)
    if own is None:
        return ""
    word = displayed(str(name).removeprefix(f"{own}: "), LONGEST)
    return f"{word} × {_cell(times)}" if isinstance(times, Real) and float(times) > 1 else word


def _cell(value: Any) -> str:
    return (
        number(float(value)) if isinstance(value, Real) and not isinstance(value, bool) else displayed(value, LONGEST)
    )
