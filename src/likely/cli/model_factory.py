"""Makes new models, and the families of their columns, from the options."""

from dataclasses import replace
from typing import Any

import click

from likely.cli.options import Reading
from likely.cli.sources import Source
from likely.data import Table
from likely.data.dataset import Dataset
from likely.families import Categorical, MultivariateGaussian, Text
from likely.models.choosing.named import as_family
from likely.models.gaussian import GaussianModel
from likely.models.naive_bayes import NaiveBayesModel

Models = dict[str, Any]

NAIVE_BAYES, GAUSSIAN, LOGISTIC, BLEND = "naive Bayes", "Gaussian classifier", "logistic regression", "blend"
OPTIONS = {NAIVE_BAYES: "naive-bayes", GAUSSIAN: "gaussian", LOGISTIC: "logistic", BLEND: "blend"}
"""Their names as values of `--model`."""
HELD = {LOGISTIC, BLEND}
"""Models that read their rows many times, and so hold them in memory."""
HELD_KINDS = ("logistic", "blend", "auto")
"""The values of `--model` that need such a model."""
WIDEST = 100
"""The most columns for which the Gaussian classifier is compared: with 300 columns, 300 rows take seven seconds to
fit."""


def new_models(
    kind: str,
    families: dict[str, Any],
    time_ordered: bool = False,
    structure: str = "auto",
    interactions: str = "auto",
) -> Models:
    """The models of a kind, by name; for "auto", all models to compare, the simplest first."""
    found: Models = {}
    if kind in ("naive-bayes", "auto"):
        found[NAIVE_BAYES] = NaiveBayesModel(families or "auto")
    if kind in ("gaussian", "auto"):
        found[GAUSSIAN] = GaussianModel(MultivariateGaussian())
    if kind == "network":
        from likely.models.network.model import NetworkModel

        found["Bayes network"] = NetworkModel(families or "auto", structure=structure)
    if kind in HELD_KINDS:
        from likely.models.logistic.regression import LogisticModel

        # Mean error and log loss of 18 tables .120 and .274, of HistGradientBoosting .124 and .332 (`python -m bench
        # accuracy --only peers`).
        model = LogisticModel(None, families=families or None, time_ordered=time_ordered)
        if kind in ("logistic", "auto"):
            found[LOGISTIC] = model
        if kind in ("blend", "auto"):
            found[BLEND] = replace(model, shrink_to="naive_bayes", interactions=pairs_of(interactions))
    return found


def not_gaussian(table: Table) -> str | None:
    """A sentence on why the Gaussian classifier is not compared on these columns; None if it is."""
    other = _no_number(table)
    if other is None and len(table.names) <= WIDEST:
        return None
    why = f"there are {len(table.names):,} columns" if other is None else f"column {other!r} has other values"
    return f"Not compared: the Gaussian classifier needs numbers, in at most {WIDEST} columns, and {why}."


def must_be_numbers(models: Models, table: Table) -> None:
    """Raises where the Gaussian classifier is the only model, and cannot read a column."""
    if list(models) == [GAUSSIAN] and (other := _no_number(table)) is not None:
        raise ValueError(
            f"the Gaussian classifier needs numbers, and column {other!r} has other values; leave it out by --ignore, "
            "or use --model naive-bayes"
        )


def _no_number(table: Table) -> Any:
    """The first column that holds no numbers."""
    kinds = zip(table.names, table.kinds, strict=True)
    return next((name for name, kind in kinds if kind in ("category", "text")), None)


def pairs_of(interactions: str) -> Any:
    """The value of `--interactions`: "auto", 0 or pairs of columns."""
    if interactions in ("auto", "0"):
        return "auto" if interactions == "auto" else 0
    pairs = [tuple(column.strip() for column in pair.split(":")) for pair in interactions.split(",")]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        raise click.BadParameter(f"{interactions!r} is not auto, 0 or COLUMN:COLUMN,...", param_hint="'--interactions'")
    return pairs


def families_of(source: Source, reading: Reading) -> dict[str, Any]:
    """The families of columns that the options name, and those that mail and folders of texts always have."""
    schema = source.schema.columns if isinstance(source, Dataset) else ()
    named: dict[str, Any] = {column.name: Text() for column in schema if column.type == "text"}
    if isinstance(source, Dataset):
        named |= {name: Categorical() for name in _whole_texts(source)}
    for part in reading.families.split(",") if reading.families else ():
        column, equals, family = part.rpartition("=")
        if not equals:
            raise click.BadParameter(f"{part!r} is not COLUMN=FAMILY.", param_hint="'--families'")
        try:
            named[column.strip()] = as_family(family.strip().replace("-", "_"))
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--families'") from None
    if source.kind == "mail":
        from likely.mail import READ_AS

        return {**READ_AS, **named}
    return {"text": Text(), **named} if source.kind == "texts" else named


def _whole_texts(source: Dataset) -> list[str]:
    """Columns that the user has declared as categories, and that would otherwise be read as words, because most of
    their texts are different."""
    given = [name for name, column in source.given.items() if column.type == "category"]
    return [name for name in given if source.summaries[name].distinct_share > 0.5]
