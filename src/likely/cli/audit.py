"""`likely audit`: rows whose label may be wrong."""

import click

from likely.cli import options, show
from likely.cli.chosen import families_of, unlearned
from likely.cli.labelled import as_number
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.cli.whole import whole
from likely.data import read
from likely.validation import audit


@click.command()
@options.data
@options.target("The column that holds the classes. Folders and mailboxes are classes by their names.")
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    reading: Reading,
    as_json: bool,
) -> None:
    """Find rows whose label may be wrong: it is improbable when the row is left out.

    The first row is 0. All rows are held in memory; nothing is written.
    """
    with opened(data, reading.missing, reading.encoding) as source:
        named = families_of(source.kind, reading)
        columns, y, weight = whole(source, target, reading)
        found = audit(
            unlearned("naive-bayes", named)["naive Bayes"],
            read(columns, as_number(reading.missing)),
            y,
            sample_weight=weight,
        )
        if as_json:
            suspects = [{**one._asdict(), "where": source.place(data[0], one.row)} for one in found.suspects]
            show.printed_json({"noise": found.noise, "suspects": suspects})
        else:
            click.echo(str(found))
