"""What logistic regression has learned of a table."""

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
    """What was learned: the features, the weights of them, and what was chosen on the way."""

    names: Sequence[Any]
    kinds: Sequence[Kind]
    classes: Labels
    class_counts: NDArray[Any]
    """The rows of each class, or their weight."""
    generative: NaiveBayesModel | None
    """What weights are shrunk towards."""
    design: Design
    c: float
    nb_scale: float
    """The scale of the naive Bayes log-odds towards which weights are shrunk: other than 1 only where C is "auto"."""
    tried: list[Tried]
    reading: ChosenReading = "family"
    """How numbers are read."""
    evidence: Sequence[PairEvidence] = ()
    """Of all pairs of columns, the most first, where pairs were looked for."""
    margin_scale: float | None = None
    """By what the margins of texts were multiplied to be log-odds (`stacking`); None of weights by log loss."""
    solution: SoftmaxFit = None  # type: ignore[assignment]
    multipliers: Sequence[Any] = ()
    """Of each limit; and how far the conditions of Karush, Kuhn and Tucker are from holding."""
    kkt: "Certificate | None" = None
