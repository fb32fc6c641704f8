"""Trains models on a stream of batches, and validates them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from likely.cli import output
from likely.cli.in_memory_table import InMemoryTable
from likely.cli.labelled_batches import LabelledBatch, batches_for_new_model, without_cell
from likely.cli.loo_error import loo_result
from likely.cli.model_factory import BLEND, GAUSSIAN, HELD, NAIVE_BAYES, Models, must_be_numbers, not_gaussian
from likely.cli.options import Reading
from likely.cli.sources import Source, naming
from likely.data import Sample
from likely.data.dataset import Dataset
from likely.data.row_digest import RowDigest
from likely.engines.engine import PLACES, Parts
from likely.engines.steps import announced_to
from likely.errors import BadCell, EmptyColumns, TableError
from likely.fitting.over_parts import finished
from likely.fitting.part_totals import PartTotals, Plans
from likely.fitting.row_sample import least_step
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import Result
from likely.validation.in_parts import in_parts
from likely.validation.recommended import recommended

T = TypeVar("T")

MOST_BYTES = 1 << 30
"""The most bytes of columns that logistic regression or the blend hold in memory; they read their rows many times."""
CONSIDERED_BYTES = 64 << 20
"""The same limit if it is one of several models, and should not take much longer than the others."""


@dataclass(frozen=True)
class BatchCounter:
    """Counts batches by the plans of each model."""

    plans: Plans
    named: frozenset[str]
    """The columns whose family the user named."""
    digests: bool
    """Whether to make a digest, by which rows are recognised later."""
    step: int = 1
    """The sample of all rows takes at most one row in `step`, so no part sends more than that."""

    def count(self, source: Source, part: LabelledBatch, place: int) -> tuple[LabelledBatch, PartTotals]:
        """The totals of a batch. `place` is the position of its first row among all rows."""
        digest = RowDigest.of(part.marks) if self.digests else None
        part, totals = self.apply(source, part, lambda sample: PartTotals.of(self.plans, sample, place, self.step))
        cells = zip(part.columns.column_names, part.columns.columns, strict=True)
        missing = Counter({name: column.null_count for name, column in cells})
        return part, replace(totals, missing=missing, digest=digest)

    def apply(self, source: Source, part: LabelledBatch, work: Callable[[Sample], T]) -> tuple[LabelledBatch, T]:
        """The result of `work` on a batch, and the batch with unreadable cells set to missing.

        A cell is unreadable if the family that was chosen for its column, on other rows, can't read it: it becomes
        missing, and is noted. If the user named the family, it is an error.
        """
        while True:
            try:
                with naming(source, part.batch):
                    return part, work(part.sample)
            except BadCell as error:
                if error.column in self.named or error.row is None or not isinstance(source, Dataset):
                    raise
                source.unread.note(error)
                part = without_cell(part, error.column, error.row)


class TrainingRun:
    """The models by name, and their predictions for rows that they have not learned."""

    def __init__(self, source: Source, models: Models, chosen_by: Sample, digests: bool = True) -> None:
        """`chosen_by` is a sample of rows from all of the data, on which families and bins are chosen."""
        self.source, self.models = source, models
        self.optional = len(models) > 1
        if self.optional and not_gaussian(chosen_by.table):
            self.models.pop(GAUSSIAN, None)
        must_be_numbers(models, chosen_by.table)
        self.chosen_by = chosen_by
        self.counter = BatchCounter(
            {name: model.plans(chosen_by) for name, model in self._counting.items()},
            frozenset(families if isinstance(families := self._families, dict) else ()),
            digests,
        )
        self.by_texts = self._by_texts()
        """The results of naive Bayes and the blend on held-out texts; empty if there are other columns than texts."""
        if self.optional and self.by_texts:
            considered = {NAIVE_BAYES, recommended(self.by_texts).model}
            self.models = {name: model for name, model in models.items() if name in considered}
        self.in_memory = InMemoryTable() if HELD & self.models.keys() else None
        self.totals = PartTotals()
        self.results: dict[str, Result] = {}
        self.calibrated_by: dict[str, Result] = {}
        """The predictions of the final models, from which their calibration is learned."""
        self.compared: dict[str, Result] = {}
        """The results to compare models by: all by the same method."""

    def add(self, part: LabelledBatch) -> None:
        part, counted = self.counter.count(self.source, part, self.totals.count)
        self.totals = self.totals + counted
        if self.in_memory is not None:
            self._hold(self.in_memory, part)

    def _by_texts(self) -> dict[str, Result]:
        """See `by_texts`. Also empty if naive Bayes was not asked for, or if rows are time-ordered: the blend then
        learns no margins."""
        plans, blend = self.counter.plans.get(NAIVE_BAYES, ()), self.models.get(BLEND)
        texts = bool(plans) and all(plan.family.discriminative() for plan in plans)
        if not texts or (blend is not None and blend.time_ordered):
            return {}
        from likely.validation.text_models import text_models

        return text_models(self.models[NAIVE_BAYES], self.chosen_by)

    @property
    def late(self) -> list[str]:
        """Classes without a row in the sample on which families were chosen."""
        return sorted(map(str, self.totals.classes.keys() - set(self.chosen_by.classes.tolist())))

    @property
    def _counting(self) -> dict[str, NaiveBayesModel]:
        return {name: model for name, model in self.models.items() if name not in HELD}

    @property
    def _families(self) -> Any:
        return next((model.families for model in self._counting.values()), None)

    def _hold(self, table: InMemoryTable, part: LabelledBatch) -> None:
        table.add(part)
        most = CONSIDERED_BYTES if self.optional and not self.by_texts else MOST_BYTES
        if table.size <= most:
            return
        if not self.optional:
            (name,) = self.models
            raise ValueError(
                f"{name} holds all rows in memory, and these take more than {most >> 20} MB; use fewer, or fit --model "
                "naive-bayes, which reads any number"
            )
        output.note(f"Logistic regression and the blend were not considered: the rows take more than {most >> 20} MB.")
        self.in_memory = None
        self.models, self.by_texts = dict(self._counting), {}

    def finish(self, calibrates: bool = False) -> None:
        """Completes and validates the models, after all rows are counted. Priors, shrinkage, scales and column weights
        are chosen on a sample of all rows."""
        for name, model in self._counting.items():
            rows = self.totals.rows
            model = self.models[name] = finished(model, self.totals.counted[name], rows, self.chosen_by)
            if empty := model.known.empty:
                output.note(f"Left out: {EmptyColumns(empty)}.")
            self.results[name] = loo_result(model, rows)
            if calibrates:
                self.calibrated_by[name] = loo_result(model, rows, folded=False)
        if self.in_memory is not None:
            sample = self.in_memory.sample()
            with self.in_memory.naming(self.source):
                for name in HELD & self.models.keys():
                    with announced_to(output.passing):
                        fitted = self.models[name] = self.models[name].fit(sample)
                    if fitted.solution.message:
                        output.note(f"{name.capitalize()}: {fitted.solution.message}.")
                judged = [name for name in self.models if name in HELD or not self.by_texts]
                self.compared = {name: in_parts(self.models[name], sample) for name in judged}
            self.results |= {name: self.compared[name] for name in HELD & self.models.keys()}
        if self.optional and self.by_texts:
            self.compared = self.by_texts
        self.compared = self.compared or dict(self.results)


def train(
    source: Source,
    models: Models,
    chosen_by: Sample,
    parts: Iterator[LabelledBatch],
    digests: bool = True,
    calibrates: bool = False,
) -> TrainingRun:
    """Learns all batches. Families are chosen on the sample `chosen_by`."""
    with naming_sampled(source, chosen_by, parts):
        training = TrainingRun(source, models, chosen_by, digests)
    for part in parts:
        training.add(part)
    training.finish(calibrates)
    return training


@contextmanager
def naming_sampled(source: Source, sample: Sample, parts: Iterator[LabelledBatch]) -> Iterator[None]:
    """Fills in where the row of an error is that a sample has; of a part of all rows that is not known."""
    try:
        yield
    except TableError as error:
        row, error.row = error.row, None
        batches = list(parts)
        if row is None or sum(len(part.sample) for part in batches) != len(sample):
            raise
        for part in batches:
            if row < len(part.sample):
                error.row = row
                with naming(source, part.batch):
                    raise error
            row -= len(part.sample)
        raise


def train_on_cluster(
    source: Dataset,
    models: Models,
    chosen_by: Sample,
    parts: Parts[Dataset],
    target: str | None,
    reading: Reading,
    digests: bool = True,
    calibrates: bool = False,
) -> TrainingRun:
    """The same as `train`, but workers read and count the parts of the files."""
    training = TrainingRun(source, models, chosen_by, digests)
    rows = source.least_rows  # on a cluster, every row has a class
    counter = replace(training.counter, step=least_step(rows, rows * chosen_by.table.row_bytes))
    training.totals = parts.total(partial(count_files, counter, target, reading))
    source.unread, source.rows = training.totals.unread, training.totals.count
    training.finish(calibrates)
    return training


def count_files(counter: BatchCounter, target: str | None, reading: Reading, number: int, part: Dataset) -> PartTotals:
    """The totals of one part of the files, counted on the machine that reads it."""
    totals = PartTotals()
    for batch in batches_for_new_model(part, target, reading):
        totals = totals + counter.count(part, batch, number * PLACES + totals.count)[1]
    return replace(totals, unread=part.unread, shipped=True)
