"""`likely evaluate`: measures a model on rows that it has not learned."""

from typing import Any

import click

from likely.cli import options, output
from likely.cli.decisions import decided, headline, show_decisions
from likely.cli.labelled_batches import batches_for_model, schema_of
from likely.cli.options import Decisions, Reading
from likely.cli.predicted_rows import PredictedRows
from likely.cli.sources import naming, opened
from likely.store import load
from likely.validation import Result
from likely.validation.loo_totals import LooTotals


@click.command()
@options.model_file
@options.data
@options.target(options.SAME_CLASSES)
@options.learned
@options.decisions
@options.files
@options.as_json
def command(
    model_file: str,
    data: tuple[str, ...],
    target: str | None,
    learned: str,
    decisions: Decisions,
    reading: Reading,
    as_json: bool,
) -> None:
    """Measure how often a model is wrong on rows that it has not learned.

    Rows that the model has learned are recognised by its digest, and skipped. If it has learned nearly all rows, they
    are predicted by leave-one-out; logistic regression and the blend can't do that.
    """
    stored = load(model_file)
    decisions.rule(stored.model.classes)  # raises before any row is read
    predicted = PredictedRows(stored, learned)
    with opened(data, reading, schema=schema_of(stored, target)) as source:
        for part in batches_for_model(source, stored, target):
            with naming(source, part.batch):
                predicted.add(part)
    result = predicted.result(model_file)
    rule = decisions.rule(result.classes)
    if as_json:
        output.json(figures(result) | ({} if rule is None else {"decisions": decided(rule, result)}))
        return
    output.prose(result if rule is None else result.described(headline(rule, result)))
    if rule is not None:
        show_decisions(rule, result)


def figures(result: Result | LooTotals) -> dict[str, Any]:
    return {
        "rows": result.rows if isinstance(result, LooTotals) else len(result.y),
        "error": result.error,
        "interval": list(result.interval),
        "log_loss": result.log_loss,
        "brier": result.brier,
        "calibration_error": result.calibration_error,
        "classes": result.classes,
        "confusion": result.confusion,
    }
