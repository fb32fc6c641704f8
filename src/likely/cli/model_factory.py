"""New models, and the families of their columns, as the options ask for."""

from dataclasses import replace
from typing import Any

import click

from likely.cli.options import Reading
from likely.cli.sources import Source
from likely.data.dataset import Dataset
from likely.families import MultivariateGaussian, Text
from likely.models.choosing.named import as_family
from likely.models.gaussian import GaussianModel
from likely.models.naive_bayes import NaiveBayesModel

Models = dict[str, Any]

LOGISTIC, BLEND = "logistic regression", "blend"
HELD = {LOGISTIC, BLEND}
"""Models that read their rows many times, and so hold them in memory."""


def new_models(
    kind: str,
    families: dict[str, Any],
    time_ordered: bool = False,
    structure: str = "auto",
    interactions: str = "auto",
) -> Models:
    """The models of a kind, by their names; for "auto", those that are compared."""
    found: Models = {}
    if kind in ("naive-bayes", "auto"):
        found["naive Bayes"] = NaiveBayesModel(families or "auto")
    if kind in ("gaussian", "auto"):
        found["Gaussian classifier"] = GaussianModel(MultivariateGaussian())
    if kind == "network":
        from likely.models.network.model import NetworkModel

        found["Bayes network"] = NetworkModel(families or "auto", structure=structure)
    if kind in ("logistic", "blend", "auto"):
        from likely.models.logistic.regression import LogisticModel

        # Mean error and log loss of 14 tables .106 and .237, of naive Bayes .137 and .327 (`python -m bench accuracy
        # --only blend`).
        model = LogisticModel(None, families=families or None, time_ordered=time_ordered)
        if kind == "logistic":
            found[LOGISTIC] = model
        else:
            found[BLEND] = replace(model, shrink_to="naive_bayes", interactions=pairs_of(interactions))
    return found


def pairs_of(interactions: str) -> Any:
    """Pairs of columns as the option names them."""
    if interactions in ("auto", "0"):
        return "auto" if interactions == "auto" else 0
    pairs = [tuple(column.strip() for column in pair.split(":")) for pair in interactions.split(",")]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        raise click.BadParameter(f"{interactions!r} is not auto, 0 or COLUMN:COLUMN,...", param_hint="'--interactions'")
    return pairs


def families_of(source: Source, reading: Reading) -> dict[str, Any]:
    """The families of the columns that the options name, or that mail and folders of texts always have."""
    schema = source.schema.columns if isinstance(source, Dataset) else ()
    named: dict[str, Any] = {column.name: Text() for column in schema if column.type == "text"}
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
