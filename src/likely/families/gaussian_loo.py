"""Leave-one-out scores of rows under Gaussians."""

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
    """Rows, and the sums in which they were counted.

    The cost of leaving a row out depends on the covariance. Variances change column by column. For a scatter matrix it
    is a rank-one update, and the scores follow from distances: columns^2 operations for each row and class. A matrix
    shrunk towards its diagonal is factored again: columns^3. Neither works with a prior of the mean, or if a class is
    left without rows or a column without variance: then the parameters are estimated from the sums without the row,
    many rows at a time.
    """

    sums: Sums
    pool: Pool
    rules: Rules
    seen: Observations
    parameters: Gaussians | Normals | None
    """Estimated from all rows; None if they do not exist, or if a class has no rows or a column no variance."""

    def own(self) -> Array:
        """log p(x | y) of each row for its own class."""
        out = np.zeros((len(self.seen.y), len(self.sums.n)))
        rest = self._quickly(out, own=True)
        out[rest, self.seen.y[rest]] = self.cells(rest).sum(axis=1)
        return np.asarray(out[np.arange(len(self.seen.y)), self.seen.y])

    def cells(self, rows: NDArray[np.int64]) -> Array:
        """The contribution of each column to `own`, for some rows: rows x columns."""
        logs = np.empty((len(rows), self.seen.cells.shape[1]))
        for chunk in self._chunks(len(rows)):
            x, own, pool = self._without(rows[chunk])
            logs[chunk] = log_density(*estimate(own, pool, self.rules), x)
        return logs

    def add(self, out: Array) -> None:
        """Adds the scores of every class to `out`."""
        rest = self._quickly(out, own=False)
        for chunk in self._chunks(len(rest)):
            rows = rest[chunk]
            x, own, pool = self._without(rows)
            for k in range(len(self.sums.n)):
                mine = self.seen.y[rows] == k
                of_class = Sums(*(_where(mine, a, b[k]) for a, b in zip(own, self.sums, strict=True)))
                out[rows, k] += log_density(*estimate(of_class, pool, self.rules), x).sum(axis=1)

    def _quickly(self, out: Array, own: bool) -> NDArray[np.int64]:
        """Adds the scores that can be computed by an update, at least those of each row's class if `own`; returns the
        other rows."""
        if not isinstance(self.parameters, Gaussians) or self.rules.mean is not None:
            return np.arange(len(self.seen.y))
        if self.rules.amounts.diagonal == 0:
            return self._by_distances(self.parameters, out)
        return self._by_factors(out, own)

    def _by_distances(self, parameters: Gaussians, out: Array) -> NDArray[np.int64]:
        """Adds scores by rank-one updates. Returns the rows for which that would lose too many digits, unscored."""
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
        if not whole.all():  # rows with missing cells were not counted, so leaving them out changes nothing
            uncounted = np.zeros((int((~whole).sum()), classes))
            parameters.add(self.seen.cells[~whole], uncounted, NEEDS)
            out[~whole] += uncounted
        return np.flatnonzero(whole & ~good)

    def _by_factors(self, out: Array, own: bool) -> NDArray[np.int64]:
        """Adds scores by factoring each matrix again, of all classes or only of each row's own. Returns the rows for
        which that is not possible."""
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
        """For each of these rows: its cells, the sums of its class and the pool of all classes, both without it."""
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
        """Slices of rows whose matrices together take two megabytes."""
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
    """Leave-one-out scores minus the peak, from squared distances; and whether they are accurate: after too much
    cancellation, fewer than ten digits are left.

    A row of weight w in class c, at distance d from its mean, subtracts r dd' from the squares of c, with
    r = w n / (n - w). It subtracts f r dd' from the squares that class k is estimated from: f = 1 for its own class,
    and the shrinkage to tied for another. In the metric of class k, estimated from N rows, let D be the squared
    distance of x from the mean of k, U that from the mean of c, and P the inner product of both differences. Then by
    the Sherman-Morrison formula, with g = f r / N,

        D' = (1 - f w / N) (D + g P^2 / (1 - g U)),   log |C'| = log |C| + log(1 - g U) - columns log(1 - f w / N),

    and the mean of its own class moves away from x, which multiplies D' by (n / (n - w))^2. `product` is P - D, and
    `apart` the squared distance between the means of k and c.
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
    """`own` for the rows that are `mine`, `other` for the rest, for arrays of any further axes."""
    return np.where(mine.reshape(-1, *[1] * (own.ndim - 1)), own, other)
