"""A Bayes network as a scikit-learn classifier."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from likely.estimators.classifier import GenerativeClassifier
from likely.models.network.graph import Graph, graph_of
from likely.models.network.model import NetworkModel
from likely.priors import Auto

OPTIONS = ("structure", "families", "bins", "smoothing", "class_prior")
"""Parameters that the model has too."""


class BayesNetwork(GenerativeClassifier):
    """A Bayes network over mixed columns, in which each depends on the class and on a few other columns.

    Parameters
    ----------
    structure : "auto", "naive", "tan", "kdb", "aode", edges, or networkx.DiGraph
        Which columns depend on which, besides the class. "naive": on none. "tan": on one, in the tree of the largest
        conditional mutual information. "kdb": on up to 3; how many, and which columns are used at all, is chosen by
        leave-one-out log loss. "aode": the average of networks in which all columns depend on one. "auto": whichever
        of these has the least leave-one-out log loss. Edges are pairs (parent, child) of column names, at most 4
        parents for each column.
    families : "auto" or dict
        How columns are read: "auto" cuts numbers into bins and reads all else as categories. A dict from column names
        or positions to `Categorical()` or `Histogram(bins=...)` overrides it for those. Texts and sparse columns
        depend on the class alone, as in naive Bayes.
    bins : "auto" or int
        The number of quantile bins of a number; "auto" is 4, 8 or 16, by leave-one-out log loss.
    smoothing : prior or "auto", optional
        The prior of the values of a column without parents, `Laplace()` by default. With parents, it is smoothed
        towards what is known of fewer; how far is chosen by leave-one-out log loss.
    class_prior, calibrate, missing_values : as in `NaiveBayes`

    Attributes
    ----------
    classes_ : the class labels, in ascending order
    families_ : dict from column to the family that reads it
    class_count_ : how many rows (or how much weight) of each class have been learned
    calibration_ : the map of probabilities, or None
    n_features_in_, feature_names_in_ : as in scikit-learn

    Notes
    -----
    Bins and structure are chosen by the first rows, and stay. What is learned later is added to the counts of pairs (of
    "kdb" and given edges, of as many columns as depend on each other), which can be forgotten, merged and left out.
    """

    model_: NetworkModel

    def __init__(
        self,
        structure: Any = "auto",
        *,
        families: Any = "auto",
        bins: Any = "auto",
        smoothing: Any = None,
        class_prior: Any = "frequencies",
        calibrate: Any = False,
        missing_values: Any = None,
    ) -> None:
        self.structure = structure
        self.families = families
        self.bins = bins
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.calibrate = calibrate
        self.missing_values = missing_values

    def _unlearned(self) -> NetworkModel:
        return NetworkModel(**{name: getattr(self, name) for name in OPTIONS})

    @staticmethod
    def _parameters(model: NetworkModel) -> dict[str, Any]:
        options = {name: getattr(model, name) for name in OPTIONS}
        return options | {"smoothing": "auto" if isinstance(model.smoothing, Auto) else model.smoothing}

    @property
    def families_(self) -> dict[Any, Any]:
        check_is_fitted(self)
        return self.model_.chosen_families

    @property
    def network(self) -> Graph:
        """The graph of the class and the columns: `print(model.network)` shows the factorisation and the conditional
        tables; `query` gives posteriors of any column, `independent` shows d-separation, `to_bif` and `to_networkx`
        export it."""
        check_is_fitted(self)
        return graph_of(self.model_)

    def plot(self) -> Any:
        """A picture of the graph, which shows itself in a notebook; `save` writes .svg, .png or .pdf."""
        from likely.report.network import draw_network

        return draw_network(self.network)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
