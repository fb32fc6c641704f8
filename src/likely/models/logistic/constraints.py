"""Constrained logistic regression: the optimal weights, the multiplier of each constraint, and a proof of optimality.

With constraints a_i . w <= c_i and multipliers m_i, the Lagrangian, divided by C, is

    penalty/2 |w|^2 + sum of the losses + sum_i m_i (a_i . w - c_i)

This is the objective of a logistic regression whose ridge is centred at -sum m_i a_i / penalty instead of 0. So the
same duality gap bounds its minimum from below (`certificate`), and its minimum is never above the constrained one. The
gap of the constrained problem is the gap of the Lagrangian at the weights, plus sum_i m_i (c_i - a_i . w), the
violation of complementary slackness.

With more than two classes, w has a row for each class. Constraints are on rows that sum to 0 (`likely.limits`), so the
mean over the classes is subtracted from a_i, which does not change the constraint. Then the centre of the ridge sums to
0 over the classes, and so do the weights at the minimum of the Lagrangian. So it is enough to solve for the rows of all
classes but the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import optimize
from likely.limits import Feature, Limit, Row
from likely.optimize.problem import Problem
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.direct import Curvature
from likely.optimize.softmax.problem import Array, contrasted, contrasts
from likely.optimize.softmax.solver import fit_of

MOST_WEIGHTS = 2000
"""The most weights of all classes. The time of a step grows with their cube: this many take about ten seconds of one
core if all have bounds, with 10,000 rows (`python -m bench speed --only logistic_limits`)."""
NEAR_FROM = 200
"""From this many weights on, a Newton step costs more than dozens of passes over the rows."""
MOST_CELLS = 1 << 27
"""The most cells of sparse rows as a dense matrix: a gigabyte."""


class Terms(NamedTuple):
    """What is constrained: weights @ units + nb_weights, the weights of features in their original units."""

    features: Sequence[Feature]
    classes: Sequence[Any]
    units: Array
    nb_weights: Array


class Constrained(NamedTuple):
    """A constrained fit with the multipliers of its limits, and its certificate."""

    solution: SoftmaxFit
    multipliers: list[Any]
    """For each limit, how much the minimum falls for each unit by which its active bound is raised."""
    kkt: optimize.Certificate


def solve_constrained(
    rows: DenseRows, c: float, limits: Sequence[Limit], terms: Terms, tol: float = 1e-6
) -> Constrained:
    """The constrained fit. Raises ValueError if no weights satisfy all limits."""
    objective = _Objective(rows, 1 / c)
    start = objective.start()
    # Weights are rescaled so that the objective has about the same curvature along each; powers of two round nothing.
    curvatures = objective.curvatures(start)
    size = np.exp2(np.round(np.log2(np.where(curvatures > 0, curvatures, 1.0)) / 2))
    scaled = optimize.Function(
        lambda u: objective(u / size),
        lambda u: objective.gradient(u / size) / size,
        lambda u: objective.hessian(u / size) / np.outer(size, size),
    )
    limit_rows = _LimitRows.of(limits, terms, size)
    try:
        near = (
            _better_start(scaled, start * size, limit_rows) if len(start) >= NEAR_FROM and c < np.inf else start * size
        )
        least = optimize.minimize(scaled, near, *limit_rows.constraints())
    except optimize.Infeasible as error:
        raise ValueError(
            f"no weights satisfy {' and '.join(repr(limits[at]) for at in limit_rows.conflicting(error))}"
        ) from None
    signed = limit_rows.signed_multipliers(least.multipliers)
    x = least.x / size
    table = objective.table(x)
    slope = objective.gradient(x) + (signed @ limit_rows.matrix) * size
    of_all = np.linalg.pinv(objective.contrasts).T @ slope.reshape(-1, rows.columns + 1)
    curvature = Curvature(rows, 1 / c, 1.0, table, objective.products(x))
    gap = curvature.gap(of_all, table, np.inf)
    fit = SoftmaxFit(
        table[:, :-1], table[:, -1], least.value, gap + limit_rows.slack(signed, least.x), objective.passes
    )
    times = 1.0 if c == np.inf else c
    own = np.split(times * signed / limit_rows.lengths, np.cumsum(limit_rows.sizes)[:-1])
    multipliers = [limit.shaped(each) for limit, each in zip(limits, own, strict=True)]
    solution = replace(fit_of(rows, c, fit, tol, constrained=True), active=limit_rows.matrix[signed != 0] * size)
    return Constrained(solution, multipliers, least.kkt)


def dense_of(rows: SoftmaxRows) -> DenseRows:
    """The rows as a dense matrix. Raises ValueError if there are too many weights or cells."""
    if rows.columns * rows.outputs > MOST_WEIGHTS:
        raise ValueError(
            f"limits hold for up to {MOST_WEIGHTS} weights, but there are {rows.columns * rows.outputs}; give fewer "
            "columns"
        )
    if isinstance(rows, DenseRows):
        return rows
    if rows.number * rows.columns > MOST_CELLS:
        raise ValueError(
            f"limits need the sparse matrix with all its zeros, and {rows.x.shape} are too many; give fewer rows"
        )
    kept = rows.weight, rows.means, rows.scales, rows.offset, rows.penalise_bias
    return DenseRows(rows.x.toarray(), rows.y, rows.classes, *kept)


def named(
    limits: Sequence[Limit], features: Sequence[Feature], classes: Sequence[Any]
) -> tuple[list[list[Row]], list[Array]]:
    """The features and classes that each limit constrains. Raises ValueError if it names one that does not exist."""
    places: dict[Feature, int] = {}
    for at, feature in enumerate(features):
        places.setdefault(feature, at)
    return [limit.rows(places) for limit in limits], [limit.shares(classes) for limit in limits]


def _better_start(objective: optimize.Function, x: Array, limit_rows: "_LimitRows") -> Array:
    """A better start: the result of scipy's L-BFGS-B, if all limits are bounds; otherwise x."""
    from scipy.optimize import Bounds, minimize

    problem = Problem(objective, x, *limit_rows.constraints())
    if (np.count_nonzero(limit_rows.matrix, axis=1) > 1).any() or (problem.low > problem.high).any():
        return x
    bounds = Bounds(problem.low, problem.high)
    options = {"maxiter": 500, "ftol": 1e-12, "gtol": 1e-6}
    result = minimize(objective, x, jac=objective.gradient, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(result.x)


class _Objective:
    """The objective, divided by C, as a function of the free weights: for each class its weights, then its bias
    (`contrasts`). Value and gradient at a point together take one pass over the rows.
    """

    def __init__(self, rows: DenseRows, penalty: float) -> None:
        self.rows, self.contrasts, self.ridge = rows, contrasts(rows.outputs), rows.ridge(penalty)
        self.of_all = rows.objective(penalty)
        self.last: tuple[Array, float, Array] | None = None
        self.curved: tuple[Array, Array] | None = None
        self.passes = 0

    def start(self) -> Array:
        """Weights of zero, with the best bias for them."""
        table = np.zeros((self.contrasts.shape[1], self.rows.columns + 1))
        table[:, -1] = self.rows.first_bias[: len(table)]
        return table.ravel()

    def table(self, x: Array) -> Array:
        """The weights and biases of all classes: outputs x (columns + 1)."""
        return np.asarray(self.contrasts @ x.reshape(self.contrasts.shape[1], -1))

    def __call__(self, x: Array) -> float:
        return self._passed(x)[0]

    def gradient(self, x: Array) -> Array:
        return self._passed(x)[1]

    def hessian(self, x: Array) -> Array:
        curvature = self.products(x).copy()
        curvature[np.diag_indices(len(curvature))] += np.tile(self.ridge, self.rows.outputs)
        return contrasted(curvature, self.contrasts)

    def products(self, x: Array) -> Array:
        """The Hessian of the loss, in the weights and biases of all classes."""
        if self.curved is None or not np.array_equal(self.curved[0], x):
            self.curved = x.copy(), self.rows.curvature(self._residuals(x))
        return self.curved[1]

    def curvatures(self, x: Array) -> Array:
        """Approximately the diagonal of the Hessian, for each class but the last."""
        own = self.rows.own_curvature(self._residuals(x))
        table = np.vstack([self.rows.squares(own), own.sum(axis=0)]).T[: self.contrasts.shape[1]]
        return np.asarray((table + self.ridge).ravel())

    def _residuals(self, x: Array) -> Array:
        self.passes += 2
        table = self.table(x)
        return self.rows.residuals(self.rows.scores(table[:, :-1].T, table[:, -1]))[1]

    def _passed(self, x: Array) -> tuple[float, Array]:
        if self.last is None or not np.array_equal(self.last[0], x):
            self.passes += 1
            value, gradient = self.of_all(self.table(x))
            self.last = x.copy(), value, (self.contrasts.T @ gradient).ravel()
        return self.last[1:]


@dataclass(frozen=True, eq=False)
class _LimitRows:
    """Limits as low <= matrix @ x <= high, with x the rescaled free weights and each row of the matrix of length 1."""

    matrix: Array
    low: Array
    high: Array
    lengths: Array
    """The lengths of the rows before they were divided by them."""
    sizes: list[int]
    """The number of rows of each limit."""

    @classmethod
    def of(cls, limits: Sequence[Limit], terms: Terms, size: Array) -> "_LimitRows":
        """The limits on the free weights times their size. The bias after the weights of each class has no limit."""
        features, classes, units, nb_weights = terms
        each, of_each = named(limits, features, classes)
        rows = [row for own in each for row in own]
        of_features = np.zeros((len(rows), len(features)))
        for i, row in enumerate(rows):
            of_features[i, list(row.coefficients)] = list(row.coefficients.values())
        shares = [share for share, own in zip(of_each, each, strict=True) for _ in own]
        of_classes = np.reshape(shares, (len(rows), len(nb_weights))) @ contrasts(len(nb_weights))
        about = nb_weights if len(nb_weights) == 1 else nb_weights - nb_weights.mean(axis=0)
        shift = np.einsum("rk,kj,rj->r", shares, about, of_features)
        table = np.pad(of_features @ units.T, ((0, 0), (0, 1)))
        matrix = (of_classes[:, :, None] * table[:, None]).reshape(len(rows), -1) / size
        lengths = np.linalg.norm(matrix, axis=1)
        low = (np.array([row.low for row in rows]) - shift) / lengths
        high = (np.array([row.high for row in rows]) - shift) / lengths
        return cls(matrix / lengths[:, None], low, high, lengths, [len(own) for own in each])

    @cached_property
    def sides(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The rows with low == high, those with an upper bound, and those with a lower bound."""
        equal = self.low == self.high
        above, below = ~equal & (self.high < np.inf), ~equal & (self.low > -np.inf)
        return np.flatnonzero(equal), np.flatnonzero(above), np.flatnonzero(below)

    def constraints(self) -> tuple[optimize.Linear, optimize.Linear]:
        equal, above, below = self.sides
        most = np.concatenate([self.matrix[above], -self.matrix[below]])
        bound = np.concatenate([self.high[above], -self.low[below]])
        return optimize.Linear(self.matrix[equal], self.low[equal]), optimize.Linear(most, bound)

    def conflicting(self, error: optimize.Infeasible) -> list[int]:
        """The positions of the limits that contradict each other; all of them if that is not known."""
        equal, above, below = self.sides
        rows = [*equal[error.equalities], *np.concatenate([above, below])[error.at_most]]
        limits = np.unique(np.searchsorted(np.cumsum(self.sizes), rows, side="right"))
        return [int(at) for at in limits] or list(range(len(self.sizes)))

    def signed_multipliers(self, multipliers: optimize.Multipliers) -> Array:
        """The multiplier of each row: above 0 if its upper bound is active, below 0 if its lower one is."""
        equal, above, below = self.sides
        signed = np.zeros(len(self.matrix))
        signed[equal] = multipliers.equalities
        signed[above] += multipliers.at_most[: len(above)]
        signed[below] -= multipliers.at_most[len(above) :]
        return signed

    def slack(self, signed: Array, x: Array) -> float:
        """The violation of complementary slackness: the sum of multipliers times the distance to their bounds."""
        bound = np.where(signed > 0, self.high, self.low)[signed != 0]
        return float(np.abs(signed[signed != 0] * (bound - (self.matrix @ x)[signed != 0])).sum())
