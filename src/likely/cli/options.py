"""Arguments and options that several commands share."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

model_file = click.argument("model_file", metavar="MODEL", type=click.Path(dir_okay=False))
data = click.argument("data", metavar="DATA...", nargs=-1, required=True)
output_model = click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False), help="The model file to write."
)
which_rows = click.option(
    "--rows",
    type=click.Choice(["auto", "learned", "new"]),
    default="auto",
    show_default=True,
    help="Whether the model has learned these rows; auto finds out by counting them.",
)
encoding = click.option("--encoding", metavar="NAME", help="The encoding of CSV, if it is not found out by itself.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def picture(required: bool) -> Decorator:
    type_ = click.Path(dir_okay=False)
    return click.option(
        "-o", "--output", required=required, type=type_, help="The picture to write: .svg, .png or .pdf."
    )


def target(help_: str) -> Decorator:
    return click.option("-t", "--target", metavar="COLUMN", help=help_)


LABELLED = "The column that holds the classes, if it has another name than in the data learned first."

model_kind = click.option(
    "--model",
    "kind",
    type=click.Choice(["naive-bayes", "gaussian", "logistic", "auto"]),
    default="naive-bayes",
    show_default=True,
    help="What to learn; auto learns all, and keeps the one with the least log loss on rows left out.",
)
calibrate = click.option(
    "--calibrate", is_flag=True, help="Calibrate probabilities by rows left out, so that they mean what they say."
)


def updating(command: Callable[..., Any]) -> Callable[..., Any]:
    """Of a model that is replaced by one with other rows."""
    output = click.option("-o", "--output", type=click.Path(dir_okay=False), help="Another file to write the model to.")
    for option in (encoding, output, target(LABELLED), data, model_file):
        command = option(command)
    return command


class Reading(NamedTuple):
    """How data are read that no model knows yet."""

    families: str | None
    texts: tuple[str, ...]
    ignored: tuple[str, ...]
    missing: str | None
    weights: str | None
    encoding: str | None


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that a command gets as one `reading`."""

    @wraps(command)
    def called(**options: Any) -> Any:
        said = Reading(*(options.pop(name) for name in Reading._fields))
        return command(reading=said, **options)

    for option in (
        encoding,
        click.option("--weights", metavar="COLUMN", help="A column that says how many rows a row counts as."),
        click.option(
            "--missing", metavar="VALUE", help="What stands for a missing cell, as ? or -999; empty cells do."
        ),
        click.option(
            "--ignore", "ignored", metavar="COLUMN", multiple=True, help="A column to leave out. Can be repeated."
        ),
        click.option("--text", "texts", metavar="COLUMN", multiple=True, help="A column of texts. Can be repeated."),
        click.option("--families", metavar="COLUMN=FAMILY,...", help="How columns are read; others as seems best."),
    ):
        called = option(called)
    return called
