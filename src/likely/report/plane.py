"""A table with cells in only some columns, and missing cells in all others: it shows what a model predicts from these
columns alone."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Kind, Labels, Table
from likely.text import Texts


class Plane(Table):
    """`cells` has the values of some columns, by position: numbers, or the labels of categories."""

    def __init__(self, names: Sequence[Hashable], kinds: Sequence[Kind], cells: Mapping[int, NDArray[Any]]) -> None:
        self.names, self.kinds, self.cells = names, tuple(kinds), dict(cells)
        self.rows = len(next(iter(self.cells.values())))
        self.row_bytes = 8 * len(self.kinds)

    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        found = np.full((len(range(*rows.indices(self.rows))), len(columns)), np.nan)
        for at, j in enumerate(columns):
            if j in self.cells:
                found[:, at] = self.cells[j][rows]
        return found

    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        of = [self._labels(j) for j in columns] if known is None else list(known)
        codes = np.full((len(range(*rows.indices(self.rows))), len(columns)), -1, np.int32)
        for at, j in enumerate(columns):
            if j in self.cells:
                place = {label: code for code, label in enumerate(of[at].tolist())}
                codes[:, at] = [place.get(label, len(place)) for label in self.cells[j][rows].tolist()]
        return codes, of

    def _labels(self, j: int) -> Labels:
        return np.unique(self.cells[j]) if j in self.cells else np.array([], object)

    def texts(self, column: int, rows: slice) -> Texts:
        return Texts.of([None] * len(range(*rows.indices(self.rows))))

    def _extreme(self, columns: Sequence[int], least: np.ufunc) -> NDArray[Any]:
        none = np.inf if least is np.fmin else -np.inf
        return np.asarray(least.reduce(self.numbers(columns, slice(None)), axis=0, initial=none))

    def every(self, step: int) -> Self:
        return self.take(np.arange(0, self.rows, step))

    def take(self, rows: NDArray[np.intp]) -> Self:
        return type(self)(self.names, self.kinds, {j: values[rows] for j, values in self.cells.items()})

    def joined(self, others: Sequence[Self]) -> Self:
        cells = {j: np.concatenate([values, *(other.cells[j] for other in others)]) for j, values in self.cells.items()}
        return type(self)(self.names, self.kinds, cells)
