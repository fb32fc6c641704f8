"""`likely evaluate`: a model on rows that it has not learned."""

from typing import Any

import click
import numpy as np

from likely.cli import options, output
from likely.cli.labelled_batches import batches_for_model, schema_of
from likely.cli.options import Reading
from likely.cli.sources import naming, opened
from likely.statistics import union
from likely.store import load
from likely.validation import Result


@click.command()
@options.model_file
@options.data
@options.target(options.SAME_CLASSES)
@options.files
@options.as_json
def command(model_file: str, data: tuple[str, ...], target: str | None, reading: Reading, as_json: bool) -> None:
    """Measure how often a model is wrong on rows that it has not learned.

    On rows that it has learned the figures are too good: `likely fit` and `likely describe` show the validation error.
    """
    stored = load(model_file)
    labels, probabilities, weights = [], [], list[Any]()
    with opened(data, reading, schema=schema_of(stored, target)) as source:
        for part in batches_for_model(source, stored, target):
            with naming(source, part.batch):
                probabilities.append(stored.predict_proba(part.sample.table))
            labels.append(part.sample.classes[part.sample.y])
            weights.append(part.sample.weight)
    y = np.concatenate(labels)
    classes, at, _ = union(stored.model.classes, np.unique(y))
    p = np.concatenate(probabilities)
    notes: tuple[str, ...] = ()
    if at is not None:  # classes that the model has never seen: it is always wrong there
        wider = np.zeros((len(p), len(classes)))
        wider[:, at.at] = p
        p = wider
        new = [str(label) for label in classes.tolist() if label not in stored.model.classes]
        notes = (f"The model has never learned {', '.join(new[:5])}.",)
    codes = np.searchsorted(classes, y).astype(np.int32)
    weight = None if weights[0] is None else np.concatenate(weights)
    result = Result(
        f"{model_file} on {len(y):,} rows",
        classes,
        np.arange(len(y)),
        codes,
        p.argmax(axis=1).astype(np.int32),
        p,
        weight,
        notes,
    )
    if as_json:
        output.json(figures(result))
    else:
        output.text(result)


def figures(result: Result) -> dict[str, Any]:
    return {
        "rows": len(result.y),
        "error": result.error,
        "interval": list(result.interval),
        "log_loss": result.log_loss,
        "brier": result.brier,
        "calibration_error": result.calibration_error,
        "classes": result.classes,
        "confusion": result.confusion,
    }
