"""The base class of all estimators: how they read a table, its classes and weights, and predict."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from likely import _native, store
from likely.data import Sample, Table, read
from likely.engines.engine import LabelledRows, is_collection, refuse_elsewhere
from likely.estimators.parameters import nested, replaced
from likely.estimators.target import target_of, weights_of
from likely.models.calibration import Calibration
from likely.models.choosing.named import as_family, names_family
from likely.models.decision_rule import DecisionRule
from likely.models.prediction_sets import PredictionSets
from likely.typing import Array, CalibrateLike, CostsLike, LabelArray, LabelsLike, TableLike, ThresholdLike, WeightsLike
from likely.validation.calibrate import calibration

if TYPE_CHECKING:
    from likely.models.logistic.regression import LogisticModel
    from likely.models.naive_bayes import NaiveBayesModel


class NotLearned:
    """The model of an estimator that is not fitted: access to it raises scikit-learn's NotFittedError."""

    def __get__(self, face: TableClassifier | None, owner: type) -> Self:
        if face is not None:
            check_is_fitted(face)
        return self


class TableClassifier(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier around a model that learns from a table."""

    missing_values: Hashable
    calibrate: CalibrateLike
    model_: NaiveBayesModel | LogisticModel = cast(Any, NotLearned())
    calibration_: Calibration | None = None

    @staticmethod
    @abstractmethod
    def _parameters(model: Any) -> dict[str, Any]:
        """The parameters of the estimator, from a fitted model."""

    @classmethod
    def _of(cls, stored: store.Stored) -> Self:
        """The estimator of a fitted model."""
        model = stored.model
        face = cls()
        face.set_params(**cls._parameters(model), missing_values=stored.origin.missing, calibrate=stored.calibrate)
        face.calibration_ = stored.calibration
        return face._named(model)._take(model)

    def _named(self, model: Any) -> Self:
        """Sets the names of the columns from a model, if its table is not available."""
        self.n_features_in_ = len(model.names)
        self.__dict__.pop("feature_names_in_", None)
        if all(isinstance(name, str) for name in model.names):
            self.feature_names_in_ = np.array(model.names, object)
        return self

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The parameters; if `deep`, with the options of the families and priors among them: `families__prior`."""
        params: dict[str, Any] = super().get_params(deep=False)
        return params | dict(option for name in params for option in nested(name, params[name])) if deep else params

    def set_params(self, **params: Any) -> Self:
        own = {name: value for name, value in params.items() if "__" not in name}
        super().set_params(**own)
        for name in sorted(params.keys() - own.keys(), key=len):  # outer parameters before their options
            first, *path = name.split("__")
            value = getattr(self, first, None)
            if first == "families" and names_family(value):
                value = as_family(value)
            try:
                setattr(self, first, replaced(value, path, params[name]))
            except KeyError:
                valid = sorted(self.get_params())
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {valid!r}."
                ) from None
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, which `likely.load` reads. The file is complete, or not written.

        It contains the counts of words, and the names of columns, categories and classes in the data.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        rows = self.model_.class_counts.sum()
        learned = int(rows) if rows.dtype.kind == "i" else None
        origin = store.Origin(learned, missing=self.missing_values)
        by_class = getattr(self, "class_weight", None)
        store.save(path, self.model_, origin, self.calibration_, self.calibrate, by_class)

    def _take(self, model: Any, X: TableLike = None) -> Self:
        """Sets the model of the estimator. This is the last step of every change, so that an error changes nothing."""
        if type(X) is np.ndarray and X.ndim == 2 and not hasattr(self, "feature_names_in_"):
            self.n_features_in_ = X.shape[1]  # as below, but 50 µs faster
        elif X is not None:
            validate_data(self, _shaped(X, model.names), skip_check_array=True, reset=True)
        kept = self.calibration_  # it is dropped if there is a new class, which it does not know
        self.calibration_ = kept if kept is not None and len(kept.classes) == len(model.classes) else None
        self.model_ = model
        self.classes_ = read_only(model.classes)
        return self

    def sample_of(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, reset: bool = False) -> Sample:
        """The sample of these rows, with their classes and weights."""
        table = self._read(X, reset)
        labels, codes = target_of(y, table.rows, type(self).__name__)
        return self._weighted(Sample(table, codes, labels, weights_of(sample_weight, table.rows)))

    def _weighted(self, sample: Sample) -> Sample:
        """The sample with class weights applied, if there are any."""
        return sample

    def _learned_sample(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Sample:
        """The sample, with classes as positions among the learned classes."""
        sample = self.sample_of(X, y, sample_weight)
        unknown = np.setdiff1d(sample.classes, self.classes_)
        if unknown.size:
            raise ValueError(f"class {unknown.tolist()[0]!r} of y was never learned")
        return sample.among(self.classes_)

    def _calibrated(self, model: Any, sample: Sample, unchosen: Array | None = None) -> Calibration | None:
        """The calibration, from leave-one-out predictions of learned rows; `unchosen` is as for `calibration`."""
        if not self.calibrate:
            return None
        log_p = model.loo_scores(sample)
        often = sample.class_weights + 1e-300
        _native.normalise(log_p, np.log(often / often.sum()), True)
        return calibration(log_p, sample.y, sample.classes, self.calibrate, sample.weight, unchosen)

    # Predictions

    def predict(self, X: TableLike) -> LabelArray:
        """The most probable class of each row. For a Dask collection the result is lazy; so are all probabilities.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array
            The classes.
        """
        if is_collection(X):
            return self._lazily(X, "predict")
        if self.calibration_ is not None:
            return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])
        table = self._read(X)
        return self.model_.predict(table)

    def predict_proba(self, X: TableLike) -> Array:
        """p(y | x) of each row and class.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array of rows x classes
            The probabilities, in the order of `classes_`.
        """
        if is_collection(X):
            return self._lazily(X, "predict_proba")
        table = self._read(X)
        if self.calibration_ is not None:
            return self.calibration_(self.model_.predict_proba(table, log=True))
        return self.model_.predict_proba(table)

    def predict_log_proba(self, X: TableLike) -> Array:
        """log p(y | x) of each row and class.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array of rows x classes
            The log probabilities.
        """
        if is_collection(X):
            return self._lazily(X, "predict_log_proba")
        table = self._read(X)
        log_p = self.model_.predict_proba(table, log=True)
        return log_p if self.calibration_ is None else np.log(self.calibration_(log_p))

    def _lazily(self, X: TableLike, method: str) -> LabelArray:
        from likely.engines import dask

        check_is_fitted(self)
        lazy: LabelArray = dask.answers(X, self, method, self.classes_, proba=method != "predict")
        return lazy

    def decide(
        self, X: TableLike, *, costs: CostsLike = None, threshold: ThresholdLike = None, abstain: float | None = None
    ) -> LabelArray:
        """The class of each row, chosen by costs or thresholds; "unsure" if no class is predicted.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.
        costs : dict, text or array, optional
            What a mistake costs: {("yes", "no"): 10} or "yes as no: 10" for a row of class "yes" that is predicted as
            "no", or an array of classes x classes. Other mistakes cost 1. The class with the lowest expected cost is
            predicted.
        threshold : dict or number, optional
            {"yes": 0.3}: predict "yes" if and only if its probability is 0.3 or more. With two classes, a number is for
            the second. `likely.validation.choose_threshold` finds one.
        abstain : number, optional
            Predict "unsure" if the predicted class has a lower probability than this.

        Returns
        -------
        array
            The classes.
        """
        check_is_fitted(self)
        refuse_elsewhere(X)
        return DecisionRule.of(self.classes_, costs, threshold, abstain)(self.predict_proba(X))

    def predict_set(self, X: TableLike, coverage: float = 0.95, *, by_class: bool = False) -> PredictionSets:
        """Prediction sets: for each row the smallest set of classes that contains the true one with this probability,
        over all rows, or over the rows of each class. It needs `calibrate=True`.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.
        coverage : float, default 0.95
            The probability.
        by_class : bool, default False
            Whether the coverage holds for the rows of each class.

        Returns
        -------
        PredictionSets
            A list of classes for each row, the most probable first.
        """
        check_is_fitted(self)
        refuse_elsewhere(X)
        conformity = None if self.calibration_ is None else self.calibration_.conformity
        if conformity is None:
            raise ValueError("prediction sets need leave-one-out predictions: fit with calibrate=True")
        return conformity.sets(self.predict_proba(X), self.classes_, coverage, by_class)

    # scikit-learn's conventions

    def score(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> float:
        """The accuracy: the share of rows whose class is predicted.

        Parameters
        ----------
        X : table of rows x columns
            The rows to predict.
        y : array-like of labels
            Their true classes.
        sample_weight : array-like of numbers, optional
            The weight of each row.

        Returns
        -------
        float
            From 0 to 1.
        """
        refuse_elsewhere(X)
        return float(super().score(X, y, sample_weight))

    def _read(self, X: TableLike, reset: bool = False) -> Table:
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of an array, so that users can't change the model by it."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


def _shaped(X: TableLike, names: Sequence[Hashable]) -> Any:
    """X in a form whose shape and names scikit-learn can read: lists and the like become an array."""
    return X if len(getattr(X, "shape", ())) == 2 else np.empty((0, len(names)), np.bool)


def part_sample(face: TableClassifier, rows: LabelledRows) -> Sample | None:
    """The sample of one part of a table on a cluster; None if no row has any weight."""
    X, y, weight = rows
    empty = not len(X) or (weight is not None and not np.any(weight))
    return None if empty else face.sample_of(X, y, weight, reset=True)
