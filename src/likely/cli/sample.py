"""`likely sample`: samples random rows from a model."""

import click
import numpy as np
import pyarrow as pa

from likely.cli import options
from likely.cli.row_writer import RowWriter
from likely.store import load

PIECE = 100_000


@click.command()
@options.model_file
@click.option("-n", "--rows", type=click.IntRange(1), default=10, show_default=True, help="How many rows.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random rows.")
@options.output_rows
def command(model_file: str, rows: int, seed: int, path: str | None) -> None:
    """Sample rows from a model: first the class, then each column conditional on the class.

    The rows show what the model has learned about the data, and what it has not.
    """
    options.check_output(path, model_file)
    stored = load(model_file)
    if not hasattr(stored.model, "sample"):
        raise ValueError(
            f"{model_file} is a logistic regression, which has no distribution of rows; use fit --model "
            "naive-bayes to sample"
        )
    rng = np.random.default_rng(seed)
    with RowWriter(path) as writer:
        for start in range(0, rows, PIECE):
            columns, y = stored.model.sample(min(PIECE, rows - start), rng)
            drawn = {str(name): pa.array(values, from_pandas=True) for name, values in columns.items()}
            writer.write(
                pa.table({**drawn, stored.origin.target or "class": pa.array(stored.model.classes[y].tolist())})
            )
