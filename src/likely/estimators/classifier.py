"""What the scikit-learn faces of all generative models share: they learn, forget, merge, answer and explain alike."""

import os
import warnings
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from likely import store
from likely.data import Table, encode_target, read
from likely.models.describe import Description, Linear, describe, linear
from likely.models.explain import Explanation
from likely.models.naive_bayes import NaiveBayes as Model
from likely.models.naive_bayes import refuse_empty
from likely.statistics import Labels, union

Array = NDArray[np.float64]


class GenerativeClassifier(ClassifierMixin, BaseEstimator):
    """A subclass says by its parameters what model it is the face of."""

    missing_values: Any

    @abstractmethod
    def _unlearned(self) -> Model:
        """A model of these parameters that has learned nothing."""

    @staticmethod
    @abstractmethod
    def _parameters(model: Any) -> dict[str, Any]:
        """Those of which the model was made."""

    @classmethod
    def _of(cls, model: Model, missing_values: Any) -> Self:
        """The face of a model that has learned."""
        face = cls(**cls._parameters(model), missing_values=missing_values)
        face.n_features_in_ = len(model.names)
        if all(isinstance(name, str) for name in model.names):
            face.feature_names_in_ = np.array(model.names, object)
        return face._take(model)

    # Learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learns these rows and nothing else."""
        table = self._read(X, reset=True)
        model = self._unlearned()
        model.learn(table, *self._target(y, table), _weights(sample_weight, table))
        refuse_empty(model.known, range(len(table.names)))
        model.check_parameters()
        return self._take(model, X)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learns these rows too. `classes` may name classes to come, but new ones may arrive at any time."""
        first = not hasattr(self, "model_")
        table = self._read(X, reset=first)
        model = self._unlearned() if first else copy(self.model_)
        labels, codes = self._target(y, table)
        if classes is not None:
            labels, here, _ = union(labels, np.unique(classes))
            codes = codes if here is None else here.at.astype(np.int32)[codes]
        model.learn(table, labels, codes, _weights(sample_weight, table))
        return self._take(model, X if first else None)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Takes rows out again, as if they had never been learned; raises if they never were, and changes nothing."""
        table = self._read(X)
        model = copy(self.model_)
        model.forget(table, *self._target(y, table), _weights(sample_weight, table))
        return self._take(model)

    def merge(self, other: "GenerativeClassifier") -> Self:
        """Adds all that another model has learned, of the same columns read by the same families."""
        check_is_fitted(self)
        check_is_fitted(other)
        model = copy(self.model_)
        model.merge(other.model_)
        return self._take(model)

    def decay(self, factor: float) -> Self:
        """Lets all that was learned so far count less, by a factor above 0 and at most 1."""
        check_is_fitted(self)
        model = copy(self.model_)
        model.decay(factor)
        return self._take(model)

    def _take(self, model: Model, X: Any = None) -> Self:
        """Makes a model the estimator's own: the last step of whatever changes it, so that an error changes nothing."""
        if type(X) is np.ndarray and X.ndim == 2 and not hasattr(self, "feature_names_in_"):
            self.n_features_in_ = X.shape[1]  # as below, without the 50 µs of asking what kind of frame it might be
        elif X is not None:
            validate_data(self, _shaped(X, model.names), skip_check_array=True, reset=True)
        self.model_ = model
        self.classes_ = model.classes
        return self

    @property
    def class_count_(self) -> NDArray[Any]:
        check_is_fitted(self)
        return np.asarray(self.model_.known.rows.table[:, 0])

    # Answers

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        table = self._read(X)
        return self.model_.predict(table)

    def predict_proba(self, X: Any) -> Array:
        """p(y | x) of each row and class."""
        table = self._read(X)
        return self.model_.posterior(table)

    def predict_log_proba(self, X: Any) -> Array:
        """log p(y | x) of each row and class."""
        table = self._read(X)
        return self.model_.posterior(table, log=True)

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log p(x, y) of each row and class: the scores. -inf where a row is impossible."""
        table = self._read(X)
        return self.model_.score(table)

    def log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """log p of the rows and their classes together: the sum of log p(x, y)."""
        table = self._read(X)
        own = self.model_.score(table)[np.arange(table.rows), self._codes(y, table)]
        weights = _weights(sample_weight, table)
        return float(own.sum() if weights is None else (own[weights > 0] * weights[weights > 0]).sum())

    def score_left_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """log p(x, y) of each row and class, as if the row had never been learned.

        The rows, with their classes and weights, are some of those that were. No data is held back and nothing is
        fitted again, yet a row has no part in its own scores: the class with the highest is what cross-validation
        that leaves one out would say.
        """
        table = self._read(X)
        return self.model_.score_left_out(table, self._codes(y, table), _weights(sample_weight, table))

    def _codes(self, y: Any, table: Table) -> NDArray[np.int32]:
        """Labels as positions among the classes learned."""
        labels, codes = self._target(y, table)
        unknown = np.setdiff1d(labels, self.classes_)
        if unknown.size:
            raise ValueError(f"class {unknown.tolist()[0]!r} of y was never learned")
        return np.searchsorted(self.classes_, labels).astype(np.int32)[codes]

    def explain(self, X: Any) -> Explanation:
        """Why: for each row the class prior and what each column adds; they sum to the scores."""
        table = self._read(X)
        return Explanation(self.model_, table)

    # The model itself

    def describe(self) -> Description:
        """The parameters of each class as a table, and how many there are."""
        check_is_fitted(self)
        return describe(self.model_)

    def linear(self) -> Linear:
        """Weights and bias of the scores, where the boundary is linear; raises where it is not."""
        check_is_fitted(self)
        return linear(self.model_)

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, NDArray[Any]]:
        """n rows drawn from the model: classes from p(y), then columns from p(x | y).

        An array if the model was fitted on one, else an Arrow table.
        """
        check_is_fitted(self)
        seed = random_state
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(check_random_state(random_state).randint(2**32, size=4, dtype=np.uint32))
        columns, codes = self.model_.sample(n, seed)
        if not hasattr(self, "feature_names_in_"):
            return np.column_stack(list(columns.values())), self.classes_[codes]
        import pyarrow as pa

        return pa.table({str(name): values for name, values in columns.items()}), self.classes_[codes]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, from which `likely.load` has it again; whole, or not at all.

        The file holds the counts of words, and the names of columns, categories and classes, of what was learned.
        """
        check_is_fitted(self)
        rows = self.class_count_.sum()
        learned = int(rows) if rows.dtype.kind == "i" else None
        store.save(path, self.model_, store.Origin(learned, missing=self.missing_values))

    # scikit-learn's conventions

    def _read(self, X: Any, reset: bool = False) -> Table:
        if not reset:
            check_is_fitted(self)
        table = read(X, self.missing_values)
        if not table.names:
            raise ValueError(f"0 feature(s) (shape=({table.rows}, 0)) while a minimum of 1 is required.")
        if not table.rows:
            raise ValueError(
                f"Found array with 0 sample(s) (shape=(0, {len(table.names)})) while a minimum of 1 is required."
            )
        if not reset:
            validate_data(self, _shaped(X, table.names), skip_check_array=True, reset=False)
        return table

    def _target(self, y: Any, table: Table) -> tuple[Labels, NDArray[np.int32]]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        if not hasattr(y, "to_numpy") and not isinstance(y, (list, tuple)):
            y = np.asarray(y)
        if len(getattr(y, "shape", ())) == 2 and y.shape[1] == 1:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                "(n_samples,), for example using ravel().",
                DataConversionWarning,
                stacklevel=3,
            )
            y = np.asarray(y)[:, 0]
        labels, codes = encode_target(y)
        if len(codes) != table.rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{table.rows}, {len(codes)}]"
            )
        if labels.dtype.kind == "f" and not np.array_equal(labels, np.floor(labels)):
            row = int(np.flatnonzero(labels[codes] != np.floor(labels[codes]))[0])
            raise ValueError(
                f"Unknown label type: continuous. Classes are names or whole numbers, but row {row} of y has "
                f"{labels[codes[row]]}; for a regression target use a regressor"
            )
        return labels, codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


