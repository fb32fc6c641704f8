"""The two vector spaces in which `iterative` represents weights."""

from collections.abc import Callable

import numpy as np

from likely.optimize.softmax.problem import Array, SoftmaxFit
from likely.optimize.softmax.rows import SoftmaxRows, padded


class ColumnSpace:
    """A vector has a number for each weight, then the bias, then the scores of the rows by these weights. Gradients
    have no scores.
    """

    def __init__(self, rows: SoftmaxRows, penalty: float, unknowns: int | None = None) -> None:
        self.rows, self.penalty, self.passes = rows, penalty, 0
        self.table_size = (rows.columns if unknowns is None else unknowns) * rows.width
        self.gradient_size = self.table_size + rows.outputs
        self.offset = 0.0 if rows.offset is None else padded(rows.offset, rows.width)

    def made(self, table: Array | float, bias: Array, reach: Array | float | None = None) -> Array:
        """A vector from its parts; without `reach` it is a gradient, which has no scores."""
        vector = np.empty(self.table_size + len(bias) + (0 if reach is None else self.rows.number * self.rows.width))
        self.table(vector)[:], self.bias(vector)[:] = table, bias
        if reach is not None:
            self.reach(vector)[:] = reach
        return vector

    def table(self, vector: Array) -> Array:
        """The weights, or the numbers of rows: a view of the vector."""
        return vector[: self.table_size].reshape(-1, self.rows.width)

    def bias(self, vector: Array) -> Array:
        """The bias: a view of the vector."""
        return vector[self.table_size : self.table_size + self.rows.outputs]

    def reach(self, vector: Array) -> Array:
        """The scores without the bias."""
        return vector[self.table_size + self.rows.outputs :].reshape(-1, self.rows.width)

    def scores(self, vector: Array) -> Array:
        """The scores with the bias, without the offset: rows x width."""
        scores = self.reach(vector).copy()
        scores[:, : self.rows.outputs] += self.bias(vector)
        return scores

    def ridge(self, vector: Array) -> Array:
        """The gradient of the penalty."""
        gradient = self.penalty * vector[: self.gradient_size]
        if not self.rows.penalise_bias:
            self.bias(gradient)[:] = 0.0
        return gradient

    def gradient(self, vector: Array, residuals: Array) -> Array:
        gradient = self.back(residuals)
        gradient += self.ridge(vector)
        return gradient

    def bent(self, vector: Array, residuals: Array) -> Array:
        """The Hessian of the objective, at the point with these residuals, times a vector."""
        return self.gradient(vector, self.rows.curved(residuals, self.scores(vector)))

    def along(self, here: Array, step: Array) -> Callable[[float], tuple[float, Array]]:
        """A function from t to the value and the residuals at here - t step."""
        scores, moved, shrink = self.scores(here) + self.offset, self.scores(step), self.ridge(step)
        straight, across, square = self.dot(here, self.ridge(here)), self.dot(here, shrink), self.dot(step, shrink)

        def at(t: float) -> tuple[float, Array]:
            loss, residuals = self.rows.residuals(scores - t * moved)
            return loss + (straight - 2 * t * across + t * t * square) / 2, residuals

        return at

    def start(self, fit: SoftmaxFit | None) -> Array:
        if fit is None:
            return self.made(0.0, self.rows.first_bias, 0.0)
        self.passes += 1
        weights = padded(fit.weights.T, self.rows.width)
        return self.made(weights, fit.bias, self.rows.product(weights))

    def dot(self, a: Array, b: Array) -> float:
        """The inner product of two sets of weights and biases."""
        return _product(self.table(a), self.table(b)) + float(self.bias(a) @ self.bias(b))

    def back(self, table: Array) -> Array:
        """The transposed rows, and ones for the bias, times a table of rows x width."""
        self.passes += 1
        return self.made(self.rows.transposed(table), table[:, : self.rows.outputs].sum(axis=0))

    def preconditioned(self, residuals: Array) -> Callable[[Array], Array]:
        """A function that divides a vector by the diagonal of the Hessian. The result has no scores: `reached` adds
        them."""
        self.passes += 1
        scale = 1 / (self.rows.squares(self.rows.own_curvature(residuals)) + self.penalty)
        return lambda vector: self.made(scale * self.table(vector), np.zeros(self.rows.outputs), 0.0)

    def reached(self, vector: Array) -> None:
        """Computes the scores of a vector from its weights."""
        self.passes += 1
        self.reach(vector)[:] = self.rows.product(self.table(vector))

    def weights(self, vector: Array, more: Array | None = None) -> Array:
        """The weights, columns x width; plus the transposed rows times `more`, a table of rows, if that is not None."""
        if more is None:
            return self.table(vector)
        self.passes += 1
        return self.table(vector) + self.rows.transposed(more)


class RowSpace(ColumnSpace):
    """A vector has a number a_i for each row instead of weights, which are X^T a: sums of rows, like the gradient. That
    is less work if there are fewer rows than columns.
    """

    def __init__(self, rows: SoftmaxRows, penalty: float) -> None:
        super().__init__(rows, penalty, rows.number)
        self.gradient_size += self.table_size

    def start(self, fit: SoftmaxFit | None) -> Array:
        if fit is None or fit.dual is None:
            return super().start(None)
        self.passes += 1
        weights = padded(fit.weights.T, self.rows.width)
        return self.made(padded(fit.dual, self.rows.width), fit.bias, self.rows.product(weights))

    def dot(self, a: Array, b: Array) -> float:
        return _product(self.table(a), self.reach(b)) + float(self.bias(a) @ self.bias(b))

    def back(self, table: Array) -> Array:
        self.passes += 2
        reach = self.rows.product(self.rows.transposed(table))
        return self.made(table, table[:, : self.rows.outputs].sum(axis=0), reach)

    def preconditioned(self, residuals: Array) -> Callable[[Array], Array]:
        """A function that copies its vector. In most directions the Hessian is only the penalty, and rows add to few of
        them; dividing by the diagonal would hide that structure.
        """
        return np.copy

    def reached(self, vector: Array) -> None:
        pass

    def weights(self, vector: Array, more: Array | None = None) -> Array:
        self.passes += 1
        return self.rows.transposed(self.table(vector) if more is None else self.table(vector) + more)


def _product(a: Array, b: Array) -> float:
    return float(np.einsum("i,i->", a.ravel(), b.ravel()))
