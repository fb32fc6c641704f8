"""The conditions of Karush, Kuhn and Tucker at a point, worked out from the point and the multipliers alone."""

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
"""A constraint holds with equality if it misses by less, of the size of what is summed in it or of 1."""


@dataclass(frozen=True)
class Certificate(Tabular):
    """How far a point with its multipliers is from satisfying each condition. All four are 0 at a minimum.

    Each is a share of the largest thing summed in it, or of 1 if that is larger:

    - stationarity: the gradient of f + sum of multiplier * constraint;
    - feasibility: by how much a constraint is violated (what is summed in a function is not known: of 1);
    - sign: how negative a multiplier of `at_most` is;
    - complementarity: multiplier * constraint, of each in `at_most`.

    They are necessary for a minimum where `unique` is true, and sufficient where f and `at_most` are convex and
    `equalities` linear.

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
    """How well stationarity is known: 0 where gradients were given, else about how far off the differences are."""
    curvature: float | None
    """The least curvature of the Lagrangian along what the active constraints leave free; negative at no minimum.
    Infinite where nothing is free; None where the Hessian would cost too much: not given, and x longer than 20."""
    unique: bool
    """Whether the normals of the active constraints are independent; if not, other multipliers may do as well."""
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
        The function that is minimised: x, an array, to a number. It may have `gradient` and `hessian`, as `Function`
        has; they are approximated by differences otherwise.
    x : array
        The point that is checked.
    equalities : constraint or list of constraints, optional
        Functions or `Linear`, each zero at the solution.
    at_most : constraint or list of constraints, optional
        Functions, `Linear` or `Bounds`, none above zero at the solution.
    multipliers : Multipliers, optional
        Those of the point; by default those that bring the active constraints closest to stationarity, by least
        squares, and not negative for `at_most`.

    Returns
    -------
    Certificate
        How far each condition is from holding.

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
    normals = len(of_equal) + np.count_nonzero(active & ~_twins(problem))
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
    """The multipliers of the active constraints that leave least of the gradient."""
    from scipy.optimize import nnls

    gradient = problem.gradient(x)
    of_equal, of_rows = problem.equalities.gradients(x), problem.at_most.gradients(x)
    active = _active(problem, x, problem.at_most.values(x), tolerance)
    at_most = np.zeros(len(problem.at_most))
    if active.any():
        # Equalities may have any sign: what they can take over is left to them.
        free = left_free(of_equal) if len(of_equal) else np.eye(problem.n)
        at_most[active] = nnls(free.T @ of_rows[active].T, -free.T @ gradient, maxiter=30 * problem.n + 3000)[0]
    rest = gradient + at_most @ of_rows
    equal = np.linalg.lstsq(of_equal.T, -rest, rcond=None)[0] if len(of_equal) else np.zeros(0)
    return np.asarray(equal, np.float64), at_most


def _active(problem: Problem, x: Array, rows: Array, tolerance: float = ACTIVE) -> NDArray[np.bool]:
    return np.asarray(rows >= -tolerance * np.maximum(1.0, problem.at_most.sizes(x)))


def _twins(problem: Problem) -> NDArray[np.bool]:
    """Lower bounds equal to the upper bound: one equality, where only the difference of the multipliers counts."""
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