_Model = TypeVar("_Model", bound=GenerativeClassifier)


def merge(models: Iterable[_Model]) -> _Model:
    """One model that has learned what each of these has; they stay as they are."""
    models = list(models)
    if not models:
        raise ValueError("there is no model to merge")
    first, *others = models
    merged = copy(first)
    for other in others:
        merged.merge(other)
    return merged


def _shaped(X: Any, names: Sequence[Hashable]) -> Any:
    """What scikit-learn can see the shape and the names of: rows in a list, and whatever else has none, as an array."""
    return X if len(getattr(X, "shape", ())) == 2 else np.empty((0, len(names)), np.bool)


def _weights(weight: Any, table: Table) -> Array | None:
    if weight is None:
        return None
    try:
        weight = np.asarray(weight, np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight must be numbers, one for each row") from None
    if weight.ndim == 0:
        weight = np.full(table.rows, float(weight))
    if weight.shape != (table.rows,):
        raise ValueError(
            f"sample_weight has shape {weight.shape}, but one weight for each of {table.rows} rows is needed"
        )
    bad = np.flatnonzero(~((weight >= 0) & (weight < np.inf)))
    if bad.size:
        raise ValueError(f"weights must be finite and 0 or more; row {bad[0]} has {weight[bad[0]]}")
    if not weight.any():
        raise ValueError("every weight is zero: there is nothing to learn from")
    return np.ascontiguousarray(weight)
