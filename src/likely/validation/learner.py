"""What is validated, bound to its data: something that learns some of the rows and answers others.

`learner` makes one of a model of `likely.models`, of an estimator of ours, or of any scikit-learn classifier; what is
measured with it need not know which.
"""

from abc import ABC, abstractmethod
from copy import copy
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.data import Table, encode_target, read
from likely.models.naive_bayes import NaiveBayes
from likely.statistics import Labels
from likely.validation.measures import Array, Codes
from likely.validation.rows import Rows, take


class Model(Protocol):
    """What is used of the models of `likely.models`: naive Bayes, Gaussian classifiers, logistic regression."""

    classes: Any
    class_prior: Any

    def learn(self, table: Table, classes: Labels, y: Codes, weight: Array | None = None) -> None: ...

    def posterior(self, table: Table) -> Array: ...


M = TypeVar("M", bound=Model)


class Answers(NamedTuple):
    """Of some rows: the class given, as a position among all classes, and the probabilities if there are any."""

    codes: Codes
    p: Array | None


class Learner(ABC):
    """The rows, their classes and weights, and how to learn from them. What has learned is a value: it is passed about
    and never changed.
    """

    name: str

    def __init__(self, classes: Labels, y: Codes, weight: Array | None) -> None:
        self.classes, self.y, self.weight = classes, y, weight

    @property
    def rows(self) -> int:
        return len(self.y)

    @abstractmethod
    def learn(self, rows: Rows) -> Any:
        """What has learned these rows and nothing else."""

    @abstractmethod
    def learn_more(self, learned: Any, before: Rows, rows: Rows) -> Any:
        """What has learned these rows too, after those before; from the beginning where there is no other way."""

    @abstractmethod
    def answer(self, learned: Any, rows: Rows) -> Answers: ...

    @abstractmethod
    def final(self) -> Any:
        """The user's model, learned from all rows."""

    def _weights(self, rows: Rows) -> Array | None:
        return None if self.weight is None else np.ascontiguousarray(self.weight[rows])

    def _placed(self, known: Labels, p: Array) -> Array:
        """Probabilities of the classes known as those of all; none for the others."""
        if len(known) == len(self.classes):
            return p
        all_ = np.zeros((len(p), len(self.classes)))
        all_[:, np.searchsorted(self.classes, known)] = p
        return all_


class OfModel(Learner):
    """Of a model of `likely.models`, over a table read once."""

    def __init__(self, model: Model, table: Table, classes: Labels, y: Codes, weight: Array | None) -> None:
        super().__init__(classes, y, weight)
        self.model, self.table, self.name = unlearned(model), table, type(model).__name__

    def learn(self, rows: Rows) -> Model:
        return self._with(unlearned(self.model), rows)

    def learn_more(self, learned: Model, before: Rows, rows: Rows) -> Model:
        if not isinstance(learned, NaiveBayes):
            return self.learn(np.concatenate([before, rows]))
        return self._with(copy(learned), rows)

    def _with(self, model: Model, rows: Rows) -> Model:
        part = self.table if len(rows) == self.rows and (rows == np.arange(self.rows)).all() else self.table.take(rows)
        codes: NDArray[Any] = self.y[rows]
        classes = self.classes
        # A class of which there is no row is not known, unless p(y) of every class was given.
        if not isinstance(model.class_prior, (dict, tuple, list, np.ndarray)):
            found, codes = np.unique(codes, return_inverse=True)
            classes = classes[found]
        model.learn(part, classes, codes.astype(np.int32), self._weights(rows))
        return model

    def answer(self, learned: Model, rows: Rows) -> Answers:
        p = self._placed(learned.classes, learned.posterior(self.table.take(rows)))
        return Answers(p.argmax(axis=1).astype(np.int32), p)

    def final(self) -> Any:
        return self.learn(np.arange(self.rows))


