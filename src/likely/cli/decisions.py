"""Shows the results of decisions by costs and thresholds on validated rows."""

import numpy as np
from numpy.typing import NDArray

from likely.cli import output
from likely.models.decision_rule import DecisionRule, cost_table
from likely.printing import percent
from likely.validation import Result, choose_threshold, measures, thresholds


def decided(rule: DecisionRule, result: Result) -> dict[str, float]:
    """The mean cost of a row, compared with predicting the most probable class; the share of unsure rows, which cost
    nothing; and the error of the other rows."""
    table, codes = cost_table(rule.costs, result.classes), rule.codes(result.probabilities)
    sure = codes >= 0
    paid = np.where(sure, table[result.y, codes], 0.0)
    default = table[result.y, result.answers]
    wrong = (codes != result.y)[sure]
    of_sure = None if result.weight is None else result.weight[sure]
    return {
        "cost": measures.mean(paid, result.weight),
        "cost_by_most_probable": measures.mean(default, result.weight),
        "unsure": measures.mean(~sure, result.weight),
        "error": measures.mean(wrong, of_sure) if sure.any() else 0.0,
    }


def headline(rule: DecisionRule, result: Result) -> str:
    """Sentences on what the options achieve for the classes that they concern."""
    codes, found = rule.codes(result.probabilities), decided(rule, result)
    shares = np.bincount(result.y, result.weight, len(result.classes))
    sentences = []
    for at in _about(rule, result):
        recall, precision = _found(result, codes, at)
        right = "" if np.isnan(precision) else f", and {percent(precision)} of those predictions are right"
        label, share = result.classes.tolist()[at], percent(float(shares[at] / shares.sum()))
        sentences.append(
            f"“{label}” is {share} of the rows: with these options {percent(recall)} of it is found{right}."
        )
    if rule.can_be_unsure:
        sentences.append(
            f"{percent(found['unsure'])} of the rows are unsure; {percent(found['error'])} of the others are wrong."
        )
    if rule.costs is not None:
        free = ", if unsure rows cost nothing" if rule.can_be_unsure else ""
        by_default = f"{found['cost_by_most_probable']:.3g}"
        mean = f"{found['cost']:.3g}"
        sentences.append(
            f"A row costs {mean} on average{free}, and {by_default} if the most probable class is predicted."
        )
    return " ".join(sentences)


def show_decisions(rule: DecisionRule, result: Result) -> None:
    found, codes = decided(rule, result), rule.codes(result.probabilities)
    output.heading("Decisions")
    lines = [("error", percent(found["error"]), percent(result.error))]
    if rule.costs is not None:
        lines.insert(0, ("mean cost of a row", f"{found['cost']:.3g}", f"{found['cost_by_most_probable']:.3g}"))
    if rule.can_be_unsure:
        lines[-1] = ("error of rows that are not unsure", *lines[-1][1:])
        lines.append(("unsure", percent(found["unsure"]), percent(0.0)))
    about = _about(rule, result)
    for at in about:
        label = result.classes.tolist()[at]
        by_options, by_default = (_found(result, answers, at) for answers in (codes, result.answers))
        for what, ours, default in zip(("recall", "precision"), by_options, by_default, strict=True):
            lines.append((f"{what} of {label}", percent(ours), percent(default)))
    output.table(("", "with these options", "most probable class"), lines)
    for at in about:
        label = result.classes.tolist()[at]
        marked = {}
        if rule.thresholds is not None and not np.isnan(rule.thresholds[at]):
            marked["your threshold"] = float(rule.thresholds[at])
        chosen = None if rule.costs is None else choose_threshold(result, rule.costs, label)
        if chosen is not None:
            marked["lowest cost on these rows"] = chosen.threshold
        output.heading("Thresholds")
        output.text(thresholds(result, label, rule.costs).listed(marked))
        if rule.costs is None:
            output.text("Each mistake costs 1; --cost names others.")
        if chosen is not None:
            output.text(f"Lowest cost, judged on rows that did not choose it: {chosen}")


def _about(rule: DecisionRule, result: Result) -> list[int]:
    """The codes of the classes with a threshold; without thresholds, of the rare class or, of two classes, of the one
    with fewer rows."""
    shares = np.bincount(result.y, result.weight, len(result.classes))
    if rule.thresholds is not None:
        limited = np.flatnonzero(~np.isnan(rule.thresholds))
        return [at for at in limited.tolist() if shares[at]]
    if result.rare is not None:
        return [result.rare.at]
    return [int(shares.argmin())] if len(result.classes) == 2 and shares.all() else []


def _found(result: Result, codes: NDArray[np.int32], at: int) -> tuple[float, float]:
    """The recall and precision of a class; the precision is NaN if the class is never predicted."""
    w = measures.weights(len(result.y), result.weight)
    mine, flagged = result.y == at, codes == at
    hits = float(w[mine & flagged].sum())
    return hits / float(w[mine].sum()), hits / float(w[flagged].sum()) if flagged.any() else float("nan")
