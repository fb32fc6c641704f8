"""`likely demo`: files a mailbox and fits a table with several kinds of columns, with errors and reasons."""

from pathlib import Path
from typing import Any

import click
import numpy as np
from pyarrow import csv

from likely import __version__
from likely.cli import output
from likely.cli.demo_mail import show_mail
from likely.data import Sample, encode_target, read
from likely.datasets import ANIMALS, MAILBOX
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import percent, safe
from likely.store import replacing
from likely.validation.measures import wilson

LABEL = "animal"
NEW = 10
"""How many rows `--files` writes without their class."""

COMMANDS = """\
# mailboxes of yours; or one folder that has a folder of texts for each class
likely fit study.mbox fun.mbox -o mail.likely
likely predict mail.likely inbox.mbox --explain
# a table, as CSV, Parquet, Arrow or JSON lines
likely fit table.csv --target COLUMN -o table.likely
likely audit table.csv --target COLUMN
"""

NEXT = f"""\
from pyarrow import csv
from likely import NaiveBayes
from likely.datasets import ANIMALS  # or the name of a CSV file of yours

table = csv.read_csv(ANIMALS)
X, y = table.drop_columns("{LABEL}"), table["{LABEL}"]
nb = NaiveBayes(missing_values="").fit(X, y)
print(nb.families_)
print(nb.describe())
print(nb.explain(X)[0])
"""


@click.command()
@click.option("--row", default=14, show_default=True, help="The row to explain; the first is 0.")
@click.option(
    "--files",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the table, ten of its rows without their class, and the mailboxes to this folder, and stop.",
)
def command(row: int, folder: Path | None) -> None:
    """File a bundled mailbox and fit a bundled table, with reasons.

    The mailbox is a student's, with one message in the wrong folder. The table is an invented survey of animals that
    passed a camera trap, with columns of several kinds and some missing cells. Nothing is fetched, and nothing is
    written without --files.
    """
    if folder is not None:
        _write(folder)
        return
    frame = csv.read_csv(ANIMALS, convert_options=csv.ConvertOptions(strings_can_be_null=True))
    if not 0 <= row < frame.num_rows:
        raise click.BadParameter(f"the table has rows 0 to {frame.num_rows - 1}, not {row}.", param_hint="'--row'")
    columns = frame.drop_columns(LABEL)
    table = read(columns)
    classes, y = encode_target(frame[LABEL])
    sample = Sample(table, y, classes)
    model = NaiveBayesModel().fit(sample)

    output.heading(f"Likely {__version__}: which folder does a message belong to?")
    show_mail()

    output.heading(f"Is it a {', a '.join(classes[:-1])} or a {classes[-1]}?")
    missing = sum(column.null_count for column in columns.columns)
    output.paragraph(
        f"{frame.num_rows} animals that passed a camera trap (invented), {columns.num_columns} columns, "
        f"{missing} missing cells."
    )

    output.heading("How each column is read")
    families = [
        (name, columns[name].type, type(family).__name__, columns[name].null_count)
        for name, family in model.chosen_families.items()
    ]
    output.table(("column", "type", "family", "missing"), families, "<<<>")
    output.paragraph(
        "Yes-or-no is Bernoulli and text is Categorical. For a column of numbers the family with the highest "
        "leave-one-out likelihood was chosen. A missing cell adds nothing."
    )

    output.heading("How often it is wrong")
    training, loo = (scores.argmax(axis=1) != y for scores in (model.score(table), model.loo_scores(sample)))
    output.table(("", "wrong", "of", "error", "95 % interval"), _errors(training, loo))
    output.paragraph(
        "Leave-one-out: each row is scored by a model without it, so this is the error to expect on new rows. "
        "(Families and bins were chosen once, by all rows.)"
    )

    chance = model.predict_proba(table)[row]
    first, second = np.argsort(-chance)[:2]
    truth = "it is one" if y[row] == first else f"it is a {classes[y[row]]}"
    output.heading(f"Why row {row} is predicted to be a {classes[first]} ({truth})")
    cells = columns.slice(row, 1).to_pylist()[0]
    names = ("column", "value", *classes, f"{classes[first]} : {classes[second]}")
    output.table(names, _reasons(Explanation(model, table)[row], cells, first, second), "<<>")
    together = ", ".join(f"{label} {percent(p)}" for label, p in zip(classes, chance, strict=True))
    output.paragraph(
        "Log probabilities and densities, which add up to the score. The last column is the likelihood ratio of each "
        f"line for a {classes[first]} against a {classes[second]}. All together: {together}."
    )

    output.heading("What to type next")
    output.text(COMMANDS.rstrip())

    output.heading("What to type next, in Python")
    output.text(NEXT.rstrip())


def _write(folder: Path) -> None:
    """Writes the files that the pages of the documentation start from. A file with other contents is not
    overwritten."""
    rows = (line.rpartition(b",")[0] for line in ANIMALS.read_bytes().splitlines()[: NEW + 1])
    files = {ANIMALS.name: ANIMALS.read_bytes(), "new.csv": b"\n".join(rows) + b"\n"}
    files |= {box.name: box.read_bytes() for box in sorted(MAILBOX.glob("*.mbox"))}
    for name, data in files.items():
        if (folder / name).exists() and (folder / name).read_bytes() != data:
            raise ValueError(f"'{safe(str(folder / name))}' exists already, and differs; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        with replacing(folder / name) as file:
            file.write(data)
        output.text(safe(str(folder / name)))


def _errors(training: Any, loo: Any) -> list[tuple[Any, ...]]:
    low, high = wilson(int(loo.sum()), len(loo))
    return [  # the training error has no interval, because it is no estimate for new rows
        ("on the rows it learned", training.sum(), len(training), percent(training.mean()), ""),
        ("leave-one-out", loo.sum(), len(loo), percent(loo.mean()), f"{percent(low)} to {percent(high)}"),
    ]


def _reasons(reasons: Reasons, cells: dict[str, Any], first: int, second: int) -> list[tuple[str, ...]]:
    def line(name: str, value: str, logs: Any) -> tuple[str, ...]:
        ratio = np.exp(logs[first] - logs[second])
        odds = f"{ratio:.2f} : 1" if ratio >= 1 else f"1 : {1 / ratio:.2f}"
        return name, value, *(f"{log:.3f}" for log in logs), odds

    values = {name: "missing" if value is None else str(value) for name, value in cells.items()}
    return [
        line("class prior", "", reasons.prior),
        *(line(reason.column, values[reason.column], reason.contributions) for reason in reasons.reasons),
        line("score", "", reasons.scores),
    ]