class OfEstimator(Learner):
    """Of a scikit-learn classifier, over whatever it takes."""

    def __init__(self, model: Any, x: Any, classes: Labels, y: Codes, weight: Array | None) -> None:
        super().__init__(classes, y, weight)
        self.model, self.x, self.name = model, x, type(model).__name__

    def learn(self, rows: Rows) -> Any:
        from sklearn.base import clone

        return clone(self.model).fit(take(self.x, rows), self.classes[self.y[rows]], **self._weighed(rows))

    def learn_more(self, learned: Any, before: Rows, rows: Rows) -> Any:
        if not hasattr(learned, "partial_fit"):
            return self.learn(np.concatenate([before, rows]))
        known = np.isin(self.classes[self.y[rows]], learned.classes_).all()
        if not known and not hasattr(
            learned, "score_left_out"
        ):  # of scikit-learn's own, none takes a class that is new
            return self.learn(np.concatenate([before, rows]))
        from copy import deepcopy

        labels = self.classes[self.y[rows]]
        return deepcopy(learned).partial_fit(take(self.x, rows), labels, **self._weighed(rows))

    def answer(self, learned: Any, rows: Rows) -> Answers:
        part = take(self.x, rows)
        codes = np.searchsorted(self.classes, learned.predict(part)).astype(np.int32)
        if not hasattr(learned, "predict_proba"):
            return Answers(codes, None)
        return Answers(codes, self._placed(learned.classes_, np.asarray(learned.predict_proba(part), np.float64)))

    def final(self) -> Any:
        return self.learn(np.arange(self.rows))

    def _weighed(self, rows: Rows) -> dict[str, Any]:
        return {} if self.weight is None else {"sample_weight": self._weights(rows)}


class OfOurs(OfModel):
    """Of an estimator of ours, through its model."""

    def __init__(self, estimator: Any, x: Any, classes: Labels, y: Codes, weight: Array | None) -> None:
        table = read(x, estimator.missing_values)
        super().__init__(estimator.as_model(), table, classes, y, weight)
        self.whole, self.name = OfEstimator(estimator, x, classes, y, weight), type(estimator).__name__

    def final(self) -> Any:
        return self.whole.final()


def learner(model: Any, x: Any, y: Any, sample_weight: Any = None) -> Learner:
    """The model and the data as one. What the model may have learned before is not used."""
    classes, codes = encode_target(y)
    weight = None if sample_weight is None else _weights(sample_weight, len(codes))
    found: Learner
    if hasattr(model, "learn") and hasattr(model, "posterior"):
        found = OfModel(model, read(x), classes, codes, weight)
        n = found.table.rows
    elif hasattr(model, "as_model") and model.as_model() is not None:
        found = OfOurs(model, x, classes, codes, weight)
        n = found.table.rows
    elif hasattr(model, "fit") and hasattr(model, "predict"):
        found = OfEstimator(model, x, classes, codes, weight)
        n = x.shape[0] if hasattr(x, "shape") else len(x)
    else:
        raise TypeError(f"{model!r} is no model of Likely's and no scikit-learn classifier")
    if n != len(codes):
        raise ValueError(f"the table has {n} rows and y has {len(codes)}")
    if n < 2:
        raise ValueError(f"{n} rows are too few to learn some and judge others")
    return found


def unlearned(model: M) -> M:
    """The same model with nothing learned, or to learn from the beginning."""
    fresh = copy(model)
    if isinstance(fresh, NaiveBayes):
        fresh.learned, fresh.names, fresh.kinds = None, (), ()
    else:
        vars(fresh).pop("weights", None)  # worked out once for what it had learned
    return fresh


def _weights(weight: Any, n: int) -> NDArray[np.float64]:
    w = np.asarray(weight, np.float64)
    if w.shape != (n,) or not ((w >= 0) & (w < np.inf)).all() or not w.any():
        raise ValueError(f"sample_weight must be {n} numbers of 0 or more, one for each row, and not all 0")
    return w
