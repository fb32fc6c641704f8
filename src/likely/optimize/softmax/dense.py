"""Passes over dense rows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.optimize.softmax.problem import Array, with_ridge
from likely.optimize.softmax.rows import SoftmaxRows, check_finite, of_all_classes

WIDE = 256
"""From this many columns on, BLAS computes their products, because it works on blocks that fit into the cache."""


@dataclass(frozen=True, eq=False)
class DenseRows(SoftmaxRows):
    """Rows as a two-dimensional array, of any type and strides that the kernels read."""

    @cached_property
    def _pieces(self) -> list[slice]:
        return threads.pieces(self.number, self.columns * self.x.itemsize, 8 * self.columns * self.outputs)

    def passed(self, weights: Array, bias: Array) -> tuple[float, Array, Array]:
        """One pass over the rows: the loss, its gradient by the weights (columns x outputs) and by the bias."""
        table = weights if self.scales is None else weights / self.scales[:, None]
        table = np.ascontiguousarray(table)

        def work(rows: slice) -> Array:
            sums = np.zeros((self.columns + 2, self.outputs))
            offset = None if self.offset is None else self.offset[rows]
            arguments = (*self.part(rows), offset, table, bias, sums[:-2], sums[-2])
            place, sums[-1, 0] = _native.logistic_pass(self.x[rows], self.means, *arguments)
            check_finite(place, rows, self.columns)
            return sums

        sums = threads.total(work, self._pieces)
        gradient = sums[:-2] if self.scales is None else sums[:-2] / self.scales[:, None]
        return float(sums[-1, 0]), gradient, sums[-2]

    def objective(self, penalty: float) -> Callable[[Array], tuple[float, Array]]:
        return with_ridge(self.passed, self.ridge(penalty))

    def products(self, weight: Array) -> Array:
        if self.columns >= WIDE and not self._mostly_zero:
            return self._wide_products(weight)

        def work(rows: slice) -> Array:
            out = np.zeros((self.columns + 1, self.columns + 1))
            check_finite(_native.weighted_products(self.x[rows], self.means, weight[rows], out), rows, self.columns)
            return out

        pieces = threads.pieces(self.number, self.columns * self.x.itemsize)
        return threads.total(work, pieces) / np.outer(self.standardised_by, self.standardised_by)

    @cached_property
    def _mostly_zero(self) -> bool:
        """Whether the first rows are mostly 0; then only the other numbers are summed."""
        first = self.x[:256]
        return self.means is None and 4 * np.count_nonzero(first) <= first.size

    def _wide_products(self, weight: Array) -> Array:
        """`products` by BLAS and its threads. With our own threads, each piece would allocate and add a matrix as large
        as the rows that it reads."""
        total = np.zeros((self.columns + 1, self.columns + 1))
        for part in threads.pieces(self.number, self.columns * 8, total.nbytes // 8):
            x = self._with_ones(part) * np.sqrt(weight[part])[:, None]
            total += x.T @ x
        return total

    def curvature(self, residuals: Array) -> Array:
        c, size = self.outputs, self.columns + 1
        if c == 1:
            return self.products(self.curved(residuals, np.ones_like(residuals))[:, 0])
        pairs = [(k, other) for k in range(c) for other in range(k)]
        out = np.zeros((c, size, c, size))
        scales = np.outer(self.standardised_by, self.standardised_by)

        def work(part: slice) -> None:
            blocks = np.empty((part.stop - part.start, size, size))
            arguments = (residuals, self.y, self.weight, c, part.start, blocks)
            check_finite(_native.softmax_products(self.x, self.means, *arguments), slice(0, 0), self.columns)
            for (k, other), block in zip(pairs[part], blocks / scales, strict=True):
                out[k, :, other] = out[other, :, k] = block

        threads.run(work, threads.pieces(len(pairs), threads.PIECE // 4))
        return of_all_classes(out)

    def forms(self, table: Array) -> Array:
        out = np.empty(self.number)

        def work(part: slice) -> None:
            x = self._with_ones(part)
            out[part] = np.einsum("ij,ij->i", x @ table, x)

        threads.run(work, threads.pieces(self.number, 8 * 8 * (self.columns + 1)))
        return out

    def _with_ones(self, part: slice) -> Array:
        """These rows, standardised, with a column of ones."""
        return np.column_stack([self.taken(np.arange(part.start, part.stop)).x, np.ones(part.stop - part.start)])

    def taken(self, chosen: NDArray[np.intp]) -> Self:
        """Only these rows, standardised."""
        x = np.ascontiguousarray(self.x[chosen], dtype=np.float64)
        if self.means is not None:
            x -= self.means
        if self.scales is not None:
            x /= self.scales
        weight = None if self.weight is None else self.weight[chosen]
        offset = None if self.offset is None else self.offset[chosen]
        return type(self)(x, self.y[chosen], self.classes, weight, offset=offset, penalise_bias=self.penalise_bias)

    def _product(self, table: Array, excess: Array | None, squared: bool = False) -> Array:
        out = np.empty((self.number, table.shape[1]))
        table = np.ascontiguousarray(table)

        def work(rows: slice) -> None:
            x = self.x[rows]
            x = x.astype(np.float64) ** 2 if squared else x
            shift = None if excess is None else self.means  # subtracted from the rows, since large means lose digits
            check_finite(_native.dense_product(x, shift, table, out[rows]), rows, self.columns)

        threads.run(work, self._pieces)
        return out

    def _transposed(self, table: Array, squared: bool = False) -> Array:
        def work(rows: slice) -> Array:
            x = self.x[rows]
            return np.asarray((x.astype(np.float64) ** 2 if squared else x).T @ table[rows])

        return threads.total(work, self._pieces)
