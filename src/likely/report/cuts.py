"""The table of thresholds for the class in focus: some by the share of flagged rows, and those that matter."""

from typing import NamedTuple

import numpy as np

from likely.report.findings import Findings
from likely.validation import choose_threshold, thresholds
from likely.validation.thresholds import SHOWN, Cut, Thresholds

WHY = (
    "The figures for new rows come from rows that did not choose the threshold. The table shows the rows that chose "
    "it, so it looks a little better."
)
"""Explains why the sentence and the table differ."""


class ThresholdLine(NamedTuple):
    cut: Cut
    what: str
    """What is special about the threshold; "" for thresholds by the share of flagged rows."""


class ThresholdTable(NamedTuple):
    cuts: Thresholds
    lines: list[ThresholdLine]
    now: Cut
    """The figures of the current predictions: by the costs, or of the most probable class."""
    advice: str
    why: str
    """Why the advice and the table differ; "" if the table has no chosen threshold."""


def threshold_table(found: Findings) -> ThresholdTable | None:
    """The table; None if no class is in focus, or if the costs can't be reduced to one threshold."""
    if found.focus is None:
        return None
    result, at = found.result, found.focus
    label = result.classes.tolist()[at]
    cuts = thresholds(result, label, found.costs)
    lines = [ThresholdLine(cuts[k], "") for k in cuts.of_shares(SHOWN)]
    now = _now(found, at, cuts)
    lines.append(ThresholdLine(now, "lowest expected cost" if found.costs is not None else "most probable class"))
    advice = ""
    if found.costs is not None:
        chosen = choose_threshold(result, found.costs, label)
        low, high = chosen.interval
        if chosen.threshold <= cuts.threshold[0]:
            lines.append(ThresholdLine(cuts.at(chosen.threshold), "lowest cost on these rows"))
        advice = (
            f"In new rows, a threshold chosen for the lowest cost would cost {chosen.cost:.3g} per row, and predicting "
            f"the most probable class {chosen.default_cost:.3g}: a gain of {chosen.gain:.3g} (95 % interval "
            f"{low:.3g} to {high:.3g})."
        )
    elif result.rare is not None:
        advice = str(result.rare)
        if result.rare.advised:
            lines.append(ThresholdLine(cuts.at(result.rare.threshold), "best F1 on these rows"))
    why = WHY if any(line.what.endswith("on these rows") for line in lines) else ""
    return ThresholdTable(cuts, sorted(lines, key=lambda line: (line.cut.flagged, line.what)), now, advice, why)


def _now(found: Findings, at: int, cuts: Thresholds) -> Cut:
    """The figures of the current predictions. The threshold is the lowest probability of a row predicted as the
    class."""
    flagged, result = found.decided.answers == at, found.decided
    precision, recall, _ = result.by_class
    weight = np.ones(len(flagged)) if result.weight is None else result.weight
    p = found.result.probabilities[:, at]
    share = float(weight[flagged].sum() / weight.sum())
    lowest = float(p[flagged].min()) if flagged.any() else 1.0
    cost = float(np.interp(share, np.append(0.0, cuts.flagged), np.append(np.nan, cuts.cost))) if share else np.nan
    right = float(precision[at])
    return Cut(lowest, share, float(np.nan_to_num(recall[at])), right, right / cuts.rate, cost)
