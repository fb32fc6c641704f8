"""`likely learn`: adds rows to a model."""

import click

from likely.cli import options, output
from likely.cli.options import Reading
from likely.cli.update import updated
from likely.printing import counted


@click.command()
@options.updating
def command(model_file: str, data: tuple[str, ...], target: str | None, path: str | None, reading: Reading) -> None:
    """Add rows to an existing model, as if it had learned them from the start.

    The model file is replaced only after all rows are learned. If a row can't be learned, nothing changes.
    """
    rows, stored = updated(model_file, data, target, reading, path or model_file, forget=False)
    output.text(
        f"{path or model_file}: learned {counted(rows, 'row')}; {int(stored.model.class_counts.sum()):,} in all"
    )
