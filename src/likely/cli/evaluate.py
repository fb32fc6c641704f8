"""`likely evaluate`: a model on rows that it has not learned."""

from typing import Any

import click
import numpy as np

from likely.cli import options, output
from likely.cli.labelled_batches import batches_for_model, schema_of
from likely.cli.options import Decisions, Reading
from likely.cli.sources import naming, opened
from likely.models.decision_rule import DecisionRule, cost_table
from likely.printing import percent
from likely.statistics import union
from likely.store import load
from likely.validation import Result, measures, thresholds


@click.command()
@options.model_file
@options.data
@options.target(options.SAME_CLASSES)
@options.decisions
@options.files
@options.as_json
def command(
    model_file: str,
    data: tuple[str, ...],
    target: str | None,
    decisions: Decisions,
    reading: Reading,
    as_json: bool,
) -> None:
    """Measure how often a model is wrong on rows that it has not learned.

    On rows that it has learned the figures are too good: `likely fit` and `likely describe` show the validation error.
    """
    stored = load(model_file)
    decisions.rule(stored.model.classes)  # raises before any row is read
    labels, probabilities, weights = [], [], list[Any]()
    with opened(data, reading, schema=schema_of(stored, target)) as source:
        for part in batches_for_model(source, stored, target):
            with naming(source, part.batch):
                probabilities.append(stored.predict_proba(part.sample.table))
            labels.append(part.sample.classes[part.sample.y])
            weights.append(part.sample.weight)
    y = np.concatenate(labels)
    classes, at, _ = union(stored.model.classes, np.unique(y))
    p = np.concatenate(probabilities)
    notes: tuple[str, ...] = ()
    if at is not None:  # classes that the model has never seen: it is always wrong there
        wider = np.zeros((len(p), len(classes)))
        wider[:, at.at] = p
        p = wider
        new = [str(label) for label in classes.tolist() if label not in stored.model.classes]
        notes = (f"The model has never learned {', '.join(new[:5])}.",)
    codes = np.searchsorted(classes, y).astype(np.int32)
    weight = None if weights[0] is None else np.concatenate(weights)
    result = Result(
        f"{model_file} on {len(y):,} rows",
        classes,
        np.arange(len(y)),
        codes,
        p.argmax(axis=1).astype(np.int32),
        p,
        weight,
        notes,
    )
    rule = decisions.rule(classes)
    if as_json:
        output.json(figures(result) | ({} if rule is None else {"decisions": _decided(rule, result)}))
        return
    output.text(result)
    if rule is not None:
        _show_decisions(rule, result)


def _decided(rule: DecisionRule, result: Result) -> dict[str, float]:
    """What deciding by the rule comes to, compared with predicting the most probable class. An unsure row costs
    nothing, and is shown as a share of its own."""
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


def _show_decisions(rule: DecisionRule, result: Result) -> None:
    found = _decided(rule, result)
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
            output.heading("Thresholds")
            output.text(thresholds(result, result.classes[at], rule.costs))


def figures(result: Result) -> dict[str, Any]:
    return {
        "rows": len(result.y),
        "error": result.error,
        "interval": list(result.interval),
        "log_loss": result.log_loss,
        "brier": result.brier,
        "calibration_error": result.calibration_error,
        "classes": result.classes,
        "confusion": result.confusion,
    }
