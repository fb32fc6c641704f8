"""What the scikit-learn faces of all generative models share: they learn, forget, merge and explain alike."""

from abc import abstractmethod
from collections.abc import Iterable
from copy import copy
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from likely.data import read
from likely.estimators.tables import TableClassifier, read_only
from likely.models.describe import Description, LinearForm, describe, linear
from likely.models.explain import Explanation
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.unlabelled import fit_with_unlabelled
from likely.statistics import union
from likely.validation import calibrate

Array = NDArray[np.float64]


class GenerativeClassifier(TableClassifier):
    """A subclass says by its parameters what model it is the face of."""

    model_: NaiveBayesModel

    @abstractmethod
    def _unlearned(self) -> NaiveBayesModel:
        """A model of these parameters that has learned nothing."""

    def as_model(self) -> NaiveBayesModel | None:
        """That model, if its answers are those of the estimator."""
        return None if self.calibrate else self._unlearned()

    # Learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None, unlabelled: Any = None) -> Self:
        """Learns these rows and nothing else. Rows without labels, `unlabelled`, are counted by EM as far as each class
        is probable for them, with the weight `unlabelled_weight_`: that of the least leave-one-out log loss on the
        labelled rows, 0 where it would not help."""
        sample = self.sample_of(X, y, sample_weight, reset=True)
        if unlabelled is None:
            model = self._unlearned().fit(sample)
        else:
            more = read(unlabelled, self.missing_values)
            model, self.unlabelled_weight_ = fit_with_unlabelled(self._unlearned(), sample, more)
        found = self._calibrated(model, sample.at_most(calibrate.ROWS))
        self._take(model, X)
        self.calibration_ = found
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learns these rows too. `classes` may name classes to come, but new ones may arrive at any time. The first
        rows choose what was left open; later ones leave it as it is, until you call `retune`."""
        first = not hasattr(self, "model_")
        sample = self.sample_of(X, y, sample_weight, reset=first)
        if classes is not None:
            sample = sample.among(union(sample.classes, np.unique(classes))[0])
        model = self._unlearned() if first else self.model_
        return self._take(model.learn(sample), X if first else None)

    def retune(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Chooses priors, shrinkage, the scale of words and the weights of columns anew, by these rows, which were
        learned. Families and bins stay."""
        sample = self._learned_sample(X, y, sample_weight)
        return self._take(self.model_.retuned(sample))

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Takes rows out again, as if they had never been learned; raises if they never were, and changes nothing."""
        sample = self.sample_of(X, y, sample_weight)
        return self._take(self.model_.forget(sample))

    def merge(self, other: "GenerativeClassifier") -> Self:
        """Adds all that another model has learned, of the same columns read by the same families."""
        check_is_fitted(self)
        check_is_fitted(other)
        return self._take(self.model_.merge(other.model_))

    def decay(self, factor: float) -> Self:
        """Lets all that was learned so far count less, by a factor above 0 and at most 1."""
        check_is_fitted(self)
        return self._take(self.model_.decay(factor))

    @property
    def class_count_(self) -> NDArray[Any]:
        check_is_fitted(self)
        return read_only(self.model_.class_counts)

    # Answers

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log p(x, y) of each row and class: the scores. -inf where a row is impossible."""
        table = self._read(X)
        return self.model_.score(table)

    def decision_function(self, X: Any) -> Array:
        """log p(y | x) of each row and class; of two classes, the log odds of the second."""
        log_p: Array = self.predict_log_proba(X)
        return log_p[:, 1] - log_p[:, 0] if log_p.shape[1] == 2 else log_p

    def log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """log p of the rows and their classes together: the sum of log p(x, y)."""
        sample = self._learned_sample(X, y, sample_weight)
        own = self.model_.score(sample.table)[np.arange(len(sample)), sample.y]
        weights = sample.weights
        return float((own[weights > 0] * weights[weights > 0]).sum())

    def loo_scores(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Leave-one-out: log p(x, y) of each row and class, as if the row had never been learned.

        The rows, with their classes and weights, are some of those that were. No data is held back and nothing is
        fitted again, yet a row has no part in its own scores.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self.model_.loo_scores(sample)

    def explain(self, X: Any) -> Explanation:
        """Why: for each row the class prior and what each column adds; they sum to the scores."""
        table = self._read(X)
        return Explanation(self.model_, table)

    # The model itself

    def describe(self) -> Description:
        """The parameters of each class as a table, and how many there are."""
        check_is_fitted(self)
        return describe(self.model_)

    def linear(self) -> LinearForm:
        """Weights and bias of the scores, where the boundary is linear; raises where it is not."""
        check_is_fitted(self)
        return linear(self.model_)

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, NDArray[Any]]:
        """n rows sampled from the model: classes from p(y), then columns from p(x | y).

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
