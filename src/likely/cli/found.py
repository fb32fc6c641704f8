"""What a model in a file says of rows with their classes: what reports and pictures are made of."""

from typing import Any

import numpy as np

from likely.cli.kept import Kept
from likely.cli.labelled import again
from likely.cli.sources import naming, opened
from likely.models.naive_bayes import Learned, NaiveBayes, count
from likely.report.findings import PERHAPS, Findings, findings, same_rows, sums
from likely.store import Stored


def found(stored: Stored, data: tuple[str, ...], target: str | None, encoding: str | None, rows: str) -> Findings:
    """Of up to as many rows as are kept, evenly spaced; all are counted, to tell whether the model has learned them."""
    kept, counted = Kept(), list[Learned]()
    with opened(data, stored.origin.missing, encoding, as_text=True) as source:
        for part in again(source, stored, target):
            with naming(source, part.batch):
                if rows == "auto":
                    counted.append(_counted(stored.model, part, counted))
            kept.add(part)
    if not kept.rows:
        raise ValueError(f"{data[0]}: there is no row in it")
    learned = rows == "learned" or (rows == "auto" and same_rows(stored.model, counted[-1]))
    if learned and kept.step > 1 and not isinstance(stored.model, NaiveBayes):
        raise ValueError(f"{kept.rows} rows are too many to judge by models without them; give it new rows")
    classes = np.unique(np.concatenate(kept.labels))
    notes = () if learned or rows == "new" else (PERHAPS,)
    return findings(stored, *kept.rows_of(classes, stored.origin.missing), classes, learned, kept.at, notes)


def _counted(model: Any, part: Any, before: list[Learned]) -> Learned:
    one = count([block.plan for block in sums(model)], part.table, part.classes, part.y, part.weight)
    return before.pop() + one if before else one
