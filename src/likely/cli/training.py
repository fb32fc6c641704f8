"""The training of models on a stream of batches, and their validation."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from likely.cli import output
from likely.cli.in_memory_table import InMemoryTable
from likely.cli.labelled_batches import LabelledBatch, without_cell
from likely.cli.loo_error import loo_result
from likely.cli.model_factory import HELD, Models
from likely.cli.row_sample import RowSample
from likely.cli.sources import Source, naming
from likely.data import Sample
from likely.data.dataset import Dataset
from likely.errors import BadCell, EmptyColumns
from likely.families import Plan
from likely.models.learned import Learned, count
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import Result
from likely.validation.in_parts import in_parts

MOST_BYTES = 1 << 30
"""The most bytes of columns that logistic regression or the blend, which read their rows many times, hold in memory."""
CONSIDERED_BYTES = 64 << 20
"""The same where it is one of several models, and should not take much longer than the others."""
MOST_CLASSES = 10_000
"""With 50,000 classes the probabilities of the validated rows alone would take 18.6 GiB."""


class TrainingRun:
    """The models by their names, and their predictions for rows that they have not learned."""

    def __init__(self, source: Source, models: Models, chosen_by: Sample) -> None:
        """Families and bins are chosen by a sample of rows from all over the data."""
        self.source, self.models = source, models
        self.optional = len(models) > 1
        if any(kind == "category" for kind in chosen_by.table.kinds) and self.optional:
            self.models.pop("Gaussian classifier", None)
        self.sample = RowSample()
        self.in_memory = InMemoryTable() if HELD & models.keys() else None
        self.missing: dict[str, int] = {}
        self.classes: dict[Any, int] = {}
        """The rows of each class."""
        self.late: dict[str, int] = {}
        """Classes that families were chosen without, and the row where each first occurs."""
        self.known = set(chosen_by.classes.tolist())
        self.plans: dict[str, Sequence[Plan]] = {name: model.plans(chosen_by) for name, model in self._counting.items()}
        self.counted: dict[str, Learned] = {}
        self.results: dict[str, Result] = {}
        self.compared: dict[str, Result] = {}
        """The results to compare models by: all by the same method."""

    def add(self, part: LabelledBatch) -> None:
        sample = part.sample
        for label, rows in zip(sample.classes.tolist(), np.bincount(sample.y).tolist(), strict=True):
            if label not in self.known:
                self.late.setdefault(str(label), self.sample.rows)
            self.classes[label] = self.classes.get(label, 0) + rows
        if len(self.classes) > MOST_CLASSES:
            raise ValueError(
                f"there are more than {MOST_CLASSES:,} classes: the target looks like a number or an identifier"
            )
        part, counted = self._count(part)
        for name, learned in counted.items():
            self.counted[name] = self.counted[name] + learned if name in self.counted else learned
        self.sample.add(part)
        if self.in_memory is not None:
            self._hold(self.in_memory, part)
        for name, column in zip(part.columns.column_names, part.columns.columns, strict=True):
            self.missing[name] = self.missing.get(name, 0) + column.null_count

    def _count(self, part: LabelledBatch) -> tuple[LabelledBatch, dict[str, Learned]]:
        """The sums of a batch for each model. A cell that the family cannot read that was chosen for its column, by
        rows that had none, is missing, and noted; where you named the family it is an error."""
        while True:
            try:
                with naming(self.source, part.batch):
                    return part, {name: count(plans, part.sample) for name, plans in self.plans.items()}
            except BadCell as error:
                families = next(iter(self._counting.values())).families
                named = isinstance(families, dict) and error.column in families
                if named or error.row is None or not isinstance(self.source, Dataset):
                    raise
                self.source.note_unread(error)
                part = without_cell(part, error.column, error.row)

    @property
    def _counting(self) -> dict[str, NaiveBayesModel]:
        return {name: model for name, model in self.models.items() if name not in HELD}

    def _hold(self, table: InMemoryTable, part: LabelledBatch) -> None:
        table.add(part)
        most = CONSIDERED_BYTES if self.optional else MOST_BYTES
        if table.size <= most:
            return
        if not self.optional:
            (name,) = self.models
            raise ValueError(
                f"{name} holds all rows in memory, and these take more than {most >> 20} MB; use fewer, or fit --model "
                "naive-bayes, which reads any number"
            )
        output.note(f"The blend was not considered: the rows take more than {most >> 20} MB.")
        self.in_memory = None
        self.models = dict(self._counting)

    def finish(self) -> None:
        """Validates the models once all rows are learned. Priors, shrinkage, scales and column weights are chosen by a
        sample of all rows."""
        for name, model in self._counting.items():
            learned = self.counted[name]
            model = self.models[name] = model.take_in(learned, self.sample.sample(learned.classes))
            model.known.refuse_incomplete()
            if empty := model.known.empty:
                output.note(f"Left out: {EmptyColumns(empty)}.")
            model.check_parameters()
            self.results[name] = loo_result(model, self.sample)
        if self.in_memory is not None:
            sample = self.in_memory.sample()
            for name in HELD & self.models.keys():
                with self.in_memory.naming(self.source):
                    fitted = self.models[name] = self.models[name].fit(sample)
                    self.compared = {name: in_parts(model, sample) for name, model in self.models.items()}
                self.results[name] = self.compared[name]
                if fitted.solution.message:
                    output.note(f"{name.capitalize()}: {fitted.solution.message}.")
        self.compared = self.compared or dict(self.results)


def train(source: Source, models: Models, chosen_by: Sample, parts: Iterator[LabelledBatch]) -> TrainingRun:
    """Learns all batches, with families chosen by a sample."""
    training = TrainingRun(source, models, chosen_by)
    for part in parts:
        training.add(part)
    training.finish()
    return training
