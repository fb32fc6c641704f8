"""`likely forget`: rows that a model shall not have learned."""

import click

from likely.cli import options
from likely.cli.update import updated


@click.command()
@options.updating
def command(
    model_file: str, data: tuple[str, ...], target: str | None, output: str | None, encoding: str | None
) -> None:
    """Take rows out of a model again, as if they had never been learned.

    The model file is replaced once all rows are out; if one of them was never learned, as far as the counts can tell,
    nothing changes.
    """
    rows, stored = updated(model_file, data, target, encoding, output or model_file, forget=True)
    click.echo(f"{output or model_file}: forgot {rows} rows; {int(stored.model.counts.sum())} are left")
