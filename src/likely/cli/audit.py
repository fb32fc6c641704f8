"""`likely audit`: rows whose label may be wrong."""

import click

from likely.cli import options, output
from likely.cli.in_memory_table import read_all
from likely.cli.labelled_batches import kept_columns
from likely.cli.model_factory import families_of, must_be_numbers, new_models
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.validation import audit


@click.command()
@options.data
@options.target(options.CLASSES)
@options.model_kind
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    kind: str,
    reading: Reading,
    as_json: bool,
) -> None:
    """Find rows whose label may be wrong: a model without the row gives the label a low probability.

    Rows are numbered from 0. All rows are held in memory; nothing is written.
    """
    if kind == "auto":
        raise click.BadParameter("an audit uses one model; name it", param_hint="'--model'")
    with opened(data, reading, kept_columns(target, reading)) as source:
        named = families_of(source, reading)
        rows = read_all(source, target, reading)
        models = new_models(kind, named)
        (model,) = models.values()
        with rows.naming(source):
            sample = rows.sample()
            must_be_numbers(models, sample.table)
            found = audit(model, sample.table, sample.classes[sample.y], sample_weight=sample.weight)
        if as_json:
            suspects = [{**suspect._asdict(), "where": rows.place(source, suspect.row)} for suspect in found.suspects]
            output.json({"noise": found.noise, "suspects": suspects})
        else:
            output.prose(found)
