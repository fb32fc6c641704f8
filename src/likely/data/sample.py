"""A sample: rows of a table together with their classes and weights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Labels, Table
from likely.statistics import union

Array = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Sample:
    """What a model learns from: rows with their classes and weights. Every selection of rows is another sample.

    Parameters
    ----------
    table : Table
        The columns.
    y : array of int
        The class of each row: a position among `classes`.
    classes : array
        The class labels, in ascending order.
    weight : array, optional
        How many rows each row counts as; 1 by default.

    See Also
    --------
    read : makes the table.
    encode_target : makes `y` and `classes`.

    Examples
    --------
    >>> from likely.data import Sample, encode_target, read
    >>> classes, y = encode_target(["lion", "hyena", "lion"])
    >>> Sample(read([[1.0], [2.0], [3.0]]), y, classes).class_weights.tolist()
    [1.0, 2.0]
    """

    table: Table
    y: Codes
    """The class of each row: a position among `classes`."""
    classes: Labels
    weight: Array | None = None
    """How many rows each row counts as; None where each counts once."""

    def __len__(self) -> int:
        return len(self.y)

    @property
    def weights(self) -> Array:
        """The weight of each row, also where all are 1."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @cached_property
    def class_weights(self) -> Array:
        """The weight of all rows of each class."""
        return np.bincount(self.y, self.weight, len(self.classes)).astype(np.float64)

    def every(self, step: int) -> Self:
        """One row in `step`."""
        if step <= 1:
            return self
        return self._of(self.table.every(step), slice(None, None, step))

    def at_most(self, rows: int) -> Self:
        """Up to this many rows, evenly spaced."""
        return self.every(-(-len(self) // rows))

    def take(self, rows: NDArray[np.intp]) -> Self:
        """These rows, in this order."""
        if len(rows) == len(self) and (rows == np.arange(len(self))).all():
            return self
        return self._of(self.table.take(rows), rows)

    def without(self, rows: NDArray[np.intp]) -> Self:
        """All rows but these."""
        return self.take(np.delete(np.arange(len(self)), rows))

    def weighing(self, weight: Array | None) -> Self:
        """The same rows with other weights."""
        return replace(self, weight=weight)

    def among(self, classes: Labels) -> Self:
        """The same rows, with their classes as positions among these, which include all of theirs."""
        if classes is self.classes:
            return self
        return replace(self, classes=classes, y=np.searchsorted(classes, self.classes).astype(np.int32)[self.y])

    def known(self) -> Self:
        """Without the classes that have no row."""
        found, codes = np.unique(self.y, return_inverse=True)
        return replace(self, classes=self.classes[found], y=codes.astype(np.int32))

    def joined(self, others: Sequence[Self]) -> Self:
        """These rows and then those of others, which have the same columns, but may have other classes."""
        if not others:
            return self
        samples = (self, *others)
        classes = self.classes
        for other in others:
            classes, _, _ = union(classes, other.classes)
        y = np.concatenate([sample.among(classes).y for sample in samples])
        weighted = any(sample.weight is not None for sample in samples)
        weight = np.concatenate([sample.weights for sample in samples]) if weighted else None
        return replace(
            self, table=self.table.joined([other.table for other in others]), y=y, classes=classes, weight=weight
        )

    def _of(self, table: Table, rows: Any) -> Self:
        weight = None if self.weight is None else np.ascontiguousarray(self.weight[rows])
        return replace(self, table=table, y=np.ascontiguousarray(self.y[rows]), weight=weight)
