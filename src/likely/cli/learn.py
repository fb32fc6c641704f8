"""`likely learn`: more rows for a model that there is."""

import click

from likely.cli import options
from likely.cli.update import updated


@click.command()
@options.updating
def command(
    model_file: str, data: tuple[str, ...], target: str | None, output: str | None, encoding: str | None
) -> None:
    """Learn more rows with a model that there is, as if they had been there from the start.

    The model file is replaced once all rows are learned; if one of them can't be, nothing changes.
    """
    rows, stored = updated(model_file, data, target, encoding, output or model_file, forget=False)
    click.echo(f"{output or model_file}: learned {rows} rows; {int(stored.model.counts.sum())} in all")
