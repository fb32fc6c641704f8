"""The findings that reports and figures show: a model from a file on labelled rows."""

import numpy as np

from likely.cli.labelled_batches import batches_for_model, schema_of
from likely.cli.options import Reading
from likely.cli.row_sample import RowSample
from likely.cli.sources import naming, opened
from likely.models.learned import Learned, count
from likely.report.findings import PERHAPS, Findings, findings, same_rows
from likely.store import Stored


def findings_of(stored: Stored, data: tuple[str, ...], target: str | None, reading: Reading, learned: str) -> Findings:
    """On an evenly spaced sample of the rows. All rows are counted, to find out whether the model has learned them."""
    rows, counted = RowSample(), list[Learned]()
    with opened(data, reading, schema=schema_of(stored, target)) as source:
        for part in batches_for_model(source, stored, target):
            with naming(source, part.batch):
                if learned == "auto":
                    one = count(stored.model.blocks, part.sample)
                    counted = [counted[0] + one if counted else one]
            rows.add(part)
    if not rows.rows:
        raise ValueError(f"{data[0]}: there is no row in it")
    same = learned == "yes" or (learned == "auto" and same_rows(stored.model, counted[0]))
    if same and rows.step > 1 and not stored.model.counts_rows:
        raise ValueError(f"{rows.rows:,} learned rows are too many for cross-validation here; use new rows")
    sample = rows.sample(np.unique(np.concatenate(rows.labels)))
    notes = () if same or learned == "no" else (PERHAPS,)
    return findings(stored, sample, same, rows.at, notes)
