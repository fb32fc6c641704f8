"""`likely predict`: writes the rows with their predicted classes and probabilities."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyarrow as pa

from likely.cli import options
from likely.cli.cluster import cluster, new_folder, refuse_on_cluster
from likely.cli.labelled_batches import columns_of, schema_of
from likely.cli.options import Decisions, Reading
from likely.cli.row_writer import RowWriter
from likely.cli.sources import Source, naming, opened
from likely.data import read
from likely.data.dataset import Batch, Dataset
from likely.data.stream import columns
from likely.data.stream.ahead import ahead
from likely.models.decision_rule import Array, DecisionRule
from likely.models.explain import Strongest, explanation
from likely.statistics import Labels
from likely.store import Stored, load

REASONS = 3


@click.command()
@options.model_file
@options.data
@options.output_rows
@click.option("--proba", is_flag=True, help="Add a column p(CLASS) for each class.")
@click.option(
    "--log-odds",
    "odds",
    is_flag=True,
    help="Add a column log_odds(CLASS) for each class against all others: it ranks even rows whose probability is 1.",
)
@click.option(
    "--top", type=click.IntRange(1), default=1, show_default=True, help="How many of the most probable classes to add."
)
@click.option("--explain", "reasons", is_flag=True, help="Add a column with the strongest reasons.")
@click.option(
    "--sets",
    "coverage",
    metavar="COVERAGE",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Add a column with prediction sets, as JSON lists: this share of them, such as 0.95, contains the true class.",
)
@options.decisions
@options.engine
@options.files
def command(
    model_file: str,
    data: tuple[str, ...],
    path: str | None,
    proba: bool,
    odds: bool,
    top: int,
    reasons: bool,
    coverage: float | None,
    decisions: Decisions,
    engine: str | None,
    reading: Reading,
) -> None:
    """Predict the class of each row, with its probability.

    DATA is as for `likely fit`, and is read a batch at a time. The output has all its columns, also those that the
    model does not know, and `prediction` and `probability`. With --engine, the output is a folder of Parquet files, one
    for each part of the data, in order.
    """
    stored = load(model_file)
    predictor = Predictor(stored, proba, odds, top, reasons, coverage, decisions.rule(stored.model.classes))
    if coverage is not None and predictor.conformity is None:
        raise click.UsageError(f"--sets needs a model that was fitted with --calibrate; {model_file!r} was not")
    refuse_on_cluster(engine, data)
    with opened(data, reading, schema=schema_of(stored), once=engine is None) as source:
        if engine is not None:
            if path is None:
                raise click.UsageError("--engine writes a folder of Parquet files: name it with -o")
            with cluster(engine, source) as (_, parts), new_folder(Path(path)) as folder:
                parts.total(partial(predict_files, predictor, str(folder.absolute())))
            return
        with RowWriter(path) as writer:
            for batch in ahead(source):
                writer.write(predictor.rows(source, batch))


@dataclass(frozen=True)
class Predictor:
    """Adds the columns that the options ask for to each row."""

    stored: Stored
    proba: bool
    odds: bool
    top: int
    reasons: bool
    coverage: float | None
    rule: DecisionRule | None

    @property
    def conformity(self) -> Any:
        return None if self.stored.calibration is None else self.stored.calibration.conformity

    def rows(self, source: Source, batch: Batch) -> pa.Table:
        """The rows of a batch as they are in the file, with the predictions."""
        stored = self.stored
        with naming(source, batch):
            table = read(columns_of(stored, source, batch.table))
            p = stored.predict_proba(table)
        predictions = _predictions(stored.model.classes, p, self.top, self.rule, self.proba)
        if self.odds:
            for label, column in zip(stored.model.classes.tolist(), stored.log_odds(table).T, strict=True):
                predictions[f"log_odds({label})"] = columns.numbers(column)
        if self.coverage is not None:
            sets = self.conformity.sets(p, stored.model.classes, self.coverage)
            predictions["classes"] = columns.texts(json.dumps(labels, ensure_ascii=False) for labels in sets)
        if self.reasons:
            from likely.cli.explain import dated

            strongest = explanation(stored.model, table).strongest(REASONS)
            predictions["because"] = columns.texts(_because(row, dated(source)) for row in strongest)
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
        return kept


def predict_files(predictor: Predictor, folder: str, number: int, part: Dataset) -> int:
    """Writes the rows of one part of the files, on the machine that reads it, and returns their number. If there are no
    rows, it writes no file."""
    written, batches = 0, ahead(part)
    first = next(batches, None)
    if first is None:
        return written
    with RowWriter(str(Path(folder) / f"part-{number:05}.parquet")) as writer:
        for batch in chain([first], batches):
            writer.write(predictor.rows(part, batch))
            written += batch.table.num_rows
    return written


def _predictions(classes: Labels, p: Array, top: int, rule: DecisionRule | None, proba: bool) -> dict[str, Any]:
    """The columns to add: the predicted class, then the other most probable ones."""
    every, ranks = np.arange(len(p)), -p
    if rule is not None:
        codes = rule.codes(p)
        ranks[every[codes >= 0], codes[codes >= 0]] = -np.inf
    order = np.argsort(ranks, axis=1, kind="stable")[:, :top]
    added: dict[str, Any] = {}
    for at in range(order.shape[1]):
        suffix = "" if at == 0 else f" {at + 1}"
        if at or rule is None:
            labels = columns.coded(classes, order[:, at])
        elif rule.can_be_unsure:
            labels = columns.texts(map(str, rule(p).tolist()))  # one type for every batch
        else:
            labels = columns.labels(rule(p))
        added[f"prediction{suffix}"] = labels
        added[f"probability{suffix}"] = columns.numbers(p[every, order[:, at]])
    if proba:
        for k, label in enumerate(classes.tolist()):
            added[f"p({label})"] = columns.numbers(p[:, k])
    return added


def _because(reasons: list[Strongest], dated: Callable[[Any, Any], Any]) -> str:
    """The strongest reasons for the first class against the second, with their log-odds."""
    return "; ".join(f"{column}{_cell(dated(column, value))} ({odds:+.2f})" for column, value, odds in reasons)


def _cell(value: Any) -> str:
    return "" if value in ("", None) else f" {value:.6g}" if isinstance(value, float) else f" {value}"
