"""The model of the labels so far, and its leave-one-out error. A new answer adds one row, which only has to be
counted."""

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
"""With fewer labels, the model is fitted again after each answer, because the families and options may still change.
Later it is fitted again whenever the number of labels has doubled."""

CELLS = 4_000_000
"""The most probabilities in one matrix: 32 MB. With 10,000 classes, 2,000 rows would take 160 MB, several times
over."""


@dataclass(frozen=True)
class RunningError:
    """The leave-one-out error: how many of the judged rows are predicted wrongly, each by a model without it."""

    wrong: int
    judged: int

    @property
    def share(self) -> float:
        return self.wrong / self.judged

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share."""
        return wilson(self.wrong, self.judged)


class GrowingModel:
    """Naive Bayes on the rows of one table. Labels are added, changed and removed one at a time."""

    def __init__(self, table: Table, families: Any) -> None:
        self.table = table
        self._new = NaiveBayesModel(families or "auto")
        self.model: NaiveBayesModel | None = None
        """None until two classes have a labelled row."""
        self._fitted = 0

    def fit(self, rows: Rows, labels: Names) -> None:
        """Fits the model to these rows."""
        self.model, self._fitted = None, len(rows)
        if len(set(labels.tolist())) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a column that is empty in the first few rows may have values later
                try:
                    self.model = self._new.fit(self._sample(rows, labels))
                except ValueError:  # there is nothing to learn from in these few rows yet
                    self.model = None

    def settled(self, labelled: int) -> bool:
        """Whether a changed label only needs to be counted, and the model need not be fitted again."""
        return self.model is not None and self._fitted >= FEW and labelled < 2 * self._fitted

    def at_once(self, most: int) -> int:
        """For how many rows probabilities are computed together: `most`, or fewer if there are many classes."""
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
        """The leave-one-out log p(y | x) of rows that were learned, and the sample that they are."""
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
        """The reasons for a prediction, and the probabilities; by the model without the row, if the row has a label.
        None if there is no model yet."""
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
