"""Scores of rows under Gaussians, as if each row had never been counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.cells import Array, check
from likely.families.covariance import NEEDS, Pool, Rules, Sums, blended, estimate
from likely.families.family import Observations
from likely.families.gaussian import Normals
from likely.families.gaussians import Gaussians, log_density
from likely.families.sums_without import rest_of, without


@dataclass(frozen=True, eq=False)
class GaussianLoo:
    """Rows, and the sums that they were counted in.

    How much leaving a row out costs depends on the covariance. Variances change each by itself. A scatter matrix loses
    one of rank one, and the scores follow from distances: columns^2 a row and class. Shrunk towards its diagonal it
    changes in full, and is factored again: columns^3. What neither can do, a prior of the mean, a row whose class is
    left without rows or a column without spread, is estimated from the sums without the row, many rows at a time.
    """

    sums: Sums
    pool: Pool
    rules: Rules
    seen: Observations
    parameters: Gaussians | Normals | None
    """Of all rows, where they exist, with every class and column in use."""

    def own(self) -> Array:
        """log p(x | y) of each row for its own class."""
        out = np.zeros((len(self.seen.y), len(self.sums.n)))
        rest = self._quickly(out, own=True)
        out[rest, self.seen.y[rest]] = self.cells(rest).sum(axis=1)
        return np.asarray(out[np.arange(len(self.seen.y)), self.seen.y])

    def cells(self, rows: NDArray[np.int64]) -> Array:
        """The same of some rows, split over the columns."""
        logs = np.empty((len(rows), self.seen.cells.shape[1]))
        for chunk in self._chunks(len(rows)):
            x, own, pool = self._without(rows[chunk])
            logs[chunk] = log_density(*estimate(own, pool, self.rules), x)
        return logs

    def add(self, out: Array) -> None:
        """Adds the scores of every class."""
        rest = self._quickly(out, own=False)
        for chunk in self._chunks(len(rest)):
            rows = rest[chunk]
            x, own, pool = self._without(rows)
            for k in range(len(self.sums.n)):
                mine = self.seen.y[rows] == k
                of_class = Sums(*(_where(mine, a, b[k]) for a, b in zip(own, self.sums, strict=True)))
                out[rows, k] += log_density(*estimate(of_class, pool, self.rules), x).sum(axis=1)

    def _quickly(self, out: Array, own: bool) -> NDArray[np.int64]:
        """Adds the scores that need no other estimate, of `own` classes at least; returns the rows left."""
        if not isinstance(self.parameters, Gaussians) or self.rules.mean is not None:
            return np.arange(len(self.seen.y))
        if self.rules.amounts.diagonal == 0:
            return self._by_distances(self.parameters, out)
        return self._by_factors(out, own)

    def _by_distances(self, parameters: Gaussians, out: Array) -> NDArray[np.int64]:
        """Adds the scores of rows; those that would lose digits so are not scored, but returned."""
        sums, y, tied = self.sums, self.seen.y, self.rules.amounts.tied
        inverse, peak = parameters.whole
        classes, columns = sums.mean.shape
        distance, holes = np.zeros((len(y), classes)), np.zeros(len(y), np.uint8)
        product, apart = None, np.zeros((classes, classes))
        extra: tuple[Any, Any] = None, None
        if tied > 0:
            product = np.zeros_like(distance)
            gaps = sums.mean[:, None, :] - sums.mean[None, :, :]
            towards = gaps @ np.swapaxes(inverse, 1, 2)
            apart = (towards**2).sum(axis=2)
            extra = y, np.ascontiguousarray(towards)
        position = _native.distances(self.seen.cells, sums.mean, inverse, *extra, distance, product, holes)
        check(position, self.seen.cells, NEEDS)
        peak, whole = np.broadcast_to(peak, classes), holes == 0
        scores = peak - 0.5 * distance
        at: NDArray[Any] = np.arange(classes)[None, :]
        if product is None:  # the other classes stay as they are
            at, product = y[:, None], np.zeros((len(y), 1))
            distance = np.take_along_axis(distance, at, axis=1)
        rows = blended(sums, self.pool, self.rules)[0][:, 0] + self.rules.more_rows
        own = at == y[:, None]
        w = np.where(whole, self.seen.weights, 0.0)[:, None]
        changed, trusted = rank_one(
            distance, product, apart[at, y[:, None]], own, sums.n[y], w, rows[at], tied, columns
        )
        np.put_along_axis(scores, at, peak[at] + changed, axis=1)
        good = whole & trusted.all(axis=1)
        if good.all():
            out += scores
            return np.empty(0, np.int64)
        out[good] += scores[good]
        if not whole.all():  # rows that were not counted, and without which nothing changes
            uncounted = np.zeros((int((~whole).sum()), classes))
            parameters.add(self.seen.cells[~whole], uncounted, NEEDS)
            out[~whole] += uncounted
        return np.flatnonzero(whole & ~good)

    def _by_factors(self, out: Array, own: bool) -> NDArray[np.int64]:
        """Adds the scores of rows, or only those of their own class; what can't be done so is returned."""
        sums, amounts = self.sums, self.rules.amounts
        rows, squares = blended(sums, self.pool, self.rules)
        rest = np.zeros(len(self.seen.y), np.uint8)
        numbers = sums.n[:, 0].copy(), sums.mean, squares, rows[:, 0] + self.rules.more_rows
        options = amounts.tied, 1 - amounts.diagonal, own
        check(
            _native.left_out_factored(self.seen.cells, self.seen.y, self.seen.weight, *numbers, *options, out, rest),
            self.seen.cells,
            NEEDS,
        )
        return np.flatnonzero(rest)

    def _without(self, rows: NDArray[np.int64]) -> tuple[Array, Sums, Pool]:
        """Of some rows the numbers, the sums of their class and those of all, without the row."""
        x = np.asarray(self.seen.cells[rows], np.float64)
        absent = np.isnan(x)
        if self._matrices:
            absent = np.asarray(absent.any(axis=1, keepdims=True))
        w = np.where(absent, 0.0, self.seen.weights[rows][:, None])
        return x, *without(self.sums, self.pool, self._others, x, self.seen.y[rows], w)

    @cached_property
    def _others(self) -> Array:
        return rest_of(self.sums.squares)

    def _chunks(self, rows: int) -> Iterator[slice]:
        """Rows whose matrices together take two megabytes."""
        size = max(1, 2**18 // self.seen.cells.shape[1] ** (2 if self._matrices else 1))
        return (slice(start, start + size) for start in range(0, rows, size))

    @property
    def _matrices(self) -> bool:
        return self.sums.squares.ndim == 3


def rank_one(
    distance: Array,
    product: Array,
    apart: Array,
    own: NDArray[np.bool],
    n: Array,
    w: Array,
    rows: Array,
    tied: float,
    columns: int,
) -> tuple[Array, NDArray[np.bool]]:
    """Scores less their peak as if the row had never been counted, from squared distances; and whether they can be
    trusted: where much cancels, fewer than ten digits are left.

    A row of weight w in class c, d from its mean, takes r dd' from the squares of c, r = w n / (n - w), and f r dd'
    from what class k is estimated by, with f = 1 for its own class and the shrinkage to tied for another. In the metric
    of class k, of N rows, let D be the distance of x from the mean of k, U that from the mean of c and P the product of
    both. Then by Sherman and Morrison, with g = f r / N,

        D' = (1 - f w / N) (D + g P^2 / (1 - g U)),   log |C'| = log |C| + log(1 - g U) - columns log(1 - f w / N),

    and its own class's mean moves away from x, by which D' grows (n / (n - w))^2 times. What is given is P - D, and
    the distance between the means of k and c.
    """
    left = n - w
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(left > 1e-9 * w, n / left, np.nan)
        share = np.where(own, w, tied * w) / rows
        taken = share * times
        pivot = 1 - taken * (distance + 2 * product + apart)
        kept = (1 - share) * (distance + taken * (distance + product) ** 2 / pivot) * np.where(own, times * times, 1.0)
        score = -0.5 * (np.log(pivot) - columns * np.log1p(-share) + kept)
        good = (pivot > 1e-4) & (taken * (distance + apart) < 1e4 * pivot * (1 + distance))
    return score, good


def _where(mine: NDArray[np.bool], own: Array, other: Array) -> Array:
    return np.where(mine.reshape(-1, *[1] * (own.ndim - 1)), own, other)
