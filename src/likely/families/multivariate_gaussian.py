"""Numbers with a multivariate normal distribution in each class."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.errors import Degenerate
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check
from likely.families.covariance import NEEDS, Pool, Posteriors, Rules, Sums, estimate, posteriors
from likely.families.family import Line, Observations, Parameter
from likely.families.formula import Cell, Polynomial, Product, Term
from likely.families.gaussian import Normals, moments
from likely.families.gaussian_loo import GaussianLoo
from likely.families.gaussians import Gaussians, diagonal
from likely.families.shrinkage import ShrunkCovariance
from likely.priors import MaximumLikelihood, Normal, Prior
from likely.statistics import Frame, Moments, Scatter, Statistics
from likely.statistics.sums import exact


@dataclass(frozen=True, repr=False)
class MultivariateGaussian(ShrunkCovariance):
    """log p(x | y) = -½ log det(2 pi C) - ½ (x - m)' C^-1 (x - m).

    Maximum likelihood is m = mean, C = scatter / n. `covariance` constrains C: "full" is one matrix for each class,
    "tied" one for all classes, "diagonal" has independent columns, "spherical" the same variance in all columns.

    `shrinkage` mixes them. A number shrinks towards tied, or from tied towards diagonal; a pair is (towards tied,
    towards diagonal); "auto" chooses the pair with the highest leave-one-out likelihood.
    `prior` is the prior of the covariance, `mean_prior` that of the means.

    A row with missing cells is scored by the Gaussian of its other cells. It is not counted for a covariance matrix
    ("full" and "tied"), because no sums that can be added give the covariance of incomplete rows.

    Parameters
    ----------
    covariance : "full", "tied", "diagonal" or "spherical", default "full"
        The constraint on the covariance of a class.
    shrinkage : "auto", float, or pair of floats, default "auto"
        How far covariances are shrunk: towards tied, or (towards tied, towards diagonal).
    prior : Prior, default `MaximumLikelihood()`
        The prior of the covariance, such as `InverseWishart`.
    mean_prior : Normal, optional
        The prior of the means.
    tuned_to : pair of floats, optional
        The shrinkage that was chosen. Models set it.

    See Also
    --------
    likely.GaussianClassifier : this family over all columns.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import MultivariateGaussian
    >>> x = [[0, 0], [1, 1], [2, 2.1], [0, 3], [1, 4.2], [2, 5]]
    >>> nb = NaiveBayes(MultivariateGaussian("tied")).fit(x, ["low"] * 3 + ["high"] * 3)
    >>> nb.predict([[3, 3], [3, 6]]).tolist()
    ['low', 'high']
    """

    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Scatter, Moments)
    joint: ClassVar[bool] = True
    independent: ClassVar[bool] = False

    prior: Prior = MaximumLikelihood()
    mean_prior: Normal | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.prior, Prior):
            raise TypeError(f"prior is a prior, such as likely.priors.InverseWishart(1.0, rows=5), not {self.prior!r}")
        if self.mean_prior is not None and not isinstance(self.mean_prior, Normal):
            raise TypeError(f"mean_prior is a Normal, not {self.mean_prior!r}")

    def count(self, seen: Observations, frame: Frame) -> Scatter | Moments:
        if not self.matrices:
            return moments(seen, seen.cells, NEEDS)
        classes, columns = seen.classes, seen.cells.shape[1]
        n, mean, products = np.zeros(classes), np.zeros((classes, columns)), np.zeros((classes, columns, columns))
        check(_native.scatter(seen.cells, seen.y, seen.weight, n, mean, products), seen.cells, NEEDS)
        return Scatter(exact(n[:, None], seen.weight is None), mean, products)

    def estimate(self, block: Block) -> Gaussians | Normals:
        sums = Sums.of(block.statistics)
        return self._parameters(sums, Pool.of(sums), self._rules(len(block.frame.columns)))

    def _parameters(self, sums: Sums, pool: Pool, rules: Rules) -> Gaussians | Normals:
        mean, covariance = estimate(sums, pool, rules)
        bad = np.argwhere(np.isnan(diagonal(covariance, mean)))
        if not self.matrices:
            if len(bad):
                of_class, column = map(int, bad[0])
                raise Degenerate(f"a {self.covariance} covariance has no variance", of_class, column, _INSTEAD)
            return Normals(mean, covariance)
        tied = self.amounts.tied == 1
        parameters = Gaussians(mean, covariance[:1] if tied else covariance)
        if not len(bad) and parameters.factor[1].all():
            return parameters
        at = 0 if tied else int(bad[0, 0]) if len(bad) else int(np.argmin(parameters.factor[1]))
        rows = sums.n.sum().item() if tied else sums.n[at, 0].item()
        what = f"the {self.covariance} covariance has rank {parameters.rank(at)} of {mean.shape[1]}, from {rows:g} row"
        raise Degenerate(f"{what}{'' if rows == 1 else 's'}{'' if tied else ','}", None if tied else at, None, _INSTEAD)

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        return (Cell(plan.columns[at], needs=NEEDS, required=self.matrices),)

    def formula(self, block: Block) -> list[Term]:
        """With covariance matrices, valid only for rows without missing cells."""
        parameters, cells = block.parameters, [self.cells(block, at)[0] for at in range(len(block.columns))]
        none = np.zeros(block.statistics.classes)
        if isinstance(parameters, Normals):
            columns = zip(cells, parameters.mean.T, parameters.constant.T, -(parameters.rate.T**2), strict=True)
            return [Polynomial(cell, mean, constant, none, square) for cell, mean, constant, square in columns]
        whiten, constant = parameters.whole
        precision = np.broadcast_to(whiten.transpose(0, 2, 1) @ whiten, (len(none), len(cells), len(cells)))
        constants = [np.broadcast_to(constant, none.shape), *[none] * (len(cells) - 1)]
        terms: list[Term] = [
            Polynomial(cell, parameters.mean[:, i], constants[i], none, -precision[:, i, i] / 2)
            for i, cell in enumerate(cells)
        ]
        for i, j in combinations(range(len(cells)), 2):
            terms.append(Product(cells[i], cells[j], parameters.mean[:, i], parameters.mean[:, j], -precision[:, i, j]))
        return terms

    def score(self, parameters: Gaussians | Normals, cells: Array, out: Array) -> None:
        parameters.add(cells, out, NEEDS)

    def contributions(self, parameters: Gaussians | Normals, cells: Array) -> Array:
        return parameters.log_density(np.asarray(cells, np.float64)[:, None, :])

    def loo(self, block: Block, seen: Observations) -> Array:
        rows, kept = self._rows(block, seen)
        logs = np.zeros(seen.cells.shape)
        logs[:, kept] = rows.cells(np.arange(len(seen.y)))
        return logs

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        rows, _ = self._rows(block, seen)
        if rows.parameters is None or self.amounts.tied > 0 or self.amounts.diagonal == 0:
            rows.add(out)
        else:  # the other classes stay as they are
            every = np.arange(len(seen.y))
            before = out[every, seen.y]
            self.score(rows.parameters, rows.seen.cells, out)
            out[every, seen.y] = before + rows.own()

    def _rows(self, block: Block, seen: Observations) -> tuple[GaussianLoo, NDArray[np.bool]]:
        """Leave-one-out of these rows without columns that are constant, or are so without some row; and which columns
        are kept."""
        sums, rules = Sums.of(block.statistics), self._rules(len(block.frame.columns))
        pool, parameters = Pool.of(sums), None
        kept = ~pool.constant
        if not kept.all() and kept.any() and rules.borrow and rules.mean is None and not rules.spherical:
            if self.matrices and (uncounted := np.isnan(seen.cells[:, ~kept]).any(axis=1)).any():
                seen = replace(seen, weight=np.where(uncounted, 0.0, seen.weights))
            sums, seen = sums.of_columns(kept), replace(seen, cells=np.ascontiguousarray(seen.cells[:, kept]))
            pool = Pool.of(sums)
        else:
            kept[:] = True
        if not (pool.flat.any() or (sums.n == 0).any()):
            with suppress(Degenerate):
                parameters = self._parameters(sums, pool, rules)
        return GaussianLoo(sums, pool, rules, seen, parameters), kept

    def loo_sum(self, block: Block, seen: Observations) -> float:
        try:
            self.estimate(block)
        except Degenerate:
            return -np.inf
        one_row = replace(seen, weight=None if seen.weight is None else np.minimum(seen.weight, 1.0))

        def work(rows: slice) -> float:
            logs, weight = self._rows(block, one_row.part(rows))[0].own(), seen.weights[rows]
            return float(logs[weight > 0] @ weight[weight > 0])

        return threads.total(work, threads.parts(len(seen.y)))

    def sample(self, parameters: Gaussians | Normals, y: Codes, rng: "np.random.Generator") -> Array:
        return parameters.sampled(y, rng)

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

    def parameter_count(self, block: Block) -> int:
        columns, classes = len(block.frame.columns), int(block.statistics.classes)
        of_one = {"diagonal": columns, "spherical": 1}.get(self.covariance, columns * (columns + 1) // 2)
        return classes * columns + (1 if self.covariance == "tied" else classes) * of_one

    def parameter_posterior(self, block: Block, column: int) -> Normal:
        """The posterior of the column's mean, with the covariance fixed at its estimate."""
        both = self.posteriors(block).mean
        return Normal(both.mean[:, column], both.covariance[:, column, column])

    def log_bayes_factor(self, block: Block) -> Array:
        """For each column by itself."""
        sums = block.statistics
        return evidence.factor_of_numbers(sums if isinstance(sums, Moments) else sums.moments)

    def posteriors(self, block: Block) -> Posteriors:
        """The posteriors of the means, with covariances fixed at their estimates, and of the covariances."""
        self.estimate(block)  # raises Degenerate if there are none
        columns = len(block.frame.columns)
        return posteriors(Sums.of(block.statistics), self._rules(columns), self.prior.wishart(columns).estimate)

    def linear(self, parameters: Gaussians | Normals, frame: Frame) -> Line | None:
        if self.amounts.tied < 1:
            return None
        weights, peak = parameters.line()
        columns = [(j, None) for j in range(len(frame.columns))]
        return Line(weights, peak - 0.5 * (weights * parameters.mean).sum(axis=1), columns)

    def _rules(self, columns: int) -> Rules:
        prior = self.prior.wishart(columns)
        many = columns if self.matrices else 1
        prior_scatter = prior.rows * np.asarray(prior.covariance) if prior.rows else np.zeros((1, 1))
        return Rules(
            self.amounts,
            prior_scatter if self.matrices else np.diagonal(prior_scatter),
            prior.rows,
            2 * many + 2 if prior.estimate == "mode" else 0,
            bool(np.any(np.asarray(self.shrinkage) != 0)) and prior.rows == 0,
            self.covariance == "spherical",
            self.mean_prior,
        )


_INSTEAD = "shrink it (shrinkage='auto' finds how far), give it a prior, or leave columns out"
