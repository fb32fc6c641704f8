"""Naive Bayes as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from likely.estimators.mixed import MixedClassifier
from likely.families import Family
from likely.models.choosing.columns import MissingCells
from likely.models.choosing.named import as_family, names_family
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.prune import Pruned, prune
from likely.optimize import Sides
from likely.priors import Prior
from likely.typing import CalibrateLike, ClassPriorLike, Column, FamiliesLike, SmoothingLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class NaiveBayes(MixedClassifier):
    """Naive Bayes over mixed columns: numbers, counts, yes-or-no, categories and bags of words in one model.

    Parameters
    ----------
    families : "auto", family, or dict, default "auto"
        How columns are read. "auto" chooses by the type of a column and by leave-one-out likelihood: bool is Bernoulli;
        text and categories are Categorical or Text; floats are Gaussian, LogNormal, Exponential or Histogram; integers
        are one of these, Poisson or Categorical; a sparse matrix is Multinomial. One family (`Gaussian()` or
        "gaussian") applies to all columns. A dict from column names or positions to families overrides "auto" for some
        columns.
    smoothing : prior or "auto", optional
        The prior of every family that "auto" chooses: `MaximumLikelihood()`, `MEstimate(m, p)`, `Laplace()`. "auto" is
        the strength with the highest leave-one-out likelihood; `families_` shows it. By default, each family has its
        own prior. A family that you name keeps its own.
    class_prior : "frequencies", "uniform", Dirichlet, Within, or probabilities, default "frequencies"
        p(y). Probabilities are a dict from class to number, or a sequence in the order of `classes_`.
        `likely.limits.Within` is frequencies within limits.
    missing : "ignore", "value", or "auto", default "ignore"
        What a missing cell adds to the score: nothing; the probability that it is missing, for each class; or, for each
        column, the better of the two by leave-one-out likelihood.
    select : "auto", optional
        "auto" uses only the columns that depend on the class by the evidence of the first fit
        (`likely.validation.relevance`). Columns that vary together stay together.
    calibrate : bool, "temperature" or "isotonic", default False
        Whether probabilities are calibrated by leave-one-out predictions: by a temperature and an offset for each
        class, or by rising curves. True chooses the map with the lower log loss. Predicted classes may change too.
        `fit` learns the map; later rows leave it unchanged, unless a class is new.
    missing_values : value, optional
        A value that marks a missing cell, such as "?" or -999. NaN and null always do.
    column_weights : "auto" or bool, default "auto"
        Whether the log p(x | y) of each column is multiplied by a weight: the weights of the lowest leave-one-out log
        loss. "auto" is True if `families` is "auto". False is plain naive Bayes. The weight is 1 for texts, for sparse
        columns, and for columns that vary together. More than 256 columns share one weight; so do all columns of fewer
        than 100 rows. With fewer than two rows a column, or 100 in all, 5-fold cross-validation chooses the weights,
        and each fold chooses its own families: a weight that is shared is then at most 1.

    Attributes
    ----------
    classes_ : array
        The class labels, in ascending order.
    families_ : dict
        The family of each column.
    column_weights_ : dict
        The weight of each column; 1 if it has none.
    class_count_ : array
        The number of rows (or their weight) of each class.
    calibration_ : Calibration or None
        The map of probabilities.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    A missing cell adds nothing to the counts or the score. A row without any value gets the class prior. So does a row
    that is impossible in every class, which can happen only with maximum likelihood. A value that was never seen before
    gets the prior mass reserved for it. New classes and categories may arrive at any time, by `partial_fit` and
    `merge`.

    See Also
    --------
    GaussianClassifier : numbers with a covariance.
    BayesNetwork : columns that depend on each other.
    LogisticRegression : the discriminative counterpart, and the blend of both.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> nb = NaiveBayes().fit(X, y)
    >>> nb.predict(X.tail(3)).tolist()
    ['warthog', 'lion', 'hyena']
    >>> nb.predict_proba(X.tail(3)).round(2).tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.98, 0.0, 0.02]]
    >>> print(nb.families_["sightings"])
    Poisson()
    """

    _model = NaiveBayesModel
    _options = ("families", "smoothing", "class_prior", "missing", "column_weights", "select")

    def __init__(
        self,
        families: FamiliesLike = "auto",
        *,
        smoothing: SmoothingLike = None,
        class_prior: ClassPriorLike = "frequencies",
        missing: MissingCells = "ignore",
        select: Literal["auto"] | None = None,
        calibrate: CalibrateLike = False,
        missing_values: Hashable = None,
        column_weights: Literal["auto"] | bool = "auto",
    ) -> None:
        self.families = families
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.missing = missing
        self.select = select
        self.calibrate = calibrate
        self.missing_values = missing_values
        self.column_weights = column_weights

    @property
    def column_weights_(self) -> dict[Column, float]:
        return self.model_.chosen_weights

    def plot(self, column: Column, ax: Axes | None = None) -> Axes:
        """Draws p(x | y) of a column on matplotlib axes, and returns the axes. Needs `likely[report]`.

        Parameters
        ----------
        column : column
            The column to draw.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib Axes
            The axes.
        """
        from likely.report.axes import plot_column

        return plot_column(self.model_, column, ax)

    def prune(self, minimum: float = 0, most: int | None = None) -> list[Pruned]:
        """Removes words with a count below `minimum` from the model, and all but the `most` frequent ones. Returns for
        each text column how many were removed and how many are left.

        Their counts are lost: texts with these words can no longer be forgotten, and a removed word that occurs again
        is new.

        Parameters
        ----------
        minimum : float, default 0
            The lowest count of a word that stays.
        most : int, optional
            The highest number of words that stay.

        Returns
        -------
        list of Pruned
            One for each column of texts.
        """
        learned, pruned = prune(self.model_.known, minimum, most)
        self._take(replace(self.model_, learned=learned))
        return pruned

    def parameter_posterior(self, column: Column) -> Prior:
        """The posterior of the parameters of a column in each class: a Beta, Dirichlet, Gamma or NormalInverseGamma.

        Parameters
        ----------
        column : column
            The column.

        Returns
        -------
        Prior
            The posterior: `plot`, `mean` and `interval` show it.
        """
        posterior: Prior = self.model_.parameter_posterior(column)
        return posterior

    def multipliers(self, column: Column | None = None) -> Sides:
        """The Lagrange multipliers of the limits of a column (classes x values), or of the class prior: how much
        log-likelihood each bound, `low` or `high`, costs per unit of probability.

        Parameters
        ----------
        column : column, optional
            The column; the class prior by default.

        Returns
        -------
        Sides
            The multipliers.
        """
        found: Sides = self.model_.multipliers(column)
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        family = as_family(self.families) if names_family(self.families) else None
        tags.input_tags.categorical = family is None or family.reads == "categories"
        tags.input_tags.string = tags.input_tags.categorical or (family is not None and _reads_text(family))
        tags.input_tags.positive_only = family is not None and family.lowest >= 0
        tags.classifier_tags.poor_score = family is not None and family.domain in ("bit", "whole")
        return tags


def _reads_text(family: Family) -> bool:
    try:
        return family.for_kind("text").reads == "text"
    except ValueError:  # it has an option that texts do not have
        return False
