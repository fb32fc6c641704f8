"""scikit-learn's classifiers by name and parameters, and Likely's behind them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

import likely
from likely.families import Bernoulli, Categorical, Complement, Gaussian, Multinomial
from likely.priors import Beta, Dirichlet, MaximumLikelihood

Array = NDArray[np.float64]

SENTENCES = {
    "class_prior has .* numbers for": "Number of priors must match number of classes",
    "probabilities that sum to 1, not .*-": "Priors must be non-negative",
    "probabilities that sum to 1": "The sum of the priors should be 1",
    "Negative values in data": "Negative values in data passed to {} (input X)",
}


class Shim(ClassifierMixin, BaseEstimator):
    """Asks `ours` for an unfitted estimator of Likely's, and that for everything else."""

    fitted_: Any

    def ours(self) -> Any:
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        with self._in_their_words():
            self.fitted_ = self.ours().fit(X, y, sample_weight)
        return self._seen()

    @contextmanager
    def _in_their_words(self) -> Iterator[None]:
        """With the sentence of scikit-learn's before ours, where a test of theirs looks for it."""
        try:
            yield
        except ValueError as error:
            theirs = (sentence for ours, sentence in SENTENCES.items() if re.search(ours, str(error)))
            if (sentence := next(theirs, None)) is None:
                raise
            raise ValueError(f"{sentence.format(type(self).__name__)}: {error}") from None

    def _seen(self) -> Self:
        self.classes_, self.n_features_in_ = self.fitted_.classes_, self.fitted_.n_features_in_
        return self

    def _of(self, name: str, X: Any) -> Any:
        check_is_fitted(self)
        return getattr(self.fitted_, name)(X)

    def predict(self, X: Any) -> Any:
        return self._of("predict", X)

    def predict_proba(self, X: Any) -> Array:
        return self._of("predict_proba", X)

    def predict_log_proba(self, X: Any) -> Array:
        return self._of("predict_log_proba", X)

    def decision_function(self, X: Any) -> Array:
        return self._of("decision_function", X)

    def __sklearn_tags__(self) -> Any:
        return self.ours().__sklearn_tags__()


class NaiveBayesShim(Shim):
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        self.fitted_ = getattr(self, "fitted_", None) or self.ours()
        self.fitted_.partial_fit(X, y, classes, sample_weight)
        return self._seen()

    def predict_joint_log_proba(self, X: Any) -> Array:
        return self._of("predict_joint_log_proba", X)

    @property
    def block(self) -> Any:
        (block,) = self.fitted_.model_.blocks
        return block

    @property
    def class_count_(self) -> Any:
        return self.fitted_.class_count_

    @property
    def class_prior_(self) -> Array:
        return np.exp(self.class_log_prior_)

    @property
    def class_log_prior_(self) -> Array:
        return self.fitted_.model_.log_prior()


def of_classes(priors: Any) -> Any:
    return "frequencies" if priors is None else priors


class GaussianNB(NaiveBayesShim):
    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors, self.var_smoothing = priors, var_smoothing

    def ours(self) -> Any:
        return likely.NaiveBayes(
            Gaussian(MaximumLikelihood()), class_prior=of_classes(self.priors), column_weights=False
        )

    @property
    def theta_(self) -> Array:
        return self.block.parameters.mean

    @property
    def var_(self) -> Array:
        return self.block.parameters.variance


class Discrete(NaiveBayesShim):
    alpha: Any
    fit_prior: bool
    class_prior: Any

    @property
    def _class_prior(self) -> Any:
        if self.class_prior is None:
            return "frequencies" if self.fit_prior else "uniform"
        return self.class_prior

    @property
    def feature_count_(self) -> Any:
        return self.block.statistics.total


class MultinomialNB(Discrete):
    def __init__(
        self, *, alpha: Any = 1.0, force_alpha: bool = True, fit_prior: bool = True, class_prior: Any = None
    ) -> None:
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior = alpha, force_alpha, fit_prior, class_prior

    def ours(self) -> Any:
        return likely.NaiveBayes(Multinomial(Dirichlet(self.alpha)), class_prior=self._class_prior)

    @property
    def feature_log_prob_(self) -> Array:
        return self.block.parameters.weights


