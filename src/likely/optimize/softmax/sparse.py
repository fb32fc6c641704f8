"""Passes over sparse rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.optimize.softmax.problem import Array
from likely.optimize.softmax.rows import SoftmaxRows, of_all_classes


@dataclass(frozen=True, eq=False)
class SparseRows(SoftmaxRows):
    """Rows as a CSR matrix of float64. With more than one output there is also a copy by columns: `_by_column`."""

    @cached_property
    def _pieces(self) -> list[slice]:
        return threads.pieces(self.number, 12 * self.x.nnz // max(self.number, 1))

    @cached_property
    def _by_column(self) -> Any:
        """The matrix as CSC. The product of its transpose with a table sums each output row in registers; with CSR,
        every value reads and writes a table of columns x classes in memory.
        """
        return self.x.tocsc()

    def shifted(self, offset: Array) -> Self:
        rows = super().shifted(offset)
        if "_by_column" in self.__dict__:  # making it takes as long as several passes
            rows.__dict__["_by_column"] = self._by_column
        return rows

    def turned(self) -> Self:
        if self.outputs > 1:
            _ = self._by_column
        return self

    def _product(self, table: Array, excess: Array | None, squared: bool = False) -> Array:
        out = np.empty((self.number, table.shape[1]))

        def work(rows: slice) -> None:
            indptr = self.x.indptr[rows.start : rows.stop + 1]
            _native.csr_product(indptr, self.x.indices, self.x.data, table, squared, out[rows])
            if excess is not None:
                out[rows] -= excess

        threads.run(work, self._pieces)
        return out

    def _transposed(self, table: Array, squared: bool = False) -> Array:
        if self.outputs > 1:
            x = self._by_column
            out = np.empty((self.columns, table.shape[1]))

            def gather(columns: slice) -> None:
                indptr = x.indptr[columns.start : columns.stop + 1]
                _native.csr_product(indptr, x.indices, x.data, table, squared, out[columns])

            worth = 1 + 8 * x.nnz * table.shape[1] // threads.PIECE
            threads.run(gather, _even(x.indptr, min(4 * threads.count(), worth)))
            return out

        def scatter(rows: slice) -> Array:
            sums = np.zeros((self.columns, table.shape[1]))
            indptr = self.x.indptr[rows.start : rows.stop + 1]
            _native.csr_transposed_product(indptr, self.x.indices, self.x.data, table[rows], squared, sums)
            return sums

        # Few parts, since each has a table of sums with a row for each column; and always the same number, so that the
        # order of additions, and so every bit, does not depend on the machine. By columns a million rows of 30 values
        # take 70 ms instead of 130 ms, but making the copy by columns takes 700 ms.
        return threads.total(scatter, _even(self.x.indptr, 4))

    # Only stored values are multiplied: the work grows with the square of their number in a row, not of the columns.

    def curvature(self, residuals: Array) -> Array:
        c, size = self.outputs, self.columns + 1
        if c == 1:
            return self.products(self.own_curvature(residuals)[:, 0])
        out = np.zeros((c, size, c, size))
        for k in range(1, c):
            changes = self.curved_by(residuals, k)
            for other in range(k):
                out[k, :, other] = out[other, :, k] = self.products(changes[:, other])
        return of_all_classes(out)

    def products(self, weight: Array) -> Array:
        x, out = self._by_column, np.empty((self.columns + 1, self.columns + 1))
        weighted = self.x.copy()
        weighted.data *= np.repeat(weight, np.diff(self.x.indptr))

        def work(columns: slice) -> None:
            out[columns, :-1] = (x[:, columns].T @ weighted).toarray()

        threads.run(work, threads.pieces(self.columns, 8 * self.columns))
        out[-1, :-1] = out[:-1, -1] = np.asarray(weighted.sum(axis=0)).ravel()
        out[-1, -1] = weight.sum()
        turn = self._standardising
        return out if turn is None else turn @ out @ turn.T

    def forms(self, table: Array) -> Array:
        turn, out = self._standardising, np.empty(self.number)
        table = np.ascontiguousarray(table if turn is None else turn.T @ table @ turn)

        def work(part: slice) -> None:
            indptr = self.x.indptr[part.start : part.stop + 1]
            _native.csr_forms(indptr, self.x.indices, self.x.data, table, out[part])

        threads.run(work, self._pieces)
        return out

    @property
    def _standardising(self) -> Array | None:
        """The table that turns (x, 1) into ((x - means) / scales, 1); None if rows are not standardised."""
        if self.means is None and self.scales is None:
            return None
        turn = np.diag(1 / self.standardised_by)
        if self.means is not None:
            turn[:-1, -1] = -self.means / self.standardised_by[:-1]
        return turn


def _even(indptr: NDArray[Any], parts: int) -> list[slice]:
    """Slices of rows with about the same number of values each: for example, words are not equally frequent."""
    goals = np.linspace(indptr[0], indptr[-1], parts + 1)[1:-1]
    cuts = np.unique([0, *np.searchsorted(indptr, goals), len(indptr) - 1])
    return [slice(a, b) for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)] or [slice(0, 0)]
