"""Weights that rows span: sums of rows, X^T a, known by a and by their scores X X^T a.

Every product of two of them is known from tables of rows x outputs, and the columns are met only within the two passes
that give X X^T. Weights that begin elsewhere are one direction more, `beyond`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.rows import Rows

Array = NDArray[np.float64]


def product(a: Array, b: Array) -> float:
    return float(np.einsum("i,i->", a.ravel(), b.ravel()))


@dataclass
class Vector:
    """Weights X^T rows + span * beyond, and a bias."""

    rows: Array
    reach: Array
    """Their scores, without the bias."""
    span: float
    bias: Array

    @property
    def scores(self) -> Array:
        found = self.reach.copy()
        found[:, : len(self.bias)] += self.bias
        return found

    def plus(self, times: float, other: "Vector") -> "Vector":
        return Vector(
            self.rows + times * other.rows,
            self.reach + times * other.reach,
            self.span + times * other.span,
            self.bias + times * other.bias,
        )


@dataclass
class Point:
    at: Vector
    value: float
    residuals: Array
    gradient: Vector


class Space:
    """The objective over what the rows span and the weights `beyond`, with which it begins."""

    def __init__(self, rows: Rows, penalty: float, beyond: Array, offset: Array) -> None:
        self.rows, self.penalty, self.beyond, self.offset = rows, penalty, beyond, offset
        self.beyond_reach = rows.product(beyond)
        self.beyond_square = product(beyond, beyond)
        self.own = penalty if rows.held else 0.0
        self.passes = 1

    def dot(self, a: Vector, b: Vector) -> float:
        across = product(self.beyond_reach, b.rows) + b.span * self.beyond_square if a.span else 0.0
        return product(a.rows, b.reach) + a.span * across + float(a.bias @ b.bias)

    def reach(self, table: Array) -> Array:
        self.passes += 2
        return self.rows.product(self.rows.transposed(table))

    def value(self, at: Vector, square: float) -> tuple[float, Array]:
        """And the residuals; `square` is that of the weights without their bias."""
        scores = at.scores
        scores += self.offset
        loss, residuals = self.rows.residuals(scores)
        return loss + self.penalty / 2 * square + self.own / 2 * float(at.bias @ at.bias), residuals

    def square(self, at: Vector) -> float:
        return self.dot(at, at) - float(at.bias @ at.bias)

    def point(self, at: Vector, value: float, residuals: Array) -> Point:
        slope = residuals[:, : self.rows.outputs].sum(axis=0) + self.own * at.bias
        reach = self.reach(residuals)
        reach += self.penalty * at.reach
        gradient = Vector(self.penalty * at.rows + residuals, reach, self.penalty * at.span, slope)
        return Point(at, value, residuals, gradient)

    def weights(self, at: Vector) -> Array:
        self.passes += 1
        found = self.rows.transposed(at.rows)
        if at.span:
            found += at.span * self.beyond
        return found
