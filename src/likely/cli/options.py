"""Arguments and options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

model_file = click.argument("model_file", metavar="MODEL", type=click.Path(dir_okay=False))
data = click.argument("data", metavar="DATA...", nargs=-1, required=True)
output_model = click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False), help="The model file to write."
)
encoding = click.option("--encoding", metavar="NAME", help="The encoding of CSV, if it is not found out by itself.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def target(help_: str) -> Decorator:
    return click.option("-t", "--target", metavar="COLUMN", help=help_)


LABELLED = "The column that holds the classes, if it has another name than in the data learned first."
