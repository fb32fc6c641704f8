"""`likely describe`: shows what is in a model file."""

from typing import Any

import click
import numpy as np

from likely.cli import options, output
from likely.models.describe import Description, describe
from likely.printing import percent
from likely.store import Stored, load

SHOWN = 8
"""How many classes have a column of their own."""


@click.command()
@options.model_file
@click.option("--all", "everything", is_flag=True, help="Show the parameters of all columns, however many.")
@options.as_json
def command(model_file: str, everything: bool, as_json: bool) -> None:
    """Show what a model knows: its classes, columns and parameters, and the data that it learned from."""
    stored = load(model_file)
    description = describe(stored.model) if stored.model.counts_rows else _weights(stored.model)
    facts = _facts(stored)
    facts["parameters"] = description.free_parameters
    if as_json:
        named = [{"column": c, "parameter": name, "values": values} for c, name, values in description.lines]
        output.json({**facts, "lines": named})
        return
    for name, value in facts.items():
        if name not in ("classes", "columns") and value is not None:
            output.text(f"{name.replace('_', ' ')}: {value}")
    output.heading("Classes")
    rows = [
        (label, f"{count:,g}", percent(p))
        for (label, count), p in zip(facts["classes"].items(), description.prior, strict=True)
    ]
    output.table(("class", "rows", "prior"), rows)
    output.heading("Columns")
    output.table(("column", "family"), list(facts["columns"].items()), "<<")
    output.heading("Parameters")
    shown = slice(SHOWN)
    lines = [(c, name, *(f"{value:.6g}" for value in values[shown])) for c, name, values in description.lines]
    most = len(lines) if everything else LINES
    output.table(("column", "parameter", *map(str, description.classes[shown].tolist())), lines[:most], "<<>")
    if len(lines) > most:
        output.text(f"and {len(lines) - most:,} more; --all shows them")


LINES = 60


def _weights(model: Any) -> Description:
    """The coefficients of a logistic regression, the largest first. With two classes, only the second has any."""
    weights, bias = model.weights
    share, none = (
        model.class_counts / model.class_counts.sum(),
        [np.zeros(len(bias))] * (len(model.classes) - len(bias)),
    )
    order = np.argsort(-np.abs(weights).max(axis=0), kind="stable").tolist()
    features = model.features
    lines = [("bias", "", np.append(none, bias))]
    for j in order:
        column, value = features[j]
        column = " × ".join(map(str, column)) if isinstance(column, tuple) else column
        lines.append((column, "" if value is None else _value(value), np.append(none, weights[:, j])))
    return Description(model.classes, share, lines, weights.size + bias.size, None)


def _value(value: Any) -> str:
    """The edges of a bin, both nodes of a pair, or the category of an indicator, as text."""
    if not isinstance(value, tuple):
        return str(value)
    bin_ = all(isinstance(end, float) for end in value)
    return f"{value[0]:.6g} to {value[1]:.6g}" if bin_ else ", ".join(map(str, value))


def _facts(stored: Stored) -> dict[str, Any]:
    model, origin = stored.model, stored.origin
    error = (
        None
        if origin.wrong is None or not origin.left_out
        else f"{percent(origin.wrong / origin.left_out)} of {origin.left_out:,} rows"
    )
    return {
        "model": model.title,
        "written": f"{origin.date} by Likely {stored.version}",
        "learned_from": f"{origin.source}, {'weighted' if origin.rows is None else f'{origin.rows:,}'} rows",
        "target": origin.target,
        "weights": origin.weights,
        "missing": origin.missing,
        "validation_error": error,
        "calibration": None if stored.calibration is None else stored.calibration.how,
        "C": None if model.counts_rows else model.c,
        "pairs": None if model.counts_rows else ", ".join(f"{a} × {b}" for a, b in model.design.pairs) or None,
        "classes": dict(zip(map(str, model.classes.tolist()), model.class_counts.tolist(), strict=True)),
        "columns": {str(name): repr(family) for name, family in model.chosen_families.items()},
    }
