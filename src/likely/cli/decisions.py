"""What deciding by costs and thresholds comes to on validated rows, as commands show it."""

import numpy as np
from numpy.typing import NDArray

from likely.cli import output
from likely.models.decision_rule import DecisionRule, cost_table
from likely.printing import percent
from likely.validation import Result, choose_threshold, measures, thresholds


def decided(rule: DecisionRule, result: Result) -> dict[str, float]:
    """Compared with predicting the most probable class. An unsure row costs nothing, and is shown as a share of its
    own."""
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
    """What the options come to, for the classes that they are about: instead of what another threshold would change."""
    codes, found = rule.codes(result.probabilities), decided(rule, result)
    shares = np.bincount(result.y, result.weight, len(result.classes))
    said = []
    for at in _about(rule, result):
        recall, precision = _found(result, codes, at)
        right = "" if np.isnan(precision) else f", and {percent(precision)} of those predictions are right"
        label, share = result.classes.tolist()[at], percent(float(shares[at] / shares.sum()))
        said.append(f"“{label}” is {share} of the rows: with these options {percent(recall)} of it is found{right}.")
    if rule.can_be_unsure:
        said.append(
            f"{percent(found['unsure'])} of the rows are unsure; of the others {percent(found['error'])} are wrong."
        )
    if rule.costs is not None:
        free = ", if unsure rows cost nothing" if rule.can_be_unsure else ""
        by_default = f"{found['cost_by_most_probable']:.3g}"
        said.append(f"A row costs {found['cost']:.3g} on average{free}, and {by_default} by the most probable class.")
    return " ".join(said)


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
        by_options, by_default = (_found(result, one, at) for one in (codes, result.answers))
        for what, ours, default in zip(("recall", "precision"), by_options, by_default, strict=True):
            lines.append((f"{what} of {label}", percent(ours), percent(default)))
    output.table(("", "by these options", "by the most probable class"), lines)
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
            output.text(f"Lowest cost, judged by rows that did not choose it: {chosen}")


def _about(rule: DecisionRule, result: Result) -> list[int]:
    """The classes that have a threshold; without one, the rare class or, of two, that with fewer rows."""
    shares = np.bincount(result.y, result.weight, len(result.classes))
    if rule.thresholds is not None:
        limited = np.flatnonzero(~np.isnan(rule.thresholds))
        return [at for at in limited.tolist() if shares[at]]
    if result.rare is not None:
        return [result.rare.at]
    return [int(shares.argmin())] if len(result.classes) == 2 and shares.all() else []


def _found(result: Result, codes: NDArray[np.int32], at: int) -> tuple[float, float]:
    """Recall and precision of a class; the precision is NaN where it is never predicted."""
    w = measures.weights(len(result.y), result.weight)
    mine, flagged = result.y == at, codes == at
    hits = float(w[mine & flagged].sum())
    return hits / float(w[mine].sum()), hits / float(w[flagged].sum()) if flagged.any() else float("nan")
