"""`likely report`: a page that says how good a model is, and shows why."""

from pathlib import Path

import click

from likely.cli import options
from likely.cli.found import found
from likely.report.page import page
from likely.store import load, replacing


@click.command()
@options.model_file
@options.data
@options.target(options.LABELLED)
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="The page to write, as HTML.")
@options.which_rows
@click.option("--title", help="What the page is called; otherwise by its model.")
@options.encoding
def command(
    model_file: str,
    data: tuple[str, ...],
    target: str | None,
    output: str,
    rows: str,
    title: str | None,
    encoding: str | None,
) -> None:
    """Write a page that says how good a model is, and shows why: in plain words first, then in pictures.

    DATA has the classes, as for `evaluate`. If it holds the very rows that the model has learned, each is judged as if
    it had never been. The page is one file; it runs nothing, asks the network for nothing, and can be printed.
    """
    told = found(load(model_file), data, target, encoding, rows)
    written = page(told, title or f"Report on {Path(model_file).name}").encode()
    with replacing(output) as file:
        file.write(written)
    result = told.result
    click.echo(f"{output}: {result.error:.1%} wrong, of {len(result.y)} rows ({result.how})")
