"""The first screen of the report: the question, its three most important figures, the baseline, and caveats."""

from typing import NamedTuple

import numpy as np

from likely.models.decision_rule import cost_table
from likely.printing import between, percent
from likely.report.coverage import half_as_wrong
from likely.report.findings import Findings
from likely.report.names import NAMED, displayed
from likely.validation import Result, thresholds
from likely.validation.measures import effective, mean, wilson

MANY = 5
"""With at least this many classes, the page shows how often the true one is among the first three."""
GAP = 0.02
"""A smaller gap between confidence and accuracy is not reported: two percentage points."""
WIDE = 0.2
"""If the interval of the error is at least this wide, the page has a caveat."""
NOUNS = {"texts": "texts", "mail": "messages"}


class Figure(NamedTuple):
    number: str
    label: str
    note: str


class Headline(NamedTuple):
    question: str
    shares: str
    figures: list[Figure]
    baseline: str
    advice: str
    """What a threshold would change for a rare class; "" if costs decide, or if no class is rare."""
    judged: str
    caveats: list[str]


def headline(found: Findings) -> Headline:
    question, shares = _question(found)
    figures = _of_all(found) if found.focus is None else _of_focus(found, found.focus)
    caveats = [*found.result.notes, _few(found.result), _calibration(found), _leaks(found)]
    compared = baseline(found.result, _noun(found)) if found.costs is None else _cheapest(found)
    rare = found.result.rare if found.costs is None else None
    advice = "" if rare is None else rare.advice
    return Headline(question, shares, figures, compared, advice, _judged(found), [one for one in caveats if one])


def _noun(found: Findings) -> str:
    return NOUNS.get(found.stored.origin.source, "rows")


def _judged(found: Findings) -> str:
    how, n = found.result.how, f"{len(found.result.y):,} {_noun(found)}"
    by = f"{n} that the model has learned, each predicted without it ({how})" if found.learned else f"{n} ({how})"
    return f"On {by}. Ranges are 95 % intervals."


def _question(found: Findings) -> tuple[str, str]:
    noun, target = _noun(found), found.stored.origin.target
    result, n = found.result, f"{len(found.sample):,}"
    shares = found.sample.class_weights / found.sample.class_weights.sum()
    if found.focus is not None:
        label = displayed(result.classes[found.focus], NAMED)
        verb, is_it = (
            ("have", f"{displayed(target, NAMED)} = {label}") if target and noun == "rows" else ("are", f"“{label}”")
        )
        share = f"{percent(shares[found.focus])} of {n} {noun}"
        return f"Which {noun} {verb} {is_it}?", share
    common = int(shares.argmax())
    many, name = f"{np.count_nonzero(shares):,}", displayed(result.classes[common], NAMED)
    kind = "folders" if noun == "messages" else "classes"
    most = f"{many} {kind}, {n} {noun}; the most common is “{name}”, {percent(shares[common])}"
    if noun == "messages":
        return "Which folder does a message belong in?", most
    of = (
        f"Which {displayed(target, NAMED)} is it?" if target and noun == "rows" else f"Which class is a {noun[:-1]} of?"
    )
    return of, most


def _of_focus(found: Findings, focus: int) -> list[Figure]:
    result, label = found.decided, displayed(found.result.classes[focus], 40)
    precision, recall, rows = result.by_class
    flagged = float(result.confusion[:, focus].sum())
    by = "by these costs" if found.costs is not None else "as the most probable class"
    figures = [
        Figure(percent(recall[focus]), f"of “{label}” are found", f"recall, {_ends(recall[focus], rows[focus])}"),
        Figure(
            percent(precision[focus]),
            f"of those predicted “{label}” are right",
            f"precision, {_ends(precision[focus], flagged)}" if flagged else f"none is predicted {by}",
        ),
    ]
    if found.costs is not None:
        table = cost_table(found.costs, result.classes)
        paid, default = (mean(table[result.y, of.answers], result.weight) for of in (result, found.result))
        return [
            *figures,
            Figure(f"{paid:.3g}", "is the mean cost of a row", f"{default:.3g} for the most probable class"),
        ]
    cuts = thresholds(found.result, found.result.classes.tolist()[focus])
    tenth = cuts[min(int(np.searchsorted(cuts.flagged, 0.1 - 1e-12)), len(cuts) - 1)]
    note = f"lift of the {percent(tenth.flagged, 0)} most probable rows"
    return [*figures, Figure(f"{tenth.lift:.1f}×", f"as many “{label}” at the top as in all rows", note)]


