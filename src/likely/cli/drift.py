"""`likely drift`: shows which columns of new rows differ from the old rows."""

from collections.abc import Sequence

import click

from likely.cli import options, output
from likely.cli.in_memory_table import InMemoryTable
from likely.cli.labelled_batches import columns_of, schema_of
from likely.cli.options import Reading
from likely.cli.sources import Source, naming, opened
from likely.data import read
from likely.data.dataset import Dataset
from likely.data.dates import features
from likely.data.stream.ahead import ahead
from likely.errors import TableError
from likely.store import Stored, load
from likely.validation import Drift, drift
from likely.validation.class_shift import class_shares, class_shift
from likely.validation.drift import with_classes


@click.command()
@click.argument("old", metavar="OLD")
@options.data
@options.picture(required=False)
@options.files
@options.as_json
def command(old: str, data: tuple[str, ...], path: str | None, reading: Reading, as_json: bool) -> None:
    """Show which columns of new rows differ from the old ones, and by how much.

    OLD is a model file (.likely) or a table; DATA are the new rows. A model that counts rows (naive Bayes, a Gaussian
    classifier, a Bayes network) does not need its old rows. If it was fitted with --calibrate, the share of each class
    among the new rows is estimated too. Nothing is learned, and no labels are needed.
    """
    if path is not None:
        from likely.report.picture import kind_of

        kind_of(path)
    found = _from_model(load(old), data, reading) if old.endswith(".likely") else _from_table(old, data, reading)
    if path is not None:
        from likely.report.drift import draw_drift

        draw_drift(found).save(path)
    if as_json:
        shares = found.classes
        classes = (
            None
            if shares is None
            else {
                "labels": shares.classes,
                "before": shares.before,
                "after": shares.after,
                "predicted": shares.predicted,
                "p_value": shares.p_value,
                "moved_within": [str(moved.column) for moved in found.within or ()],
            }
        )
        output.json({"columns": [column._asdict() for column in found.columns], "classes": classes})
    else:
        output.prose(found)
        if found.moved and old.endswith(".likely"):
            output.prose("The model learned other rows: `likely evaluate` shows its error on new rows with labels.")


def _from_model(stored: Stored, data: Sequence[str], reading: Reading) -> Drift:
    with opened(data, reading, schema=schema_of(stored)) as source:
        new = _together(source, stored)
        with new.naming(source):
            rows, model = new.columns, stored.model
            found = drift(model, rows)
            if stored.calibration is None:
                return found
            shift = class_shift(stored.predict_proba(read(rows)), *class_shares(model), model.class_counts.sum())
            return with_classes(found, model, read(rows), shift)


def _from_table(name: str, data: Sequence[str], reading: Reading) -> Drift:
    with opened([name], reading) as before:
        if not isinstance(before, Dataset):
            raise ValueError(f"{name!r} is no table; fit a model and give its file")
        old = _together(before)
    with opened(data, reading, schema=before.schema) as after:
        new = _together(after)
    there = new.columns.column_names
    shared = [column for column in old.columns.column_names if column in there]
    if absent := [column for column in old.columns.column_names if column not in there]:
        output.note(f"Not compared, as {data[0]} does not have them: {', '.join(map(repr, absent))}.")
    rows = old.columns.select(shared)
    try:
        return drift(rows, new.columns.select(shared))
    except TableError as error:
        with old.naming(before):
            drift(rows, rows)  # raises where the row is an old one
        with new.naming(after):
            raise error


def _together(source: Source, stored: Stored | None = None) -> InMemoryTable:
    """All rows, with the columns that a model reads."""
    found = InMemoryTable()
    for batch in ahead(source):
        with naming(source, batch):
            if stored is not None:
                found.hold(columns_of(stored, source, batch.table), batch)
            else:
                assert isinstance(source, Dataset)
                found.hold(features(batch.table, source.schema.columns), batch)
    return found
