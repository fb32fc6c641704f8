"""The base class of all generative classifiers: how they learn, forget, merge and explain."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from likely.data import Sample, read
from likely.engines.engine import is_collection
from likely.estimators.tables import TableClassifier, part_sample, read_only
from likely.fitting.over_parts import fit_parts
from likely.models.describe import Description, LinearForm, describe, linear
from likely.models.explain import Explanation
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.unlabelled import fit_with_unlabelled
from likely.statistics import union
from likely.typing import Array, LabelArray, LabelsLike, RandomState, TableLike, WeightsLike
from likely.validation import calibrate
from likely.validation.left_out import unchosen_log_p
from likely.validation.loo_totals import LooTotals, loo_totals

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.engines.engine import LabelledRows, Parts


class GenerativeClassifier(TableClassifier):
    """A subclass makes its model from its parameters (`_unlearned`)."""

    model_: NaiveBayesModel

    @abstractmethod
    def _unlearned(self) -> NaiveBayesModel:
        """A new model with these parameters."""

    def as_model(self) -> NaiveBayesModel | None:
        """A new model with these parameters, if its predictions are those of the estimator (no calibration); else
        None."""
        return None if self.calibrate else self._unlearned()

    # Learning

    def fit(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, unlabelled: TableLike | None = None
    ) -> Self:
        """Learns these rows, and forgets all earlier ones.

        Rows without labels, `unlabelled`, are counted by EM in each class with its probability. Their weight,
        `unlabelled_weight_`, is the one with the lowest leave-one-out log loss on the labelled rows; 0 if they do not
        help.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.
        y : labels
            The class of each row.
        sample_weight : array, optional
            The weight of each row; 1 by default.
        unlabelled : table, optional
            Rows without labels.

        Returns
        -------
        self
            The model.
        """
        if is_collection(X):
            from likely.engines import dask

            if unlabelled is not None:
                raise ValueError("unlabelled rows are learned from tables in memory alone; X is a collection of Dask's")
            return self.fit_parts(dask.parts(X, y, sample_weight))
        sample = self.sample_of(X, y, sample_weight, reset=True)
        if unlabelled is None:
            model = self._unlearned().fit(sample)
        else:
            more = read(unlabelled, self.missing_values)
            model, self.unlabelled_weight_ = fit_with_unlabelled(self._unlearned(), sample, more)
        unchosen = unchosen_log_p(model, sample) if self.calibrate and unlabelled is None else None
        found = self._calibrated(model, sample.at_most(calibrate.ROWS), unchosen)
        self._take(model, X)
        self.calibration_ = found
        return self

    def fit_parts(self, parts: Parts[LabelledRows]) -> Self:
        """Learns rows in parts, as an engine of `likely.engines` provides them, and forgets all earlier rows."""

        def fitted(unlearned: NaiveBayesModel) -> tuple[NaiveBayesModel, Sample]:
            model, rows = fit_parts(unlearned, parts, partial(part_sample, clone(self)))
            model.known.warn_of_empty()
            return model, rows.sample(model.classes)

        return self.fitted_by(fitted)

    def fitted_by(self, fit: Callable[[NaiveBayesModel], tuple[NaiveBayesModel, Sample]]) -> Self:
        """Fits the model elsewhere, for example in a database (`likely.sql.fit`). `fit` takes a new model with these
        parameters, and returns the fitted model and a sample of the rows, for calibration."""
        model, sample = fit(self._unlearned())
        found = self._calibrated(model, sample.at_most(calibrate.ROWS))
        self._named(model)._take(model)
        self.calibration_ = found
        return self

    def partial_fit(
        self, X: TableLike, y: LabelsLike, classes: LabelsLike | None = None, sample_weight: WeightsLike = None
    ) -> Self:
        """Learns more rows, and returns the model. You may name later classes in `classes`, but new classes may arrive
        at any time. Families, bins and options with "auto" are chosen on the first rows; call `retune` to choose again.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.
        y : labels
            The class of each row.
        classes : labels, optional
            Classes that later rows may have.
        sample_weight : array, optional
            The weight of each row; 1 by default.

        Returns
        -------
        self
            The model.
        """
        first = not hasattr(self, "model_")
        sample = self.sample_of(X, y, sample_weight, reset=first)
        if classes is not None:
            sample = sample.among(union(sample.classes, np.unique(np.asarray(classes)))[0])
        model = self._unlearned() if first else self.model_
        return self._take(model.learn(sample), X if first else None)

    def retune(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Chooses priors, shrinkage, the scale of words and column weights again, and returns the model. Families and
        bins stay as they are.

        Parameters
        ----------
        X : table
            Rows that the model has learned.
        y : labels
            Their classes.
        sample_weight : array, optional
            Their weights; 1 by default.

        Returns
        -------
        self
            The model.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self._take(self.model_.retuned(sample))

    def forget(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Removes rows, as if the model had never learned them, and returns the model. If the counts show that a row
        was never learned, it raises ValueError and changes nothing.

        Parameters
        ----------
        X : table
            Rows that the model has learned.
        y : labels
            Their classes.
        sample_weight : array, optional
            Their weights; 1 by default.

        Returns
        -------
        self
            The model.
        """
        sample = self.sample_of(X, y, sample_weight)
        return self._take(self.model_.forget(sample))

    def merge(self, other: GenerativeClassifier) -> Self:
        """Adds all that another model has learned, and returns this model. Both need the same columns and families.

        Parameters
        ----------
        other : classifier
            A model with the same columns and families.

        Returns
        -------
        self
            The model.
        """
        check_is_fitted(other)
        return self._take(self.model_.merge(other.model_))

    def decay(self, factor: float) -> Self:
        """Multiplies the weight of all rows learned so far by a factor above 0 and at most 1. Returns the model.

        Parameters
        ----------
        factor : float
            Above 0 and at most 1.

        Returns
        -------
        self
            The model.
        """
        return self._take(self.model_.decay(factor))

    @property
    def class_count_(self) -> Array:
        return read_only(self.model_.class_counts)

    # Predictions

    def predict_joint_log_proba(self, X: TableLike) -> Array:
        """log p(x, y) of each row and class: the scores. -inf if a row is impossible in a class.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array of rows x classes
            The scores.
        """
        table = self._read(X)
        return self.model_.score(table)

    def decision_function(self, X: TableLike) -> Array:
        """log p(y | x) of each row and class; with two classes, the log-odds of the second.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array
            One number per row, or rows x classes if there are more than two classes.
        """
        log_p: Array = self.predict_log_proba(X)
        return log_p[:, 1] - log_p[:, 0] if log_p.shape[1] == 2 else log_p

    def log_likelihood(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> float:
        """log p of the rows and their classes together: the sum of log p(x, y).

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.
        y : labels
            The class of each row.
        sample_weight : array, optional
            The weight of each row; 1 by default.

        Returns
        -------
        float
            The log likelihood.
        """
        sample = self._learned_sample(X, y, sample_weight)
        own = self.model_.score(sample.table)[np.arange(len(sample)), sample.y]
        weights = sample.weights
        return float((own[weights > 0] * weights[weights > 0]).sum())

    def loo_scores(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Array:
        """Leave-one-out: log p(x, y) of each row and class, as if the row had never been learned.

        Pass rows that the model has learned, with their classes and weights. No rows are held out and nothing is fitted
        again, yet a row does not influence its own scores.

        Parameters
        ----------
        X : table
            Rows that the model has learned.
        y : labels
            Their classes.
        sample_weight : array, optional
            Their weights; 1 by default.

        Returns
        -------
        array of rows x classes
            The scores.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self.model_.loo_scores(sample)

    def loo_totals(self, parts: Parts[LabelledRows]) -> LooTotals:
        """Leave-one-out figures of all rows that the model was fitted to, and an audit of their labels, in one more
        pass over the parts of an engine, such as `likely.engines.dask.parts(frame, "y")`."""
        return loo_totals(self.model_, parts, partial(part_sample, clone(self)), self.calibration_)

    def explain(self, X: TableLike) -> Explanation:
        """Explains predictions: for each row, the class prior and what each column adds. They sum to the scores.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        Explanation
            `explain(X)[0]` has the reasons for the first row.
        """
        table = self._read(X)
        return Explanation(self.model_, table)

    # The model itself

    def describe(self) -> Description:
        """The parameters of each class as a table, and how many there are.

        Returns
        -------
        Description
            A table: `to_frame()` and `print` show it.
        """
        return describe(self.model_)

    def linear(self) -> LinearForm:
        """The weights and bias of the scores, if the decision boundary is linear; otherwise raises an error.

        Returns
        -------
        LinearForm
            `weights`, `bias`, and the features that the weights belong to.
        """
        return linear(self.model_)

    def sample(self, n: int, random_state: RandomState = None) -> tuple[Array | pa.Table, LabelArray]:
        """n rows sampled from the model: classes from p(y), then columns from p(x | y).

        An array if the model was fitted on one, else an Arrow table.

        Parameters
        ----------
        n : int
            The number of rows.
        random_state : int or generator, optional
            A seed; by default a different one each time.

        Returns
        -------
        X, y
            The rows and their classes.
        """
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
    """Merges models that learned from different rows.

    Parameters
    ----------
    models : iterable of fitted classifiers
        They need the same columns and families, and do not change.

    Returns
    -------
    classifier
        A model that has learned what each of these has learned.

    See Also
    --------
    NaiveBayes.partial_fit : learn more rows.

    Examples
    --------
    >>> from likely import NaiveBayes, merge
    >>> one = NaiveBayes("poisson").fit([[1], [7]], ["few", "many"])
    >>> other = NaiveBayes("poisson").fit([[2], [9]], ["few", "many"])
    >>> merge([one, other]).class_count_.tolist()
    [2, 2]
    """
    models = list(models)
    if not models:
        raise ValueError("there are no models to merge")
    first, *others = models
    merged = copy(first)
    for other in others:
        merged.merge(other)
    return merged
