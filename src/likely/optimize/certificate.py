"""The Karush-Kuhn-Tucker (KKT) conditions at a point, computed only from the point and the multipliers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.optimize.function import Array
from likely.optimize.polyhedral import left_free
from likely.optimize.problem import FiniteBounds, Multipliers, Problem, point
from likely.tabular import Cells, Tabular
from likely.typing import ConstraintsLike, Objective

CONDITIONS = ("stationarity", "feasibility", "sign", "complementarity")

ACTIVE = 1e-6
"""A constraint is active if its value is closer to 0 than this share of its largest term, or of 1 if that is larger."""


@dataclass(frozen=True)
class Certificate(Tabular):
    """How far a point with its multipliers violates each KKT condition. All four are 0 at a minimum.

    Each is relative to its largest term, or to 1 if that is larger:

    - stationarity: the gradient of f + sum of multiplier * constraint;
    - feasibility: the largest violation of a constraint (relative to 1 for a function, whose terms are not known);
    - sign: how negative a multiplier of `at_most` is;
    - complementarity: multiplier * constraint, for each in `at_most`.

    The conditions are necessary for a minimum if `unique` is true. They are sufficient if f and `at_most` are convex
    and `equalities` linear.

    See Also
    --------
    kkt : makes it.
    minimize : returns one with each minimum.
    """

    stationarity: float
    feasibility: float
    sign: float
    complementarity: float
    accuracy: float
    """The error of stationarity: 0 if functions have a `gradient`, otherwise about the error of the differences."""
    curvature: float | None
    """The least curvature of the Lagrangian in the directions that the active constraints leave free. At a minimum it
    is not negative. It is infinite if no direction is free, and None if the Hessian would cost too much: if a function
    has no `hessian` and x has more than 20 numbers."""
    unique: bool
    """Whether the normals of the active constraints are independent. If not, the multipliers are not unique."""
    multipliers: Multipliers = field(repr=False)

    @property
    def worst(self) -> float:
        """The largest of the four."""
        return max(self.stationarity, self.feasibility, self.sign, self.complementarity)

    def holds(self, tolerance: float = 1e-6) -> bool:
        return self.worst <= tolerance

    def cells(self) -> Cells:
        return {"condition": CONDITIONS, "by how much it fails": [getattr(self, name) for name in CONDITIONS]}

    def __str__(self) -> str:
        lines = [f"{name:<16}{getattr(self, name):8.1e}" for name in CONDITIONS]
        if self.accuracy:
            lines[0] += f"  (gradients by differences, known to {self.accuracy:.0e})"
        if not self.unique:
            lines.append("multipliers are not unique: the active constraints depend on each other")
        return "\n".join(lines)


def kkt(
    objective: Objective,
    x: ArrayLike,
    equalities: ConstraintsLike = (),
    at_most: ConstraintsLike = (),
    multipliers: Multipliers | None = None,
) -> Certificate:
    """Checks the Karush-Kuhn-Tucker conditions at any point.

    Parameters
    ----------
    objective : callable
        The function to minimise: x, an array, to a number. It may have `gradient` and `hessian`, as `Function` has;
        otherwise they are approximated by differences.
    x : array
        The point to check.
    equalities : constraint or list of constraints, optional
        Functions or `Linear`, each zero at the solution.
    at_most : constraint or list of constraints, optional
        Functions, `Linear` or `Bounds`, none above zero at the solution.
    multipliers : Multipliers, optional
        The multipliers at the point. By default those closest to stationarity, by least squares over the active
        constraints, and not negative for `at_most`.

    Returns
    -------
    Certificate
        How far each condition is violated.

    See Also
    --------
    minimize : finds a point and certifies it.

    Examples
    --------
    >>> from likely.optimize import kkt
    >>> def f(x):
    ...     return x[0] ** 2 + x[1] ** 2
    >>> bool(kkt(f, [1.0, 1.0], equalities=lambda x: x[0] + x[1] - 2).stationarity < 1e-6)
    True
    """
    where = point(x, "x")
    problem = Problem(objective, where, equalities, at_most)
    if not np.isfinite(problem.value(where)):
        raise ValueError(f"the objective is {problem.value(where)} at x, where there is nothing to check")
    if multipliers is None:
        return certify(problem, where, *nearest(problem, where))
    equal, inequal = multipliers
    return certify(problem, where, problem.equalities.flat(equal), problem.at_most.flat(inequal))


def certify(problem: Problem, x: Array, equal: Array, at_most: Array) -> Certificate:
    """The certificate of a point with these multipliers, one for each row."""
    gradient, error = problem.objective.gradients_and_errors(x)
    of_equal, equal_errors = problem.equalities.gradients_and_errors(x)
    of_rows, row_errors = problem.at_most.gradients_and_errors(x)
    terms = np.concatenate([gradient, equal[:, None] * of_equal, at_most[:, None] * of_rows])
    values, rows = problem.equalities.values(x), problem.at_most.values(x)
    active = _active(problem, x, rows) | (at_most > 0)
    size = max(1.0, float(np.abs(terms).max()))
    misses = np.abs(values) / np.maximum(1.0, problem.equalities.sizes(x))
    exceeds = np.maximum(rows, 0.0) / np.maximum(1.0, problem.at_most.sizes(x))
    free = left_free(np.concatenate([of_equal, of_rows[active]]))
    normals = len(of_equal) + np.count_nonzero(active & ~_equal_bounds(problem))
    return Certificate(
        stationarity=float(np.abs(terms.sum(axis=0)).max()) / size,
        feasibility=max(_worst(misses), _worst(exceeds)),
        sign=_worst(np.maximum(-at_most, 0.0)) / max(1.0, _worst(np.abs(at_most))),
        complementarity=_worst(np.abs(at_most * rows)) / max(1.0, abs(problem.value(x))),
        accuracy=float(error[0] + np.abs(equal) @ equal_errors + np.abs(at_most) @ row_errors) / size,
        curvature=_curvature(problem, x, equal, at_most, free),
        unique=bool(normals == problem.n - free.shape[1]),
        multipliers=problem.shaped(equal, at_most),
    )


def nearest(problem: Problem, x: Array, tolerance: float = ACTIVE) -> tuple[Array, Array]:
    """The multipliers of the active constraints with the least norm of the Lagrangian's gradient."""
    from scipy.optimize import nnls

    gradient = problem.gradient(x)
    of_equal, of_rows = problem.equalities.gradients(x), problem.at_most.gradients(x)
    active = _active(problem, x, problem.at_most.values(x), tolerance)
    at_most = np.zeros(len(problem.at_most))
    if active.any():
        # Multipliers of equalities may have any sign, so the span of their normals is projected out first.
        free = left_free(of_equal) if len(of_equal) else np.eye(problem.n)
        at_most[active] = nnls(free.T @ of_rows[active].T, -free.T @ gradient, maxiter=30 * problem.n + 3000)[0]
    rest = gradient + at_most @ of_rows
    equal = np.linalg.lstsq(of_equal.T, -rest, rcond=None)[0] if len(of_equal) else np.zeros(0)
    return np.asarray(equal, np.float64), at_most


def _active(problem: Problem, x: Array, rows: Array, tolerance: float = ACTIVE) -> NDArray[np.bool]:
    return np.asarray(rows >= -tolerance * np.maximum(1.0, problem.at_most.sizes(x)))


def _equal_bounds(problem: Problem) -> NDArray[np.bool]:
    """Which rows are lower bounds equal to the upper bound. Both are one equality, with only the difference of their
    multipliers determined."""
    parts = problem.at_most.parts
    each = [part.twins() if isinstance(part, FiniteBounds) else np.zeros(part.size, bool) for part in parts]
    return np.concatenate([np.zeros(0, bool), *each])


def _worst(values: Array) -> float:
    return float(values.max(initial=0.0))


def _curvature(problem: Problem, x: Array, equal: Array, at_most: Array, free: Array) -> float | None:
    if problem.n > 20 and any(smooth.given_hessian is None for smooth in problem.smooths):
        return None
    if not free.size:
        return np.inf
    reduced = free.T @ problem.hessian(x, equal, at_most) @ free
    return float(np.linalg.eigvalsh(reduced)[0]) if np.isfinite(reduced).all() else None