def _of_all(found: Findings) -> list[Figure]:
    result = found.result
    n, there = effective(len(result.y), result.weight), np.unique(result.y)
    figures = [Figure(percent(1 - result.error), "are predicted right", f"accuracy, {_ends(1 - result.error, n)}")]
    if len(there) >= MANY:
        first = np.argsort(-result.probabilities, axis=1, kind="stable")[:, :3]
        among = mean((first == result.y[:, None]).any(axis=1), result.weight)
        kind = "folder" if _noun(found) == "messages" else "class"
        figures.append(Figure(percent(among), f"have their {kind} among the first three", "by probability"))
    else:
        _, recall, rows = result.by_class
        worst = int(there[np.nan_to_num(recall[there], nan=1.0).argmin()])
        name = displayed(result.classes[worst], 40)
        figures.append(
            Figure(
                percent(recall[worst]),
                f"of “{name}” are found",
                f"the lowest recall, {_ends(recall[worst], rows[worst])}",
            )
        )
    point = half_as_wrong(result)
    if point is None or point.coverage <= 0:
        return [*figures, Figure(f"{result.log_loss:.3g}", "is the log loss", "0 is perfect")]
    note = f"those with a confidence of {percent(point.threshold, 0)} or more"
    return [*figures, Figure(percent(point.coverage), "can be decided with half the error", note)]


def _ends(share: float, n: float) -> str:
    if np.isnan(share) or not n:
        return "no row"
    low, high = wilson(share * n, n)
    return between(low, high)


def baseline(result: Result, noun: str = "rows") -> str:
    """A sentence that compares the accuracy with always predicting the most common class."""
    rows = result.confusion.sum(axis=1)
    common, right = int(rows.argmax()), percent(1 - result.error)
    name, guess = displayed(result.classes[common], NAMED), float(rows[common] / rows.sum())
    if np.count_nonzero(rows) < 2:
        return f"All {noun} are of the class “{name}”: how well the model separates classes cannot be seen here."
    low, high = result.interval
    always = f"always predicting “{name}” is right in {percent(guess)}"
    ends = f"95 % interval {between(1 - high, 1 - low)}"
    if high < 1 - guess:
        return f"The model is right in {right} of {noun} ({ends}); {always}."
    if low > 1 - guess:
        return f"By accuracy it is worse than no model: right in {right} of {noun} ({ends}), where {always}."
    return (
        f"By accuracy it is not shown to be better than no model: right in {right} of {noun} ({ends}), where {always}."
    )


def _cheapest(found: Findings) -> str:
    """A sentence that compares the mean cost with always predicting the cheapest class."""
    result, table = found.decided, cost_table(found.costs, found.result.classes)
    paid = mean(table[result.y, result.answers], result.weight)
    always = np.array([mean(table[result.y, k], result.weight) for k in range(len(result.classes))])
    least = int(always.argmin())
    name = displayed(result.classes[least], NAMED)
    so = "With these costs, " if paid < always[least] else "By cost it is no better than no model: "
    return f"{so}a row costs {paid:.3g} on average; always predicting “{name}” costs {always[least]:.3g}."


def _few(result: Result) -> str:
    low, high = result.interval
    return (
        f"There are too few rows for a precise estimate: the interval is {100 * (high - low):.0f} points wide."
        if high - low > WIDE
        else ""
    )


def calibration_gap(result: Result) -> float:
    """Mean confidence minus accuracy, if it is more than chance and more than `GAP`; otherwise 0."""
    sure, right = mean(result.confidence, result.weight), 1 - result.error
    spread = mean(result.confidence * (1 - result.confidence), result.weight) / effective(len(result.y), result.weight)
    return sure - right if abs(sure - right) > max(GAP, 1.96 * np.sqrt(spread)) else 0.0


def calibration_words(found: Findings) -> str:
    result, after = found.result, found.after
    gap = calibration_gap(result)
    sure = percent(mean(result.confidence, result.weight))
    by = f"its mean confidence is {sure}, and it is right in {percent(1 - result.error)}"
    if not gap:
        apart = abs(mean(result.confidence, result.weight) - (1 - result.error))
        chance = "" if apart < GAP else " The gap may be chance."
        return f"It is well calibrated: {by}.{chance}"
    mend = ""
    if after is not None and result is not after and result.calibration_error - after.calibration_error > 0.01:
        gaps = (f"{100 * each.calibration_error:.1f}" for each in (result, after))
        mend = f" Calibration (`fit --calibrate`) would reduce the mean gap from {' to '.join(gaps)} points."
    return f"It is {'over' if gap > 0 else 'under'}-confident: {by}.{mend}"


def _calibration(found: Findings) -> str:
    return calibration_words(found) if calibration_gap(found.result) else ""


def _leaks(found: Findings) -> str:
    names = [displayed(check.column, 40) for check in found.checks if check.kind == "gives_away"]
    return f"A column may give the answer away: {', '.join(names[:3])}. Is it known when you predict?" if names else ""
