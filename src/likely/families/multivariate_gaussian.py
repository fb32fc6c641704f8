"""Numbers that spread normally about a mean of their class, and vary together."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.covariance import (
    NEEDS,
    Dials,
    Gaussians,
    Pool,
    Rules,
    Sums,
    blended,
    diagonal,
    estimate,
    existing,
    log_density,
)
from likely.families.family import Array, Codes, Degenerate, Family, Line, Parameter, check
from likely.families.gaussian import Normals
from likely.families.rows_left_out import LeftOut
from likely.priors import InverseWishart, MaximumLikelihood, Normal, Prior
from likely.statistics import Frame, Moments, Scatter, Statistics
from likely.statistics.sums import exact

Covariance = Literal["full", "tied", "diagonal", "spherical"]

GRID = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
"""What "auto" tries on each dial that is free."""

UNTUNED = Dials(0.1, 0.1)
"""What "auto" stands for until rows have been seen."""

TUNED_ROWS = 10_000
TUNED_WORK = 2e8
"""Each row costs columns^3 for each pair of dials, so of many columns fewer rows are left out to tune by."""


@dataclass(frozen=True, repr=False)
class MultivariateGaussian(Family):
    """log p(x | y) = -1/2 log |2 pi C| - 1/2 (x - m)' C^-1 (x - m).

    Maximum likelihood is m = mean, C = scatter / n. `covariance` says what C may be: "full" of each class's own,
    "tied" one for all classes, "diagonal" of independent columns, "spherical" the same variance in all columns.

    `shrinkage` mixes them. A number shrinks towards tied, or from tied towards diagonal; a pair is (towards tied,
    towards diagonal); "auto" takes those under which the rows are most probable, each left out of its own count.
    `prior` is what is imagined of the covariance, `mean_prior` of the means.

    Rows with a missing cell are scored by the Gaussian of the cells that are there. Where products of columns are
    counted they are not counted, as the covariance of incomplete rows has no sums that add.
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
        if not isinstance(self.prior, Prior):
            raise TypeError(f"prior is a prior, such as likely.priors.InverseWishart(1.0, rows=5), not {self.prior!r}")
        if self.mean_prior is not None and not isinstance(self.mean_prior, Normal):
            raise TypeError(f"mean_prior is a Normal, not {self.mean_prior!r}")
        if isinstance(self.shrinkage, str):
            if self.shrinkage != "auto":
                raise ValueError(f"shrinkage is a number, a pair of numbers or 'auto', not {self.shrinkage!r}")
            return
        given = np.asarray(self.shrinkage, np.float64)
        if given.shape not in ((), (2,)) or not ((given >= 0) & (given <= 1)).all():
            raise ValueError(f"shrinkage is a number from 0 to 1, a pair of them or 'auto', not {self.shrinkage!r}")
        object.__setattr__(self, "shrinkage", tuple(given.tolist()) if given.ndim else given.item())

    @property
    def dials(self) -> Dials:
        if isinstance(self.shrinkage, str):
            return self._corner(self.tuned_to or UNTUNED)
        if isinstance(self.shrinkage, tuple):
            return self._corner(Dials(*self.shrinkage))
        one = self.shrinkage
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
        return self._parameters(sums, Pool.of(sums), self._rules(len(frame.columns)))

    def _parameters(self, sums: Sums, pool: Pool, rules: Rules) -> Gaussians | Normals:
        mean, covariance = estimate(sums, pool, rules)
        bad = np.argwhere(np.isnan(diagonal(covariance, mean)))
        if not self.matrices:
            if len(bad):
                of_class, column = map(int, bad[0])
                raise Degenerate(f"a {self.covariance} covariance has no variance", of_class, column, _INSTEAD)
            return Normals(mean, covariance)
        tied = self.dials.tied == 1
        parameters = Gaussians(mean, covariance[:1] if tied else covariance)
        if not len(bad) and parameters.factor[1].all():
            return parameters
        at = 0 if tied else int(bad[0, 0]) if len(bad) else int(np.argmin(parameters.factor[1]))
        correlation = parameters.correlation[at][np.ix_(parameters.telling[at], parameters.telling[at])]
        rank = np.linalg.matrix_rank(correlation, tol=1e-10, hermitian=True) if correlation.size else 0
        rows = sums.n.sum().item() if tied else sums.n[at, 0].item()
        what = f"the {self.covariance} covariance has rank {rank} of {mean.shape[1]}, from {rows:g} row"
        what += ("" if rows == 1 else "s") + ("" if tied else ",")
        raise Degenerate(what, None if tied else at, None, _INSTEAD)

    def score(self, parameters: Gaussians | Normals, block: Array, out: Array) -> None:
        if isinstance(parameters, Normals):
            position = _native.score_gaussian(block, parameters.mean, parameters.rate, parameters.constant, out)
            check(position, block, NEEDS)
            return
        out += parameters.scores(block)

    def squared_distances(self, parameters: Gaussians | Normals, block: Array) -> Array:
        """The squared Mahalanobis distance of each row from each class, of its cells that are there."""
        if isinstance(parameters, Gaussians):
            return parameters.distances(block)[0]
        out = np.zeros((len(block), len(parameters.mean)))
        nothing = np.zeros_like(parameters.mean)
        check(_native.score_gaussian(block, parameters.mean, parameters.rate, nothing, out), block, NEEDS)
        return -2 * out

    def telling(self, parameters: Gaussians | Normals) -> NDArray[np.bool]:
        """The columns that tell something."""
        return np.asarray((parameters.variance > 0).any(axis=0))

    def contributions(self, parameters: Gaussians | Normals, block: Array) -> Array:
        x = np.asarray(block, np.float64)[:, None, :]
        if isinstance(parameters, Normals):
            return parameters.log_density(x)
        return log_density(parameters.mean, parameters.covariance, x)

    def left_out(self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame) -> Array:
        rows, kept = self._rows(statistics, block, y, weight, frame)
        logs = np.zeros(block.shape)
        logs[:, kept] = rows.cells(np.arange(len(y)))
        return logs

    def score_left_out(
        self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        rows, _ = self._rows(statistics, block, y, weight, frame)
        if rows.parameters is None or self.dials.tied > 0 or self.dials.diagonal == 0:
            rows.add(out)
        else:  # the other classes stay as they are
            every = np.arange(len(y))
            before = out[every, y]
            self.score(rows.parameters, rows.block, out)
            out[every, y] = before + rows.own()

    def _rows(
        self, statistics: Any, block: Array, y: Codes, weight: Array | None, frame: Frame
    ) -> tuple[LeftOut, NDArray[np.bool]]:
        """The rows without the columns that tell nothing, whatever row is left out; and which columns are kept."""
        sums, rules = _sums(statistics), self._rules(len(frame.columns))
        pool, parameters = Pool.of(sums), None
        kept = ~pool.constant
        if not kept.all() and kept.any() and rules.borrow and rules.mean is None and not rules.spherical:
            if self.matrices and (uncounted := np.isnan(block[:, ~kept]).any(axis=1)).any():
                weight = np.where(uncounted, 0.0, 1.0 if weight is None else weight)
            sums, block = sums.of(kept), np.ascontiguousarray(block[:, kept])
            pool = Pool.of(sums)
        else:
            kept[:] = True
        if not (pool.flat.any() or (sums.n == 0).any()):
            with suppress(Degenerate):
                parameters = self._parameters(sums, pool, rules)
        return LeftOut(sums, pool, rules, block, y, weight, parameters), kept

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
        try:
            self.estimate(statistics, frame)
        except Degenerate:
            return -np.inf
        logs = self._rows(statistics, block, y, one, frame)[0].own()
        return float(logs.sum() if weight is None else logs[weight > 0] @ weight[weight > 0])

    def sample(self, parameters: Gaussians | Normals, y: Codes, rng: "np.random.Generator") -> Array:
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

    def free(self, statistics: Statistics, frame: Frame) -> int:
        columns, classes = len(frame.columns), statistics.classes
        of_one = {"diagonal": columns, "spherical": 1}.get(self.covariance, columns * (columns + 1) // 2)
        return classes * columns + (1 if self.covariance == "tied" else classes) * of_one

    def posterior(self, statistics: Any, frame: Frame, column: int) -> Normal:
        """What is believed of the column's mean, the covariance being what it is estimated as."""
        both = self.belief(statistics, frame).mean
        return Normal(both.mean[:, column], both.covariance[:, column, column])

    def belief(self, statistics: Any, frame: Frame) -> "Belief":
        """What is believed of the means, the covariances being what they are estimated as, and of the covariances."""
        self.estimate(statistics, frame)  # raises where there are none
        sums, rules = _sums(statistics), self._rules(len(frame.columns))
        pool = Pool.of(sums)
        mean, covariance = estimate(sums, pool, rules._replace(mean=None, more_rows=0.0))
        rows = np.broadcast_to(blended(sums, pool, rules)[0], mean.shape).mean(axis=1)
        matrices = existing(covariance, mean)
        if self.mean_prior is not None:
            believed = self.mean_prior.posterior(sums.n, mean, matrices)
        else:
            n = np.broadcast_to(sums.n, mean.shape)
            root = np.sqrt(n[:, :, None] * n[:, None, :])
            nothing = np.where(np.eye(mean.shape[1]) > 0, np.inf, np.zeros(matrices.shape))  # of no rows at all
            believed = Normal(mean, np.divide(matrices, root, out=nothing, where=root > 0))
        return Belief(believed, InverseWishart(matrices, rows, self.prior.wishart(len(frame.columns)).estimate))

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
        many = columns if self.matrices else 1
        imagined = prior.rows * np.asarray(prior.covariance) if prior.rows else np.zeros((1, 1))
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


_INSTEAD = "shrink it (shrinkage='auto' finds how far), give it a prior, or leave columns out"


def _sums(statistics: Scatter | Moments) -> Sums:
    squares = statistics.products if isinstance(statistics, Scatter) else statistics.m2
    return Sums(statistics.n.astype(np.float64), statistics.mean, squares)


def _columns(frame: Frame) -> list[tuple[int, None]]:
    return [(j, None) for j in range(len(frame.columns))]
