"""Scores of rows under Gaussians, as if each row had never been counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.covariance import (
    EPSILON,
    NEEDS,
    Gaussians,
    Pool,
    Rules,
    Sums,
    blended,
    diagonal,
    estimate,
    log_density,
    ratio,
)
from likely.families.family import Array, Codes, check
from likely.families.gaussian import Normals


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Rows, and the sums that they were counted in.

    How much leaving a row out costs depends on the covariance. Variances change each by itself. A scatter matrix loses
    one of rank one, and the scores follow from distances: columns^2 a row and class. Shrunk towards its diagonal it
    changes in full, and is factored anew: columns^3. What neither can do, a prior of the mean, a row whose class is
    left without rows or a column without spread, is estimated from the sums without the row, many rows at a time.
    """

    sums: Sums
    pool: Pool
    rules: Rules
    block: Array
    y: Codes
    weight: Array | None
    parameters: Gaussians | Normals | None
    """Of all rows, where they exist, with every class and column in use."""

    def own(self) -> Array:
        """log p(x | y) of each row for its own class."""
        out = np.zeros((len(self.y), len(self.sums.n)))
        rest = self._quickly(out, own=True)
        out[rest, self.y[rest]] = self.cells(rest).sum(axis=1)
        return np.asarray(out[np.arange(len(self.y)), self.y])

    def cells(self, rows: NDArray[np.int64]) -> Array:
        """The same of some rows, split over the columns."""
        logs = np.empty((len(rows), self.block.shape[1]))
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
                mine = self.y[rows] == k
                of_class = Sums(*(_where(mine, a, b[k]) for a, b in zip(own, self.sums, strict=True)))
                out[rows, k] += log_density(*estimate(of_class, pool, self.rules), x).sum(axis=1)

    def _quickly(self, out: Array, own: bool) -> NDArray[np.int64]:
        """Adds the scores that can be had without estimating anew, of `own` classes at least; returns the rows left."""
        if not isinstance(self.parameters, Gaussians) or self.rules.mean is not None:
            return np.arange(len(self.y))
        if self.rules.dials.diagonal == 0:
            return self._by_distances(self.parameters, out)
        return self._by_factors(out, own)

    def _by_distances(self, parameters: Gaussians, out: Array) -> NDArray[np.int64]:
        """Adds the scores of rows; those that would lose digits so are not scored, but returned."""
        sums, y, tied = self.sums, self.y, self.rules.dials.tied
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
        position = _native.distances(self.block, sums.mean, inverse, *extra, distance, product, holes)
        check(position, self.block, NEEDS)
        peak, whole = np.broadcast_to(peak, classes), holes == 0
        scores = peak - 0.5 * distance
        at: NDArray[Any] = np.arange(classes)[None, :]
        if product is None:  # the other classes stay as they are
            at, product = y[:, None], np.zeros((len(y), 1))
            distance = np.take_along_axis(distance, at, axis=1)
        rows = blended(sums, self.pool, self.rules)[0][:, 0] + self.rules.more_rows
        own = at == y[:, None]
        w = np.where(whole, 1.0 if self.weight is None else self.weight, 0.0)[:, None]
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
            out[~whole] += parameters.scores(self.block[~whole])
        return np.flatnonzero(whole & ~good)

    def _by_factors(self, out: Array, own: bool) -> NDArray[np.int64]:
        """Adds the scores of rows, or only those of their own class; what can't be done so is returned."""
        sums, dials = self.sums, self.rules.dials
        rows, squares = blended(sums, self.pool, self.rules)
        rest = np.zeros(len(self.y), np.uint8)
        numbers = sums.n[:, 0].copy(), sums.mean, squares, rows[:, 0] + self.rules.more_rows
        options = dials.tied, 1 - dials.diagonal, own
        check(
            _native.left_out_factored(self.block, self.y, self.weight, *numbers, *options, out, rest), self.block, NEEDS
        )
        return np.flatnonzero(rest)

    def _without(self, rows: NDArray[np.int64]) -> tuple[Array, Sums, Pool]:
        """Of some rows the numbers, the sums of their class and those of all, without the row."""
        x = np.asarray(self.block[rows], np.float64)
        absent = np.isnan(x)
        if self._matrices:
            absent = np.asarray(absent.any(axis=1, keepdims=True))
        w = np.where(absent, 0.0, 1.0 if self.weight is None else self.weight[rows][:, None])
        return x, *without(self.sums, self.pool, self._others, x, self.y[rows], w)

    @cached_property
    def _others(self) -> Array:
        return rest_of(self.sums.squares)

    def _chunks(self, rows: int) -> Iterator[slice]:
        """Rows whose matrices together take two megabytes."""
        size = max(1, 2**18 // self.block.shape[1] ** (2 if self._matrices else 1))
        return (slice(start, start + size) for start in range(0, rows, size))

    @property
    def _matrices(self) -> bool:
        return self.sums.squares.ndim == 3


def rest_of(squares: Array) -> Array:
    """For each class, the squares of all others: added up, as those of one class may be beyond all others."""
    before, after = np.zeros_like(squares), np.zeros_like(squares)
    np.cumsum(squares[:-1], axis=0, out=before[1:])
    np.cumsum(squares[:0:-1], axis=0, out=after[-2::-1] if len(squares) > 1 else after[:0])
    return before + after


def without(sums: Sums, pool: Pool, others: Array, x: Array, y: NDArray[np.int32], w: Array) -> tuple[Sums, Pool]:
    """For each row, the sums of its own class and the pool, as if the row had never been counted.

    `others` are the squares of all other classes, for each class; `w` is what each row, or each cell, weighed: 0 where
    it was not counted.
    """
    before, counted = sums.n[y], w > 0
    x = np.where(counted, x, sums.mean[y])
    n = _left(before, w)
    share = ratio(w, n)
    delta = sums.mean[y] - x
    matrix = sums.squares.ndim > sums.mean.ndim
    across = before * share
    lost = delta[:, :, None] * delta[:, None, :] * across[:, :, None] if matrix else delta * delta * across
    squares = sums.squares[y] - lost
    # What rounding leaves, of the sums and of the means, is nothing: as in likely.statistics.Moments.
    step = 4 * EPSILON * (np.abs(sums.mean[y]) + np.abs(x))
    rest = diagonal(squares, delta)
    rounding = 1e-13 * (rest + 2 * delta * delta * across) + across * step * (2 * np.abs(delta) + step)
    gone = counted & ((n == 0) | (rest <= rounding))
    squares = np.where(gone[:, :, None] | gone[:, None, :] if matrix else gone, 0.0, squares)
    mean = np.where(counted, sums.mean[y] + delta * share, sums.mean[y])

    within = others[y] + squares
    all_n = _left(pool.n, w)
    from_all = pool.mean - x
    share = ratio(w, all_n)
    total = pool.total - np.where(counted, from_all * from_all * pool.n * share, 0.0)
    step = 4 * EPSILON * (np.abs(pool.mean) + np.abs(x))
    rounding = 1e-13 * pool.total + pool.n * share * step * (2 * np.abs(from_all) + step)
    total = np.where((all_n == 0) | (counted & (total <= rounding)), 0.0, total)
    all_mean = np.where(all_n == 0, 0.0, np.where(counted, pool.mean + from_all * share, pool.mean))
    return Sums(n, mean, squares), Pool(all_n, all_mean, within, total)


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
    from what class k is estimated by, with f = 1 for its own class and the dial to tied for another. In the metric of
    class k, of N rows, let D be the distance of x from the mean of k, U that from the mean of c and P the product of
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


def _left(n: Array, w: Array) -> Array:
    left = n - w
    return np.where(left <= 1e-9 * w, 0.0, left)


def _where(mine: NDArray[np.bool], own: Array, other: Array) -> Array:
    return np.where(mine.reshape(-1, *[1] * (own.ndim - 1)), own, other)
