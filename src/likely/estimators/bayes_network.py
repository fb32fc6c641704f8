"""A Bayes network as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union

from likely.estimators.mixed import MixedClassifier
from likely.models.network.graph import Graph
from likely.models.network.graphs import AveragedGraph, graph_of
from likely.models.network.model import NetworkModel
from likely.typing import CalibrateLike, ClassPriorLike, Column, FamiliesLike, SmoothingLike

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes

StructureLike: TypeAlias = Union[
    Literal["auto", "naive", "tan", "kdb", "aode"], Iterable[tuple[Column, Column]], "nx.DiGraph"
]
"""A kind of network, or its edges."""


class BayesNetwork(MixedClassifier):
    """A Bayes network over mixed columns: each column depends on the class and on a few other columns.

    Parameters
    ----------
    structure : "auto", "naive", "tan", "kdb", "aode", edges, or networkx.DiGraph, default "auto"
        Which columns depend on which, besides the class. "naive": on none. "tan": on one, in the tree of the largest
        conditional mutual information. "kdb": on up to 3; how many, and which columns are used at all, is chosen by
        leave-one-out log loss. "aode": the average of networks in which all columns depend on one. "auto": the one of
        these with the lowest leave-one-out log loss; with few rows it must be better than "naive" by 5-fold
        cross-validation too. Edges are pairs (parent, child) of column names, with at most 4
        parents for each column.
    families : "auto" or dict, default "auto"
        How columns are read. "auto" cuts numbers into bins, or gives them a density where that is better, and reads all
        other columns as categories. A dict from column names or positions to families overrides it. Texts, sparse
        columns and those of families other than `Categorical()` and `Histogram(bins=...)` depend on the class, and
        not on the network, as in naive Bayes.
    bins : "auto" or int, default "auto"
        The number of quantile bins of a number. "auto" chooses 4, 8 or 16, or for some numbers a density (that of
        their family or, if `structure` is "auto" too, one Gaussian of several), by leave-one-out log loss.
    smoothing : prior or "auto", optional
        The prior of a column without parents, `Laplace()` by default. A column with parents is smoothed towards its
        distribution with fewer parents; how far is chosen by leave-one-out log loss.
    class_prior : "frequencies", "uniform", Dirichlet, Within, or probabilities, default "frequencies"
        p(y). Probabilities are a dict from class to number, or a sequence in the order of `classes_`.
        `likely.limits.Within` is frequencies within limits.
    calibrate : bool, "temperature" or "isotonic", default False
        Whether probabilities are calibrated by leave-one-out predictions: by a temperature and an offset for each
        class, or by rising curves. True chooses the map with the lower log loss. Predicted classes may change too.
        `fit` learns the map; later rows leave it unchanged, unless a class is new.
    missing_values : value, optional
        A value that marks a missing cell, such as "?" or -999. NaN and null always do.
    column_weights : "auto" or bool, default "auto"
        Whether log p(x | y) is multiplied by a weight from 0 to 1 that all columns share, so that probabilities are not
        over-confident: the weight of the lowest leave-one-out log loss or, with fewer than 15 rows a column or 100 in
        all, by 5-fold cross-validation. It is 1 where less does not pay, and where one Gaussian reads several columns.
        "auto" is True. `network` is without it.

    Attributes
    ----------
    classes_ : array
        The class labels, in ascending order.
    families_ : dict
        The family of each column.
    column_weights_ : dict
        The weight of each column: the same for all, and 0 where "kdb" does not use a column.
    class_count_ : array
        The number of rows (or their weight) of each class.
    calibration_ : Calibration or None
        The map of probabilities.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Bins and structure are chosen by the first rows, and stay. Later rows are added to the counts of pairs of columns
    (for "kdb" and given edges, of the columns that depend on each other). So the model can forget, merge and leave rows
    out.

    See Also
    --------
    NaiveBayes : no dependence between columns, and more families.

    Examples
    --------
    >>> from likely import BayesNetwork
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> network = BayesNetwork("tan").fit(X, y)
    >>> network.predict(X.tail(3)).tolist()
    ['warthog', 'lion', 'hyena']
    >>> axes = network.plot()  # the graph; `axes.figure.savefig("network.svg")` keeps it
    """

    model_: NetworkModel
    _model = NetworkModel
    _options = ("structure", "families", "bins", "smoothing", "class_prior", "column_weights")

    def __init__(
        self,
        structure: StructureLike = "auto",
        *,
        families: FamiliesLike = "auto",
        bins: Literal["auto"] | int = "auto",
        smoothing: SmoothingLike = None,
        class_prior: ClassPriorLike = "frequencies",
        calibrate: CalibrateLike = False,
        missing_values: Hashable = None,
        column_weights: Literal["auto"] | bool = "auto",
    ) -> None:
        self.structure = structure
        self.families = families
        self.bins = bins
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.calibrate = calibrate
        self.missing_values = missing_values
        self.column_weights = column_weights

    @property
    def column_weights_(self) -> dict[Column, float]:
        return self.model_.chosen_weights

    @property
    def network(self) -> Graph | AveragedGraph:
        """The graph of the class and the columns. `print(model.network)` shows the factorisation and the conditional
        tables; `query` returns the posterior of any column, `independent` tests d-separation, `to_bif` and
        `to_networkx` export it. For "aode" it is the mean of one graph per column; `network.graphs` has these by
        column."""
        return graph_of(self.model_)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the graph on matplotlib axes, and returns the axes. Needs `likely[report]`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib Axes
            The axes.
        """
        from likely.report.network import plot_network

        return plot_network(self.network, ax)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
