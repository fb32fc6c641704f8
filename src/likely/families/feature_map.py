"""The features of a family for logistic regression: the sufficient statistics of each row."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array
from likely.data.sparse import Csr
from likely.families.formula import Cell, Polynomial, Term
from likely.families.observations import Line
from likely.statistics import Frame

if TYPE_CHECKING:
    from likely.families.block import Block, Plan
    from likely.families.family import Family


class FeatureMap:
    """Part of the contract of `Family`. By default the features are the cells, for scores that are linear in them."""

    stepwise: ClassVar[bool] = False
    """Whether its features are indicators of bins, so that the number itself is useful as a further feature."""
    numeric: ClassVar[bool] = False
    """Whether it reads numbers as quantities, so that x and x^2 may replace its own features."""
    squares: ClassVar[bool] = False
    """Whether the squares of its features, standardised, are features too."""

    def features(self, block: "Block", cells: Any) -> "NDArray[Any] | Csr":
        """T(x), the sufficient statistics of each row: rows x features, NaN where a cell is missing."""
        return cells  # type: ignore[no-any-return]

    def feature_count(self, block: "Block") -> int:
        return len(self.feature_names(block))

    def feature_names(self, block: "Block") -> Sequence[tuple[int, int | str | None]]:
        """For each feature its column, and the category or word that it is for; None if it is the number itself."""
        return [(j, None) for j in range(len(block.frame.columns))]

    def feature_scale(self, block: "Block") -> tuple[Array, Array] | None:
        """Mean and variance of each feature, to standardise it; None if features are not standardised."""
        return None

    def natural(self, parameters: Any, frame: Frame) -> Line | None:
        """The score as a linear function of T(x) and its squares; None if it is not linear in them."""
        return self.linear(parameters, frame)

    def linear(self, parameters: Any, frame: Frame) -> Line | None:
        """The score as a linear function of the cells; None if it is not linear in them."""
        return None

    def discriminative(self) -> "tuple[Family, ...]":
        """The families whose features a linear classifier of largest margin may use for the same cells, the simplest
        first; empty if there are none better than its own."""
        return ()

    def shared(self, block: "Block") -> "Block":
        """The block without features that only one row has."""
        return block

    def cells(self, plan: "Plan", at: int) -> tuple[Cell, ...]:
        """How a cell of the column at this position is read, in terms that a database has too; the statistics and
        features are sums of these. Empty if that is not possible."""
        return ()

    def feature_terms(self, block: "Block", weights: Array, means: Array, scales: Array) -> Iterator[Term]:
        """Scores that are linear in the standardised features, as terms of `cells`. `weights` is classes x features, or
        classes x twice as many: then the second half are those of the squares. A missing cell adds 0."""
        size = len(means)
        columns, each = len(block.frame.columns), [self.cells(block, j) for j in range(len(block.frame.columns))]
        none = np.zeros(len(weights))
        for f in range(size):
            square = weights[:, size + f] / scales[f] ** 2 if weights.shape[1] > size else none
            cell = each[f % columns][f // columns]
            yield Polynomial(cell, np.full(len(weights), means[f]), none, weights[:, f] / scales[f], square)