class ComplementNB(Discrete):
    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior = alpha, force_alpha, fit_prior, class_prior
        self.norm = norm

    def ours(self) -> Any:
        return likely.NaiveBayes(Complement(Dirichlet(self.alpha), self.norm), class_prior=self._class_prior)

    @property
    def feature_log_prob_(self) -> Array:
        return self.block.parameters.weights

    @property
    def feature_all_(self) -> Any:
        return self.feature_count_.sum(axis=0)


class BernoulliNB(Discrete):
    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior = alpha, force_alpha, fit_prior, class_prior
        self.binarize = binarize

    def ours(self) -> Any:
        family = Bernoulli(Beta(self.alpha, self.alpha), threshold=self.binarize)
        return likely.NaiveBayes(family, class_prior=self._class_prior)

    @property
    def feature_log_prob_(self) -> Array:
        return np.log(self.block.parameters.p)


class CategoricalNB(Discrete):
    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior = alpha, force_alpha, fit_prior, class_prior
        self.min_categories = min_categories

    def ours(self) -> Any:
        return likely.NaiveBayes(Categorical(Dirichlet(self.alpha), unseen=False), class_prior=self._class_prior)

    @property
    def category_count_(self) -> list[Any]:
        table, starts = self.block.statistics.table, self.block.frame.starts
        return [table[:, a:b] for a, b in pairwise(starts)]


class GaussianShim(Shim):
    priors: Any

    @property
    def means_(self) -> Array:
        return self.fitted_.means_

    @property
    def priors_(self) -> Array:
        return np.exp(self.fitted_.model_.log_prior())


class LinearDiscriminantAnalysis(GaussianShim):
    def __init__(
        self,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        n_components: Any = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver, self.shrinkage, self.priors, self.n_components = solver, shrinkage, priors, n_components
        self.store_covariance, self.tol, self.covariance_estimator = store_covariance, tol, covariance_estimator

    def ours(self) -> Any:
        shrinkage = 0.0 if self.shrinkage is None else self.shrinkage
        return likely.GaussianClassifier("tied", shrinkage=shrinkage, class_prior=of_classes(self.priors))

    @property
    def covariance_(self) -> Array:
        return self.fitted_.covariances_[0]

    @property
    def coef_(self) -> Array:
        weights = self.fitted_.linear().weights
        return weights[1:] - weights[:1] if len(weights) == 2 else weights


class QuadraticDiscriminantAnalysis(GaussianShim):
    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver, self.shrinkage, self.priors, self.reg_param = solver, shrinkage, priors, reg_param
        self.store_covariance, self.tol, self.covariance_estimator = store_covariance, tol, covariance_estimator

    def ours(self) -> Any:
        return likely.GaussianClassifier("full", shrinkage=0.0, class_prior=of_classes(self.priors))

    @property
    def covariance_(self) -> list[Array]:
        return list(self.fitted_.covariances_)


class LogisticRegression(Shim):
    def __init__(
        self,
        penalty: Any = "deprecated",
        *,
        C: Any = 1.0,  # noqa: N803
        l1_ratio: Any = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: Any = None,
    ) -> None:
        self.penalty, self.C, self.l1_ratio, self.dual, self.tol = penalty, C, l1_ratio, dual, tol
        self.fit_intercept, self.intercept_scaling, self.class_weight = fit_intercept, intercept_scaling, class_weight
        self.random_state, self.solver, self.max_iter, self.verbose = random_state, solver, max_iter, verbose
        self.warm_start, self.n_jobs = warm_start, n_jobs

    def ours(self) -> Any:
        if not self.fit_intercept or self.l1_ratio:
            pytest.skip("a case without a bias, or with an L1 penalty: see docs/logistic.md")
        # Ours is of the objective, and weights are as near as its root.
        return likely.LogisticRegression(self.C, standardize=False, class_weight=self.class_weight, tol=1e-11)

    @property
    def coef_(self) -> Array:
        check_is_fitted(self)
        return self.fitted_.coef_

    @property
    def intercept_(self) -> Array:
        check_is_fitted(self)
        return self.fitted_.intercept_

    @property
    def n_iter_(self) -> Any:
        return self.fitted_.n_iter_


SHIMS = {shim.__name__: shim for shim in Shim.__subclasses__() for shim in (shim, *shim.__subclasses__())} | {
    shim.__name__: shim for shim in Discrete.__subclasses__()
}
