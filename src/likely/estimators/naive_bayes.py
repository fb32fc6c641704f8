"""Naive Bayes as a scikit-learn classifier."""

from copy import copy
from typing import Any

from sklearn.utils.validation import check_is_fitted

from likely.estimators.classifier import GenerativeClassifier
from likely.families import Bernoulli, Multinomial, Poisson
from likely.models.choose import as_family, names_family, names_none
from likely.models.multipliers import multipliers
from likely.models.naive_bayes import NaiveBayes as Model
from likely.models.prune import Pruned, prune
from likely.models.selecting import Selecting
from likely.priors import Auto


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
        `MEstimate(m, p)`, `Laplace()`. "auto" is `Auto()`: of a strength under which the rows, each left out of its own
        count, are most probable; `families_` shows it. A family that you give has its own.
    class_prior : "frequencies", "uniform", Dirichlet, Within, or probabilities
        p(y). `likely.limits.Within` is frequencies within limits. Probabilities are a dict from class to number, or a
        sequence in the order of `classes_`.
    missing : "ignore", "value", or "auto"
        What a missing cell tells: nothing; that it is missing, which each class does with its own probability; or
        whichever explains the column better when each row is left out.
    select : "auto" or None
        "auto" goes by those columns alone for which the rows of the first fit give more evidence that they depend on
        the class than that they do not (`likely.validation.relevance`). Columns that belong together stay together.
    calibrate : bool, "temperature" or "isotonic"
        Whether probabilities are mapped to what they turn out to mean on rows left out: by a temperature and an offset
        for each class, or by rising curves; True takes what serves left-out rows better. Answers may change with it.
        `fit` learns the map, and what comes later keeps it, unless a class is new.
    missing_values : value, optional
        A value that stands for a missing cell, such as "?" or -999; NaN and null always do.
    weights : "auto", bool
        Whether each column has a weight, by which its log p(x | y) counts more or less than once: those under which the
        classes of the rows, each left out of its own count, are most probable. "auto" is True where `families` is
        "auto". False is plain naive Bayes. Texts, sparse columns and those that vary together count once; so do all
        columns of fewer than 100 rows.

    Attributes
    ----------
    classes_ : the class labels, in ascending order
    families_ : dict from column to the family that reads it
    weights_ : dict from column to its weight; 1 where it has none
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
        weights: Any = "auto",
    ) -> None:
        self.families = families
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.missing = missing
        self.select = select
        self.calibrate = calibrate
        self.missing_values = missing_values
        self.weights = weights

    def _unlearned(self) -> Model:
        if self.select not in (None, "auto"):
            raise ValueError(f"select is 'auto' or None, not {self.select!r}")
        model = Model if self.select is None else Selecting
        return model(self.families, self.smoothing, self.class_prior, self.missing, self.weights)

    @staticmethod
    def _parameters(model: Model) -> dict[str, Any]:
        return {
            "families": model.families,
            "smoothing": "auto" if isinstance(model.smoothing, Auto) else model.smoothing,
            "class_prior": model.class_prior,
            "missing": model.missing,
            "select": "auto" if isinstance(model, Selecting) else None,
            "weights": "auto" if model.weighs == names_none(model.families) else model.weighs,
        }

    @property
    def families_(self) -> dict[Any, Any]:
        check_is_fitted(self)
        return self.model_.chosen

    @property
    def weights_(self) -> dict[Any, float]:
        check_is_fitted(self)
        return self.model_.weights

    def prune(self, minimum: float = 0, most: int | None = None) -> list[Pruned]:
        """Takes out of the model the words that count less than `minimum`, and all but `most` of the others. Tells for
        each column of texts what was taken and what is left.

        What is taken out is lost: texts that had such words can no longer be forgotten, and a word that comes again is
        new.
        """
        check_is_fitted(self)
        model = copy(self.model_)
        model.learned, told = prune(model.known, minimum, most)
        self._take(model)
        return told

    def posterior(self, column: Any) -> Any:
        """What is believed of a column's parameters per class: a Beta, Dirichlet, Gamma or NormalInverseGamma."""
        check_is_fitted(self)
        return self.model_.belief(column)

    def multipliers(self, column: Any = None) -> Any:
        """What the limits of a column (classes x its values), or of the class prior, cost: `low` and `high`, of
        log-likelihood per unit of probability."""
        check_is_fitted(self)
        return multipliers(self.model_, column)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        family = as_family(self.families) if names_family(self.families) else None
        tags.input_tags.positive_only = isinstance(family, (Multinomial, Poisson))
        tags.classifier_tags.poor_score = isinstance(family, (Bernoulli, Multinomial, Poisson))
        return tags
