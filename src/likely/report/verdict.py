"""The verdict on a model, in plain words."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from likely.printing import percent
from likely.report.coverage import half_as_wrong
from likely.report.findings import Findings
from likely.report.names import displayed
from likely.validation import Result
from likely.validation.measures import effective, mean


class Verdict(NamedTuple):
    headline: str
    sentences: list[str]


def verdict(found: Findings) -> Verdict:
    result = found.result
    others = [
        _spread(result),
        *result.notes,
        _probabilities(found),
        _coverage(result),
        _mistake(result),
        _columns(found),
        _labels(found),
    ]
    return Verdict(_headline(result), [sentence for sentence in others if sentence])


def _headline(result: Result) -> str:
    rows = result.confusion.sum(axis=1)
    right, common = 1 - result.error, int(rows.argmax())
    name, guess = displayed(result.classes[common], 60), float(rows[common] / rows.sum())
    good = f"It is right about {_of_100(right)} times in 100"
    if np.count_nonzero(rows) < 2:
        return f"{good}, but all rows are of the class “{name}”: how well it separates classes cannot be seen here."
    low, high = result.interval
    always = f"always predicting “{name}” would be right {_of_100(guess)} times"
    if high < 1 - guess:
        return f"{good}; {always}."
    if low > 1 - guess:
        return f"It is worse than no model: right about {_of_100(right)} times in 100, where {always}."
    return f"It is not shown to be better than no model: right about {_of_100(right)} times in 100, where {always}."


def _spread(result: Result) -> str:
    low, high = result.interval
    digits = int(f"{100 * low:.0f}" == f"{100 * high:.0f}")
    ends = [f"{100 * (1 - end):.{digits}f}" if digits else _of_100(1 - end) for end in (high, low)]
    few = "There are too few rows to know it well. " if high - low > 0.2 else ""
    return (
        f"{few}Of new rows like these, between {ends[0]} and {ends[1]} in 100 would be "
        f"right (95 % interval, from {len(result.y):,} rows: {result.how})."
    )


def _probabilities(found: Findings) -> str:
    result = found.result
    sure, right = mean(result.confidence, result.weight), 1 - result.error
    n = effective(len(result.y), result.weight)
    spread = float(np.sqrt(np.average((result.confidence * (1 - result.confidence)), weights=result.weight) / n))
    by = f"its mean confidence is {percent(sure, 0)}, and it is right {percent(right, 0)} of the time"
    after = found.after
    mend = ""
    if after is not None and result is not after and result.calibration_error - after.calibration_error > 0.01:
        mend = f" Calibration would bring the gap from {_points(result)} to {_points(after)} points."
    if abs(sure - right) > 1.96 * max(spread, sqrt(0.25 / n) * 0.01):
        return f"It is {'over' if sure > right else 'under'}-confident: {by}.{mend}"
    return f"It is calibrated, as far as these rows show: {by}."


def _points(result: Result) -> str:
    return f"{100 * result.calibration_error:.1f}"


def _coverage(result: Result) -> str:
    point = half_as_wrong(result)
    if point is None or not 0.1 <= point.coverage <= 0.995:
        return ""
    sure = percent(point.threshold, 1 if point.threshold > 0.99 else 0)
    return (
        f"With only predictions of {sure} confidence or more, you get {percent(point.coverage, 0)} of these rows, "
        f"and the model is right in {percent(point.precision)} of them."
    )


def _mistake(result: Result) -> str:
    table = np.asarray(result.confusion, np.float64)
    of_class = table.sum(axis=1)
    np.fill_diagonal(table, 0)
    if not table.any():
        return ""
    i, j = np.unravel_index(table.argmax(), table.shape)
    of, predicted = displayed(result.classes[i], 60), displayed(result.classes[j], 60)
    return f"Its most common mistake: {table[i, j]:g} of {of_class[i]:g} rows of “{of}” are predicted as “{predicted}”."


def _columns(found: Findings) -> str:
    columns, factors = found.relevance.columns, found.relevance.log_factors
    if factors[0] <= 0:  # of texts, few rows never show it
        texts = any(family.domain == "text" for family in found.counted.chosen_families.values())
        return "" if texts else "No column shows that it depends on the class."
    if len(columns) == 1:
        return ""
    idle = int((factors <= 0).sum())
    rest = f"; {idle} of {len(columns)} columns show no sign of depending on the class" if idle else ""
    return f"The most informative column is “{displayed(columns[0], 60)}”, then “{displayed(columns[1], 60)}”{rest}."


def _labels(found: Findings) -> str:
    if found.audit is None:
        return ""
    many = len(found.audit)
    if not many:
        return "No label looks wrong."
    return f"{many} of {len(found.audit.order)} labels {'looks' if many == 1 else 'look'} wrong."


def _of_100(share: float) -> str:
    times = 100 * share
    return f"{times:.0f}" if 1 <= times <= 99 or times in (0, 100) else f"{times:.1f}"
