"""The rows of a logistic regression, dense or sparse, and the passes over them: pieces side by side, added in order.

Weights are a table, columns x classes (one class of two), of the columns standardised: (x - mean) / scale. The rows
themselves are never altered. Tables that meet sparse rows are padded to `width` classes with zeros, a multiple of four,
so that the kernels read whole vectors.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads

Array = NDArray[np.float64]
Codes = NDArray[np.int32]

WIDE = 256
"""Columns from which on their products are left to BLAS, which takes blocks of them that stay in a cache."""


class NotFinite(ValueError):
    """A cell is missing, infinite or beyond 1e150."""


@dataclass(frozen=True, eq=False)
class Rows(ABC):
    """What dense and sparse rows share: classes, weights, and how columns are standardised."""

    x: Any
    y: Codes
    classes: int
    weight: Array | None = None
    means: Array | None = None
    scales: Array | None = None
    offset: Array | None = None
    """Added to the scores: rows x outputs."""
    held: bool = False
    """Whether the bias is penalised as the weights are; else it is free."""

    @property
    def outputs(self) -> int:
        """Scores of a row: one per class, but one alone of two."""
        return 1 if self.classes == 2 else self.classes

    @property
    def width(self) -> int:
        return 1 if self.outputs == 1 else -(-self.outputs // 4) * 4

    @property
    def number(self) -> int:
        return len(self.y)

    @property
    def columns(self) -> int:
        return int(self.x.shape[1])

    @cached_property
    def total(self) -> float:
        """The sum of the weights of the rows."""
        return float(self.number if self.weight is None else self.weight.sum())

    def part(self, rows: slice) -> tuple[Codes, Array | None]:
        return self.y[rows], None if self.weight is None else self.weight[rows]

    def scores(self, weights: Array, bias: Array) -> Array:
        """Of every row, padded: rows x width."""
        scores = self.product(weights)
        scores[:, : self.outputs] += bias[: self.outputs]
        if self.offset is not None:
            scores[:, : self.outputs] += self.offset
        return scores

    def residuals(self, scores: Array) -> tuple[float, Array]:
        """The loss of all rows, and in place of their scores weight * (p - y)."""

        def work(rows: slice) -> float:
            return _native.logistic_residuals(scores[rows], *self.part(rows), self.outputs)

        return threads.total(work, self._short_pieces), scores

    def curved(self, residuals: Array, scores: Array) -> Array:
        """How the residuals change with scores: the curvature of each row's loss times them."""
        out = np.empty_like(scores)

        def work(rows: slice) -> None:
            _native.logistic_curvature(residuals[rows], *self.part(rows), self.outputs, scores[rows], out[rows])

        threads.run(work, self._short_pieces)
        return out

    def own_curvature(self, residuals: Array) -> Array:
        """The diagonal of each row's curvature: weight p (1 - p)."""
        out = np.abs(residuals)
        share = out
        if self.weight is not None:
            share = np.divide(out, self.weight[:, None], out=np.zeros_like(out), where=out > 0)
        return np.asarray(out * (1 - share))

    def product(self, table: Array) -> Array:
        """Standardised rows times a table of columns x width."""
        return self._product(*self._folded(table))

    def transposed(self, table: Array) -> Array:
        """The transpose of the standardised rows times a table of rows x width."""
        found = self._transposed(table)
        if self.means is not None:
            found -= self.means[:, None] * table.sum(axis=0)
        if self.scales is not None:
            found /= self.scales[:, None]
        return found

    def squares(self, table: Array) -> Array:
        """The transpose of the squared standardised rows times a table of rows x width."""
        found = self._transposed(table, squared=True)
        if self.means is not None:
            m = self.means[:, None]
            found += m * (m * table.sum(axis=0) - 2 * self._transposed(table))
        if self.scales is not None:
            found /= self.scales[:, None] ** 2
        return np.maximum(found, 0.0)

    def squared_product(self, table: Array) -> Array:
        """The squared standardised rows times a table of columns x width."""
        if self.scales is not None:
            table = table / self.scales[:, None] ** 2
        found = self._product(table, None, squared=True)
        if self.means is not None:
            m = self.means[:, None]
            found += (self.means**2) @ table - 2 * self._product(m * table, None)
        return np.maximum(found, 0.0)

    def _folded(self, table: Array) -> tuple[Array, Array | None]:
        """The table for rows as they are, and what it then gives too much."""
        if self.scales is not None:
            table = table / self.scales[:, None]
        return table, None if self.means is None else self.means @ table

    @property
    def _short_pieces(self) -> list[slice]:
        """For work on tables of rows x width alone. An eighth of a piece: it is less work than reading the rows."""
        return threads.pieces(self.number, 8 * 8 * self.width)

    @abstractmethod
    def _product(self, table: Array, excess: Array | None, squared: bool = False) -> Array:
        """Of the rows themselves, not standardised."""

    @abstractmethod
    def _transposed(self, table: Array, squared: bool = False) -> Array:
        """Of the rows themselves, not standardised."""


