"""`likely plot`: plots the decision boundary of a model, or the graph of a Bayes network."""

from typing import Any

import click

from likely.cli import options, output
from likely.cli.options import Reading
from likely.cli.report_findings import findings_of
from likely.printing import counted
from likely.report.boundary import draw_plane
from likely.report.page import best_two
from likely.report.picture import Picture, kind_of
from likely.store import load


@click.command()
@options.model_file
@options.optional_data
@click.option("--columns", metavar="A,B", help="The two columns; by default those that depend most on the class.")
@click.option("--network", is_flag=True, help="Plot the graph of a Bayes network instead; it needs no DATA.")
@options.picture(required=True)
@options.target(options.SAME_CLASSES)
@options.files
def command(
    model_file: str,
    data: tuple[str, ...],
    columns: str | None,
    network: bool,
    path: str,
    target: str | None,
    reading: Reading,
) -> None:
    """Plot the decision boundary of a model over two columns, with the rows of DATA.

    All other columns are treated as missing. You can plot columns of numbers and of categories, but not texts. With
    --network, plot which columns of a Bayes network depend on which.
    """
    kind_of(path)
    if network:
        drawn = _network(load(model_file).model)
        drawn.save(path)
        output.text(f"{path}: {drawn.says}")
        return
    if not data:
        raise click.UsageError("Missing argument 'DATA...'.")
    two = None if columns is None else [name.strip() for name in columns.split(",")]
    if two is not None and len(two) != 2:
        raise click.BadParameter(f"{columns!r} names {counted(len(two), 'column')}, not two.", param_hint="'--columns'")
    found = findings_of(load(model_file), data, target, reading, "no")
    two = two or best_two(found)
    if len(two) != 2:
        raise ValueError("there are no two columns of numbers or categories to draw a boundary over")
    drawn = draw_plane(found.stored, found.sample, two)
    drawn.save(path)
    output.text(f"{path}: {drawn.says}")


def _network(model: Any) -> Picture:
    if not hasattr(model, "network_block"):
        raise ValueError(f"this is a {model.name} and no Bayes network; use fit --model network")
    from likely.models.network.graphs import graph_of
    from likely.report.network import draw_network

    return draw_network(graph_of(model))
