"""`likely schema`: shows how each column of a table is read."""

import click

from likely.cli import options, output
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.data.dataset import Dataset
from likely.store import replacing


@click.command()
@options.data
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False), help="The file to write, as TOML.")
@options.columns
def command(data: tuple[str, ...], path: str | None, reading: Reading) -> None:
    """Show how each column of a table is read, and what to check, as TOML.

    You can edit the file, and use it with `likely fit --schema`.
    """
    with opened(data, reading) as source:
        if not isinstance(source, Dataset):
            raise ValueError("folders of texts and mail have no columns; a schema is for tables")
        lines = [output.wrapped(str(finding), "# ", "#   ") + "\n" for finding in source.findings()]
        written = "".join(lines) + ("\n" if lines else "") + source.schema.toml()
    if path is None:
        output.text(written.rstrip("\n"))
        return
    with replacing(path) as file:
        file.write(written.encode())
