"""Gaussian discriminant analysis as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from likely.estimators.classifier import GenerativeClassifier
from likely.estimators.tables import read_only
from likely.families import MultivariateGaussian
from likely.families.covariance import Posteriors
from likely.families.shrinkage import Covariance
from likely.models.boundary import Window
from likely.models.class_prior import settled
from likely.models.gaussian import GaussianModel, QuadraticForm
from likely.priors import MaximumLikelihood, Normal, Prior
from likely.typing import Array, CalibrateLike, ClassPriorLike, Column, Label, TableLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class GaussianClassifier(GenerativeClassifier):
    """One Gaussian per class over all columns, with the covariance between them.

    Parameters
    ----------
    covariance : "full", "tied", "diagonal", or "spherical", default "full"
        The covariance of a class. "full": its own, so decision boundaries are quadratic. "tied": one for all classes,
        so boundaries are linear. "diagonal": its own, with independent columns. "spherical": its own, with one variance
        for all columns.
    shrinkage : "auto", number, or pair of numbers, default "auto"
        How far covariances are shrunk, from 0 to 1. A number shrinks those of the classes towards the tied one, or a
        tied one towards its diagonal. A pair is (towards tied, towards diagonal). "auto" chooses the pair of the
        highest leave-one-out likelihood.
    prior : InverseWishart, optional
        The prior of each covariance. By default there is none (`MaximumLikelihood()`).
    mean_prior : Normal, optional
        The prior of each mean vector, given the covariance.
    class_prior : "frequencies", "uniform", Dirichlet, Within, or probabilities, default "frequencies"
        p(y). Probabilities are a dict from class to number, or a sequence in the order of `classes_`.
        `likely.limits.Within` is frequencies within limits.
    calibrate : bool, "temperature" or "isotonic", default False
        Whether probabilities are calibrated by leave-one-out predictions: by a temperature and an offset for each
        class, or by rising curves. True chooses the map with the lower log loss. Predicted classes may change too.
        `fit` learns the map; later rows leave it unchanged, unless a class is new.
    missing_values : value, optional
        A value that marks a missing cell, such as "?" or -999. NaN and null always do.

    Attributes
    ----------
    classes_ : array
        The class labels, in ascending order.
    class_count_ : array
        The number of rows (or their weight) of each class.
    means_ : array of classes x columns
        The mean vectors.
    covariances_ : array of classes x columns x columns
        The covariance matrices.
    shrinkage_ : pair of floats
        The shrinkage in use: (towards tied, towards diagonal).
    calibration_ : Calibration or None
        The map of probabilities.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    A row with missing cells is scored by the marginal Gaussian of the other cells, which is exact. A row without any
    value gets the class prior. A full or tied covariance is learned from the rows without missing cells. A constant
    column is not informative.

    "auto" chooses when you fit the model, or in the first `partial_fit`; `retune` chooses again.

    See Also
    --------
    NaiveBayes : columns of any kind.
    likely.families.MultivariateGaussian : the same for some columns of naive Bayes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from likely import GaussianClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianClassifier("tied").fit(X, y)
    >>> model.predict(X[[0, 60, 120]]).tolist()
    [0, 1, 2]
    >>> model.means_[0].round(1).tolist()
    [5.0, 3.4, 1.5, 0.2]
    """

    def __init__(
        self,
        covariance: Covariance = "full",
        *,
        shrinkage: Literal["auto"] | float | tuple[float, float] = "auto",
        prior: Prior | None = None,
        mean_prior: Normal | None = None,
        class_prior: ClassPriorLike = "frequencies",
        calibrate: CalibrateLike = False,
        missing_values: Hashable = None,
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
        return GaussianModel(family, class_prior=settled(self.class_prior))

    @staticmethod
    def _parameters(model: GaussianModel) -> dict[str, Any]:
        family = model.families
        given = {name: getattr(family, name) for name in ("covariance", "shrinkage", "prior", "mean_prior")}
        given["prior"] = None if family.prior == MaximumLikelihood() else family.prior
        return {**given, "class_prior": model.class_prior}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the Gaussians of two columns on matplotlib axes, and returns the axes: the mean and ellipses of each
        class, the decision boundary, and p(y | x). Needs `likely[report]`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib Axes
            The axes.
        """
        from likely.report.axes import plot_gaussians

        return plot_gaussians(self.model_, ax)

    @property
    def means_(self) -> Array:
        return read_only(self.model_.parameters[0])

    @property
    def covariances_(self) -> Array:
        return read_only(self.model_.parameters[1])

    @property
    def shrinkage_(self) -> tuple[float, float]:
        tied, diagonal = self.model_.family.amounts
        return tied, diagonal

    def mahalanobis(self, X: TableLike) -> Array:
        """The Mahalanobis distance of each row from the mean of each class; missing cells are ignored.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array of rows x classes
            The distances.
        """
        table = self._read(X)
        return np.sqrt(self.model_.squared_distances(table))

    def outlier(self, X: TableLike) -> Array:
        """How probable it is that a row of the nearest class is at least this far from its mean: near 0 for a row that
        is far from every class. It is the tail of chi squared beyond the smallest squared Mahalanobis distance.

        Parameters
        ----------
        X : table
            The rows: numpy, scipy.sparse, pandas, polars, Arrow, or a list of texts.

        Returns
        -------
        array
            A probability for each row.
        """
        table = self._read(X)
        return self.model_.tail(table)

    def quadratic(self) -> QuadraticForm:
        """A, b and c of each class: the scores log p(x, y) are x' A x + b' x + c.

        Returns
        -------
        QuadraticForm
            `A`, `b` and `c`.
        """
        return self.model_.quadratic()

    def boundary(
        self,
        columns: Sequence[Column] | None = None,
        classes: Sequence[Label] | None = None,
        window: Window | None = None,
        points: int = 200,
    ) -> list[Array]:
        """The decision boundary between two classes over two columns, as curves; each is an array of points x 2.

        If the model has more than two columns, name the two; the others are treated as missing. If it has more than two
        classes, name the two.

        Parameters
        ----------
        columns : pair of columns, optional
            The plane; needed if there are more than two columns.
        classes : pair of labels, optional
            The two classes; needed if there are more than two.
        window : pair of pairs, optional
            ((lowest, highest), (lowest, highest)) of the two columns; by default four standard deviations around the
            means.
        points : int, default 200
            Points on each side of the grid that is searched.

        Returns
        -------
        list of arrays
            The curves.
        """
        return self.model_.boundary(columns, classes, window, points)

    def parameter_posterior(self, column: Column | None = None) -> Normal | Posteriors:
        """The posterior of the mean of a column in each class, a Normal; or of all parameters, with `.mean` (a Normal)
        and `.covariance` (an InverseWishart).

        Parameters
        ----------
        column : column, optional
            The column; all parameters by default.

        Returns
        -------
        Normal or Posteriors
            The posterior.
        """
        return self.model_.parameter_posteriors() if column is None else self.model_.parameter_posterior(column)
