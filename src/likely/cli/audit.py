"""`likely audit`: rows whose label may be wrong."""

import click

from likely.cli import options, show
from likely.cli.chosen import families_of, unlearned
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.cli.whole import whole
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
        rows = whole(source, target, reading)
        model = unlearned("naive-bayes", named)["naive Bayes"]
        with rows.naming(source):
            found = audit(model, rows.table(reading.missing), rows.y, sample_weight=rows.weight)
        if as_json:
            suspects = [{**one._asdict(), "where": rows.place(source, one.row)} for one in found.suspects]
            show.printed_json({"noise": found.noise, "suspects": suspects})
        else:
            click.echo(str(found))
