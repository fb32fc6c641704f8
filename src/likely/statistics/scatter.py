"""Number, mean vector and scatter matrix of rows. MultivariateGaussian counts this."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.statistics.moments import Moments
from likely.statistics.sums import Statistics

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scatter(Statistics):
    """The moments of each column, and the sums of products of deviations of every two columns.

    The moments of single columns are added and subtracted by `Moments`, which handles rounding errors; the products
    follow the same formula.
    """

    signed: ClassVar[tuple[str, ...]] = ("mean", "products")

    n: NDArray[Any]
    """The number of rows of each class, classes x 1. A row with a missing cell is not counted."""
    mean: Array
    products: Array
    """Sums of products of deviations from the mean: classes x columns x columns."""
    scale: Array = None  # type: ignore[assignment]
    """As in Moments."""

    def __post_init__(self) -> None:
        if self.scale is None:
            object.__setattr__(self, "scale", self.moments.scale)

    @cached_property
    def moments(self) -> Moments:
        """The moments of each column by itself; their m2 is the diagonal of the products."""
        m2 = np.ascontiguousarray(np.diagonal(self.products, axis1=-2, axis2=-1))
        return Moments(np.broadcast_to(self.n, self.mean.shape), self.mean, m2, self.scale)

    def __add__(self, other: Self) -> Self:
        n = self.n + other.n
        delta = other.mean - self.mean
        shared = np.divide(self.n * other.n, n, out=np.zeros(n.shape), where=(self.n > 0) & (other.n > 0))
        return self._with(self.moments + other.moments, n, self.products + other.products + _outer(delta, shared))

    def __sub__(self, other: Self) -> Self:
        moments = self.moments - other.moments
        n = np.ascontiguousarray(moments.n[:, :1])
        delta = self.mean - other.mean
        lost = np.divide(self.n * other.n, n, out=np.zeros(n.shape), where=n > 0)
        products = self.products - other.products - _outer(delta, lost)
        flat = moments.m2 == 0  # a column without variance has no covariance
        return self._with(moments, n, np.where(flat[:, :, None] | flat[:, None, :], 0.0, products))

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.n * factor, self.mean, self.products * factor, self.scale)

    def _with(self, moments: Moments, n: NDArray[Any], products: Array) -> Self:
        columns = np.arange(products.shape[-1])
        products[:, columns, columns] = moments.m2
        return type(self)(n, moments.mean, products, moments.scale)

    @property
    def present(self) -> NDArray[Any]:
        return self.n

    def check(self, classes: int, cells: int) -> None:
        super().check(classes, cells)
        self.moments.check_squares()

    def shapes(self, name: str, classes: int, cells: int) -> list[tuple[int, ...]]:
        return [{"n": (classes, 1), "products": (classes, cells, cells)}.get(name, (classes, cells))]


def _outer(delta: Array, factor: Array) -> Array:
    return np.asarray(delta[:, :, None] * delta[:, None, :] * factor[:, :, None])
