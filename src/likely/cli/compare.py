"""`likely compare`: several kinds of model on the same rows, and which of them to take."""

from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from likely.cli import options, show
from likely.cli.chosen import families_of
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.cli.whole import whole
from likely.data import Table
from likely.families import MultivariateGaussian
from likely.models.gaussian import Gaussian
from likely.models.logistic.regression import LogisticRegression
from likely.models.naive_bayes import NaiveBayes
from likely.validation import Curve, learning_curve
from likely.validation.recommended import Recommendation, intervals, recommended

CELLS, SCORES, BYTES = 120_000, 1_000_000, 1 << 20
"""Rows times columns that are compared by, at the most; the same times classes; and bytes. Of more, so many rows are
drawn, by which all models together take about a minute: 2,000 rows of spambase's 57 numbers took 67 s of one core, of
adult's 14 columns 17 s.
"""
WIDEST = 100
"""Columns of numbers that the Gaussian classifier is tried on: of 300, 300 rows take it seven seconds to fit."""
REPEATS = 8
SIZES = 5


@click.command()
@options.data
@options.target("The column that holds the classes. Folders and mailboxes are classes by their names.")
@options.picture(required=False)
@click.option(
    "--rows",
    type=click.IntRange(20),
    default=2000,
    show_default=True,
    help="Rows to compare by; of more, so many are drawn.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="By which rows are drawn.")
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    output: str | None,
    rows: int,
    seed: int,
    reading: Reading,
    as_json: bool,
) -> None:
    """Compare kinds of model on the same rows, and say which to take: by how many they have learned.

    They are naive Bayes, a Gaussian classifier where all columns are numbers, logistic regression, and the dial between
    the first and the last. The simplest is recommended, unless another is better by more than chance.
    """
    if output is not None:
        from likely.report.picture import kind_of

        kind_of(output)
    with opened(data, reading.missing, reading.encoding) as source:
        named = families_of(source.kind, reading)
        found = whole(source, target, reading)
    if len(np.unique(found.y)) < 2:
        raise ValueError(f"all {len(found.y)} rows are of one class; two or more are needed to tell them apart")
    table, y, weight = found.table(reading.missing), found.y, found.weight
    drawn = _drawn(table, y, found.size, rows, seed)
    note = []
    if len(drawn) < len(y):
        note = [f"{len(drawn)} of {len(y)} rows were drawn to compare by."]
        table, y, weight = table.take(drawn), y[drawn], None if weight is None else weight[drawn]
    models, left_out = _models(table, named)
    curve = learning_curve(models, table, y, sizes=_sizes(y), repeats=REPEATS, sample_weight=weight, seed=seed)
    best = recommended(curve, list(models))
    if output is not None:
        from likely.report import draw_curves

        draw_curves(curve).save(output)
    notes = [*note, *left_out]
    if as_json:
        show.printed_json(_told(curve, best, found.rows, len(y), notes))
        return
    _print(curve, best, notes)


def _drawn(table: Table, y: NDArray[Any], size: int, most: int, seed: int) -> NDArray[np.intp]:
    """Some of the rows, in their order, where all would take too long."""
    n, columns, classes = len(y), len(table.names), len(np.unique(y))
    most = min(most, CELLS // columns, SCORES // (columns * classes), n * BYTES // max(size, 1))
    most = max(20, 4 * classes, most)
    return np.sort(np.random.default_rng(seed).permutation(n)[:most])


def _models(table: Table, named: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The simplest first, and why one is not among them."""
    families: Any = named or "auto"
    models: dict[str, Any] = {"naive Bayes": NaiveBayes(families)}
    notes = []
    other = next(
        (name for name, kind in zip(table.names, table.kinds, strict=True) if kind in ("category", "text")), None
    )
    if other is None and len(table.names) <= WIDEST:
        models["Gaussian"] = Gaussian(MultivariateGaussian())
    else:
        why = f"{len(table.names)} columns are many" if other is None else f"column {other!r} holds none"
        notes.append(f"The Gaussian classifier reads numbers, some {WIDEST} columns at the most, and {why}: left out.")
    models["logistic"] = LogisticRegression("auto", families=named or None)
    models["dial"] = LogisticRegression("auto", shrink_to="naive_bayes", families=families)
    return models, notes


def _sizes(y: Any) -> list[int]:
    classes = len(np.unique(y))
    most = int(np.floor(0.75 * len(y)))
    least = min(max(16, 3 * classes), most)
    return [int(size) for size in np.unique(np.geomspace(least, most, SIZES).round())]


def _told(curve: Curve, best: Recommendation, rows: int, used: int, notes: list[str]) -> dict[str, Any]:
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
        "reason": best.reason,
        "outlook": best.outlook,
        "notes": notes,
    }


def _print(curve: Curve, best: Recommendation, notes: list[str]) -> None:
    for title, of in (("Error", curve.errors), ("Log loss", curve.log_losses)):
        show.heading(f"{title} on rows held out, with 95 % intervals of the mean of {REPEATS} draws")
        means = {name: intervals(curve, values) for name, values in of.items()}
        lines = [
            (f"{size:,}", *(f"{mean[at]:.4f} ± {half[at]:.4f}" for mean, half in means.values()))
            for at, size in enumerate(curve.sizes.tolist())
        ]
        show.table(("rows learned", *means), lines)
    show.heading(f"Take {best.model}.")
    click.echo(f"{best.reason} {best.outlook}".strip())
    for note in notes:
        click.echo(note)
