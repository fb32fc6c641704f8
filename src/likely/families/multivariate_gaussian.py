"""Numbers that spread normally about a mean of their class, and vary together."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.covariance import (
    Dials,
    Pool,
    Rules,
    Sums,
    cholesky,
    correlations,
    diagonal,
    estimate,
    log_density,
    rank_one,
    without,
)
from likely.families.family import Array, Codes, Degenerate, Family, Line, Parameter, check
from likely.families.gaussian import Normals
from likely.priors import InverseWishart, MaximumLikelihood, Normal, Prior
from likely.statistics import Frame, Moments, Scatter
from likely.statistics.sums import exact

NEEDS = "MultivariateGaussian needs finite numbers, up to 1e150"

Covariance = Literal["full", "tied", "diagonal", "spherical"]

GRID = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
"""What "auto" tries on each dial that is free."""

UNTUNED = Dials(0.1, 0.1)
"""What "auto" stands for until rows have been seen."""

TUNED_ROWS = 10_000
TUNED_WORK = 2e8
"""Each row costs columns^3 for each pair of dials, so of many columns fewer rows are left out to tune by."""


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Mean and covariance per class; one covariance if it is the same for all."""

    mean: Array
    covariance: Array

    @cached_property
    def variance(self) -> Array:
        return diagonal(self.covariance, self.mean)

    @cached_property
    def telling(self) -> NDArray[np.bool]:
        return self.variance > 0

    @cached_property
    def deviation(self) -> Array:
        return np.sqrt(np.where(self.telling, self.variance, 1.0))

    @cached_property
    def correlation(self) -> Array:
        return correlations(self.covariance, self.deviation, self.telling)

    @cached_property
    def factor(self) -> tuple[Array, NDArray[np.bool]]:
        """The lower factors of the correlations, and which exist."""
        return cholesky(self.correlation)

    def whitening(self, told: NDArray[np.bool]) -> tuple[Array, Array]:
        """R with |R (x - mean)|^2 the squared Mahalanobis distance in the columns told, and the log density at the
        mean."""
        told = told & self.telling
        factor = self.factor[0] if told.all() else cholesky(correlations(self.covariance, self.deviation, told))[0]
        inverse = np.linalg.inv(factor) / self.deviation[:, None, :]
        inverse = np.ascontiguousarray(np.where(told[:, :, None] & told[:, None, :], np.tril(inverse), 0.0))
        logs = np.log(np.diagonal(factor, axis1=1, axis2=2)) + np.log(self.deviation) + 0.5 * np.log(2 * np.pi)
        return inverse, -np.where(told, logs, 0.0).sum(axis=1)

    @cached_property
    def whole(self) -> tuple[Array, Array]:
        """The same for rows with every cell there."""
        return self.whitening(np.ones(self.mean.shape[1], np.bool))

    def distances(self, block: Array) -> tuple[Array, Array | float]:
        """The squared Mahalanobis distance of each row from each class, and the log density at the mean."""
        found = np.empty((len(block), len(self.mean)))
        holes = np.zeros(len(block), np.uint8)
        inverse, peak = self.whole
        position = _native.distances(block, self.mean, inverse, None, None, found, None, holes)
        check(position, block, NEEDS)
        if not holes.any():
            return found, peak
        peaks = np.tile(np.broadcast_to(peak, len(self.mean)), (len(block), 1))
        rows = np.flatnonzero(holes)
        there = ~np.isnan(block[rows])
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        order = np.argsort(which, kind="stable")
        for told, at in zip(patterns, np.split(rows[order], np.cumsum(np.bincount(which))[:-1]), strict=True):
            inverse, peak = self.whitening(told)
            part = np.empty((len(at), len(self.mean)))
            cells = np.where(told, block[at], 0.0)
            _native.distances(cells, self.mean, inverse, None, None, part, None, np.zeros(len(at), np.uint8))
            found[at], peaks[at] = part, peak
        return found, peaks


