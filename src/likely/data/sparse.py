"""A scipy sparse matrix: what is not stored is 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Labels, Table, encode_numbers


@dataclass
class Csr:
    """A slice of the rows of a CSR matrix, which scipy would copy."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]
    shape: tuple[int, int]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.data.dtype


class SparseTable(Table):
    def __init__(self, matrix: Any) -> None:
        matrix = matrix.tocsr()
        if matrix.dtype.kind == "f" and matrix.dtype.itemsize not in (4, 8):
            matrix = matrix.astype(np.float64)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()  # it is the user's, and stays as it is
            matrix.sum_duplicates()
        self.matrix = matrix
        self.rows, columns = matrix.shape
        self.names = range(columns)
        self.kinds = ("sparse",) * columns
        self.row_bytes = int((matrix.data.nbytes + matrix.indices.nbytes) / max(self.rows, 1)) + 8

    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        matrix = self.matrix
        if not sparse or len(columns) < matrix.shape[1]:
            part = matrix[rows][:, list(columns)]
            return part if sparse else np.ascontiguousarray(part.toarray())
        start, stop, _ = rows.indices(self.rows)
        first, last = matrix.indptr[start], matrix.indptr[stop]
        indptr = matrix.indptr[start : stop + 1] - first
        return Csr(indptr, matrix.indices[first:last], matrix.data[first:last], (stop - start, matrix.shape[1]))

    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        return encode_numbers(self.numbers(columns, rows), None, known, [self.names[j] for j in columns])

    def _extreme(self, columns: Sequence[int], least: np.ufunc) -> NDArray[Any]:
        """The same for all: what is not stored is 0."""
        return np.full(len(columns), least.reduce(self.matrix.data, initial=0))

    def every(self, step: int) -> Self:
        return type(self)(self.matrix[::step])

    def take(self, rows: NDArray[np.intp]) -> Self:
        return type(self)(self.matrix[rows])

    def joined(self, others: Sequence[Self]) -> Self:
        from scipy import sparse

        return type(self)(sparse.vstack([self.matrix, *(other.matrix for other in others)], "csr"))
