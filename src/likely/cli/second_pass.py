"""The second pass of `likely fit --engine`: the leave-one-out figures of all rows, and labels that may be wrong."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from likely.cli import output
from likely.cli.evaluate import figures
from likely.cli.labelled_batches import batches_for_new_model
from likely.cli.loo_error import with_calibration
from likely.cli.options import Reading
from likely.cli.training import BatchCounter, TrainingRun
from likely.data.dataset import Dataset
from likely.engines.engine import Parts
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation.loo_totals import CalibrationMaps, LooTotals
from likely.validation.mislabelled import SHOWN
from likely.validation.part_audit import PartSuspect


@dataclass(frozen=True)
class SecondPass:
    """The figures of all rows, and the parts of the files that were read."""

    totals: LooTotals
    files: list[Dataset]

    def show(self) -> None:
        output.text(self.totals)
        output.heading("Labels to check")
        audit = self.totals.audit
        output.text(audit.shown([self.place(suspect) for suspect in audit.suspects[:SHOWN]], "row"))

    def place(self, suspect: PartSuspect) -> str:
        """The file of a row, and its number or line in the file."""
        part = self.files[suspect.partition]
        (file,) = part.files
        return part.place(file.path, file.start, suspect.row)

    def figures(self) -> dict[str, Any]:
        """For JSON."""
        audit = self.totals.audit
        suspects = [{**suspect._asdict(), "where": self.place(suspect)} for suspect in audit.suspects]
        return {**figures(self.totals), "noise": audit.noise, "labels_to_check": len(audit), "suspects": suspects}


def second_pass(
    source: Dataset, training: TrainingRun, parts: Parts[Dataset], target: str | None, reading: Reading, calibrate: bool
) -> SecondPass:
    """Reads the parts again, to validate the one model that was trained on them. The calibration for the audit is
    learned from the sample of rows."""
    ((name, model),) = training.models.items()
    _, audit = with_calibration(training.results[name], training.calibrated_by.get(name))
    maps = CalibrationMaps(audit, calibrate)
    totals = parts.total(partial(validate_files, training.counter, model, maps, target, reading))
    return SecondPass(totals, source.split())


def validate_files(
    counter: BatchCounter,
    model: NaiveBayesModel,
    maps: CalibrationMaps,
    target: str | None,
    reading: Reading,
    number: int,
    part: Dataset,
) -> LooTotals:
    """The figures of one part of the files, computed on the machine that reads it."""
    totals = LooTotals.empty(model.classes)
    for batch in batches_for_new_model(part, target, reading):
        of_batch = partial(LooTotals.of, model, maps, number=number, first=totals.rows)
        totals = totals + counter.apply(part, batch, of_batch)[1]
    return totals
