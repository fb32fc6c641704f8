"""`likely sample`: rows drawn from a model."""

import click
import numpy as np
import pyarrow as pa

from likely.cli import options
from likely.cli.write import Writer
from likely.store import load

PIECE = 100_000


@click.command()
@options.model_file
@click.option("-n", "--rows", type=click.IntRange(1), default=10, show_default=True, help="How many rows.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other seeds give other rows.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    help="A .csv, .tsv, .parquet or .jsonl file; else standard output.",
)
def command(model_file: str, rows: int, seed: int, output: str | None) -> None:
    """Draw rows from a model: a class, then each column given the class.

    They look like the rows learned as far as the model knows, and show what it does not.
    """
    stored = load(model_file)
    if not hasattr(stored.model, "sample"):
        raise ValueError(
            f"{model_file} is a logistic regression, which knows classes given rows and draws none; fit --model "
            "naive-bayes to sample"
        )
    rng = np.random.default_rng(seed)
    with Writer(output) as writer:
        for start in range(0, rows, PIECE):
            columns, y = stored.model.sample(min(PIECE, rows - start), rng)
            drawn = {str(name): pa.array(values, from_pandas=True) for name, values in columns.items()}
            writer.write(
                pa.table({**drawn, stored.origin.target or "class": pa.array(stored.model.classes[y].tolist())})
            )
