"""What a logistic regression has learned from a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from likely.data.table import Kind
from likely.models.choosing.pairs import PairEvidence
from likely.models.logistic.design import ChosenReading, Design
from likely.models.logistic.strength import Tried
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax import SoftmaxFit
from likely.statistics import Labels

if TYPE_CHECKING:
    from likely.optimize import Certificate


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """The features, their weights, and the options that were chosen."""

    names: Sequence[Any]
    kinds: Sequence[Kind]
    classes: Labels
    class_counts: NDArray[Any]
    """The number of rows of each class, or their total weight."""
    generative: NaiveBayesModel | None
    """The naive Bayes model that weights are shrunk towards; None if they are shrunk towards zero."""
    design: Design
    c: float
    nb_scale: float
    """The scale of the naive Bayes log-odds that weights are shrunk towards; it is 1 unless C is "auto"."""
    tried: list[Tried]
    reading: ChosenReading = "family"
    """How numbers are read."""
    evidence: Sequence[PairEvidence] = ()
    """The evidence of all pairs of columns, the most first; empty if pairs were not looked for."""
    margin_scale: float | None = None
    """The factor that turns the margins of texts into log-odds (`stacking`); None for weights fitted by log loss."""
    solution: SoftmaxFit = None  # type: ignore[assignment]
    multipliers: Sequence[Any] = ()
    """The multipliers of each limit."""
    kkt: "Certificate | None" = None
    """How far the Karush-Kuhn-Tucker conditions are violated; None without limits."""
