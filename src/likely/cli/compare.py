"""`likely compare`: compares kinds of model on the same rows, and recommends one."""

from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from likely.cli import options, output
from likely.cli.in_memory_table import read_all
from likely.cli.labelled_batches import kept_columns
from likely.cli.model_factory import GAUSSIAN, OPTIONS, families_of, new_models, not_gaussian
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.data import Sample
from likely.printing import percent
from likely.validation import Curve, learning_curve
from likely.validation.in_parts import PARTS, in_parts
from likely.validation.recommended import Recommendation, intervals, outlook, recommended

CELLS, SCORES, BYTES = 120_000, 1_000_000, 1 << 20
"""The most cells (rows times columns), scores (cells times classes) and bytes to use. Larger tables are sampled, so
that all models together take at most a few minutes: 2,000 rows took 170 s on one core of a busy machine for spambase
(57 numbers), and 12 s for telco-churn (19 columns).
"""
REPEATS = 6
SIZES = 5


@click.command()
@options.data
@options.target(options.CLASSES)
@options.picture(required=False)
@click.option(
    "--rows",
    type=click.IntRange(20),
    default=2000,
    show_default=True,
    help="The most rows to use; larger data are sampled at random.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random sample.")
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    path: str | None,
    rows: int,
    seed: int,
    reading: Reading,
    as_json: bool,
) -> None:
    """Compare kinds of model on the same rows, and recommend one. A learning curve is shown for each.

    The models are naive Bayes, a Gaussian classifier (if all columns are numbers), logistic regression, and the blend
    of naive Bayes and logistic regression. The simplest is recommended, unless another is better by more than chance.
    """
    if path is not None:
        from likely.report.picture import kind_of

        kind_of(path)
    with opened(data, reading, kept_columns(target, reading)) as source:
        named = families_of(source, reading)
        found = read_all(source, target, reading)
    if len(np.unique(found.y)) < 2:
        raise ValueError(f"all {len(found.y):,} rows are of one class; a comparison needs two or more")
    sample, note = found.sample(), []
    drawn = _random_rows(sample, found.size, rows, seed)
    if len(drawn) < len(sample):
        note = [
            f"Compared on a random sample of {len(drawn):,} of {len(sample):,} rows. `likely fit --model auto` "
            "uses the same rule on all rows."
        ]
        sample = sample.take(drawn)
    models, unfit = new_models("auto", named), not_gaussian(sample.table)
    if unfit is not None:
        del models[GAUSSIAN]
    y = sample.classes[sample.y]
    curve = learning_curve(
        models, sample.table, y, sizes=_sizes(y), repeats=REPEATS, sample_weight=sample.weight, seed=seed
    )
    judged = {name: in_parts(model.fit(sample), sample) for name, model in models.items()}
    best = recommended(judged)
    more = outlook(curve, best.model, len(y) < len(found.y))
    if path is not None:
        from likely.report import draw_curves

        draw_curves(curve).save(path)
    notes = [*note, *([] if unfit is None else [unfit])]
    if as_json:
        losses = {name: result.log_loss for name, result in judged.items()}
        output.json(_figures(curve, best, found.rows, len(y)) | {"log_losses": losses, "outlook": more, "notes": notes})
        return
    _print(curve, best)
    for line in (more, *notes):
        output.prose(line)


def _random_rows(sample: Sample, size: int, most: int, seed: int) -> NDArray[np.intp]:
    """All rows; or a sorted random sample of at most `most`, if all would take too long. `size` is in bytes."""
    n, columns, classes = len(sample), len(sample.table.names), len(sample.classes)
    most = min(most, CELLS // columns, SCORES // (columns * classes), n * BYTES // max(size, 1))
    most = max(20, 4 * classes, most)
    return np.sort(np.random.default_rng(seed).permutation(n)[:most])


def _sizes(y: Any) -> list[int]:
    classes = len(np.unique(y))
    most = int(np.floor(0.75 * len(y)))
    least = min(max(16, 3 * classes), most)
    return [int(size) for size in np.unique(np.geomspace(least, most, SIZES).round())]


def _figures(curve: Curve, best: Recommendation, rows: int, used: int) -> dict[str, Any]:
    def figures(values: Any) -> list[dict[str, float]]:
        mean, half = intervals(curve, values)
        return [{"mean": m, "half_interval": h} for m, h in zip(mean.tolist(), half.tolist(), strict=True)]

    return {
        "rows": rows,
        "compared_by": used,
        "sizes": curve.sizes,
        "models": {
            name: {"error": figures(curve.errors[name]), "log_loss": figures(curve.log_losses[name])}
            for name in curve.errors
        },
        "recommended": best.model,
        "model_option": OPTIONS[best.model],
        "reason": best.reason,
    }


def _print(curve: Curve, best: Recommendation) -> None:
    for title, of in (("Error", curve.errors), ("Log loss", curve.log_losses)):
        output.heading(f"{title} on held-out rows: mean of {REPEATS} random splits, with its 95 % interval")
        means = {name: intervals(curve, values) for name, values in of.items()}
        lines = [
            (f"{size:,}", *(_figure(title, mean[at], half[at]) for mean, half in means.values()))
            for at, size in enumerate(curve.sizes.tolist())
        ]
        output.table(("rows learned", *means), lines)
    output.heading(f"Recommended: {best.model} (likely fit --model {OPTIONS[best.model]})")
    output.prose(f"By {PARTS}-fold cross-validation, as in `likely fit --model auto`. {best.reason}")


def _figure(title: str, mean: float, half: float) -> str:
    return f"{100 * mean:.1f} ± {percent(half)}" if title == "Error" else f"{mean:.3f} ± {half:.3f}"
