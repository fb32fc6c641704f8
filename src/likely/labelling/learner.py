"""The model of what has been labelled so far, and its leave-one-out error. An answer is one row added: counting is all
it takes."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample, Table, encode_target
from likely.data.stream.columns import texts
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation.measures import Array, wilson

Rows = NDArray[np.intp]
Names = NDArray[np.object_]

FEW = 100
"""Labels below which the model is fitted again after each answer: families and options are not yet settled. Later that
is done whenever there are twice as many."""

CELLS = 4_000_000
"""Probabilities at the most in one matrix: 32 MB. With 10,000 classes 2,000 rows would take 160 MB, several times."""


@dataclass(frozen=True)
class RunningError:
    """How many of the rows judged are predicted wrongly, each by a model without it."""

    wrong: int
    judged: int

    @property
    def share(self) -> float:
        return self.wrong / self.judged

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 %, by Wilson."""
        return wilson(self.wrong, self.judged)


class GrowingModel:
    """Naive Bayes over rows of one table, whose labels come, change and go one at a time."""

    def __init__(self, table: Table, families: Any) -> None:
        self.table = table
        self._new = NaiveBayesModel(families or "auto")
        self.model: NaiveBayesModel | None = None
        """None until there are rows of two classes."""
        self._fitted = 0

    def fit(self, rows: Rows, labels: Names) -> None:
        """The model of these rows and no others."""
        self.model, self._fitted = None, len(rows)
        if len(set(labels.tolist())) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a column without a value in the first few rows may have one later
                try:
                    self.model = self._new.fit(self._sample(rows, labels))
                except ValueError:  # these few rows hold nothing to learn from yet
                    self.model = None

    def settled(self, labelled: int) -> bool:
        """Whether a label more or less is only counted, and nothing is chosen again."""
        return self.model is not None and self._fitted >= FEW and labelled < 2 * self._fitted

    def at_once(self, most: int) -> int:
        """How many rows' probabilities are computed together: `most`, or fewer where there are many classes."""
        return most if self.model is None else min(most, max(1, CELLS // len(self.model.classes)))

    def changed(self, row: int, old: str | None, new: str | None) -> None:
        assert self.model is not None
        model = self.model
        if old is not None:
            model = model.forget(self._one(row, old))
        if new is not None:
            model = model.learn(self._one(row, new))
        self.model = model

    def probabilities(self, rows: Rows) -> Array:
        assert self.model is not None
        return self.model.predict_proba(self.table.take(rows))

    def loo(self, rows: Rows, labels: Names) -> tuple[Sample, Array]:
        """log p(y | x) of rows that were learned, each by the model without it."""
        assert self.model is not None
        sample = self._sample(rows, labels).among(self.model.classes)
        scores = self.model.loo_scores(sample)
        self.model.unlearn_own_categories(sample, scores)
        return sample, self.model.loo_proba(sample, scores, log=True)

    def error(self, rows: Rows, labels: Names) -> RunningError | None:
        if self.model is None or not len(rows):
            return None
        sample, log_p = self.loo(rows, labels)
        return RunningError(int((log_p.argmax(axis=1) != sample.y).sum()), len(rows))

    def reasons(self, row: int, label: str | None) -> tuple[Reasons, Array] | None:
        """Why the row gets its probabilities, and these; by the model without it, where it has a label."""
        if self.model is None:
            return None
        model = self.model
        if label is not None:
            model = model.forget(self._one(row, label))
        table = self.table.take(np.array([row]))
        return Explanation(model, table)[0], model.predict_proba(table)[0]

    def _sample(self, rows: Rows, labels: Names) -> Sample:
        classes, y = encode_target(texts(labels))
        return Sample(self.table.take(rows), y, classes)

    def _one(self, row: int, label: str) -> Sample:
        return self._sample(np.array([row]), np.array([label], object))
