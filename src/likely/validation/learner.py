"""A model bound to its data, for validation: it learns some rows and predicts others.

`learner` makes one from a model of `likely.models`, one of our estimators, or any scikit-learn classifier. The
procedures of validation need not know which.
"""

from abc import ABC, abstractmethod
from copy import deepcopy
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample, Table, encode_target, read
from likely.engines.engine import refuse_elsewhere
from likely.models.log_odds import logs
from likely.statistics import Labels
from likely.validation.measures import Array, Codes
from likely.validation.rows import Rows, take


class Model(Protocol):
    """The interface of `likely.models` that validation uses: naive Bayes, Gaussian classifiers, logistic regression."""

    counts_rows: ClassVar[bool]
    class_prior: Any

    @property
    def classes(self) -> Labels: ...

    @property
    def unlearned(self) -> Self: ...

    def learn(self, sample: Sample) -> Self: ...

    def predict_proba(self, table: Table, log: bool = False) -> Array: ...


class Answers(NamedTuple):
    """The predictions for some rows: the position of the predicted class among all classes, and the log probabilities
    (rows x classes), if there are any."""

    codes: Codes
    log_p: Array | None

    @classmethod
    def of(cls, log_p: Array) -> "Answers":
        return cls(log_p.argmax(axis=1).astype(np.int32), log_p)


class Learner(ABC):
    """The rows, and how to learn from them. A model that has learned is never changed; learning returns a new one."""

    name: str

    def __init__(self, sample: Sample) -> None:
        self.sample = sample

    @abstractmethod
    def learn(self, rows: Rows) -> Any:
        """A model that has learned only these rows."""

    @abstractmethod
    def learn_more(self, learned: Any, before: Rows, rows: Rows) -> Any:
        """A model that has also learned these rows, after those `before`; it is fitted again if it can't be updated."""

    @abstractmethod
    def answer(self, learned: Any, rows: Rows) -> Answers: ...

    def final(self) -> Any:
        """The user's model, fitted to all rows."""
        return self.learn(np.arange(len(self.sample)))

    def _placed(self, known: Labels, log_p: Array) -> Array:
        """Log probabilities of all classes, from those of the `known` classes; the others get -inf."""
        if len(known) == len(self.sample.classes):
            return log_p
        all_ = np.full((len(log_p), len(self.sample.classes)), -np.inf)
        all_[:, np.searchsorted(self.sample.classes, known)] = log_p
        return all_


class ModelLearner(Learner):
    """For a model of `likely.models`; the table is read once."""

    def __init__(self, model: Any, sample: Sample) -> None:
        super().__init__(sample)
        self.model, self.name = model.unlearned, model.title

    def learn(self, rows: Rows) -> Model:
        return self._with(self.model, rows)

    def learn_more(self, learned: Model, before: Rows, rows: Rows) -> Model:
        return self._with(learned, rows) if learned.counts_rows else self.learn(np.concatenate([before, rows]))

    def _with(self, model: Any, rows: Rows) -> Model:
        part = self.sample.take(rows)
        # A class without rows is unknown, unless the user has given p(y) of every class.
        given = isinstance(model.class_prior, (dict, tuple, list, np.ndarray))
        learned: Model = model.learn(part if given else part.known())
        return learned

    def answer(self, learned: Model, rows: Rows) -> Answers:
        return Answers.of(self._placed(learned.classes, learned.predict_proba(self.sample.table.take(rows), log=True)))


class EstimatorLearner(Learner):
    """For a scikit-learn classifier, with any data that it takes."""

    def __init__(self, model: Any, x: Any, sample: Sample) -> None:
        super().__init__(sample)
        self.model, self.x, self.name = model, x, type(model).__name__

    def learn(self, rows: Rows) -> Any:
        from sklearn.base import clone

        return clone(self.model).fit(take(self.x, rows), self._labels(rows), **self._weights(rows))

    def learn_more(self, learned: Any, before: Rows, rows: Rows) -> Any:
        known = hasattr(learned, "partial_fit") and np.isin(self._labels(rows), learned.classes_).all()
        if not known and not hasattr(learned, "loo_scores"):  # no classifier of scikit-learn can learn a new class
            return self.learn(np.concatenate([before, rows]))
        return deepcopy(learned).partial_fit(take(self.x, rows), self._labels(rows), **self._weights(rows))

    def answer(self, learned: Any, rows: Rows) -> Answers:
        part = take(self.x, rows)
        codes = np.searchsorted(self.sample.classes, learned.predict(part)).astype(np.int32)
        if not hasattr(learned, "predict_proba"):
            return Answers(codes, None)
        if hasattr(learned, "predict_log_proba"):
            with np.errstate(divide="ignore"):  # scikit-learn's classifiers take the log of 0
                log_p = np.asarray(learned.predict_log_proba(part), np.float64)
        else:
            log_p = logs(np.asarray(learned.predict_proba(part), np.float64))
        return Answers(codes, self._placed(learned.classes_, log_p))

    def _labels(self, rows: Rows) -> Labels:
        return np.asarray(self.sample.classes[self.sample.y[rows]])

    def _weights(self, rows: Rows) -> dict[str, Any]:
        return {} if self.sample.weight is None else {"sample_weight": self.sample.weight[rows]}


class OurEstimatorLearner(ModelLearner):
    """For one of our estimators, through its model."""

    def __init__(self, estimator: Any, x: Any, sample: Sample) -> None:
        super().__init__(estimator.as_model(), sample)
        self.whole, self.name = EstimatorLearner(estimator, x, sample), type(estimator).__name__

    def final(self) -> Any:
        return self.whole.final()


def learner(model: Any, x: Any, y: Any, sample_weight: Any = None) -> Learner:
    """Binds a model to its data. What the model has learned before is not used."""
    refuse_elsewhere(x)
    classes, codes = encode_target(y)
    ours = hasattr(model, "as_model") and model.as_model() is not None
    if hasattr(model, "unlearned") or ours:
        table: Any = read(x, model.missing_values if ours else None)
        n = table.rows
    elif hasattr(model, "fit") and hasattr(model, "predict"):
        table, n = None, x.shape[0] if hasattr(x, "shape") else len(x)
    else:
        raise TypeError(f"{model!r} is neither a model of Likely nor a scikit-learn classifier")
    if n != len(codes):
        raise ValueError(f"the table has {n} rows and y has {len(codes)}")
    if n < 2:
        raise ValueError(f"{n} rows are too few to learn some and judge others")
    sample = Sample(table, codes, classes, None if sample_weight is None else _weights(sample_weight, n))
    if table is None:
        return EstimatorLearner(model, x, sample)
    return OurEstimatorLearner(model, x, sample) if ours else ModelLearner(model, sample)


def _weights(weight: Any, n: int) -> NDArray[np.float64]:
    w = np.asarray(weight, np.float64)
    if w.shape != (n,) or not ((w >= 0) & (w < np.inf)).all() or not w.any():
        raise ValueError(f"sample_weight must be {n} numbers of 0 or more, one for each row, and not all 0")
    return w
