"""`likely plot`: the decision boundary of a model."""

import click

from likely.cli import options, output
from likely.cli.options import Reading
from likely.cli.report_findings import findings_of
from likely.report.boundary import draw_plane
from likely.report.page import best_two
from likely.report.picture import kind_of
from likely.store import load


@click.command()
@options.model_file
@options.data
@click.option("--columns", metavar="A,B", help="The two columns; by default those that depend most on the class.")
@options.picture(required=True)
@options.target(options.SAME_CLASSES)
@options.files
def command(
    model_file: str, data: tuple[str, ...], columns: str | None, path: str, target: str | None, reading: Reading
) -> None:
    """Plot the decision boundary of a model over two columns, with the rows of DATA.

    All other columns are treated as missing. Columns of numbers and of categories can be plotted, texts cannot.
    """
    kind_of(path)
    two = None if columns is None else [name.strip() for name in columns.split(",")]
    if two is not None and len(two) != 2:
        raise click.BadParameter(f"{columns!r} names {len(two)} and not two.", param_hint="'--columns'")
    found = findings_of(load(model_file), data, target, reading, "no")
    two = two or best_two(found)
    if len(two) != 2:
        raise ValueError("there are no two columns of numbers or categories to draw a boundary over")
    drawn = draw_plane(found.stored, found.sample, two)
    drawn.save(path)
    output.text(f"{path}: {drawn.says}")
