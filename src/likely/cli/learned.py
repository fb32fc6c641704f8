"""Models learned from a stream, and what else was seen on the way."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from likely.cli import show
from likely.cli.chosen import LOGISTIC, Models
from likely.cli.judged import of_counts
from likely.cli.kept import Kept
from likely.cli.labelled import Labelled
from likely.cli.sources import Source, naming
from likely.cli.whole import Whole
from likely.data import encode_target
from likely.data.stream import Widened
from likely.models.naive_bayes import NaiveBayes, refuse_empty
from likely.validation import Result
from likely.validation.in_parts import in_parts

MOST_BYTES = 1 << 30
"""Of columns that logistic regression, which goes over its rows again and again, holds in memory."""
CONSIDERED_BYTES = 64 << 20
"""The same where it is one model of several, and may not take much longer than the others."""


class Learned:
    """The models by their names, and their answers to rows left out."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self.optional = len(models) > 1
        self.kept = Kept()
        self.held = Whole() if LOGISTIC in models else None
        self.missing: dict[str, int] = {}
        self.late: dict[str, int] = {}
        """Classes that the first batch had not, and the row in which each came."""
        self.known: set[Any] = set()
        self.first: Any = None
        self.judged: dict[str, Result] = {}
        self.compared: dict[str, Result] = {}
        """The answers by which models are compared: all of them judged alike."""

    def add(self, part: Labelled, source: Source) -> None:
        if self.first is None:
            self.first, self.known = part.batch.table, set(part.classes.tolist())
            if any(kind == "category" for kind in part.table.kinds) and self.optional:
                self.models.pop("Gaussian classifier", None)
        for label in set(part.classes.tolist()) - self.known:
            self.late.setdefault(str(label), self.kept.rows)
        for model in self._counting.values():
            _learn(model, part, source)
        self.kept.add(part)
        if self.held is not None:
            self._hold(self.held, part)
        for name, column in zip(part.columns.column_names, part.columns.columns, strict=True):
            self.missing[name] = self.missing.get(name, 0) + column.null_count

    @property
    def _counting(self) -> dict[str, NaiveBayes]:
        return {name: model for name, model in self.models.items() if name != LOGISTIC}

    def _hold(self, held: Whole, part: Labelled) -> None:
        held.add(part)
        most = CONSIDERED_BYTES if self.optional else MOST_BYTES
        if held.size <= most:
            return
        if not self.optional:
            raise ValueError(
                f"logistic regression holds all rows in memory, and these take more than {most >> 20} MB; give fewer, "
                "or fit --model naive-bayes, which reads any number"
            )
        show.note(f"Logistic regression was not considered: the rows take more than {most >> 20} MB.")
        self.held = None
        del self.models[LOGISTIC]

    def finish(self, source: Source, missing: Any) -> None:
        """What is done once all rows have come by."""
        for name, model in self._counting.items():
            refuse_empty(model.known, range(len(model.names)))
            model.check_parameters()
            self.judged[name] = of_counts(model, self.kept, missing)
        if self.held is not None:
            table, weight = self.held.table(missing), self.held.weight
            classes, y = encode_target(self.held.y)
            logistic: Any = self.models[LOGISTIC]
            with self.held.naming(source):
                logistic.learn(table, classes, y, weight)
                self.compared = {name: in_parts(model, table, y, weight) for name, model in self.models.items()}
            self.judged[LOGISTIC] = self.compared[LOGISTIC]
            if logistic.solution.message:
                show.note(f"Logistic regression: {logistic.solution.message}.")
        self.compared = self.compared or dict(self.judged)


def learn(
    source: Source, begin: Callable[[], Models], parts: Callable[[], Iterator[Labelled]], missing: Any
) -> Learned:
    """Learns all batches; again from the beginning where one shows that a column is of a wider type."""
    while True:
        learned = Learned(begin())
        try:
            for part in parts():
                if part.table.untyped and learned.first is None:
                    _look_for_values(source, part)
                learned.add(part, source)
        except Widened:
            continue
        learned.finish(source, missing)
        return learned


def _learn(model: NaiveBayes, part: Labelled, source: Any) -> None:
    try:
        with naming(source, part.batch):
            model.learn(part.table, part.classes, part.y, part.weight)
    except ValueError as error:
        # The first batch had whole numbers of 0 or more in a column, and this one has others: read it as any numbers.
        found = re.search(r"column '([^']*)'", str(error))
        types = getattr(source, "types", {})
        chosen = model.learned is not None and (
            not isinstance(model.families, dict) or (found and found[1] not in model.families)
        )
        if found and chosen and pa.types.is_integer(types.get(found[1], pa.null())):
            types[found[1]] = pa.float64()
            raise Widened(found[1]) from None
        raise


def _look_for_values(source: Source, part: Labelled) -> None:
    """Of a column without a value in the first batch: a later one may tell what it holds, and reading begins again."""
    for _ in source:
        pass
    name = part.table.names[part.table.untyped[0]]
    raise ValueError(f"column {name!r} has no value in any row; leave it out with --ignore")
