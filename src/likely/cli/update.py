"""What learning more and forgetting have in common."""

from likely.cli.labelled import again
from likely.cli.sources import naming, opened
from likely.models.naive_bayes import NaiveBayes
from likely.store import Stored, load, save


def counting(model_file: str) -> Stored:
    """The model, which must be one that counts."""
    stored = load(model_file)
    if not isinstance(stored.model, NaiveBayes):
        raise ValueError(
            f"{model_file} is a logistic regression, whose weights take nothing in or out; fit it again on all rows, "
            "or fit --model naive-bayes, which counts"
        )
    return stored


def updated(
    model_file: str, data: tuple[str, ...], target: str | None, encoding: str | None, output: str, forget: bool
) -> tuple[int, Stored]:
    """Writes the model with these rows learned or forgotten; how many they are, and the model."""
    stored, rows = counting(model_file), 0
    model = stored.model
    with opened(data, stored.origin.missing, encoding, as_text=True) as source:
        for part in again(source, stored, target):
            with naming(source, part.batch):
                change = model.forget if forget else model.learn
                change(part.table, part.classes, part.y, part.weight)
            rows += len(part.y)
    stored = stored._replace(origin=stored.origin.later(-rows if forget else rows))
    kept = stored.calibration  # which knows nothing of a class that is new
    kept = kept if kept is not None and len(kept.classes) == len(model.classes) else None
    save(output, model, stored.origin, kept, stored.calibrate)
    return rows, stored
