"""`likely explain`: shows why a class is predicted for a row."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
import numpy as np

from likely.cli import options, output
from likely.cli.labelled_batches import columns_of, schema_of
from likely.cli.options import Reading
from likely.cli.sources import Source, naming, opened
from likely.data import read
from likely.data.dataset import Dataset
from likely.data.dates import shown
from likely.models.explain import Reasons, explanation
from likely.store import load


@click.command()
@options.model_file
@options.data
@click.option("--row", type=click.IntRange(0), default=0, show_default=True, help="The row to explain; the first is 0.")
@options.files
@options.as_json
def command(model_file: str, data: tuple[str, ...], row: int, reading: Reading, as_json: bool) -> None:
    """Show why a class is predicted for a row: what each column adds to the scores of the classes.

    The class prior and each column or word add a logarithm; these sum to the score of a class. The class with the
    highest score is predicted, unless probabilities are calibrated. The last column is what each line adds to the
    log-odds of this class against the second.
    """
    stored = load(model_file)
    rows = 0
    with opened(data, reading, schema=schema_of(stored)) as source:
        for batch in source:
            if row < rows + batch.table.num_rows:
                with naming(source, batch._replace(first=batch.first + row - rows)):
                    table = read(columns_of(stored, source, batch.table.slice(row - rows, 1)))
                    reasons, cell = explanation(stored.model, table)[0], dated(source)
                    read_as = [each._replace(value=cell(each.column, each.value)) for each in reasons.reasons]
                    reasons = replace(reasons, reasons=read_as)
                    chance = stored.predict_proba(table)[0]
                break
            rows += batch.table.num_rows
        else:
            raise ValueError(f"there is no row {row}: there are {rows:,} rows, and the first is 0")
    first = int(chance.argmax())
    if as_json:
        output.json(_figures(reasons, chance))
        return
    output.text(f"row {row}: {reasons.classes[first]}, with probability {chance[first]:.4f}")
    output.text(reasons)


def dated(source: Source) -> Callable[[Any, Any], Any]:
    """A function from a column and its cell to the value to show: a date instead of the number that stands for it."""
    if not isinstance(source, Dataset):
        return lambda column, value: value
    columns = [column for column in source.schema.columns if column.type in ("date", "time")]
    return lambda column, value: shown(columns, str(column), value) if columns else value


def _figures(reasons: Reasons, chance: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, object]:
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
