"""`likely audit`: rows whose label may be wrong."""

import click

from likely.cli import options, show
from likely.cli.chosen import families_of, unlearned
from likely.cli.labelled import as_number
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
    families: str | None,
    texts: tuple[str, ...],
    ignored: tuple[str, ...],
    missing: str | None,
    weights: str | None,
    encoding: str | None,
    as_json: bool,
) -> None:
    """Find rows whose label may be wrong: it is improbable when the row is left out.

    The first row is 0. All rows are held in memory; nothing is written.
    """
    with opened(data, missing, encoding) as source:
        named = families_of(source.kind, families, texts)
        columns, y, weight = whole(source, target, weights, ignored, missing)
        found = audit(
            unlearned("naive-bayes", named)["naive Bayes"], read(columns, as_number(missing)), y, sample_weight=weight
        )
        if as_json:
            suspects = [{**one._asdict(), "where": source.place(data[0], one.row)} for one in found.suspects]
            show.printed_json({"noise": found.noise, "suspects": suspects})
        else:
            click.echo(str(found))
