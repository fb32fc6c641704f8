"""`likely describe`: what is in a model file."""

from typing import Any

import click
import numpy as np

from likely.cli import options, show
from likely.models.describe import Description, describe
from likely.models.naive_bayes import NaiveBayes
from likely.store import Stored, load

SHOWN = 8
"""Classes that have a column each."""
NAMES = {"Gaussian": "Gaussian classifier", "LogisticRegression": "logistic regression"}


@click.command()
@options.model_file
@click.option("--all", "everything", is_flag=True, help="Show the parameters of all columns, however many.")
@options.as_json
def command(model_file: str, everything: bool, as_json: bool) -> None:
    """Show what a model knows: its classes, columns and parameters. And where it comes from."""
    stored = load(model_file)
    description = describe(stored.model) if isinstance(stored.model, NaiveBayes) else _weights(stored.model)
    told = _told(stored)
    told["parameters"] = description.free_parameters
    if as_json:
        named = [{"column": c, "parameter": name, "values": values} for c, name, values in description.lines]
        show.printed_json({**told, "lines": named})
        return
    for name, value in told.items():
        if name not in ("classes", "columns") and value is not None:
            click.echo(f"{name.replace('_', ' ')}: {value}")
    show.heading("Classes")
    rows = [
        (label, f"{count:g}", f"{p:.4g}")
        for (label, count), p in zip(told["classes"].items(), description.prior, strict=True)
    ]
    show.table(("class", "rows", "probability"), rows)
    show.heading("Columns")
    show.table(("column", "family"), list(told["columns"].items()), left=2)
    show.heading("Parameters")
    shown = slice(SHOWN)
    lines = [(c, name, *(f"{value:.6g}" for value in values[shown])) for c, name, values in description.lines]
    most = len(lines) if everything else LINES
    show.table(("column", "parameter", *map(str, description.classes[shown].tolist())), lines[:most], left=2)
    if len(lines) > most:
        click.echo(f"and {len(lines) - most} more; --all shows them")


LINES = 60


def _weights(model: Any) -> Description:
    """The weights of a logistic regression, the largest first; of two classes, those of the second."""
    weights, bias = model.weights
    share, none = model.counts / model.counts.sum(), [np.zeros(len(bias))] * (len(model.classes) - len(bias))
    order = np.argsort(-np.abs(weights).max(axis=0), kind="stable").tolist()
    features = model.design.features
    lines = [("bias", "", np.append(none, bias))]
    for j in order:
        column, value = features[j]
        lines.append((column, "" if value is None else _value(value), np.append(none, weights[:, j])))
    return Description(model.classes, share, lines, weights.size + bias.size, None)


def _value(value: Any) -> str:
    return f"{value[0]:.6g} to {value[1]:.6g}" if isinstance(value, tuple) else str(value)


def _told(stored: Stored) -> dict[str, Any]:
    model, origin = stored.model, stored.origin
    error = (
        None
        if origin.wrong is None or not origin.left_out
        else f"{origin.wrong / origin.left_out:.4f} of {origin.left_out} rows"
    )
    return {
        "model": NAMES.get(type(model).__name__, "naive Bayes"),
        "written": f"{origin.date} by Likely {stored.version}",
        "learned_from": f"{origin.source}, {'weighted' if origin.rows is None else origin.rows} rows",
        "target": origin.target,
        "weights": origin.weights,
        "missing": origin.missing,
        "error_left_out": error,
        "calibration": None if stored.calibration is None else stored.calibration.how,
        "C": getattr(model, "c", None),
        "classes": dict(zip(map(str, model.classes.tolist()), model.counts.tolist(), strict=True)),
        "columns": {str(name): repr(family) for name, family in model.chosen.items()},
    }
