"""The training of models on a stream of batches, and their validation."""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from likely.cli import output
from likely.cli.in_memory_table import InMemoryTable
from likely.cli.labelled_batches import LabelledBatch
from likely.cli.loo_error import loo_result
from likely.cli.model_factory import HELD, Models
from likely.cli.row_sample import RowSample
from likely.cli.sources import Source, naming
from likely.data.stream import Widened
from likely.errors import BadCell
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import Result
from likely.validation.in_parts import in_parts

MOST_BYTES = 1 << 30
"""The most bytes of columns that logistic regression or the blend, which read their rows many times, hold in memory."""
CONSIDERED_BYTES = 64 << 20
"""The same where it is one of several models, and should not take much longer than the others."""


class TrainingRun:
    """The models by their names, and their predictions for rows that they have not learned."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self.optional = len(models) > 1
        self.sample = RowSample()
        self.in_memory = InMemoryTable() if HELD & models.keys() else None
        self.missing: dict[str, int] = {}
        self.late: dict[str, int] = {}
        """Classes that are not in the first batch, and the row where each first occurs."""
        self.known: set[Any] = set()
        self.first: Any = None
        self.results: dict[str, Result] = {}
        self.compared: dict[str, Result] = {}
        """The results to compare models by: all by the same method."""

    def add(self, part: LabelledBatch, source: Source) -> None:
        if self.first is None:
            self.first, self.known = part.batch.table, set(part.sample.classes.tolist())
            if any(kind == "category" for kind in part.sample.table.kinds) and self.optional:
                self.models.pop("Gaussian classifier", None)
        for label in set(part.sample.classes.tolist()) - self.known:
            self.late.setdefault(str(label), self.sample.rows)
        for name, model in self._counting.items():
            self.models[name] = _learned(model, part, source)
        self.sample.add(part)
        if self.in_memory is not None:
            self._hold(self.in_memory, part)
        for name, column in zip(part.columns.column_names, part.columns.columns, strict=True):
            self.missing[name] = self.missing.get(name, 0) + column.null_count

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

    def finish(self, source: Source, missing: Any) -> None:
        """Validates the models once all rows are learned. What the first of several batches chose of priors, shrinkage,
        scales and column weights is chosen again by rows of all: the first need not have rows of every class."""
        for name, model in self._counting.items():
            model.known.refuse_empty(range(len(model.names)))
            if self.sample.batches > 1:
                model = self.models[name] = model.retuned(self.sample.sample(model.classes, missing))
            model.check_parameters()
            self.results[name] = loo_result(model, self.sample, missing)
        if self.in_memory is not None:
            sample = self.in_memory.sample(missing)
            for name in HELD & self.models.keys():
                with self.in_memory.naming(source):
                    fitted = self.models[name] = self.models[name].fit(sample)
                    self.compared = {name: in_parts(model, sample) for name, model in self.models.items()}
                self.results[name] = self.compared[name]
                if fitted.solution.message:
                    output.note(f"{name.capitalize()}: {fitted.solution.message}.")
        self.compared = self.compared or dict(self.results)


def train(
    source: Source, begin: Callable[[], Models], parts: Callable[[], Iterator[LabelledBatch]], missing: Any
) -> TrainingRun:
    """Learns all batches; starts again where a batch shows that a column is of a wider type."""
    while True:
        training = TrainingRun(begin())
        try:
            for part in parts():
                if part.sample.table.untyped and training.first is None:
                    _look_for_values(source, part)
                training.add(part, source)
        except Widened:
            continue
        training.finish(source, missing)
        return training


def _learned(model: NaiveBayesModel, part: LabelledBatch, source: Any) -> NaiveBayesModel:
    try:
        with naming(source, part.batch):
            return model.learn(part.sample)
    except BadCell as error:
        # The first batch had whole numbers of 0 or more in a column, and this one has others: read it as any numbers.
        column, types = error.column, getattr(source, "types", {})
        named = isinstance(model.families, dict) and column in model.families
        if model.learned is not None and not named and pa.types.is_integer(types.get(column, pa.null())):
            types[column] = pa.float64()
            raise Widened(column) from None
        raise


def _look_for_values(source: Source, part: LabelledBatch) -> None:
    """Reads on for the type of a column without a value in the first batch; raises ValueError if it never has one."""
    for _ in source:
        pass
    table = part.sample.table
    name = table.names[table.untyped[0]]
    raise ValueError(f"column {name!r} has no value in any row; leave it out with --ignore")
