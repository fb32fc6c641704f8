"""Gaussian classifiers as a scikit-learn classifier."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from likely.estimators.classifier import Array, GenerativeClassifier
from likely.estimators.tables import read_only
from likely.families import MultivariateGaussian
from likely.models.boundary import Window
from likely.models.gaussian import GaussianModel, QuadraticForm
from likely.priors import MaximumLikelihood


class GaussianClassifier(GenerativeClassifier):
    """One Gaussian per class over all columns, with the covariance between them.

    Parameters
    ----------
    covariance : "full", "tied", "diagonal", or "spherical"
        What the covariance of a class may be: its own, by which boundaries are quadratic; one for all classes, by
        which they are linear; its own, of independent columns; its own, and the same in all columns.
    shrinkage : "auto", number, or pair of numbers
        How far covariances are shrunk, from 0 to 1. A number shrinks those of the classes towards the tied one, or a
        tied one towards its diagonal; a pair is (towards tied, towards diagonal). "auto" takes the pair of the highest
        leave-one-out likelihood.
    prior : InverseWishart, optional
        The prior of each covariance; none by default (`MaximumLikelihood()`).
    mean_prior : Normal, optional
        The prior of each mean vector, the covariance being what it is estimated as.
    class_prior : "frequencies", "uniform", Dirichlet, or probabilities
        p(y). Probabilities are a dict from class to number, or a sequence in the order of `classes_`.
    calibrate : bool, "temperature" or "isotonic"
        Whether probabilities are calibrated by leave-one-out predictions: by a temperature and an offset
        for each class, or by rising curves; True takes what serves left-out rows better. Answers may change with it.
        `fit` learns the map, and what comes later keeps it, unless a class is new.
    missing_values : value, optional
        A value that stands for a missing cell, such as -999; NaN and null always do.

    Attributes
    ----------
    classes_ : the class labels, in ascending order
    class_count_ : how many rows (or how much weight) of each class have been learned
    means_ : classes x columns
    covariances_ : classes x columns x columns
    shrinkage_ : the pair (towards tied, towards diagonal) in use
    calibration_ : the map of probabilities, or None
    n_features_in_, feature_names_in_ : as in scikit-learn

    Notes
    -----
    A row with missing cells is scored by the Gaussian of the cells that are there, exactly; a row with nothing but
    missing cells gets the class prior. The covariance (full or tied) is learned from the rows without missing cells.
    A column that is constant in all rows is not informative.

    "auto" chooses when the model is fitted, or by the first `partial_fit`; `retune` chooses again.
    """

    def __init__(
        self,
        covariance: Any = "full",
        *,
        shrinkage: Any = "auto",
        prior: Any = None,
        mean_prior: Any = None,
        class_prior: Any = "frequencies",
        calibrate: Any = False,
        missing_values: Any = None,
    ) -> None:
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.prior = prior
        self.mean_prior = mean_prior
        self.class_prior = class_prior
        self.calibrate = calibrate
        self.missing_values = missing_values

    model_: GaussianModel

    def _unlearned(self) -> GaussianModel:
        prior = MaximumLikelihood() if self.prior is None else self.prior
        family = MultivariateGaussian(self.covariance, self.shrinkage, prior, self.mean_prior)
        return GaussianModel(family, class_prior=self.class_prior)

    @staticmethod
    def _parameters(model: GaussianModel) -> dict[str, Any]:
        family = model.families
        given = {name: getattr(family, name) for name in ("covariance", "shrinkage", "prior", "mean_prior")}
        given["prior"] = None if family.prior == MaximumLikelihood() else family.prior
        return {**given, "class_prior": model.class_prior}

    @property
    def means_(self) -> Array:
        check_is_fitted(self)
        return read_only(self.model_.parameters[0])

    @property
    def covariances_(self) -> Array:
        check_is_fitted(self)
        return read_only(self.model_.parameters[1])

    @property
    def shrinkage_(self) -> tuple[float, float]:
        check_is_fitted(self)
        tied, diagonal = self.model_.family.amounts
        return tied, diagonal

    def mahalanobis(self, X: Any) -> Array:
        """The Mahalanobis distance of each row from the mean of each class; of the cells that are there."""
        table = self._read(X)
        return np.sqrt(self.model_.squared_distances(table))

    def outlier(self, X: Any) -> Array:
        """How probable a row at least this far out is in the class it is nearest to: near 0 for a row that is far from
        every class. It is the tail of chi squared beyond the smallest squared Mahalanobis distance.
        """
        table = self._read(X)
        return self.model_.tail(table)

    def quadratic(self) -> QuadraticForm:
        """A, b and c per class: the scores log p(x, y) are x' A x + b' x + c."""
        check_is_fitted(self)
        return self.model_.quadratic()

    def boundary(
        self,
        columns: Sequence[Any] | None = None,
        classes: Sequence[Any] | None = None,
        window: Window | None = None,
        points: int = 200,
    ) -> list[Array]:
        """Where two classes are equally probable in the plane of two columns: curves, each points x 2.

        Of a model with more than two columns say which; the others are left out, as if missing. So too of more than two
        classes. The window is ((least, largest), (least, largest)): if not given, four deviations from the means.
        """
        check_is_fitted(self)
        return self.model_.boundary(columns, classes, window, points)

    def parameter_posterior(self, column: Any = None) -> Any:
        """The posterior of a column's mean per class, a Normal; or of all parameters, as `.mean` (a Normal) and
        `.covariance` (an InverseWishart).
        """
        check_is_fitted(self)
        return self.model_.parameter_posteriors() if column is None else self.model_.parameter_posterior(column)
