"""What deciding by costs and thresholds comes to on validated rows, as commands show it."""

import numpy as np

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


def show_decisions(rule: DecisionRule, result: Result) -> None:
    found = decided(rule, result)
    output.heading("Decisions")
    output.table(
        ("", "by these options", "by the most probable class"),
        [
            ("mean cost of a row", f"{found['cost']:.4g}", f"{found['cost_by_most_probable']:.4g}"),
            ("error", percent(found["error"]), percent(result.error)),
            ("unsure", percent(found["unsure"]), percent(0.0)),
        ],
    )
    shares = np.bincount(result.y, result.weight, len(result.classes))
    limited = np.flatnonzero(~np.isnan(rule.thresholds)) if rule.thresholds is not None else [shares.argmin()]
    for at in limited if len(result.classes) == 2 or rule.thresholds is not None else []:
        if shares[at]:
            label = result.classes.tolist()[at]
            output.heading("Thresholds")
            output.text(thresholds(result, label, rule.costs))
            if rule.costs is not None:
                output.text(f"Lowest cost: {choose_threshold(result, rule.costs, label)}")
