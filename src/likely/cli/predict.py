"""`likely predict`: the rows as they are, with the class of each and how probable it is."""

from typing import Any

import click
import numpy as np
import pyarrow as pa

from likely.cli import options
from likely.cli.labelled import as_number, columns_of
from likely.cli.sources import naming as placed
from likely.cli.sources import opened
from likely.cli.write import Writer
from likely.data import read
from likely.data.stream import columns
from likely.data.stream.ahead import ahead
from likely.store import Stored, load

REASONS = 3


@click.command()
@options.model_file
@options.data
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    help="A .csv, .tsv, .parquet or .jsonl file; else standard output.",
)
@click.option("--proba", is_flag=True, help="Add a column p(CLASS) for each class.")
@click.option(
    "--top", type=click.IntRange(1), default=1, show_default=True, help="How many of the most probable classes to add."
)
@click.option("--explain", "reasons", is_flag=True, help="Add a column with the reasons that count most.")
@options.encoding
def command(
    model_file: str,
    data: tuple[str, ...],
    output: str | None,
    proba: bool,
    top: int,
    reasons: bool,
    encoding: str | None,
) -> None:
    """Give each row its class and how probable it is.

    DATA is what `likely fit` takes. Its columns are kept as they are, also those that the model does not know, and
    `prediction` and `probability` are added. It is read a batch at a time.
    """
    stored = load(model_file)
    with opened(data, stored.origin.missing, encoding, as_text=True) as source, Writer(output) as writer:
        for batch in ahead(source):
            with placed(source, batch):
                answers = _answers(stored, columns_of(stored, batch.table), proba, top, reasons)
            kept = (
                batch.table
                if source.kind == "table"
                else batch.table.drop_columns([c for c in ("text", "marks", "class") if c in batch.table.column_names])
            )
            for name in answers:
                if name in kept.column_names:
                    raise ValueError(f"{batch.file}: there is a column {name!r} already; rename it")
            for name, column in answers.items():
                kept = kept.append_column(name, column)
            writer.write(kept)


def _answers(stored: Stored, read_as: pa.Table, proba: bool, top: int, reasons: bool) -> dict[str, Any]:
    model, table = stored.model, read(read_as, as_number(stored.origin.missing))
    p = stored.posterior(table)
    order = np.argsort(-p, axis=1, kind="stable")[:, :top]
    every = np.arange(len(p))
    answers: dict[str, Any] = {}
    for at in range(order.shape[1]):
        suffix = "" if at == 0 else f" {at + 1}"
        answers[f"prediction{suffix}"] = columns.labels(model.classes[order[:, at]])
        answers[f"probability{suffix}"] = columns.numbers(p[every, order[:, at]])
    if proba:
        for k, label in enumerate(model.classes.tolist()):
            answers[f"p({label})"] = columns.numbers(p[:, k])
    if reasons:
        from likely.cli.explain import explanation

        answers["because"] = columns.texts(_because(of_row) for of_row in explanation(model, table))
    return answers


def _because(reasons: Any) -> str:
    """What speaks most for the winner, by the odds against the runner-up."""
    told = [(reasons.log_odds(reason.contributions), reason) for reason in reasons.ranked]
    return "; ".join(_reason(odds, reason) for odds, reason in told[:REASONS] if odds)


def _reason(odds: float, reason: Any) -> str:
    value = (
        ""
        if reason.value in ("", None)
        else f" {reason.value:.6g}"
        if isinstance(reason.value, float)
        else f" {reason.value}"
    )
    return f"{reason.column}{value} ({odds:+.2f})"
