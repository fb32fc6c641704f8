"""`likely predict`: the rows as they are, each with its predicted class and probability."""

from typing import Any

import click
import numpy as np
import pyarrow as pa

from likely.cli import options
from likely.cli.labelled_batches import columns_of, schema_of
from likely.cli.options import Reading
from likely.cli.row_writer import RowWriter
from likely.cli.sources import Source, naming, opened
from likely.data import read
from likely.data.stream import columns
from likely.data.stream.ahead import ahead
from likely.store import Stored, load

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
@options.files
def command(
    model_file: str,
    data: tuple[str, ...],
    path: str | None,
    proba: bool,
    top: int,
    reasons: bool,
    reading: Reading,
) -> None:
    """Predict the class of each row, with its probability.

    DATA is as for `likely fit`. All its columns are kept, also those that the model does not know, and `prediction`
    and `probability` are added. It is read a batch at a time.
    """
    stored = load(model_file)
    with opened(data, reading, schema=schema_of(stored)) as source, RowWriter(path) as writer:
        for batch in ahead(source):
            with naming(source, batch):
                predictions = _predictions(stored, source, batch.table, proba, top, reasons)
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


def _predictions(
    stored: Stored, source: Source, rows: pa.Table, proba: bool, top: int, reasons: bool
) -> dict[str, Any]:
    model, table = stored.model, read(columns_of(stored, source, rows))
    p = stored.predict_proba(table)
    order = np.argsort(-p, axis=1, kind="stable")[:, :top]
    every = np.arange(len(p))
    added: dict[str, Any] = {}
    for at in range(order.shape[1]):
        suffix = "" if at == 0 else f" {at + 1}"
        added[f"prediction{suffix}"] = columns.labels(model.classes[order[:, at]])
        added[f"probability{suffix}"] = columns.numbers(p[every, order[:, at]])
    if proba:
        for k, label in enumerate(model.classes.tolist()):
            added[f"p({label})"] = columns.numbers(p[:, k])
    if reasons:
        from likely.cli.explain import explanation, with_dates

        added["because"] = columns.texts(_because(with_dates(row, source)) for row in explanation(model, table))
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
