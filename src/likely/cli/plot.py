"""`likely plot`: where a model goes over from one class to another."""

import click

from likely.cli import options
from likely.cli.found import found
from likely.report.boundary import draw_plane
from likely.report.page import best_two
from likely.report.picture import kind_of
from likely.store import load


@click.command()
@options.model_file
@options.data
@click.option("--columns", metavar="A,B", help="The two columns; otherwise those that depend most on the class.")
@options.picture(required=True)
@options.target(options.LABELLED)
@options.encoding
def command(
    model_file: str, data: tuple[str, ...], columns: str | None, output: str, target: str | None, encoding: str | None
) -> None:
    """Draw where a model goes over from one class to another: in the plane of two columns, with the rows of DATA.

    All other columns are left out, as if missing. Columns of numbers and of categories can be drawn, not texts.
    """
    kind_of(output)
    two = None if columns is None else [name.strip() for name in columns.split(",")]
    if two is not None and len(two) != 2:
        raise click.BadParameter(f"{columns!r} names {len(two)} and not two.", param_hint="'--columns'")
    told = found(load(model_file), data, target, encoding, "new")
    two = two or best_two(told)
    if len(two) != 2:
        raise ValueError("there are no two columns of numbers or categories to draw a boundary over")
    result = told.result
    drawn = draw_plane(told.stored, told.table, result.classes, result.y, two, result.weight)
    drawn.save(output)
    click.echo(f"{output}: {drawn.says}")
