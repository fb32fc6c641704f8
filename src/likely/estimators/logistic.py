"""Logistic regression as a scikit-learn classifier."""

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from likely.engines import threads
from likely.families import Gaussian
from likely.models.logistic import Information, information, solve
from likely.statistics import Frame, Moments
from likely.validation.calibrate import Calibration, calibration

Array = NDArray[np.float64]


class LogisticRegression(ClassifierMixin, BaseEstimator):
    """L2 logistic regression, of two classes or many, with a proof of how near its weights are to the best there are.

    It minimises 1/2 |w|^2 + C times the sum of the losses -log p(y | x); the bias is free.

    Parameters
    ----------
    C : float
        How much the losses weigh against the weights; `numpy.inf` for no penalty.
    standardize : bool
        Whether the weights that are penalised are those of columns brought to mean 0 and deviation 1. What is learned
        is told in the columns' own units. A sparse matrix is left as it is.
    class_weight : dict, "balanced" or None
        As in scikit-learn.
    calibrate : bool, "temperature" or "isotonic"
        As in NaiveBayes; rows are left out by a step of Newton's.
    tol : float
        How near the objective must be to its least, relative to it.

    Attributes
    ----------
    coef_, intercept_ : weights and bias, one row of two classes
    gap_ : the objective is above its least by no more than this
    objective_ : the objective
    n_iter_ : passes over the rows
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn

    Notes
    -----
    The gap is the duality gap, worked out from the weights alone, whatever found them. A fit that cannot bring it below
    `tol`, or whose weights do not exist, says so once.
    """

    calibration_: Calibration | None = None

    def __init__(
        self,
        C: float = 1.0,  # noqa: N803 - scikit-learn's name
        *,
        standardize: bool = True,
        class_weight: Any = None,
        calibrate: Any = False,
        tol: float = 1e-6,
    ) -> None:
        self.C = C
        self.standardize = standardize
        self.class_weight = class_weight
        self.calibrate = calibrate
        self.tol = tol

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32])
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        weight = self._weights(X, y, sample_weight)
        if np.count_nonzero(np.bincount(codes, weight)) < 2:
            raise ValueError("y has one class with any weight; two or more are needed to tell them apart")
        self._means, self._scales = self._units(X, weight)
        X = X.astype(np.float64) if issparse(X) else X
        problem = X, codes.astype(np.int32), len(self.classes_), float(self.C)
        solution = solve(*problem, weight=weight, means=self._means, scales=self._scales, tol=self.tol)
        if solution.message:
            warnings.warn(solution.message, ConvergenceWarning, stacklevel=2)
        self.coef_ = solution.weights / (1.0 if self._scales is None else self._scales)
        self.intercept_ = solution.bias - (0.0 if self._means is None else self.coef_ @ self._means)
        self.gap_, self.objective_, self.n_iter_ = solution.gap, solution.objective, solution.passes
        self._solution = solution
        self.calibration_ = self._calibrated(problem, weight) if self.calibrate else None
        return self

    def _calibrated(self, problem: tuple[Any, NDArray[np.int32], int, float], weight: Array | None) -> Calibration:
        X, codes, classes, c = problem
        known = information(X, codes, classes, self._solution, c, weight=weight, means=self._means, scales=self._scales)
        log_p = _log_p(known.left_out()[0])
        return calibration(log_p, codes, self.classes_, self.calibrate, weight)

    def decision_function(self, X: Any) -> Array:
        """The scores: of two classes, the log odds of the second."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        scores = np.asarray(X @ self.coef_.T + self.intercept_)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        if self.calibration_ is not None:
            return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])
        scores = self.decision_function(X)
        return np.asarray(self.classes_[scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)])

    def predict_log_proba(self, X: Any) -> Array:
        """log p(y | x) of each row and class."""
        scores = self.decision_function(X)
        log_p = _log_p(scores if scores.ndim == 2 else scores[:, None])
        return log_p if self.calibration_ is None else np.log(self.calibration_(log_p))

    def predict_proba(self, X: Any) -> Array:
        """p(y | x) of each row and class."""
        return np.exp(self.predict_log_proba(X))

    def information(self, X: Any, y: Any, sample_weight: Any = None) -> Information:
        """Standard errors, of the columns standardised, and scores with each row left out; of the rows learned."""
        check_is_fitted(self)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        weight = self._weights(X, y, sample_weight)
        codes = np.searchsorted(self.classes_, y).astype(np.int32)
        learned = X, codes, len(self.classes_), self._solution, float(self.C)
        return information(*learned, weight=weight, means=self._means, scales=self._scales)

    def _weights(self, X: Any, y: Any, sample_weight: Any) -> Array | None:
        if sample_weight is None and self.class_weight is None:
            return None
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        return np.asarray(weight * compute_sample_weight(self.class_weight, y))

    def _units(self, X: Any, weight: Array | None) -> tuple[Array | None, Array | None]:
        """The means of the columns and their deviations, 1 where there is none."""
        if not self.standardize or issparse(X):
            return None, None
        one, frame = np.zeros(len(X), np.int32), Frame(range(X.shape[1]))

        def count(rows: slice) -> Moments:
            part = None if weight is None else weight[rows]
            return Gaussian().count(X[rows], one[rows], 1, part, frame)

        moments = threads.total(count, threads.pieces(len(X), X.itemsize * X.shape[1]))
        deviation = np.sqrt(moments.m2[0] / np.maximum(moments.n[0], 1e-300))
        flat = deviation <= 1e-10 * np.abs(moments.mean[0])
        return moments.mean[0], np.where(flat | (deviation == 0), 1.0, deviation)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _log_p(scores: Array) -> Array:
    """log p(y | x) from one score for two classes, or one for each."""
    both = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
    return np.asarray(log_softmax(both, axis=1))
