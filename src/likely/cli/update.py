"""Updates a model file: learns or forgets rows."""

from likely.cli.labelled_batches import batches_for_model, schema_of
from likely.cli.options import Reading
from likely.cli.sources import naming, opened
from likely.data.row_digest import RowDigest
from likely.store import Stored, load, save


def counting(model_file: str) -> Stored:
    """The model in a file. Raises ValueError if it is not a model that counts rows."""
    stored = load(model_file)
    if not stored.model.counts_rows:
        raise ValueError(
            f"{model_file} is a logistic regression, which can't add or remove rows; fit it again on all rows, "
            "or use fit --model naive-bayes"
        )
    return stored


def updated(
    model_file: str, data: tuple[str, ...], target: str | None, reading: Reading, output: str, forget: bool
) -> tuple[int, Stored]:
    """Learns or forgets these rows, writes the model, and returns the number of rows and the model."""
    stored, rows = counting(model_file), 0
    model, digest = stored.model, stored.digest
    with opened(data, reading, schema=schema_of(stored, target)) as source:
        for part in batches_for_model(source, stored, target):
            with naming(source, part.batch):
                model = model.forget(part.sample) if forget else model.learn(part.sample)
            rows += len(part.sample)
            if digest is not None:
                of_part = RowDigest.of(part.marks)
                digest = digest - of_part if forget else digest + of_part
    stored = stored._replace(model=model, origin=stored.origin.later(-rows if forget else rows))
    kept = stored.calibration  # it is dropped if there is a new class, which it does not know
    kept = kept if kept is not None and len(kept.classes) == len(model.classes) else None
    save(output, model, stored.origin, kept, stored.calibrate, digest=digest)
    return rows, stored
