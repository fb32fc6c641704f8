"""Logistic regression as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_sample_weight

from likely.data import Sample
from likely.engines.engine import LabelledRows, Parts, is_collection
from likely.estimators.tables import TableClassifier, part_sample, read_only
from likely.fitting.logistic import fit_logistic
from likely.limits import Feature, Limit
from likely.models.describe import LinearForm
from likely.models.logistic.design import IndicatesMissing
from likely.models.logistic.information import Information
from likely.models.logistic.odds import OddsRatios, odds_ratios
from likely.models.logistic.reasons import LogisticExplanation
from likely.models.logistic.regression import LogisticModel
from likely.models.logistic.strength import Tried
from likely.models.logistic.trace import LogisticTrace, Method, trace
from likely.optimize import Certificate
from likely.store import Stored
from likely.typing import (
    Array,
    CalibrateLike,
    ClassPriorLike,
    Column,
    FamiliesLike,
    Label,
    LabelsLike,
    SmoothingLike,
    TableLike,
    WeightsLike,
)

OPTIONS = (
    "shrink_to",
    "families",
    "smoothing",
    "class_prior",
    "missing",
    "standardize",
    "limits",
    "interactions",
    "time_ordered",
    "tol",
)
"""The parameters that the model has too."""

MOST_WEIGHT = 1e20
"""The largest total sample weight: far beyond it, the penalty has no effect, and a fit does not end."""


class LogisticRegression(TableClassifier):
    """Logistic regression for two or more classes, with a duality gap that shows how near the fit is to the optimum.

    It minimises ½ ‖w‖² + C times the sum of the losses -log p(y | x). The bias is not penalised. The weights are those
    of T(x): of a number, of the indicators of a category, of the words of a text.

    Parameters
    ----------
    C : float, sequence of floats, or "auto", default 1.0
        The weight of the losses against the penalty; `numpy.inf` means no penalty. From a sequence, the value with the
        lowest leave-one-out log loss is used. "auto" searches a grid, with a weak prior towards 1.
    shrink_to : "naive_bayes", optional
        What the weights are shrunk towards: ½ ‖w - w_nb‖² instead of ½ ‖w‖², for the bias too. As C goes to 0 this is
        naive Bayes; as C grows it is maximum conditional likelihood. C="auto" also chooses the scale of w_nb: 1, 0.5,
        0.25 or 0, see `nb_scale_`.
    families : "auto", family, or dict, optional
        How columns are read, as in NaiveBayes. A family defines T(x): x and x^2 for Gaussian, x for Poisson, the
        indicators of bins for Histogram. By default a number is x alone; with shrink_to="naive_bayes" the reading is
        chosen.
    smoothing : prior or "auto", optional
        The prior of naive Bayes, if weights are shrunk towards it.
    class_prior : "frequencies", "uniform", Dirichlet, Within, or probabilities, default "frequencies"
        p(y) of naive Bayes, if weights are shrunk towards it.
    missing : "indicate" or "refuse", default "indicate"
        "indicate" reads a missing cell as the mean, and adds an indicator for each column with missing cells. "refuse"
        raises an error.
    missing_values : value, optional
        A value that marks a missing cell, such as "?" or -999. NaN and null always do.
    standardize : bool, default True
        Whether numbers are standardised before weights are penalised. `coef_` is in the columns' own units. A sparse
        matrix is not standardised.
    limits : list of limits, optional
        Constraints on weights, from `likely.limits`: Between (a sign, a range, a sum), Rising and Falling (effects that
        go one way), Equal. `multipliers_` has the multipliers of each. C is chosen without them. With more than two
        classes, a limit names its class with `of`, and applies to the weight of that class minus the mean over all
        classes.
    interactions : "auto", 0, or list of pairs of columns, default "auto"
        Interactions: pairs of columns with a term of their own, a surface over both columns; see `pairs_`. "auto"
        searches for them if C="auto" and weights are shrunk towards naive Bayes, and keeps those that lower the log
        loss of held-out rows by more than a standard error.
    time_ordered : bool, default False
        Whether the rows are sorted by time, as mail is. Hyper-parameters are then chosen on fifths of the rows, each
        predicted from the rows before it. Naive Bayes with its scale is kept, unless other weights gain more than a
        standard error.
    class_weight : dict, "balanced" or None, optional
        As in scikit-learn.
    calibrate : bool, "temperature" or "isotonic", default False
        As in NaiveBayes; leave-one-out is one Newton step for each row.
    tol : float, optional
        How near the objective must be to its minimum, relative to the objective, or to C / 1000 for each row if that is
        more: the loss of separable classes goes to 0 as C grows. The default is 1e-6, and 1e-3 if the blend chooses C,
        readings and pairs, since these are compared by fits of that precision.

    Attributes
    ----------
    coef_, intercept_ : arrays
        The weights of `features_`, and the bias; one row for two classes. With more classes the penalty makes the
        weights of a feature sum to zero over the classes: each is the weight of log p of its class minus the mean of
        log p of all. Shrunk towards naive Bayes, they sum to what its weights sum to.
    features_ : list
        What the weights belong to: (column, None) for a number, (column, value) for an indicator or a word.
    C_ : float
        The regularisation strength in use.
    nb_scale_ : float
        The scale of w_nb.
    tried_ : list
        The candidates: C, log loss, scale of w_nb, how numbers are read ("family": as in naive Bayes; "curve": x and
        x^2; "knots": these and a curve between knots), the number of pairs, and whether every two numbers have their
        product.
    pairs_ : list
        The pairs of columns with an interaction.
    gap_ : float
        The duality gap: the objective is above its minimum by at most this.
    objective_ : float
        The objective.
    n_iter_ : array of one int
        The number of passes over the rows.
    column_importances_ : array
        The norm of the weight vector of each column, for `SelectFromModel`.
    multipliers_ : list
        For each limit, by how much the minimum falls for each unit by which the active bound is raised: a number for
        each row of the limit, 0 where it is not active.
    kkt_ : Certificate or None
        How far the Karush-Kuhn-Tucker conditions are from holding; None without limits.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    The duality gap is computed from the weights alone. A fit that cannot bring it below `tol`, or whose weights do not
    exist, warns once.

    See Also
    --------
    NaiveBayes : the generative counterpart.
    likely.limits : constraints on weights.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from likely import LogisticRegression
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(C=1).fit(X[:400], y[:400])
    >>> round(float(model.score(X[400:], y[400:])), 2)
    0.97
    >>> bool(model.gap_ < 1e-6 * model.objective_)  # no weights can be better by more than the gap
    True
    >>> blend = LogisticRegression("auto", shrink_to="naive_bayes").fit(X[:400], y[:400])
    >>> blend.nb_scale_  # how far naive Bayes was used: from 0 to 1
    1.0
    """

    model_: LogisticModel

    def __init__(
        self,
        C: float | Sequence[float] | Literal["auto"] = 1.0,  # noqa: N803 - scikit-learn's name
        *,
        shrink_to: Literal["naive_bayes"] | None = None,
        families: FamiliesLike | None = None,
        smoothing: SmoothingLike = None,
        class_prior: ClassPriorLike = "frequencies",
        missing: IndicatesMissing = "indicate",
        missing_values: Hashable = None,
        standardize: bool = True,
        limits: Sequence[Limit] | None = None,
        interactions: Literal["auto", 0] | Sequence[tuple[Column, Column]] = "auto",
        time_ordered: bool = False,
        class_weight: Mapping[Label, float] | Literal["balanced"] | None = None,
        calibrate: CalibrateLike = False,
        tol: float | None = None,
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
        options: dict[str, Any] = {name: getattr(self, name) for name in OPTIONS}
        return LogisticModel(cast(Any, self.C), **options)

    @staticmethod
    def _parameters(model: LogisticModel) -> dict[str, Any]:
        several = model.candidates
        pairs = model.interactions
        return {name: getattr(model, name) for name in OPTIONS} | {
            "C": "auto" if several is None else several[0] if len(several) == 1 else list(several),
            "interactions": pairs if isinstance(pairs, str) else list(pairs) or 0,
            "limits": list(model.limits) or None,
        }

    @classmethod
    def _of(cls, stored: Stored) -> Self:
        face = super()._of(stored)
        face.class_weight = stored.class_weight
        return face

    def as_model(self) -> LogisticModel | None:
        """A new model with these parameters, if its predictions are those of the estimator; else None."""
        return None if self.calibrate or self.class_weight is not None else self._unlearned()

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Learns these rows, and forgets all earlier ones.

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
        self
            The model.
        """
        if is_collection(X):
            from likely.engines import dask

            return self.fit_parts(dask.parts(X, y, sample_weight))
        sample = self.sample_of(X, y, sample_weight, reset=True)
        model = self._unlearned().fit(sample)
        if model.solution.message:
            warnings.warn(model.solution.message, ConvergenceWarning, stacklevel=2)
        found = self._calibrated(model, sample)
        self._take(model, X)
        self.calibration_ = found
        return self

    def fit_parts(self, parts: Parts[LabelledRows]) -> Self:
        """Learns rows in parts, as an engine of `likely.engines` provides them, and forgets all earlier rows."""
        if self.class_weight is not None:
            raise ValueError("class_weight is for rows in memory; of rows in partitions, give a column of weights")
        if self.calibrate:
            raise ValueError("leave-one-out of logistic regression needs rows in memory; give calibrate=False")
        model = fit_logistic(self._unlearned(), parts, partial(part_sample, clone(self)))
        if model.solution.message:
            warnings.warn(model.solution.message, ConvergenceWarning, stacklevel=2)
        self._named(model)._take(model)
        self.calibration_ = None
        return self

    # Learned attributes

    @property
    def coef_(self) -> Array:
        return read_only(self.model_.weights[0])

    @property
    def intercept_(self) -> Array:
        return read_only(self.model_.weights[1])

    @property
    def column_importances_(self) -> Array:
        """The norm of the weight vector of each column, over its features and all classes. The weights of a pair count
        for both of its columns."""
        squares = dict.fromkeys(self.model_.names, 0.0)
        for (column, _), square in zip(self.features_, (self.coef_**2).sum(axis=0).tolist(), strict=True):
            for name in (column,) if column in squares else column:
                squares[name] += square
        return np.sqrt(list(squares.values()))

    @property
    def features_(self) -> list[Feature]:
        return self.model_.features

    @property
    def C_(self) -> float:  # noqa: N802 - after scikit-learn's LogisticRegressionCV
        return self.model_.c

    @property
    def nb_scale_(self) -> float:
        return self.model_.known.nb_scale

    @property
    def tried_(self) -> list[Tried]:
        return self.model_.tried

    @property
    def pairs_(self) -> list[tuple[Column, Column]]:
        return self.model_.design.pairs

    @property
    def gap_(self) -> float:
        return self.model_.solution.gap

    @property
    def objective_(self) -> float:
        return self.model_.solution.objective

    @property
    def n_iter_(self) -> NDArray[np.int32]:
        return np.array([self.model_.solution.passes], np.int32)

    @property
    def multipliers_(self) -> list[float | Array]:
        return list(self.model_.known.multipliers)

    @property
    def kkt_(self) -> Certificate | None:
        return self.model_.known.kkt

    # Predictions

    def decision_function(self, X: TableLike) -> Array:
        """The scores; with two classes, the log-odds of the second.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array
            One number per row, or rows x classes if there are more than two classes.
        """
        table = self._read(X)
        scores = self.model_.score(table)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def loo_scores(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, *, exact: bool = False
    ) -> Array:
        """Leave-one-out scores of rows that the model has learned, for each row and class: by one Newton step for each
        row. If `exact`, the model is fitted again without those rows for which one step is not good enough.

        Parameters
        ----------
        X : table
            Rows that the model has learned.
        y : labels
            Their classes.
        sample_weight : array, optional
            Their weights; 1 by default.
        exact : bool, default False
            Whether to fit again if one step is not good enough.

        Returns
        -------
        array of rows x classes
            The scores.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self.model_.loo_scores(sample, exact)

    def explain(self, X: TableLike) -> LogisticExplanation:
        """Explains predictions: for each row, the bias and what each column adds. They sum to the scores.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        LogisticExplanation
            `explain(X)[0]` has the reasons for the first row.
        """
        table = self._read(X)
        return LogisticExplanation(self.model_, table)

    def linear(self) -> LinearForm:
        """The weights and bias of the scores of each class; with two classes, those of the first are 0.

        Returns
        -------
        LinearForm
            `weights`, `bias`, and the features that the weights belong to.
        """
        weights, bias = self.coef_, self.intercept_
        if len(bias) == 1:
            weights, bias = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, bias)
        return LinearForm(self.classes_, weights, bias, self.features_)

    def odds_ratios(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, *, level: float = 0.95
    ) -> OddsRatios:
        """The odds ratio of each feature: the factor by which one more unit multiplies the odds of a class against the
        first class, with intervals from the observed information.

        Parameters
        ----------
        X : table
            Rows that the model has learned.
        y : labels
            Their classes.
        sample_weight : array, optional
            Their weights; 1 by default.
        level : float, default 0.95
            The confidence of the intervals.

        Returns
        -------
        OddsRatios
            A table: `to_frame()` and `print` show it.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return odds_ratios(self.model_, sample, level)

    def trace(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, *, method: Method = "newton"
    ) -> LogisticTrace:
        """The path from weights of 0 to the minimum of the objective, by Newton's method or gradient descent as in a
        textbook; the fit itself is faster. `plot` draws it: with two weights on the contours of the objective,
        otherwise the objective by step.

        Parameters
        ----------
        X : table
            Rows that the model has learned.
        y : labels
            Their classes.
        sample_weight : array, optional
            Their weights; 1 by default.
        method : "newton" or "gradient", default "newton"
            The method.

        Returns
        -------
        LogisticTrace
            The steps: `plot` draws them.
        """
        return trace(self.model_, self._learned_sample(X, y, sample_weight), method)

    def information(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Information:
        """Standard errors (of standardised columns) and leave-one-out scores of the rows that the model has learned.

        Both use the full Hessian if there are at most 4,096 weights and biases of all classes. With more, only its
        diagonal is used, as if the columns were independent.

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
        Information
            Standard errors and leave-one-out scores.
        """
        sample = self._learned_sample(X, y, sample_weight)
        return self.model_.information(sample)

    def _weighted(self, sample: Sample) -> Sample:
        total = sample.class_weights.sum()
        if total > MOST_WEIGHT:
            raise ValueError(
                f"sample_weight adds up to {total:.3g}; losses are multiplied by it and by C, so use weights of about "
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
