"""Arguments and options that several commands share."""

from collections.abc import Callable, Sequence
from errno import ENOENT
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from likely.models.decision_rule import DecisionRule

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

model_file = click.argument("model_file", metavar="MODEL", type=click.Path(dir_okay=False))
data = click.argument("data", metavar="DATA...", nargs=-1, required=True)
optional_data = click.argument("data", metavar="[DATA...]", nargs=-1)
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
    help="Whether the model has learned these rows; auto looks them up in the digest of the model.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def picture(required: bool) -> Decorator:
    type_ = click.Path(dir_okay=False)
    return click.option(
        "-o", "--output", "path", required=required, type=type_, help="The figure to write: .svg, .png or .pdf."
    )


def target(help_: str) -> Decorator:
    return click.option("-t", "--target", metavar="COLUMN", help=help_)


CLASSES = "The column with the classes. For folders and mailboxes, their names are the classes."
SAME_CLASSES = "The column with the classes, if its name is not the one the model was fitted with."

model_kind = click.option(
    "--model",
    "kind",
    type=click.Choice(["naive-bayes", "gaussian", "network", "logistic", "blend", "auto"]),
    default="naive-bayes",
    show_default=True,
    help="What to fit. network: a Bayes network. blend: naive Bayes and logistic regression in one. auto: the simplest "
    "of these (except network), unless another has a lower log loss in validation, by more than chance.",
)
engine = click.option(
    "--engine",
    metavar="ENGINE",
    help="Where the rows are read: dask or local[*] (this machine, with Dask or Spark), or the address of a cluster: "
    "tcp://HOST:PORT for Dask, spark://HOST:PORT for Spark.",
)
interactions = click.option(
    "--interactions",
    default="auto",
    show_default=True,
    metavar="auto|0|A:B,...",
    help="Interactions in the blend, which give a pair of columns its own weights: auto finds pairs, 0 uses none, or "
    "name them.",
)
calibrate = click.option(
    "--calibrate", is_flag=True, help="Calibrate the probabilities, on predictions for rows that were not learned."
)


def updating(command: Callable[..., Any]) -> Callable[..., Any]:
    """Arguments and options of a command that adds rows to a model, or removes them."""
    kind = click.Path(dir_okay=False)
    path = click.option("-o", "--output", "path", type=kind, help="Write the model to this file instead.")
    command = _as_reading(command, _FILES, updates=True)
    for option in (path, target(SAME_CLASSES), data, model_file):
        command = option(command)
    return command


class Reading(NamedTuple):
    """The options for how data are read."""

    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    query: str | None = None
    types: tuple[str, ...] = ()
    schema: str | None = None
    missing: tuple[str, ...] = ()
    not_missing: tuple[str, ...] = ()
    decimal: str | None = None
    thousands: str | None = None
    no_header: bool = False
    families: str | None = None
    texts: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    weights: str | None = None

    def column_types(self) -> dict[str, str]:
        """The types that the options name, by column."""
        types = {}
        for option in self.types:
            column, equals, type_ = option.rpartition("=")
            if not equals:
                raise click.BadParameter(f"{option!r} is not COLUMN=TYPE.", param_hint="'--type'")
            types[column] = type_
        return {**types, **dict.fromkeys(self.texts, "text"), **dict.fromkeys(self.ignored, "ignore")}


_FILES = (
    click.option("--delimiter", metavar="CHARACTER", help="What separates the cells of CSV; detected by default."),
    click.option("--encoding", metavar="NAME", help="The encoding of CSV; detected by default."),
    click.option("--sheet", metavar="NAME", help="The sheet of a workbook; by default the first."),
    click.option("--query", metavar="SQL", help="For a database: the query whose rows are read."),
)
_COLUMNS = (
    click.option(
        "--type",
        "types",
        metavar="COLUMN=TYPE",
        multiple=True,
        help="What a column is: number, integer, category, text, date, time, yesno or ignore. Can be repeated.",
    ),
    click.option(
        "--schema",
        metavar="FILE",
        type=click.Path(dir_okay=False, exists=True),
        help="The types of all columns, as `likely schema` writes them.",
    ),
    click.option(
        "--missing",
        metavar="VALUE",
        multiple=True,
        help="A value that marks a missing cell, like -999, besides empty cells, NA and ?. Can be repeated.",
    ),
    click.option(
        "--not-missing",
        metavar="VALUE",
        multiple=True,
        help="A value that does not mark a missing cell, like NA where it is a name. Can be repeated.",
    ),
    click.option("--decimal", metavar="CHARACTER", help="The decimal sign of numbers; detected by default."),
    click.option("--thousands", metavar="CHARACTER", help="What separates thousands; detected by default."),
    click.option("--no-header", is_flag=True, help="The first line of CSV is a row, and columns have no names."),
)
_MODEL = (
    click.option(
        "--families", metavar="COLUMN=FAMILY,...", help="The family of each column; by default chosen from the data."
    ),
    click.option(
        "--text", "texts", metavar="COLUMN", multiple=True, help="A column of texts; short for --type COLUMN=text."
    ),
    click.option(
        "--ignore",
        "ignored",
        metavar="COLUMN",
        multiple=True,
        help="A column to leave out; short for --type COLUMN=ignore.",
    ),
    click.option("--weights", metavar="COLUMN", help="A column with the sample weight of each row."),
)


