"""`likely forget`: removes rows from a model."""

import click

from likely.cli import options, output
from likely.cli.options import Reading
from likely.cli.update import updated
from likely.printing import counted


@click.command()
@options.updating
def command(model_file: str, data: tuple[str, ...], target: str | None, path: str | None, reading: Reading) -> None:
    """Remove rows from a model, as if it had never learned them.

    The model file is replaced only after all rows are removed. If the counts show that a row was never learned, nothing
    changes.
    """
    rows, stored = updated(model_file, data, target, reading, path or model_file, forget=True)
    output.text(f"{path or model_file}: forgot {counted(rows, 'row')}; {int(stored.model.class_counts.sum()):,} left")
