"""What a family hands to logistic regression, its discriminative twin: the sufficient statistics of each row."""

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
    """Part of the contract of `Family`: by default the cells as they are, which scores are linear in."""

    stepwise: ClassVar[bool] = False
    """Whether its features are indicators of bins, so that the number itself is worth a feature too."""
    numeric: ClassVar[bool] = False
    """Whether numbers that it reads have a size, so that x and x^2 may be features in place of its own."""
    squares: ClassVar[bool] = False
    """Whether the squares of its features, standardised, are features too."""

    def features(self, block: "Block", cells: Any) -> "NDArray[Any] | Csr":
        """T(x), the sufficient statistics of each row, NaN where a cell is missing."""
        return cells  # type: ignore[no-any-return]

    def feature_count(self, block: "Block") -> int:
        return len(self.feature_names(block))

    def feature_names(self, block: "Block") -> Sequence[tuple[int, int | str | None]]:
        """Of each feature its column, and the cell or word that it is of; None where it is the number itself."""
        return [(j, None) for j in range(len(block.frame.columns))]

    def feature_scale(self, block: "Block") -> tuple[Array, Array] | None:
        """Mean and variance of each feature, where features are standardised; None where they stay as they are."""
        return None

    def natural(self, parameters: Any, frame: Frame) -> Line | None:
        """The score as a linear function of T(x) and its squares, or None where it is none."""
        return self.linear(parameters, frame)

    def linear(self, parameters: Any, frame: Frame) -> Line | None:
        """The score as a linear function of the cells, or None where it is none."""
        return None

    def discriminative(self) -> "tuple[Family, ...]":
        """The families by which a linear classifier of largest margin may read the same cells, the simplest first; none
        where it has no better features than these."""
        return ()

    def shared(self, block: "Block") -> "Block":
        """The same without features that one row alone has."""
        return block

    def cells(self, plan: "Plan", at: int) -> tuple[Cell, ...]:
        """What is read of a cell of the column at this position, in terms that a database has too: what its statistics
        and its features are made of. None where it can't be said so."""
        return ()

    def feature_terms(self, block: "Block", weights: Array, means: Array, scales: Array) -> Iterator[Term]:
        """Scores that are linear in the features, standardised, and after them in their squares if there are as many
        weights (classes x features), as terms of `cells`. What is missing adds 0."""
        size = len(means)
        columns, each = len(block.frame.columns), [self.cells(block, j) for j in range(len(block.frame.columns))]
        none = np.zeros(len(weights))
        for f in range(size):
            square = weights[:, size + f] / scales[f] ** 2 if weights.shape[1] > size else none
            cell = each[f % columns][f // columns]
            yield Polynomial(cell, np.full(len(weights), means[f]), none, weights[:, f] / scales[f], square)
