"""A numpy array of numbers."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Kind, Labels, Table, encode_numbers

KINDS: dict[str, Kind] = {"b": "bool", "i": "int", "u": "int", "f": "float"}


class ArrayTable(Table):
    def __init__(self, array: NDArray[Any], missing: Any = None) -> None:
        self.array = array
        self.missing = missing if isinstance(missing, (int, float)) and missing == missing else None
        self.rows, columns = array.shape
        self.names = range(columns)
        self.kinds = (KINDS[array.dtype.kind],) * columns
        self.row_bytes = array.dtype.itemsize * columns

    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        array = self.array[rows]
        if len(columns) < array.shape[1]:
            array = array[:, _as_slice(columns)]
        if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
            array = array.astype(np.float64)
        if self.missing is not None:
            array = np.where(array == self.missing, np.nan, array)
        return array

    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        whole = [self.kinds[j] != "float" for j in columns]
        return encode_numbers(self.numbers(columns, rows), whole, known, [self.names[j] for j in columns])

    def every(self, step: int) -> Self:
        return type(self)(self.array[::step], self.missing)


def _as_slice(columns: Sequence[int]) -> slice | list[int]:
    """A slice where the columns are evenly spaced: it needs no copy."""
    first, step = columns[0], columns[1] - columns[0] if len(columns) > 1 else 1
    if step > 0 and list(columns) == list(range(first, first + step * len(columns), step)):
        return slice(first, columns[-1] + 1, step)
    return list(columns)
