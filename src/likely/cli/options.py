"""Arguments and options that several commands share."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

model_file = click.argument("model_file", metavar="MODEL", type=click.Path(dir_okay=False))
data = click.argument("data", metavar="DATA...", nargs=-1, required=True)
output_model = click.option(
    "-o", "--output", "path", required=True, type=click.Path(dir_okay=False), help="The model file to write."
)
output_rows = click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(dir_okay=False),
    help="A .csv, .tsv, .parquet or .jsonl file; otherwise CSV on standard output.",
)
learned = click.option(
    "--learned",
    type=click.Choice(["auto", "yes", "no"]),
    default="auto",
    show_default=True,
    help="Whether the model has learned these rows; auto finds out by counting them.",
)
encoding = click.option("--encoding", metavar="NAME", help="The encoding of CSV; detected by default.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def picture(required: bool) -> Decorator:
    type_ = click.Path(dir_okay=False)
    return click.option(
        "-o", "--output", "path", required=required, type=type_, help="The figure to write: .svg, .png or .pdf."
    )


def target(help_: str) -> Decorator:
    return click.option("-t", "--target", metavar="COLUMN", help=help_)


CLASSES = "The column with the classes. Folders and mailboxes are classes by their names."
SAME_CLASSES = "The column with the classes, if its name is not the one the model was fitted with."

model_kind = click.option(
    "--model",
    "kind",
    type=click.Choice(["naive-bayes", "gaussian", "logistic", "blend", "auto"]),
    default="naive-bayes",
    show_default=True,
    help="What to fit. blend: naive Bayes and logistic regression in one. auto: the lowest log loss in validation.",
)
calibrate = click.option(
    "--calibrate", is_flag=True, help="Calibrate the probabilities, by predictions for rows not learned."
)


def updating(command: Callable[..., Any]) -> Callable[..., Any]:
    """Arguments and options of a command that replaces a model by one with other rows."""
    kind = click.Path(dir_okay=False)
    path = click.option("-o", "--output", "path", type=kind, help="Write the model to this file instead.")
    for option in (encoding, path, target(SAME_CLASSES), data, model_file):
        command = option(command)
    return command


class Reading(NamedTuple):
    """How data are read for a new model."""

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
        return command(reading=Reading(*(options.pop(name) for name in Reading._fields)), **options)

    for option in (
        encoding,
        click.option("--weights", metavar="COLUMN", help="A column with the sample weight of each row."),
        click.option(
            "--missing", metavar="VALUE", help="A value that marks a missing cell, like ? or -999; empty cells do too."
        ),
        click.option(
            "--ignore", "ignored", metavar="COLUMN", multiple=True, help="A column to leave out. Can be repeated."
        ),
        click.option("--text", "texts", metavar="COLUMN", multiple=True, help="A column of texts. Can be repeated."),
        click.option(
            "--families", metavar="COLUMN=FAMILY,...", help="The family of each column; otherwise chosen by the data."
        ),
    ):
        called = option(called)
    return called
