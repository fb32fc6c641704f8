"""Logistic regression as a scikit-learn classifier."""

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from likely.data import Sample
from likely.estimators.tables import TableClassifier, read_only
from likely.models.describe import LinearForm
from likely.models.logistic.information import Information
from likely.models.logistic.odds import OddsRatios, odds_ratios
from likely.models.logistic.reasons import LogisticExplanation
from likely.models.logistic.regression import LogisticModel
from likely.store import Stored

Array = NDArray[np.float64]


MOST_WEIGHT = 1e20
"""Of all rows: far beyond it there is no penalty to speak of, and no fit ends."""


class LogisticRegression(TableClassifier):
    """Logistic regression of two classes or many, with a proof of how near its weights are to the best there are.

    It minimises 1/2 |w|^2 + C times the sum of the losses -log p(y | x), and the bias is free. The weights are of T(x):
    of a number, of the indicators of a category, of the words of a text.

    Parameters
    ----------
    C : float, sequence of floats, or "auto"
        How much the losses weigh against the weights; `numpy.inf` for no penalty. Of several the one with the lowest
        leave-one-out log loss; for "auto", of a grid, with a little against those far from 1.
    shrink_to : "naive_bayes" or None
        What the weights are shrunk towards: 1/2 |w - w_nb|^2, the bias too, in place of 1/2 |w|^2. As C goes to 0 this
        is naive Bayes, and as it grows maximum conditional likelihood. C="auto" also chooses the scale of w_nb: 1, 0.5,
        0.25 or 0, see `nb_scale_`.
    families : "auto", family, or dict, optional
        How columns are read, as in NaiveBayes; a family says what T(x) is: x and x^2 for Gaussian, x for Poisson, the
        indicators of bins for Histogram. Numbers without a family are x alone, unless weights are shrunk towards
        naive Bayes, which then chooses.
    smoothing : prior, optional
    class_prior : "frequencies", "uniform", Dirichlet, or probabilities
        Of naive Bayes, where weights are shrunk towards it.
    missing : "indicate" or "refuse"
        A missing cell is read as the mean, and of columns that had some there is an indicator; or it is an error.
    missing_values : value, optional
        A value that stands for a missing cell, such as "?" or -999; NaN and null always do.
    standardize : bool
        Whether the weights that are penalised are those of numbers brought to mean 0 and deviation 1. What is learned
        is in the columns' own units. A sparse matrix is left as it is.
    limits : list of limits, optional
        What the weights must keep, of `likely.limits`: Between (a sign, a range, a sum), Rising and Falling (effects
        that go one way), Equal. One list, so that each has its multiplier in `multipliers_`. A C that is chosen is
        chosen without them. Of more than two classes a limit says `of` which class it is, and is on the weight of that
        class less the mean over all classes.
    interactions : "auto", 0, or list of pairs of columns
        Pairs of columns that act together, and so have a term of their own: each a surface over both, see `pairs_`.
        "auto" looks for them where C="auto" and weights are shrunk towards naive Bayes, and takes those that lower the
        log loss of held-out rows by more than a standard error.
    time_ordered : bool
        Whether rows are in the order of their time, as mail is. Hyper-parameters are then chosen by fifths of the rows,
        each predicted from those before it: random folds show what things were like, not what comes. And
        naive Bayes is kept as it is, but for its scale, unless weights gain more than a standard error.
    class_weight : dict, "balanced" or None
        As in scikit-learn.
    calibrate : bool, "temperature" or "isotonic"
        As in NaiveBayes; leave-one-out is by a Newton step for each row.
    tol : float
        How near the objective must be to its least, relative to it; or to C / 1000 for each row, where it is less. The
        loss of separable classes goes to nothing as C grows, and no fit comes near to that.

    Attributes
    ----------
    coef_, intercept_ : weights of `features_` and bias, one row of two classes. Of more, the penalty makes the weights
        of a feature add up to nothing over the classes: each is that of log p of its class less the mean of log p of
        all. Shrunk towards naive Bayes, they add up to what its weights do.
    features_ : what the weights are of: (column, None) for a number, (column, value) for an indicator or a word
    C_ : the strength in use; nb_scale_ : the scale of w_nb, towards which weights are shrunk
    tried_ : what was tried: C, the leave-one-out or cross-validated log loss, the scale of w_nb, how numbers are read
        ("family": as naive Bayes does; "curve": x and x^2; "knots": these and a curve between knots), how many pairs
    pairs_ : the pairs of columns that have a term of their own
    gap_ : the objective is above its least by no more than this
    objective_ : the objective
    n_iter_ : passes over the rows, as an array of one number
    column_importances_ : the length of the vector of weights of each column, for `SelectFromModel`
    multipliers_ : of each limit, by how much the least objective would fall for each unit by which the bound that holds
        is raised; a number for each row of it, 0 where it does not hold
    kkt_ : how far the conditions of Karush, Kuhn and Tucker are from holding; None without limits
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn

    Notes
    -----
    The gap is the duality gap, worked out from the weights alone, whatever found them. A fit that cannot bring it below
    `tol`, or whose weights do not exist, says so once.
    """

    model_: LogisticModel

    def __init__(
        self,
        C: Any = 1.0,  # noqa: N803 - scikit-learn's name
        *,
        shrink_to: Any = None,
        families: Any = None,
        smoothing: Any = None,
        class_prior: Any = "frequencies",
        missing: Any = "indicate",
        missing_values: Any = None,
        standardize: bool = True,
        limits: Any = None,
        interactions: Any = "auto",
        time_ordered: bool = False,
        class_weight: Any = None,
        calibrate: Any = False,
        tol: float = 1e-6,
    ) -> None:
        self.C = C
        self.shrink_to = shrink_to
        self.families = families
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.missing = missing
        self.missing_values = missing_values
        self.standardize = standardize
        self.limits = limits
        self.interactions = interactions
        self.time_ordered = time_ordered
        self.class_weight = class_weight
        self.calibrate = calibrate
        self.tol = tol

    def _unlearned(self) -> LogisticModel:
        return LogisticModel(
            self.C,
            shrink_to=self.shrink_to,
            families=self.families,
            smoothing=self.smoothing,
            class_prior=self.class_prior,
            missing=self.missing,
            standardize=self.standardize,
            limits=self.limits,
            interactions=self.interactions,
            time_ordered=self.time_ordered,
            tol=self.tol,
        )

    @staticmethod
    def _parameters(model: LogisticModel) -> dict[str, Any]:
        several = model.candidates
        return {
            "C": "auto" if several is None else several[0] if len(several) == 1 else list(several),
            **{name: getattr(model, name) for name in ("shrink_to", "families", "smoothing", "class_prior")},
            **{name: getattr(model, name) for name in ("missing", "standardize", "time_ordered", "tol")},
            "interactions": model.interactions
            if isinstance(model.interactions, str)
            else list(model.interactions) or 0,
            "limits": list(model.limits) or None,
        }

    @classmethod
    def _of(cls, stored: Stored) -> Self:
        face = super()._of(stored)
        face.class_weight = stored.class_weight
        return face

    def as_model(self) -> LogisticModel | None:
        """A model of these parameters, if its answers are those of the estimator."""
        return None if self.calibrate or self.class_weight is not None else self._unlearned()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learns these rows and nothing else."""
        sample = self.sample_of(X, y, sample_weight, reset=True)
        model = self._unlearned().fit(sample)
        if model.solution.message:
            warnings.warn(model.solution.message, ConvergenceWarning, stacklevel=2)
        found = self._calibrated(model, sample)
        self._take(model, X)
        self.calibration_ = found
        return self

    # What was learned

    @property
    def coef_(self) -> Array:
        check_is_fitted(self)
        return read_only(self.model_.weights[0])

    @property
    def intercept_(self) -> Array:
        check_is_fitted(self)
        return read_only(self.model_.weights[1])

    @property
    def column_importances_(self) -> Array:
        """The length of the vector of weights of each column, over its features and all classes."""
        check_is_fitted(self)
        place = {name: j for j, name in enumerate(self.model_.names)}
        squares = np.bincount([place[column] for column, _ in self.features_], (self.coef_**2).sum(axis=0), len(place))
        return np.sqrt(squares)

    @property
    def features_(self) -> list[tuple[Any, Any]]:
        check_is_fitted(self)
        return self.model_.features

    @property
    def C_(self) -> float:  # noqa: N802 - after scikit-learn's LogisticRegressionCV
        check_is_fitted(self)
        return self.model_.c

    @property
    def nb_scale_(self) -> float:
        check_is_fitted(self)
        return self.model_.known.nb_scale

    @property
    def tried_(self) -> list[Any]:
        check_is_fitted(self)
        return self.model_.tried

    @property
    def pairs_(self) -> list[tuple[Any, Any]]:
        check_is_fitted(self)
        return self.model_.design.pairs

    @property
    def gap_(self) -> float:
        check_is_fitted(self)
        return self.model_.solution.gap

    @property
    def objective_(self) -> float:
        check_is_fitted(self)
        return self.model_.solution.objective

    @property
    def n_iter_(self) -> NDArray[np.int32]:
        check_is_fitted(self)
        return np.array([self.model_.solution.passes], np.int32)

    @property
    def multipliers_(self) -> list[Any]:
        check_is_fitted(self)
        return list(self.model_.known.multipliers)

    @property
    def kkt_(self) -> Any:
        check_is_fitted(self)
        return self.model_.known.kkt

    # Answers

    def decision_function(self, X: Any) -> Array:
        """The scores: of two classes, the log odds of the second."""
        table = self._read(X)
        scores = self.model_.score(table)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def loo_scores(self, X: Any, y: Any, sample_weight: Any = None, *, exact: bool = False) -> Array:
        """Scores of each row and class as if the row had not been learned, of rows that were: by one step of Newton's
        for each, or if `exact` by another fit where one step is doubtful.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self.model_.loo_scores(sample, exact)

    def explain(self, X: Any) -> LogisticExplanation:
        """Why: for each row the bias and what each column adds; they sum to the scores."""
        table = self._read(X)
        return LogisticExplanation(self.model_, table)

    def linear(self) -> LinearForm:
        """Weights and bias of the scores of each class; of two, those of the first are 0."""
        weights, bias = self.coef_, self.intercept_
        if len(bias) == 1:
            weights, bias = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, bias)
        return LinearForm(self.classes_, weights, bias, self.features_)

    def odds_ratios(self, X: Any, y: Any, sample_weight: Any = None, *, level: float = 0.95) -> OddsRatios:
        """By what one more of each feature multiplies the odds of a class against the first, with intervals from the
        observed information; of the rows learned.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return odds_ratios(self.model_, sample, level)

    def information(self, X: Any, y: Any, sample_weight: Any = None) -> Information:
        """Standard errors, of the columns standardised, and leave-one-out scores; of the rows learned.

        Both are from the whole curvature, of dense and sparse rows, up to 4,096 weights and biases of all classes. Of
        more its diagonal stands for it, as if columns had nothing in common.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self.model_.information(sample)

    def _weighted(self, sample: Sample) -> Sample:
        total = sample.class_weights.sum()
        if total > MOST_WEIGHT:
            raise ValueError(
                f"sample_weight adds up to {total:.3g}; losses are multiplied by it and by C, so give weights of about "
                "1 and a larger C"
            )
        if self.class_weight is None:
            return sample
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            each = sample.class_weights
            of_classes = np.divide(each.sum(), np.count_nonzero(each) * each, out=np.zeros(len(each)), where=each > 0)
            return sample.weighing(of_classes[sample.y] * sample.weights)
        of_rows = compute_sample_weight(self.class_weight, sample.classes[sample.y])
        return sample.weighing(np.asarray(of_rows * sample.weights))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
