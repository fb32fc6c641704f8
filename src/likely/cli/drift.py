"""`likely drift`: shows which columns of new rows differ from the old rows."""

from collections.abc import Sequence

import click
import pyarrow as pa

from likely.cli import options, output
from likely.cli.labelled_batches import columns_of, schema_of
from likely.cli.options import Reading
from likely.cli.sources import Source, naming, opened
from likely.data import read
from likely.data.dataset import Dataset
from likely.data.dates import features
from likely.data.stream.ahead import ahead
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
        output.text(found)
        if found.moved and old.endswith(".likely"):
            output.text("The model learned other rows: `likely evaluate` shows its error on new rows with labels.")


def _from_model(stored: Stored, data: Sequence[str], reading: Reading) -> Drift:
    with opened(data, reading, schema=schema_of(stored)) as source:
        rows = _together(source, stored)
    model = stored.model
    found = drift(model, rows)
    if stored.calibration is None:
        return found
    shift = class_shift(stored.predict_proba(read(rows)), *class_shares(model), model.class_counts.sum())
    return with_classes(found, model, read(rows), shift)


def _from_table(old: str, data: Sequence[str], reading: Reading) -> Drift:
    with opened([old], reading) as before:
        if not isinstance(before, Dataset):
            raise ValueError(f"{old!r} is no table; fit a model and give its file")
        rows, schema = _together(before), before.schema
    with opened(data, reading, schema=schema) as after:
        return drift(rows, _together(after).select(rows.column_names))


def _together(source: Source, stored: Stored | None = None) -> pa.Table:
    """All rows, with the columns that a model reads."""
    tables = []
    for batch in ahead(source):
        with naming(source, batch):
            if stored is not None:
                tables.append(columns_of(stored, source, batch.table))
            else:
                assert isinstance(source, Dataset)
                tables.append(features(batch.table, source.schema.columns))
    return pa.concat_tables(tables)
