"""`likely validate`: estimates how often a model will be wrong, in the same way as `fit`, or by one of four methods."""

import click

from likely.cli import options, output
from likely.cli.evaluate import figures
from likely.cli.in_memory_table import findings_of_rows, read_all
from likely.cli.labelled_batches import kept_columns
from likely.cli.model_factory import GAUSSIAN, HELD, OPTIONS, families_of, must_be_numbers, new_models, not_gaussian
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.engines.steps import announced_to
from likely.validation import Result, cross_validate, holdout, leave_one_out, replay
from likely.validation.in_parts import PARTS, in_parts
from likely.validation.recommended import recommended

METHODS = ("loo", "kfold", "holdout", "replay")
FITS = 20
"""How often logistic regression or the blend is fitted in a replay: each time to all rows so far."""


@click.command()
@options.data
@options.target(options.CLASSES)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help=f"How rows are held out; by default as in fit: {PARTS} folds for logistic, blend and auto, otherwise loo.",
)
@click.option(
    "-k", "--folds", type=click.IntRange(2), default=10, show_default=True, help="Number of folds, for kfold."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random folds and splits.")
@options.model_kind
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    method: str | None,
    folds: int,
    seed: int,
    kind: str,
    reading: Reading,
    as_json: bool,
) -> None:
    """Estimate how often a model of your data will be wrong on rows that it has not learned. Nothing is written.

    loo: leave-one-out. kfold: k-fold cross-validation. holdout: one random split. replay: in the order of the rows,
    each row is predicted, and then learned. All rows are held in memory.
    """
    with opened(data, reading, kept_columns(target, reading)) as source:
        named = families_of(source, reading)
        rows = read_all(source, target, reading)
        sample = rows.sample()
        findings = findings_of_rows(source, target, rows)
        table, y, weight = sample.table, sample.classes[sample.y], sample.weight
        models = new_models(kind, named, time_ordered=method == "replay" and source.kind == "table")
        must_be_numbers(models, table)
        if kind == "auto" and not_gaussian(table):
            del models[GAUSSIAN]
        found: dict[str, Result] = {}
        with rows.naming(source):
            for name, model in models.items():
                if method == "kfold":
                    found[name] = cross_validate(model, table, y, folds, sample_weight=weight, seed=seed)
                elif method == "holdout":
                    found[name] = holdout(model, table, y, sample_weight=weight, seed=seed)
                elif method == "replay":
                    batch = max(1, len(y) // FITS) if name in HELD else 1
                    found[name] = replay(model, table, y, batch=batch, sample_weight=weight)
                elif method is None and (kind == "auto" or name in HELD):
                    with announced_to(output.passing):
                        found[name] = in_parts(model.fit(sample), sample)
                else:
                    found[name] = leave_one_out(model, table, y, sample_weight=weight)
    if as_json:
        output.json({name: figures(result) for name, result in found.items()})
    else:
        output.findings(findings)
        output.prose("\n\n".join(str(result) for result in found.values()))
        if len(found) > 1 and method is None:  # other methods do not judge all models in the same way
            best = recommended(found)
            output.heading(f"Recommended: {best.model} (likely fit --model {OPTIONS[best.model]})")
            output.prose(best.reason)
