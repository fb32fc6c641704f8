"""`likely demo`: a mailbox filed, and a table with several kinds of columns: how often that is wrong, and why."""

from pathlib import Path
from typing import Any

import click
import numpy as np
from pyarrow import csv
from rich import box
from rich.console import Console
from rich.table import Table

from likely import __version__
from likely.cli.demo_mail import show_mail
from likely.data import encode_target, read
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import NaiveBayes
from likely.validation.measures import wilson

ANIMALS = Path(__file__).with_name("animals.csv")
"""122 animals that a camera trap might have seen, invented: hyenas, lions (some of them cubs) and warthogs."""

LABEL = "animal"

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
from likely.cli.demo import ANIMALS  # or the name of a CSV file of yours

table = csv.read_csv(ANIMALS)
X, y = table.drop_columns("{LABEL}"), table["{LABEL}"]
nb = NaiveBayes(missing_values="").fit(X, y)
print(nb.families_)
print(nb.describe())
print(nb.explain(X)[0])
"""


@click.command()
@click.option("--row", default=14, show_default=True, help="The row to explain; the first is 0.")
def command(row: int) -> None:
    """File a bundled mailbox and fit a bundled table, with reasons.

    The mailbox is a student's, with one message in the wrong folder. The table is an invented survey of animals that
    passed a camera trap, with columns of several kinds and some missing cells. Nothing is written and nothing is
    fetched.
    """
    frame = csv.read_csv(ANIMALS, convert_options=csv.ConvertOptions(strings_can_be_null=True))
    if not 0 <= row < frame.num_rows:
        raise click.BadParameter(f"the table has rows 0 to {frame.num_rows - 1}, not {row}.", param_hint="'--row'")
    columns = frame.drop_columns(LABEL)
    table = read(columns)
    classes, y = encode_target(frame[LABEL])
    model = NaiveBayes()
    model.learn(table, classes, y)

    console = Console(highlight=False)
    console.print(f"[bold]Likely {__version__}[/]: which folder does a message belong to?")
    show_mail(console)

    _heading(console, f"Is it a {', a '.join(classes[:-1])} or a {classes[-1]}?")
    missing = sum(column.null_count for column in columns.columns)
    console.print(
        f"{frame.num_rows} animals that passed a camera trap (invented), {columns.num_columns} columns, "
        f"{missing} missing cells."
    )

    _heading(console, "How each column is read")
    console.print(_families(console, model, columns))
    console.print(
        "Yes-or-no is Bernoulli and text is Categorical. For a column of numbers the family was chosen under which its "
        "values are most probable, each left out of its own count. A missing cell adds nothing."
    )

    _heading(console, "How often it is wrong")
    training, left_out = (scores.argmax(axis=1) for scores in (model.score(table), model.score_left_out(table, y)))
    console.print(_errors(console, training != y, left_out != y))
    console.print(
        "Left out: each row is scored as if it had never been learned, so this is the error to expect on new rows. "
        "(Families and bins were chosen once, with all rows in view.)"
    )

    chance = model.posterior(table)[row]
    first, second = np.argsort(-chance)[:2]
    truth = "it is one" if y[row] == first else f"it is a {classes[y[row]]}"
    _heading(console, f"Why row {row} is called a {classes[first]} ({truth})")
    cells = columns.slice(row, 1).to_pylist()[0]
    console.print(_reasons(console, Explanation(model, table)[row], cells, first, second))
    together = ", ".join(f"{label} {p:.1%}" for label, p in zip(classes, chance, strict=True))
    console.print(
        "Log probabilities and densities, which add up to the score. The last column: how many times more probable "
        f"each line makes a {classes[first]} than a {classes[second]}. All together: {together}."
    )

    _heading(console, "What to type next")
    console.print(COMMANDS, markup=False, soft_wrap=True, end="")

    _heading(console, "What to type next, in Python")
    console.print(NEXT, markup=False, soft_wrap=True, end="")


def _heading(console: Console, text: str) -> None:
    console.print(f"\n[bold]{text}[/]")


def _table(console: Console, *columns: str, left: int) -> Table:
    """Names in the first columns, numbers right-aligned in the others; no lines in a pipe."""
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, header_style="bold")
    for at, column in enumerate(columns):
        table.add_column(column, justify="left" if at < left else "right", no_wrap=True)
    return table


def _families(console: Console, model: NaiveBayes, columns: Any) -> Table:
    table = _table(console, "column", "type", "family", "missing", left=3)
    for name, family in model.chosen.items():
        column = columns[name]
        table.add_row(str(name), str(column.type), type(family).__name__, str(column.null_count))
    return table


def _errors(console: Console, training: Any, left_out: Any) -> Table:
    table = _table(console, "", "wrong", "of", "error", "95 % interval", left=1)
    for name, wrong in (("on the rows it learned", training), ("on rows left out", left_out)):
        n = len(wrong)
        low, high = wilson(int(wrong.sum()), n)
        # The interval is for rows drawn anew; an error on rows that were learned has none.
        interval = f"{low:.1%} to {high:.1%}" if wrong is left_out else ""
        table.add_row(name, str(wrong.sum()), str(n), f"{wrong.mean():.1%}", interval)
    return table


def _reasons(console: Console, reasons: Reasons, cells: dict[str, Any], first: int, second: int) -> Table:
    classes = reasons.classes
    table = _table(console, "column", "value", *classes, f"{classes[first]} : {classes[second]}", left=2)

    def line(name: str, value: str, logs: Any, **options: Any) -> None:
        ratio = np.exp(logs[first] - logs[second])
        odds = f"{ratio:.2f} : 1" if ratio >= 1 else f"1 : {1 / ratio:.2f}"
        table.add_row(name, value, *(f"{log:.3f}" for log in logs), odds, **options)

    line("class prior", "", reasons.prior)
    for reason in reasons.reasons:
        value = cells[reason.column]
        line(reason.column, "missing" if value is None else str(value), reason.contributions)
    line("score", "", reasons.scores, style="bold")
    return table