@dataclass(frozen=True, repr=False)
class MultivariateGaussian(Family):
    """log p(x | y) = -1/2 log |2 pi C| - 1/2 (x - m)' C^-1 (x - m).

    Maximum likelihood is m = mean, C = scatter / n. `covariance` says what C may be: "full" of each class's own,
    "tied" one for all classes, "diagonal" of independent columns, "spherical" the same variance in all columns.

    `shrinkage` mixes them. A number shrinks towards tied, or from tied towards diagonal; a pair is (towards tied,
    towards diagonal); "auto" takes those under which the rows are most probable, each left out of its own count.
    `prior` is what is imagined of the covariance, `mean_prior` of the means.

    Rows with a missing cell are not counted, as the covariance of what is there alone has no sums that add. They are
    scored by the Gaussian of the cells that are there.
    """

    joint: ClassVar[bool] = True

    covariance: Covariance = "full"
    shrinkage: float | tuple[float, float] | Literal["auto"] = "auto"
    prior: Prior = MaximumLikelihood()
    mean_prior: Normal | None = None
    tuned_to: Dials | None = field(default=None, compare=False)
    """What "auto" has found; of two models that are merged it may differ, and then it is the first's."""

    def __post_init__(self) -> None:
        if self.covariance not in ("full", "tied", "diagonal", "spherical"):
            raise ValueError(f"the covariance is 'full', 'tied', 'diagonal' or 'spherical', not {self.covariance!r}")
        if self.mean_prior is not None and not isinstance(self.mean_prior, Normal):
            raise TypeError(f"mean_prior is a Normal, not {self.mean_prior!r}")
        if isinstance(self.shrinkage, str):
            if self.shrinkage != "auto":
                raise ValueError(f"shrinkage is a number, a pair of numbers or 'auto', not {self.shrinkage!r}")
            return
        given = np.atleast_1d(np.asarray(self.shrinkage, np.float64))
        if given.ndim != 1 or len(given) > 2 or not ((given >= 0) & (given <= 1)).all():
            raise ValueError(f"shrinkage is a number from 0 to 1, a pair of them or 'auto', not {self.shrinkage!r}")

    @property
    def dials(self) -> Dials:
        if isinstance(self.shrinkage, str):
            return self._corner(self.tuned_to or UNTUNED)
        if np.ndim(self.shrinkage):
            return self._corner(Dials(*map(float, self.shrinkage)))  # type: ignore[arg-type]
        one = float(self.shrinkage)  # type: ignore[arg-type]
        return self._corner(Dials(0.0, one) if self.covariance == "tied" else Dials(one, 0.0))

    def _corner(self, dials: Dials) -> Dials:
        """Within what the covariance may be."""
        if self.covariance == "tied":
            return Dials(1.0, dials.diagonal)
        return dials if self.covariance == "full" else Dials(dials.tied, 1.0)

    @property
    def matrices(self) -> bool:
        """Whether products of columns are counted, and not squares alone."""
        return self.covariance in ("full", "tied")

    def count(self, block: Array, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Scatter | Moments:
        columns = block.shape[1]
        if not self.matrices:
            n, mean, m2 = np.zeros((3, classes, columns))
            check(_native.moments(block, y, weight, n, mean, m2), block, NEEDS)
            return Moments(exact(n, weight is None), mean, m2)
        n, mean, products = np.zeros(classes), np.zeros((classes, columns)), np.zeros((classes, columns, columns))
        check(_native.scatter(block, y, weight, n, mean, products), block, NEEDS)
        return Scatter(exact(n[:, None], weight is None), mean, products)

    def estimate(self, statistics: Scatter | Moments, frame: Frame) -> Gaussians | Normals:
        sums = _sums(statistics)
        mean, covariance = estimate(sums, Pool.of(sums), self._rules(len(frame.columns)))
        bad = np.argwhere(np.isnan(diagonal(covariance, mean)))
        if not self.matrices:
            if len(bad):
                of_class, column = map(int, bad[0])
                raise Degenerate(f"a {self.covariance} covariance has no variance", of_class, column, _INSTEAD)
            return Normals(mean, covariance)
        parameters = Gaussians(mean, covariance[:1] if self.dials.tied == 1 else covariance)
        if len(bad) or not parameters.factor[1].all():
            exists = np.nan_to_num(parameters.correlation)
            ranks = np.linalg.matrix_rank(np.where(parameters.telling[:, :, None], exists, 0.0), hermitian=True)
            of_class = int(bad[0, 0]) if len(bad) else int(np.argmin(parameters.factor[1]))
            rank = f"{ranks[min(of_class, len(ranks) - 1)]} of {len(frame.columns)}"
            what = f"the {self.covariance} covariance has rank {rank}, from {statistics.n[of_class, 0]:g} rows,"
            raise Degenerate(what, of_class, None, _INSTEAD)
        return parameters

    def score(self, parameters: Gaussians | Normals, block: Array, out: Array) -> None:
        if isinstance(parameters, Normals):
            position = _native.score_gaussian(block, parameters.mean, parameters.rate, parameters.constant, out)
            check(position, block, NEEDS)
            return
        found, peak = parameters.distances(block)
        found *= -0.5
        found += peak
        out += found

    def squared_distances(self, parameters: Gaussians | Normals, block: Array) -> Array:
        """The squared Mahalanobis distance of each row from each class, of its cells that are there."""
        if isinstance(parameters, Gaussians):
            return parameters.distances(block)[0]
        x = np.asarray(block, np.float64)[:, None, :]
        scaled = (x - parameters.mean) * parameters.rate
        return np.asarray(2 * np.nansum(scaled * scaled, axis=2))

    def telling(self, parameters: Gaussians | Normals) -> NDArray[np.bool]:
        """The columns that tell something."""
        return np.asarray((parameters.variance > 0).any(axis=0))

    def contributions(self, parameters: Gaussians | Normals, block: Array) -> Array:
        x = np.asarray(block, np.float64)[:, None, :]
        if isinstance(parameters, Normals):
            return parameters.log_density(x)
        return log_density(parameters.mean, parameters.covariance, x)

    def left_out(self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame) -> Array:
        logs = np.empty(block.shape)
        sums = _sums(statistics)
        pool, rules = Pool.of(sums), self._rules(len(frame.columns))
        for rows in self._chunks(len(y), block.shape[1]):
            x, own, others = self._without(sums, pool, block, y, weight, rows)
            logs[rows] = log_density(*estimate(own, others, rules), x)
        return logs

    def score_left_out(
        self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        """From the distances alone, where leaving a row out takes a matrix of rank one from the scatter: columns^2 a
        row and class. Otherwise the matrix of each row is factored by itself, many rows at a time.
        """
        sums = _sums(statistics)
        pool, rules = Pool.of(sums), self._rules(len(frame.columns))
        every = np.arange(len(y))
        try:
            parameters = None if pool.flat.any() or (sums.n == 0).any() else self.estimate(statistics, frame)
        except Degenerate:
            parameters = None
        if isinstance(parameters, Gaussians) and rules.dials.diagonal == 0 and rules.mean is None:
            rest = self._by_distances(parameters, sums, pool, rules, block, y, weight, out)
            self._one_by_one(sums, pool, rules, block, y, weight, rest, out)
        elif parameters is not None and rules.dials.tied == 0:  # the other classes stay as they are
            before = out[every, y]
            self.score(parameters, block, out)
            out[every, y] = before + self.left_out(statistics, block, y, weight, frame).sum(axis=1)
        else:
            self._one_by_one(sums, pool, rules, block, y, weight, every, out)

    def _by_distances(
        self,
        parameters: Gaussians,
        sums: Sums,
        pool: Pool,
        rules: Rules,
        block: Array,
        y: Codes,
        weight: Array | None,
        out: Array,
    ) -> NDArray[np.int64]:
        """Adds the scores of rows left out; those that would lose digits so are not scored, but returned."""
        inverse, peak = parameters.whole
        classes, tied = len(sums.n), rules.dials.tied
        peak = np.broadcast_to(peak, classes)
        distance, holes = np.empty((len(y), classes)), np.zeros(len(y), np.uint8)
        product, apart = None, np.zeros((classes, classes))
        extra: tuple[Any, Any] = None, None
        if tied > 0:
            product = np.empty_like(distance)
            towards = np.einsum("kij,kcj->kci", np.broadcast_to(inverse, (classes, *inverse.shape[1:])), _gaps(sums))
            apart = (towards**2).sum(axis=2)
            extra = y, np.ascontiguousarray(towards)
        check(_native.distances(block, sums.mean, inverse, *extra, distance, product, holes), block, NEEDS)
        scores = peak - 0.5 * distance
        whole = holes == 0
        w = np.where(whole, 1.0 if weight is None else weight, 0.0)
        at = y[:, None] if product is None else np.arange(classes)[None, :]
        if product is None:
            distance, product = np.take_along_axis(distance, at, axis=1), np.zeros((len(y), 1))
        rows = (1 - tied) * sums.n[:, 0] + tied * pool.n + rules.imagined_rows + rules.more_rows
        own = at == y[:, None]
        changed, pivot = rank_one(
            distance, product, apart[at, y[:, None]], own, sums.n[y], w[:, None], rows[at], tied, block.shape[1]
        )
        np.put_along_axis(scores, at, peak[at] + changed, axis=1)
        good = whole & (pivot.min(axis=1) > 1e-4)  # of what cancels, ten digits are left
        out[good] += scores[good]
        if not whole.all():
            part = out[~whole]
            self.score(parameters, block[~whole], part)
            out[~whole] = part
        return np.flatnonzero(whole & ~good)

    def _one_by_one(
        self,
        sums: Sums,
        pool: Pool,
        rules: Rules,
        block: Array,
        y: Codes,
        weight: Array | None,
        which: NDArray[np.int64],
        out: Array,
    ) -> None:
        """Adds the scores of some rows, each from sums that it has been taken from."""
        for chunk in self._chunks(len(which), block.shape[1]):
            rows = which[chunk]
            x, own, others = self._without(sums, pool, block, y, weight, rows)
            for k in range(len(sums.n)):
                mine = y[rows] == k
                of_class = Sums(*(_where(mine, a, b[k]) for a, b in zip(own, sums, strict=True)))
                out[rows, k] += log_density(*estimate(of_class, others, rules), x).sum(axis=1)

    def _without(
        self, sums: Sums, pool: Pool, block: Array, y: Codes, weight: Array | None, rows: Any
    ) -> tuple[Array, Sums, Pool]:
        x = np.asarray(block[rows], np.float64)
        absent = np.isnan(x)
        if self.matrices:
            absent = np.asarray(absent.any(axis=1, keepdims=True))
        w = np.where(absent, 0.0, 1.0 if weight is None else weight[rows][:, None])
        return x, *without(sums, pool, x, y[rows], w)

    def _chunks(self, rows: int, columns: int) -> Iterator[slice]:
        """Rows whose matrices together take two megabytes."""
        size = max(1, 2**18 // columns ** (2 if self.matrices else 1))
        return (slice(start, start + size) for start in range(0, rows, size))

    def tuning_rows(self, frame: Frame) -> int:
        if self.shrinkage != "auto":
            return 0
        work = float(len(frame.columns)) ** (3 if self.matrices else 1)
        return int(np.clip(TUNED_WORK / work, 200, TUNED_ROWS))

    def tuned(
        self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame
    ) -> "MultivariateGaussian":
        """With the dials under which these rows are most probable, each left out."""
        best, highest = UNTUNED, -np.inf
        for dials in dict.fromkeys(self._corner(Dials(*pair)) for pair in product(GRID, GRID)):
            merit = replace(self, tuned_to=dials)._left_out_sum(statistics, block, y, weight, frame)
            if merit > highest:
                best, highest = dials, merit
        return replace(self, tuned_to=best)

    def _left_out_sum(self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame) -> float:
        """The log probability of these rows given their classes. A row that weighs w is w rows, each left out."""
        one = None if weight is None else np.minimum(weight, 1.0)
        if self.matrices and self.dials.diagonal == 0:
            try:
                self.estimate(statistics, frame)
            except Degenerate:
                return -np.inf
            scores = np.zeros((len(y), statistics.classes))
            self.score_left_out(statistics, block, y, one, frame, scores)
            logs = scores[np.arange(len(y)), y]
        else:
            logs = self.left_out(statistics, block, y, one, frame).sum(axis=1)
        return float(logs.sum() if weight is None else logs[weight > 0] @ weight[weight > 0])

    def sample(self, parameters: Gaussians | Normals, y: Codes, rng: np.random.Generator) -> Array:
        if isinstance(parameters, Normals):
            return rng.normal(parameters.mean[y], np.sqrt(parameters.variance[y]))
        drawn = rng.standard_normal((len(y), parameters.mean.shape[1]))
        for k in range(len(parameters.mean)):
            at = min(k, len(parameters.covariance) - 1)
            drawn[y == k] = drawn[y == k] @ parameters.factor[0][at].T * np.sqrt(parameters.variance[at])
        return parameters.mean[y] + drawn

    def describe(self, parameters: Gaussians | Normals, frame: Frame) -> Iterator[Parameter]:
        mean = parameters.mean
        deviation = np.broadcast_to(np.sqrt(parameters.variance), mean.shape)
        for j in range(len(frame.columns)):
            yield Parameter(j, "mean", mean[:, j])
            yield Parameter(j, "standard deviation", deviation[:, j])
            if isinstance(parameters, Gaussians):
                for i in range(j):
                    values = np.broadcast_to(parameters.correlation[:, j, i], len(mean))
                    yield Parameter(j, f"correlation with {frame.columns[i]}", values)

    def free(self, frame: Frame, classes: int) -> int:
        columns = len(frame.columns)
        of_one = {"diagonal": columns, "spherical": 1}.get(self.covariance, columns * (columns + 1) // 2)
        return classes * columns + (1 if self.covariance == "tied" else classes) * of_one

    def posterior(self, statistics: Any, frame: Frame, column: int) -> Normal:
        """What is believed of the column's mean, the covariance being what it is estimated as."""
        both = self.belief(statistics, frame).mean
        return Normal(both.mean[:, column], both.covariance[:, column, column])

    def belief(self, statistics: Any, frame: Frame) -> "Belief":
        """What is believed of the means, the covariances being what they are estimated as, and of the covariances."""
        columns = len(frame.columns)
        parameters, n = self.estimate(statistics, frame), np.asarray(statistics.n[:, :1], np.float64)
        sums = _sums(statistics)
        shape = len(n), columns, columns
        covariance = parameters.variance[:, None, :] * np.eye(columns)
        if isinstance(parameters, Gaussians):
            covariance = parameters.covariance
        covariance = np.broadcast_to(covariance, shape)
        believed = Normal(sums.mean, covariance / n[:, :, None])
        if self.mean_prior is not None:
            believed = self.mean_prior.posterior(n, sums.mean, covariance)
        return Belief(believed, self.prior.wishart(columns).posterior(n, _matrices(sums)))

    def linear(self, parameters: Gaussians | Normals, frame: Frame) -> Line | None:
        if self.dials.tied < 1:
            return None
        if isinstance(parameters, Normals):
            weights = 2 * parameters.rate**2 * parameters.mean
            peak = parameters.constant.sum(axis=1)
        else:
            inverse, peak = parameters.whole
            weights = parameters.mean @ inverse[0].T @ inverse[0]
        return Line(weights, peak - 0.5 * (weights * parameters.mean).sum(axis=1), _columns(frame))

    def _rules(self, columns: int) -> Rules:
        prior = self.prior.wishart(columns)
        imagined = prior.rows * np.asarray(prior.covariance)
        many = columns if self.matrices else 1
        return Rules(
            self.dials,
            imagined if self.matrices else np.diagonal(imagined),
            prior.rows,
            2 * many + 2 if prior.estimate == "mode" else 0,
            bool(np.any(np.asarray(self.shrinkage) != 0)) and prior.rows == 0,
            self.covariance == "spherical",
            self.mean_prior,
        )


class Belief(NamedTuple):
    """What is believed of the parameters of each class."""

    mean: Normal
    covariance: InverseWishart


_INSTEAD = "give it shrinkage or a prior, or leave columns out"


def _sums(statistics: Scatter | Moments) -> Sums:
    squares = statistics.products if isinstance(statistics, Scatter) else statistics.m2
    return Sums(statistics.n.astype(np.float64), statistics.mean, squares)


def _matrices(sums: Sums) -> Array:
    return sums.squares if sums.squares.ndim == 3 else sums.squares[:, None, :] * np.eye(sums.mean.shape[1])


def _gaps(sums: Sums) -> Array:
    """How far the mean of each class k lies from that of each class c."""
    return sums.mean[:, None, :] - sums.mean[None, :, :]


def _where(mine: NDArray[np.bool], own: Array, other: Array) -> Array:
    return np.where(mine.reshape(-1, *[1] * (own.ndim - 1)), own, other)


def _columns(frame: Frame) -> list[tuple[int, None]]:
    return [(j, None) for j in range(len(frame.columns))]