def check_output(path: Any, *inputs: Any) -> None:
    """Raises, before any work, if the file to write has no folder or would replace a file that the command reads."""
    if path is None:
        return
    try:
        Path(path).stat()  # raises where links go in a circle
    except FileNotFoundError:
        folder = Path(path).resolve().parent
        if not folder.is_dir():
            raise FileNotFoundError(ENOENT, "there is no such folder", str(folder)) from None
        return
    if any(name is not None and Path(name).is_file() and Path(name).samefile(path) for name in inputs):
        raise click.BadParameter(
            f"{str(path)!r} is read by this command, and would be replaced; name another file.",
            param_hint="'-o' / '--output'",
        )


def _as_reading(command: Callable[..., Any], options: Sequence[Decorator], updates: bool = False) -> Callable[..., Any]:
    """Adds these options to a command, which gets them as one argument `reading`. It may replace its model file only if
    it `updates` it."""

    @wraps(command)
    def called(**values: Any) -> Any:
        models = () if updates else (values.get("model_file"), values.get("old"))
        check_output(values.get("path"), *values.get("data", ()), *models)
        reading = {name: values.pop(name) for name in Reading._fields if name in values}
        return command(reading=Reading(**reading), **values)

    decorated: Callable[..., Any] = called
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


def files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for how files are read, for a command whose model knows the columns."""
    return _as_reading(command, _FILES)


def columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for how files and their columns are read."""
    return _as_reading(command, (*_COLUMNS, *_FILES))


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for how data are read for a new model."""
    return _as_reading(command, (*_MODEL, *_COLUMNS, *_FILES))


cost = click.option(
    "--cost",
    "costs",
    metavar="TEXT",
    help='What mistakes cost: "Yes as No: 10, No as Yes: 1" (true class first), or a .json file.',
)


class Decisions(NamedTuple):
    """The options for decisions: thresholds, costs, and when to answer "unsure"."""

    thresholds: tuple[str, ...] = ()
    costs: str | None = None
    abstain: float | None = None

    def rule(self, classes: Any) -> "DecisionRule | None":
        """The decision rule; None without these options: then the most probable class is predicted."""
        if self == ((), None, None):
            return None
        from likely.models.decision_rule import DecisionRule

        pairs = [text.rpartition("=") for text in self.thresholds]
        for text, (label, _, _) in zip(self.thresholds, pairs, strict=True):
            if not label:
                raise click.BadParameter(f"write --threshold CLASS=PROBABILITY, not {text!r}")
        threshold = {label: limit for label, _, limit in pairs} or None
        try:
            return DecisionRule.of(classes, self.named_costs(), threshold, self.abstain)
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    def named_costs(self) -> str | None:
        """The costs as text: the option itself, or the contents of its JSON file."""
        if self.costs is None or not self.costs.lower().endswith(".json"):
            return self.costs
        try:
            return Path(self.costs).read_text("utf-8")
        except OSError as error:
            raise click.FileError(self.costs, error.strerror or "cannot be read") from None


def decisions(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for decisions to a command, which gets them as one argument `decisions`."""

    @wraps(command)
    def called(**options: Any) -> Any:
        return command(decisions=Decisions(*(options.pop(name) for name in Decisions._fields)), **options)

    for option in (
        click.option(
            "--abstain",
            type=click.FloatRange(0, 1),
            help='Write "unsure" if the probability of the class is lower.',
        ),
        cost,
        click.option(
            "--threshold",
            "thresholds",
            metavar="CLASS=P",
            multiple=True,
            help="Predict this class if and only if its probability is P or more. Can be repeated.",
        ),
    ):
        called = option(called)
    return called
