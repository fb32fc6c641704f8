"""`likely desk DATA` and `likely desk MODEL`: open a page to label rows, or to ask a model why."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pyarrow as pa

from likely.cli import options
from likely.cli.desk_options import page_options, run
from likely.cli.desk_rows import rows_of
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.store.container import is_model_file

if TYPE_CHECKING:
    from likely.desk.label import LabelPlace
    from likely.desk.model import ModelPlace


@click.command()
@click.argument("data", metavar="[MODEL] [DATA...]", nargs=-1, required=True)
@click.option("-t", "--target", metavar="COLUMN", help="The column with existing labels.")
@click.option(
    "--labels", type=click.Path(dir_okay=False, path_type=Path), help="The file of the labels; by default next to DATA."
)
@click.option(
    "-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), help="The model file that `Save` writes."
)
@page_options
@options.reading
def command(
    data: tuple[str, ...],
    target: str | None,
    labels: Path | None,
    path: Path | None,
    port: int,
    opens: bool,
    reading: Reading,
) -> None:
    """Label the rows of DATA, or ask a MODEL why.

    DATA is a folder of texts, or a table in which no rows or only some have labels. Every answer is in the file of
    labels before the page confirms it. With --text, the model learns only from these columns.

    For a MODEL, you change a value and see how the probabilities and the reasons change. With DATA that has the
    classes, you also see how good the model is.
    """
    # For 100,000 rows the desk then takes at most 190 MB, otherwise 255: Arrow's own pool does not return memory.
    pa.set_memory_pool(pa.system_memory_pool())
    if is_model_file(data[0]):
        run(model_place(data[0], data[1:], target, reading), port, opens)
        return
    run(label_place(data, target, labels, path, reading), port, opens)


def label_place(
    data: tuple[str, ...], target: str | None, labels: Path | None, path: Path | None, reading: Reading
) -> "LabelPlace":
    from likely.desk.label import Export, LabelPlace
    from likely.desk.worker import Worker
    from likely.labelling.labels import Labels
    from likely.labelling.session import Session, labels_path

    rows = rows_of(data, target, reading)
    pa.default_memory_pool().release_unused()
    first = Path(data[0]).resolve()
    worker = Worker("labels")

    def session() -> Session:
        kept = Labels(labels or labels_path(first))
        made = Session(rows.columns, kept, rows.given, rows.families, rows.shown)
        pa.default_memory_pool().release_unused()  # memory that reading and fitting needed
        return made

    export = Export(first.name, rows.target, path or first.with_name(f"{first.stem}.likely"), rows.kind, rows.schema)
    return LabelPlace(worker.now(session), export, rows.texts, worker)


def model_place(model_file: str, data: tuple[str, ...], target: str | None, reading: Reading) -> "ModelPlace":
    from likely.cli.labelled_batches import schema_of
    from likely.desk.model import ModelPlace
    from likely.desk.what_if import WhatIf
    from likely.desk.worker import Worker
    from likely.store import load

    stored = load(model_file)
    schema = schema_of(stored)
    rows, findings = None, None
    if data:
        from likely.cli.report_findings import findings_of

        with opened(data, reading, schema=schema) as source:
            rows = pa.concat_tables([batch.table for batch in source])
        findings = partial(findings_of, stored, data, target, reading, "auto")
    return ModelPlace(Path(model_file).name, stored, WhatIf(stored, schema, rows), rows, findings, Worker("model"))
