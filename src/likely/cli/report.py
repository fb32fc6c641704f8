"""`likely report`: writes a page that shows how good a model is, and why."""

from dataclasses import replace
from pathlib import Path

import click

from likely.cli import options, output
from likely.cli.options import Decisions, Reading
from likely.cli.report_findings import findings_of
from likely.printing import counted, percent
from likely.report.page import page
from likely.store import load, replacing


@click.command()
@options.model_file
@options.data
@options.target(options.SAME_CLASSES)
@click.option(
    "-o", "--output", "path", required=True, type=click.Path(dir_okay=False), help="The page to write, as HTML."
)
@options.learned
@options.cost
@click.option("--title", help="The title of the page; by default the name of the model file.")
@options.files
def command(
    model_file: str,
    data: tuple[str, ...],
    target: str | None,
    path: str,
    learned: str,
    costs: str | None,
    title: str | None,
    reading: Reading,
) -> None:
    """Write a page that shows how good a model is, and why: in plain words first, then in figures.

    DATA has the classes, as for `evaluate`. If the model has learned these rows, the error is the leave-one-out error.
    The page is one file. It runs no scripts, loads nothing from the network, and can be printed.
    """
    stored = load(model_file)
    decisions = Decisions(costs=costs)
    decisions.rule(stored.model.classes)  # raises before any row is read
    found = replace(findings_of(stored, data, target, reading, learned), costs=decisions.named_costs())
    written = page(found, title or f"Report on {Path(model_file).name}").encode()
    with replacing(path) as file:
        file.write(written)
    result = found.result
    output.text(f"{path}: {percent(result.error)} wrong, of {counted(len(result.y), 'row')} ({result.how})")
