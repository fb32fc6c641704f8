"""Naive Bayes as a scikit-learn classifier."""

from dataclasses import replace
from typing import Any

from sklearn.utils.validation import check_is_fitted

from likely.estimators.classifier import GenerativeClassifier
from likely.families import Family
from likely.models.choosing.named import as_family, names_family
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.prune import Pruned, prune
from likely.priors import Auto

OPTIONS = ("families", "smoothing", "class_prior", "missing", "column_weights", "select")
"""Parameters that the model has too."""


class NaiveBayes(GenerativeClassifier):
    """Naive Bayes over mixed columns: numbers, counts, yes-or-no, categories and bags of words in one model.

    Parameters
    ----------
    families : "auto", family, or dict
        How columns are read. "auto" goes by their type and by left-out likelihood: bool is Bernoulli; text and
        categories are Categorical; floats are Gaussian or Histogram; integers Poisson, Categorical, Gaussian or
        Histogram; a sparse matrix is Multinomial. One family (such as `Gaussian()` or "gaussian") is for all columns;
        a dict from column names or positions to families overrides "auto" for those.
    smoothing : prior or "auto", optional
        The prior of every family that is chosen by "auto", in place of the family's own: `MaximumLikelihood()`,
        `MEstimate(m, p)`, `Laplace()`. "auto" is `Auto()`: of the strength with the highest leave-one-out likelihood;
        `families_` shows it. A family that you give has its own.
    class_prior : "frequencies", "uniform", Dirichlet, Within, or probabilities
        p(y). `likely.limits.Within` is frequencies within limits. Probabilities are a dict from class to number, or a
        sequence in the order of `classes_`.
    missing : "ignore", "value", or "auto"
        What a missing cell adds: nothing; that it is missing, which each class does with its own probability; or
        whichever explains the column better, by leave-one-out likelihood.
    select : "auto" or None
        "auto" goes by those columns alone for which the rows of the first fit give more evidence that they depend on
        the class than that they do not (`likely.validation.relevance`). Columns that belong together stay together.
    calibrate : bool, "temperature" or "isotonic"
        Whether probabilities are calibrated by leave-one-out predictions: by a temperature and an offset
        for each class, or by rising curves; True takes what serves left-out rows better. Answers may change with it.
        `fit` learns the map, and what comes later keeps it, unless a class is new.
    missing_values : value, optional
        A value that stands for a missing cell, such as "?" or -999; NaN and null always do.
    column_weights : "auto", bool
        Whether the log p(x | y) of each column is multiplied by a weight: those of the least leave-one-out log loss.
        "auto" is True where `families` is "auto". False is plain naive Bayes. Texts, sparse columns and those that vary
        together have the weight 1; so do all columns of fewer than 100 rows.

    Attributes
    ----------
    classes_ : the class labels, in ascending order
    families_ : dict from column to the family that reads it
    column_weights_ : dict from column to its weight; 1 where it has none
    class_count_ : how many rows (or how much weight) of each class have been learned
    calibration_ : the map of probabilities, or None
    n_features_in_, feature_names_in_ : as in scikit-learn

    Notes
    -----
    Missing cells add nothing to counts nor to scores; a row with nothing but missing cells gets the class prior. So
    does a row that is impossible under every class, which only maximum likelihood allows. A value never seen before
    gets the prior mass kept for it. Classes and categories may arrive at any time, by `partial_fit` and `merge`.
    """

    def __init__(
        self,
        families: Any = "auto",
        *,
        smoothing: Any = None,
        class_prior: Any = "frequencies",
        missing: Any = "ignore",
        select: Any = None,
        calibrate: Any = False,
        missing_values: Any = None,
        column_weights: Any = "auto",
    ) -> None:
        self.families = families
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.missing = missing
        self.select = select
        self.calibrate = calibrate
        self.missing_values = missing_values
        self.column_weights = column_weights

    def _unlearned(self) -> NaiveBayesModel:
        return NaiveBayesModel(**{name: getattr(self, name) for name in OPTIONS})

    @staticmethod
    def _parameters(model: NaiveBayesModel) -> dict[str, Any]:
        options = {name: getattr(model, name) for name in OPTIONS}
        return options | {"smoothing": "auto" if isinstance(model.smoothing, Auto) else model.smoothing}

    @property
    def families_(self) -> dict[Any, Any]:
        check_is_fitted(self)
        return self.model_.chosen_families

    @property
    def column_weights_(self) -> dict[Any, float]:
        check_is_fitted(self)
        return self.model_.chosen_weights

    def prune(self, minimum: float = 0, most: int | None = None) -> list[Pruned]:
        """Takes out of the model the words that count less than `minimum`, and all but `most` of the others. Returns
        for each column of texts what was taken and what is left.

        What is taken out is lost: texts with these words can no longer be forgotten, and a word that comes again is
        new.
        """
        check_is_fitted(self)
        learned, pruned = prune(self.model_.known, minimum, most)
        self._take(replace(self.model_, learned=learned))
        return pruned

    def parameter_posterior(self, column: Any) -> Any:
        """The posterior of a column's parameters per class: a Beta, Dirichlet, Gamma or NormalInverseGamma."""
        check_is_fitted(self)
        return self.model_.parameter_posterior(column)

    def multipliers(self, column: Any = None) -> Any:
        """What the limits of a column (classes x its values), or of the class prior, cost: `low` and `high`, of
        log-likelihood per unit of probability."""
        check_is_fitted(self)
        return self.model_.multipliers(column)

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
    except ValueError:  # it has an option that texts have not
        return False