@dataclass(frozen=True, eq=False)
class Dense(Rows):
    """A two-dimensional array of any type and strides that the kernels read."""

    @cached_property
    def _pieces(self) -> list[slice]:
        return threads.pieces(self.number, self.columns * self.x.itemsize, 8 * self.columns * self.outputs)

    def passed(self, weights: Array, bias: Array) -> tuple[float, Array, Array]:
        """One pass: the loss, its gradient by the weights (columns x outputs) and by the bias."""
        table = weights if self.scales is None else weights / self.scales[:, None]
        table = np.ascontiguousarray(table)

        def work(rows: slice) -> Array:
            sums = np.zeros((self.columns + 2, self.outputs))
            offset = None if self.offset is None else self.offset[rows]
            arguments = (*self.part(rows), offset, table, bias, sums[:-2], sums[-2])
            place, sums[-1, 0] = _native.logistic_pass(self.x[rows], self.means, *arguments)
            _finite(place, rows, self.columns)
            return sums

        sums = threads.total(work, self._pieces)
        gradient = sums[:-2] if self.scales is None else sums[:-2] / self.scales[:, None]
        return float(sums[-1, 0]), gradient, sums[-2]

    def products_of_columns(self, weight: Array) -> Array:
        """Of the standardised columns and a column of ones, weighted: (columns + 1) squared."""
        if self.columns >= WIDE and not self._mostly_zero:
            return self._wide_products(weight)

        def work(rows: slice) -> Array:
            out = np.zeros((self.columns + 1, self.columns + 1))
            _finite(_native.weighted_products(self.x[rows], self.means, weight[rows], out), rows, self.columns)
            return out

        scales = np.ones(self.columns + 1)
        if self.scales is not None:
            scales[:-1] = self.scales
        pieces = threads.pieces(self.number, self.columns * self.x.itemsize)
        return threads.total(work, pieces) / np.outer(scales, scales)

    @cached_property
    def _mostly_zero(self) -> bool:
        """As the first rows are: what is not zero is then summed alone."""
        first = self.x[:256]
        return self.means is None and 4 * np.count_nonzero(first) <= first.size

    def _wide_products(self, weight: Array) -> Array:
        """By BLAS and its threads: pieces side by side would each allocate and add as much as they read."""
        total = np.zeros((self.columns + 1, self.columns + 1))
        for part in threads.pieces(self.number, self.columns * 8, total.nbytes // 8):
            x = np.ones((part.stop - part.start, self.columns + 1))
            x[:, :-1] = self.taken(np.arange(part.start, part.stop)).x
            x *= np.sqrt(weight[part])[:, None]
            total += x.T @ x
        return total

    def products_of_classes(self, residuals: Array) -> Array:
        """The curvature of the loss: (outputs x (columns + 1)) squared, the bias after the columns of each output."""
        c, size = self.outputs, self.columns + 1
        if c == 1:
            return self.products_of_columns(self.curved(residuals, np.ones_like(residuals))[:, 0])
        pairs = [(k, other) for k in range(c) for other in range(k)]
        out = np.zeros((c, size, c, size))
        scales = np.ones(size)
        if self.scales is not None:
            scales[:-1] = self.scales

        def work(part: slice) -> None:
            blocks = np.empty((part.stop - part.start, size, size))
            arguments = (residuals, self.y, self.weight, c, part.start, blocks)
            _finite(_native.softmax_products(self.x, self.means, *arguments), slice(0, 0), self.columns)
            for (k, other), block in zip(pairs[part], blocks / np.outer(scales, scales), strict=True):
                out[k, :, other] = out[other, :, k] = block

        threads.run(work, threads.pieces(len(pairs), threads.PIECE // 4))
        classes = np.arange(c)
        out[classes, :, classes] = -out.sum(axis=2)  # a constant added to every class changes nothing
        return out.reshape(c * size, c * size)

    def taken(self, chosen: NDArray[np.intp]) -> Self:
        """These rows alone, standardised."""
        x = np.ascontiguousarray(self.x[chosen], dtype=np.float64)
        if self.means is not None:
            x -= self.means
        if self.scales is not None:
            x /= self.scales
        weight = None if self.weight is None else self.weight[chosen]
        offset = None if self.offset is None else self.offset[chosen]
        return type(self)(x, self.y[chosen], self.classes, weight, offset=offset, held=self.held)

    def _product(self, table: Array, excess: Array | None, squared: bool = False) -> Array:
        out = np.empty((self.number, table.shape[1]))
        table = np.ascontiguousarray(table)

        def work(rows: slice) -> None:
            x = self.x[rows]
            x = x.astype(np.float64) ** 2 if squared else x
            shift = None if excess is None else self.means  # taken from the rows: more is left of large means so
            _finite(_native.dense_product(x, shift, table, out[rows]), rows, self.columns)

        threads.run(work, self._pieces)
        return out

    def _transposed(self, table: Array, squared: bool = False) -> Array:
        def work(rows: slice) -> Array:
            x = self.x[rows]
            return np.asarray((x.astype(np.float64) ** 2 if squared else x).T @ table[rows])

        return threads.total(work, self._pieces)


@dataclass(frozen=True, eq=False)
class Sparse(Rows):
    """A CSR matrix of float64. For more than one output it is also kept by columns: see `_by_column`."""

    @cached_property
    def _pieces(self) -> list[slice]:
        return threads.pieces(self.number, 12 * self.x.nnz // max(self.number, 1))

    @cached_property
    def _by_column(self) -> Any:
        """The same matrix as CSC, whose product with a table is a gathering of rows into registers. Adding into a table
        of columns x classes reads and writes it for every value.
        """
        return self.x.tocsc()

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

            threads.run(gather, _even(x.indptr, 4 * threads.count()))
            return out

        def scatter(rows: slice) -> Array:
            sums = np.zeros((self.columns, table.shape[1]))
            indptr = self.x.indptr[rows.start : rows.stop + 1]
            _native.csr_transposed_product(indptr, self.x.indices, self.x.data, table[rows], squared, sums)
            return sums

        # Few parts, for each has a table of sums as long as the columns are many; and always as many, so that what is
        # added, and with it every bit, does not depend on the machine. By columns a million rows of 30 values take 70
        # ms instead of 130, but 700 to be brought in that order.
        return threads.total(scatter, _even(self.x.indptr, 4))


def rows_of(
    x: Any,
    y: Codes,
    classes: int,
    weight: Array | None = None,
    means: Array | None = None,
    scales: Array | None = None,
    offset: Array | None = None,
    held: bool = False,
) -> Rows:
    """Dense or sparse, as x is."""
    kind: type[Rows] = Dense if isinstance(x, np.ndarray) else Sparse
    return kind(x, np.ascontiguousarray(y, np.int32), classes, weight, means, scales, offset, held)


def padded(table: Array, width: int) -> Array:
    """With columns of zeros after it."""
    out = np.zeros((table.shape[0], width))
    out[:, : table.shape[1]] = table
    return out


def _even(indptr: NDArray[Any], parts: int) -> list[slice]:
    """Rows in parts of about as many values; words of a vocabulary are not equally frequent."""
    goals = np.linspace(indptr[0], indptr[-1], parts + 1)[1:-1]
    cuts = np.unique([0, *np.searchsorted(indptr, goals), len(indptr) - 1])
    return [slice(a, b) for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)] or [slice(0, 0)]


def _finite(place: int, rows: slice, columns: int) -> None:
    if place >= 0:
        row, column = divmod(place, columns)
        raise NotFinite(f"logistic regression needs numbers; row {rows.start + row}, column {column}, has none")
