"""`likely explain`: why a row gets its class."""

from typing import Any

import click
import numpy as np

from likely.cli import options, show
from likely.cli.labelled import as_number, columns_of
from likely.cli.sources import naming, opened
from likely.data import Table, read
from likely.models.explain import Explanation, Explanations, Reasons
from likely.models.naive_bayes import NaiveBayes
from likely.store import load


@click.command()
@options.model_file
@options.data
@click.option("--row", type=click.IntRange(0), default=0, show_default=True, help="The row to explain; the first is 0.")
@options.encoding
@options.as_json
def command(model_file: str, data: tuple[str, ...], row: int, encoding: str | None, as_json: bool) -> None:
    """Show why a row gets its class: what each column adds, or each word, and the class prior, as logarithms.

    They sum to the score; the class with the highest is the answer, unless probabilities are calibrated. The last
    column is how much each line speaks for the winner against the runner-up.
    """
    stored = load(model_file)
    rows = 0
    with opened(data, stored.origin.missing, encoding, as_text=True) as source:
        for batch in source:
            if row < rows + batch.table.num_rows:
                with naming(source, batch):
                    columns = columns_of(stored, batch.table.slice(row - rows, 1))
                    table = read(columns, as_number(stored.origin.missing))
                    reasons, chance = explanation(stored.model, table)[0], stored.posterior(table)[0]
                break
            rows += batch.table.num_rows
        else:
            raise ValueError(f"there are {rows} rows, and no row {row}; the first is 0")
    first = int(chance.argmax())
    if as_json:
        show.printed_json(_told(reasons, chance))
        return
    click.echo(f"row {row}: {reasons.classes[first]}, with probability {chance[first]:.4f}")
    click.echo(str(reasons))


def explanation(model: Any, table: Table) -> Explanations:
    if isinstance(model, NaiveBayes):
        return Explanation(model, table)
    from likely.models.logistic.reasons import LogisticExplanation

    return LogisticExplanation(model, table)


def _told(reasons: Reasons, chance: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, object]:
    classes = reasons.classes.tolist()

    def by_class(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, float]:
        return dict(zip(map(str, classes), values.tolist(), strict=True))

    return {
        "prediction": classes[int(chance.argmax())],
        "probability": by_class(chance),
        reasons.begins.replace(" ", "_"): by_class(reasons.prior),
        "reasons": [{"column": r.column, "value": r.value, "adds": by_class(r.contributions)} for r in reasons.ranked],
        "score": by_class(reasons.scores),
    }
