"""`likely predict`: the rows as they are, each with its predicted class and probability."""

import json
from typing import Any

import click
import numpy as np

from likely.cli import options
from likely.cli.labelled_batches import columns_of, schema_of
from likely.cli.options import Decisions, Reading
from likely.cli.row_writer import RowWriter
from likely.cli.sources import naming, opened
from likely.data import read
from likely.data.stream import columns
from likely.data.stream.ahead import ahead
from likely.models.decision_rule import Array, DecisionRule
from likely.statistics import Labels
from likely.store import load

REASONS = 3


@click.command()
@options.model_file
@options.data
@options.output_rows
@click.option("--proba", is_flag=True, help="Add a column p(CLASS) for each class.")
@click.option(
    "--top", type=click.IntRange(1), default=1, show_default=True, help="How many of the most probable classes to add."
)
@click.option("--explain", "reasons", is_flag=True, help="Add a column with the strongest reasons.")
@click.option(
    "--sets",
    "coverage",
    metavar="COVERAGE",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Add a column with the classes that hold the true one this often, such as 0.95, as a JSON list.",
)
@options.decisions
@options.files
def command(
    model_file: str,
    data: tuple[str, ...],
    path: str | None,
    proba: bool,
    top: int,
    reasons: bool,
    coverage: float | None,
    decisions: Decisions,
    reading: Reading,
) -> None:
    """Predict the class of each row, with its probability.

    DATA is as for `likely fit`. All its columns are kept, also those that the model does not know, and `prediction`
    and `probability` are added. It is read a batch at a time.
    """
    stored = load(model_file)
    rule = decisions.rule(stored.model.classes)
    conformity = None if stored.calibration is None else stored.calibration.conformity
    if coverage is not None and conformity is None:
        raise click.UsageError(f"--sets needs a model that was fitted with --calibrate; {model_file!r} was not")
    with opened(data, reading, schema=schema_of(stored), once=True) as source, RowWriter(path) as writer:
        for batch in ahead(source):
            with naming(source, batch):
                table = read(columns_of(stored, source, batch.table))
                p = stored.predict_proba(table)
            predictions = _predictions(stored.model.classes, p, top, rule, proba)
            if coverage is not None and conformity is not None:
                sets = conformity.sets(p, stored.model.classes, coverage)
                predictions["classes"] = columns.texts(json.dumps(labels, ensure_ascii=False) for labels in sets)
            if reasons:
                from likely.cli.explain import explanation, with_dates

                rows = explanation(stored.model, table)
                predictions["because"] = columns.texts(_because(with_dates(row, source)) for row in rows)
            kept = (
                batch.written()
                if source.kind == "table"
                else batch.table.drop_columns([c for c in ("text", "marks", "class") if c in batch.table.column_names])
            )
            for name in predictions:
                if name in kept.column_names:
                    raise ValueError(f"{batch.file}: there is a column {name!r} already; rename it")
            for name, column in predictions.items():
                kept = kept.append_column(name, column)
            writer.write(kept)


def _predictions(classes: Labels, p: Array, top: int, rule: DecisionRule | None, proba: bool) -> dict[str, Any]:
    """The columns that are added: the class decided on, then the most probable others."""
    every, ranks = np.arange(len(p)), -p
    if rule is not None:
        codes = rule.codes(p)
        ranks[every[codes >= 0], codes[codes >= 0]] = -np.inf
    order = np.argsort(ranks, axis=1, kind="stable")[:, :top]
    added: dict[str, Any] = {}
    for at in range(order.shape[1]):
        suffix = "" if at == 0 else f" {at + 1}"
        labels = classes[order[:, at]] if at or rule is None else rule(p)
        if at == 0 and rule is not None and rule.can_be_unsure:
            labels = np.array([str(label) for label in labels.tolist()], object)  # one type for every batch
        added[f"prediction{suffix}"] = columns.labels(labels)
        added[f"probability{suffix}"] = columns.numbers(p[every, order[:, at]])
    if proba:
        for k, label in enumerate(classes.tolist()):
            added[f"p({label})"] = columns.numbers(p[:, k])
    return added


def _because(reasons: Any) -> str:
    """The reasons that count most for the first class against the second, with their log-odds."""
    ranked = [(reasons.log_odds(reason.contributions), reason) for reason in reasons.ranked]
    return "; ".join(_reason(odds, reason) for odds, reason in ranked[:REASONS] if odds)


def _reason(odds: float, reason: Any) -> str:
    value = (
        ""
        if reason.value in ("", None)
        else f" {reason.value:.6g}"
        if isinstance(reason.value, float)
        else f" {reason.value}"
    )
    return f"{reason.column}{value} ({odds:+.2f})"
