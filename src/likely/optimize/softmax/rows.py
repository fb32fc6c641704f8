"""Passes over the rows of a softmax problem, dense or sparse. Pieces are computed in parallel and added in order.

Weights are a table, columns x outputs, for standardised columns: (x - means) / scales. The rows themselves are never
changed. Tables are padded with zeros to `width` outputs, a multiple of four, so that the kernels for sparse rows read
whole vectors.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.optimize.softmax.problem import Array, Codes, SoftmaxProblem


class NotFinite(ValueError):
    """A cell is missing, infinite or beyond 1e150."""


@dataclass(frozen=True, eq=False)
class SoftmaxRows(SoftmaxProblem, ABC):
    """The base of dense and sparse rows."""

    @property
    def width(self) -> int:
        return 1 if self.outputs == 1 else -(-self.outputs // 4) * 4

    @property
    def standardised_by(self) -> Array:
        """The scales of the columns, and 1 for the bias."""
        return np.append(np.ones(self.columns) if self.scales is None else self.scales, 1.0)

    def part(self, rows: slice) -> tuple[Codes, Array | None]:
        return self.y[rows], None if self.weight is None else self.weight[rows]

    def of(self, kept: NDArray[np.bool]) -> Self:
        """The rows marked in `kept`."""
        weight, offset = (None if each is None else each[kept] for each in (self.weight, self.offset))
        return replace(self, x=self.x[kept], y=self.y[kept], weight=weight, offset=offset)

    def shifted(self, offset: Array) -> Self:
        """The same rows with another offset."""
        return replace(self, offset=offset)

    def turned(self) -> Self:
        """The same rows, with a copy by columns made now if they need one: `shifted` rows then share it."""
        return self

    def scores(self, weights: Array, bias: Array) -> Array:
        """The scores of every row, for weights of columns x outputs; padded to rows x width."""
        scores = self.product(padded(weights, self.width))
        scores[:, : self.outputs] += bias
        if self.offset is not None:
            scores[:, : self.outputs] += self.offset
        return scores

    def residuals(self, scores: Array) -> tuple[float, Array]:
        """The loss of all rows, and the residuals weight * (p - y), which overwrite `scores`."""

        def work(rows: slice) -> float:
            return _native.logistic_residuals(scores[rows], *self.part(rows), self.outputs)

        return threads.total(work, self._short_pieces), scores

    def curved(self, residuals: Array, scores: Array) -> Array:
        """The change of the residuals with the scores: the Hessian of each row's loss times `scores`."""
        out = np.empty_like(scores)

        def work(rows: slice) -> None:
            _native.logistic_curvature(residuals[rows], *self.part(rows), self.outputs, scores[rows], out[rows])

        threads.run(work, self._short_pieces)
        return out

    def own_curvature(self, residuals: Array) -> Array:
        """The diagonal of the Hessian of each row's loss: weight p (1 - p)."""
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
        product = self._transposed(table)
        if self.means is not None:
            product -= self.means[:, None] * table.sum(axis=0)
        if self.scales is not None:
            product /= self.scales[:, None]
        return product

    def squares(self, table: Array) -> Array:
        """The transpose of the squared standardised rows times a table of rows x width."""
        product = self._transposed(table, squared=True)
        if self.means is not None:
            m = self.means[:, None]
            product += m * (m * table.sum(axis=0) - 2 * self._transposed(table))
        if self.scales is not None:
            product /= self.scales[:, None] ** 2
        return np.maximum(product, 0.0)

    def squared_product(self, table: Array) -> Array:
        """The squared standardised rows times a table of columns x width."""
        if self.scales is not None:
            table = table / self.scales[:, None] ** 2
        product = self._product(table, None, squared=True)
        if self.means is not None:
            m = self.means[:, None]
            product += (self.means**2) @ table - 2 * self._product(m * table, None)
        return np.maximum(product, 0.0)

    def curved_by(self, residuals: Array, k: int) -> Array:
        """The derivative of the residuals by the score of class k: rows x outputs."""
        unit = np.zeros_like(residuals)
        unit[:, k] = 1
        return self.curved(residuals, unit)[:, : self.outputs]

    @abstractmethod
    def curvature(self, residuals: Array) -> Array:
        """The Hessian of the loss of all rows: (outputs x (columns + 1)) squared, the bias after the columns of each
        output."""

    @abstractmethod
    def products(self, weight: Array) -> Array:
        """The weighted products of the standardised columns and a column of ones: (columns + 1) squared."""

    @abstractmethod
    def forms(self, table: Array) -> Array:
        """(x, 1)^T table (x, 1) for every standardised row."""

    def _folded(self, table: Array) -> tuple[Array, Array | None]:
        """The table for rows that are not standardised, and what to subtract from their product with it."""
        if self.scales is not None:
            table = table / self.scales[:, None]
        return table, None if self.means is None else self.means @ table

    @property
    def _short_pieces(self) -> list[slice]:
        """Pieces for work on tables of rows x width only. They have eight times as many bytes, since that is less work
        than reading the rows."""
        return threads.pieces(self.number, 8 * 8 * self.width)

    @abstractmethod
    def _product(self, table: Array, excess: Array | None, squared: bool = False) -> Array:
        """The product of the rows, not standardised, with a table, minus `excess`."""

    @abstractmethod
    def _transposed(self, table: Array, squared: bool = False) -> Array:
        """The product of the transposed rows, not standardised, with a table."""


def padded(table: Array, width: int) -> Array:
    """The table with columns of zeros appended up to `width`."""
    out = np.zeros((table.shape[0], width))
    out[:, : table.shape[1]] = table
    return out


def check_finite(place: int, rows: slice, columns: int) -> None:
    """Raises NotFinite if a kernel returned the place of a cell that is not finite; -1 is none."""
    if place >= 0:
        row, column = divmod(place, columns)
        where = f"row {rows.start + row}, column {column}, has none"
        raise NotFinite(f"logistic regression needs finite numbers, up to 1e150; {where}")


def of_all_classes(between: Array) -> Array:
    """A Hessian from its blocks of two different classes, outputs x size x outputs x size. The blocks of one class
    follow from these: a constant added to every class changes no loss, so blocks sum to zero.
    """
    c, size = between.shape[:2]
    classes = np.arange(c)
    between[classes, :, classes] = -between.sum(axis=2)
    return between.reshape(c * size, c * size)
