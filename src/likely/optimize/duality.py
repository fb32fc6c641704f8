"""The dual of a convex problem: the minimum of the Lagrangian over all x, at fixed multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.optimize.function import EPSILON, Array, Function, Smooth
from likely.optimize.minimizer import minimize
from likely.optimize.polyhedral import Unbounded, newton, rooted
from likely.optimize.problem import Curved, Multipliers, Problem, point
from likely.typing import ConstraintsLike, Objective

SAMPLES = 40
"""The number of random points at which convexity is checked."""


class NotConvex(ValueError):
    """The problem is not convex, so a minimum of the Lagrangian proves nothing.

    See Also
    --------
    dual : raises it.
    """


@dataclass(frozen=True)
class Dual:
    """The dual value. It is never above the minimum of the problem, so a gap of 0 proves that both are optimal.

    See Also
    --------
    dual : makes it.
    """

    value: float
    """The minimum of L = f + sum of multiplier * constraint over all x; -inf if it is unbounded."""
    gap: float
    """The minimum of the objective under the constraints, minus the dual value."""
    x: Array
    """The minimum of the Lagrangian; if that is unbounded, the minimum of the problem."""
    multipliers: Multipliers
    within: float
    """By how much the true dual value may be lower: half the Newton decrement at x, plus rounding."""
    convexity: str
    """The evidence that the problem is convex. It comes from random points, and so is not a proof."""


def dual(
    objective: Objective,
    start: ArrayLike,
    equalities: ConstraintsLike = (),
    at_most: ConstraintsLike = (),
    multipliers: Multipliers | None = None,
    *,
    limit: int = 200,
) -> Dual:
    """The dual value and the gap, at `multipliers` or by default at those of the minimum, where the dual is largest.

    Newton's method minimises the Lagrangian over all x, starting at the minimum of the problem; bounds are constraints
    like all others. It checks at random points around the start and the minimum that the objective and `at_most` are
    convex and `equalities` linear: by their Hessians if they have them, otherwise by the midpoint of two points.

    Parameters
    ----------
    objective : callable
        The function to minimise: x, an array, to a number. It may have `gradient` and `hessian`, as `Function` has;
        otherwise they are approximated by differences.
    start : array
        The starting point.
    equalities : constraint or list of constraints, optional
        Functions or `Linear`, each zero at the solution.
    at_most : constraint or list of constraints, optional
        Functions, `Linear` or `Bounds`, none above zero at the solution.
    multipliers : Multipliers, optional
        The multipliers at which to evaluate the dual. By default those of the minimum, where the dual is largest.
    limit : int, default 200
        The most steps.

    Returns
    -------
    Dual
        The dual value and the gap.

    Raises
    ------
    NotConvex
        If the objective or `at_most` is not convex, or `equalities` not linear, at a random point around the start and
        the minimum.

    See Also
    --------
    minimize : the primal problem.

    Examples
    --------
    >>> from likely.optimize import dual
    >>> def f(x):
    ...     return x[0] ** 2 + x[1] ** 2
    >>> found = dual(f, [3.0, 3.0], equalities=lambda x: x[0] + x[1] - 2)
    >>> round(found.value, 4), bool(abs(found.gap) < 1e-6)
    (2.0, True)
    """
    least = minimize(objective, start, equalities, at_most, limit=limit)
    problem = Problem(objective, least.x, equalities, at_most)
    convexity = _check_convexity(problem, point(start, "start"), least.x)
    fixed = least.multipliers if multipliers is None else Multipliers(*multipliers)
    equal, inequal = problem.equalities.flat(fixed[0]), problem.at_most.flat(fixed[1])
    if (inequal < 0).any():
        row = int(np.argmin(inequal))
        raise ValueError(
            f"the multiplier of {problem.at_most.row(row)} is {inequal[row]:g}; in at_most none is below 0"
        )

    def value(x: Array) -> float:
        return problem.value(x) + float(equal @ problem.equalities.values(x) + inequal @ problem.at_most.values(x))

    def gradient(x: Array) -> Array:
        slopes = equal @ problem.equalities.gradients(x) + inequal @ problem.at_most.gradients(x)
        return np.asarray(problem.gradient(x) + slopes)

    lagrangian = Function(value, gradient, lambda x: problem.hessian(x, equal, inequal))
    x = least.x
    # At the multipliers of the minimum, x is that minimum already; steps along gradients of rounding would lead away.
    if np.abs(gradient(x)).max() > 1e-12 * np.abs(problem.gradient(x)).max():
        try:
            x = newton(Problem(lagrangian, x, (), ()), x, limit).x
        except Unbounded:
            return Dual(-np.inf, np.inf, x, fixed, 0.0, convexity)
    lowest, slope = value(x), gradient(x)
    root, _ = rooted(problem.hessian(x, equal, inequal), slope, x)
    decrement = float(np.square(np.linalg.solve(root, slope)).sum()) / 2
    return Dual(lowest, least.value - lowest, x, fixed, decrement + 16 * EPSILON * abs(lowest), convexity)


def _check_convexity(problem: Problem, start: Array, x: Array) -> str:
    rng = np.random.default_rng(0)
    spread = np.maximum(np.maximum(np.abs(start - x), np.abs(x)), 1.0)
    points = [x, problem.clipped(start), *(problem.clipped(x + spread * rng.normal(size=(SAMPLES, x.size))))]
    curved = [problem.objective, *(part for part in problem.at_most.parts if isinstance(part, Curved))]
    straight = [part for part in problem.equalities.parts if isinstance(part, Curved)]
    evidence = {_check_convex(smooth, points) for smooth in curved} | {
        _check_midpoints(smooth, points, True) for smooth in straight
    }
    return "; ".join(sorted(evidence))


def _check_convex(smooth: Smooth, points: list[Array]) -> str:
    if smooth.given_hessian is None:
        return _check_midpoints(smooth, points, False)
    weights = np.eye(int(np.prod(smooth.shape or ())))
    looked = 0
    for x in points:
        for weight in weights:
            hessian = smooth.hessian(x, weight)
            if np.isfinite(hessian).all() and np.isfinite(smooth.values(x)).all():
                looked += 1
                curves = np.linalg.eigvalsh(hessian)
                if curves[0] < -1e-9 * np.abs(curves).max():
                    raise NotConvex(f"{smooth.name} is not convex: its Hessian has the eigenvalue {curves[0]:.3g}")
    return f"Hessians without negative eigenvalues at {looked} points"


def _check_midpoints(smooth: Smooth, points: list[Array], straight: bool) -> str:
    """Compares the value at the midpoint of two points with the mean of their values, where all are finite."""
    pairs = 0
    for k, first in enumerate(points):
        for second in points[k + 1 : k + 4]:
            values = np.stack([smooth.values(x) for x in (first, second, (first + second) / 2)])
            if not np.isfinite(values).all():
                continue
            pairs += 1
            above = values[2] - (values[0] + values[1]) / 2
            if ((np.abs(above) if straight else above) > 1e-9 * np.abs(values).sum(axis=0)).any():
                convex = "convex: in the middle between two points it lies above their mean"
                raise NotConvex(
                    f"{smooth.name} is not {'linear, so the problem is not convex' if straight else convex}"
                )
    how = "linear" if straight else "not above the mean of two points"
    return f"{how} in the middle between {pairs} pairs{' of points' if straight else ''}"
