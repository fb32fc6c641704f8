"""`likely validate`: how often a model of such data will be wrong, by one of four methods."""

import click

from likely.cli import options, show
from likely.cli.chosen import LOGISTIC, families_of, unlearned
from likely.cli.evaluate import told
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.cli.whole import whole
from likely.validation import Result, cross_validate, holdout, leave_one_out, replay

METHODS = ("left-out", "kfold", "holdout", "replay")
FITS = 20
"""Of logistic regression in a replay: it learns more by learning all anew."""


@click.command()
@options.data
@options.target("The column that holds the classes. Folders and mailboxes are classes by their names.")
@click.option(
    "--method", type=click.Choice(METHODS), default="left-out", show_default=True, help="How rows are kept back."
)
@click.option("-k", "--folds", type=click.IntRange(2), default=10, show_default=True, help="Parts, of kfold.")
@click.option("--seed", type=int, default=0, show_default=True, help="By which rows are drawn for kfold and holdout.")
@options.model_kind
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    method: str,
    folds: int,
    seed: int,
    kind: str,
    reading: Reading,
    as_json: bool,
) -> None:
    """Say how often a model of such data will be wrong, by rows that it has not learned. Nothing is written.

    left-out: each row by a model of all others. kfold: each of k parts by a model of the others. holdout: a part that
    is kept for the end. replay: in the order of the rows, each is answered and then learned. All rows are in memory.
    """
    with opened(data, reading.missing, reading.encoding) as source:
        named = families_of(source.kind, reading)
        rows = whole(source, target, reading)
        table, y, weight = rows.table(reading.missing), rows.y, rows.weight
        models = unlearned(kind, named, ordered=method == "replay" and source.kind == "table")
        if kind == "auto" and "category" in table.kinds:
            del models["Gaussian classifier"]
        found: dict[str, Result] = {}
        with rows.naming(source):
            for name, model in models.items():
                if method == "kfold":
                    found[name] = cross_validate(model, table, y, folds, sample_weight=weight, seed=seed)
                elif method == "holdout":
                    found[name] = holdout(model, table, y, sample_weight=weight, seed=seed)
                elif method == "replay":
                    batch = max(1, len(y) // FITS) if name == LOGISTIC else 1
                    found[name] = replay(model, table, y, batch=batch, sample_weight=weight)
                else:
                    found[name] = leave_one_out(model, table, y, sample_weight=weight)
    if as_json:
        show.printed_json({name: told(result) for name, result in found.items()})
    else:
        click.echo("\n\n".join(str(result) for result in found.values()))
