"""The findings that reports and figures show, for a model from a file on labelled rows."""

from dataclasses import replace

import numpy as np

from likely.cli.labelled_batches import batches_for_model, schema_of
from likely.cli.options import Reading
from likely.cli.sources import naming, opened
from likely.data.dataset import Dataset
from likely.data.findings import TargetSummary
from likely.data.row_digest import Marks
from likely.fitting.part_totals import PartTotals
from likely.report.findings import Findings, findings, same_rows
from likely.store import Stored
from likely.validation.learned_rows import PERHAPS, Judged, judged_by


def findings_of(stored: Stored, data: tuple[str, ...], target: str | None, reading: Reading, learned: str) -> Findings:
    """The findings on a random sample of the rows. The digest of the model shows whether it has learned them. Without a
    digest, all rows are counted, and the counts are compared with those of the model."""
    totals, marks = PartTotals(), list[Marks]()
    digest = stored.digest if learned == "auto" else None
    plans = {"": stored.model.blocks} if learned == "auto" and digest is None else {}
    with opened(data, reading, schema=schema_of(stored, target)) as source:
        for part in batches_for_model(source, stored, target):
            with naming(source, part.batch):
                totals = totals + PartTotals.of(plans, part.sample, totals.count)
            if digest is not None:
                marks.append(part.marks)
    if not totals.count:
        raise ValueError(f"{data[0]}: there are no rows in it")
    rows = totals.rows
    if digest is not None:
        judged = judged_by(digest, np.concatenate(marks)[rows.at])
    elif learned == "auto":
        same = same_rows(stored.model, totals.counted[""])
        judged = Judged(np.arange(rows.count), same, "" if same else PERHAPS, same)
    else:
        judged = Judged(np.arange(rows.count), learned == "yes")
    if judged.learned and rows.step > 1 and not stored.model.counts_rows:
        raise ValueError(f"{rows.rows:,} learned rows are too many for cross-validation here; use new rows")
    sample = rows.joined.known()
    found = findings(stored, sample, judged, rows.at)
    if not isinstance(source, Dataset):
        return found
    classes = dict(zip(sample.classes.tolist(), np.bincount(sample.y).tolist(), strict=True))
    return replace(found, checks=source.findings(TargetSummary(target or stored.origin.target or "", classes)))
