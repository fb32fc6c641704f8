"""The dual of a convex problem: the least of the Lagrangian over all x, at given multipliers."""

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
"""Points at which convexity is looked at."""


class NotConvex(ValueError):
    """The problem is not convex, so a minimum of the Lagrangian proves nothing.

    See Also
    --------
    dual : raises it.
    """


@dataclass(frozen=True)
class Dual:
    """The dual value. It is never above the minimum of the objective, so a gap of 0 proves both.

    See Also
    --------
    dual : makes it.
    """

    value: float
    """The least of L = f + sum of multiplier * constraint over all x; -inf where it has none."""
    gap: float
    """The least of the objective within the constraints, minus the dual value."""
    x: Array
    """Where the Lagrangian is least; the minimum of the problem where it has no least value."""
    multipliers: Multipliers
    within: float
    """By how much the dual value may still be lower: half the Newton decrement where the minimisation stopped, and
    rounding."""
    convexity: str
    """On what it rests that problem and Lagrangian are convex. Samples are no proof."""


def dual(
    objective: Objective,
    start: ArrayLike,
    equalities: ConstraintsLike = (),
    at_most: ConstraintsLike = (),
    multipliers: Multipliers | None = None,
    *,
    limit: int = 200,
) -> Dual:
    """The dual value and the gap at the multipliers given, or at those of the minimum, where it is largest.

    The Lagrangian is minimised over all x, bounds being constraints like others, by Newton's method from the minimum.
    Convexity of the objective and of `at_most`, and that `equalities` are linear, is looked at at random points
    around the start and the minimum: by their Hessians where given, by the middle between two points otherwise.

    Parameters
    ----------
    objective : callable
        The function that is minimised: x, an array, to a number. It may have `gradient` and `hessian`, as `Function`
        has; they are approximated by differences otherwise.
    start : array
        Where to begin.
    equalities : constraint or list of constraints, optional
        Functions or `Linear`, each zero at the solution.
    at_most : constraint or list of constraints, optional
        Functions, `Linear` or `Bounds`, none above zero at the solution.
    multipliers : Multipliers, optional
        Where the dual is evaluated; at those of the minimum, where it is largest, by default.
    limit : int, default 200
        The most steps.

    Returns
    -------
    Dual
        The dual value and the gap.

    Raises
    ------
    NotConvex
        Where the objective or `at_most` is found not to be convex, or `equalities` not linear, at random points around
        the start and the minimum.

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
    convexity = _asked_convex(problem, point(start, "start"), least.x)
    given = least.multipliers if multipliers is None else Multipliers(*multipliers)
    equal, inequal = problem.equalities.flat(given[0]), problem.at_most.flat(given[1])
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
    # At the multipliers of the minimum it is the minimum; steps along slopes that are rounding would lead away.
    if np.abs(gradient(x)).max() > 1e-12 * np.abs(problem.gradient(x)).max():
        try:
            x = newton(Problem(lagrangian, x, (), ()), x, limit).x
        except Unbounded:
            return Dual(-np.inf, np.inf, x, given, 0.0, convexity)
    lowest, slope = value(x), gradient(x)
    root, _ = rooted(problem.hessian(x, equal, inequal), slope, x)
    decrement = float(np.square(np.linalg.solve(root, slope)).sum()) / 2
    return Dual(lowest, least.value - lowest, x, given, decrement + 16 * EPSILON * abs(lowest), convexity)


def _asked_convex(problem: Problem, start: Array, x: Array) -> str:
    rng = np.random.default_rng(0)
    spread = np.maximum(np.maximum(np.abs(start - x), np.abs(x)), 1.0)
    points = [x, problem.clipped(start), *(problem.clipped(x + spread * rng.normal(size=(SAMPLES, x.size))))]
    curved = [problem.objective, *(part for part in problem.at_most.parts if isinstance(part, Curved))]
    straight = [part for part in problem.equalities.parts if isinstance(part, Curved)]
    found = {_convex(smooth, points) for smooth in curved} | {_middles(smooth, points, True) for smooth in straight}
    return "; ".join(sorted(found))


def _convex(smooth: Smooth, points: list[Array]) -> str:
    if smooth.given_hessian is None:
        return _middles(smooth, points, False)
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


def _middles(smooth: Smooth, points: list[Array], straight: bool) -> str:
    """Compares the values in the middle between two points, where all is finite, with the mean of those at the ends."""
    pairs = 0
    for k, one in enumerate(points):
        for other in points[k + 1 : k + 4]:
            found = np.stack([smooth.values(x) for x in (one, other, (one + other) / 2)])
            if not np.isfinite(found).all():
                continue
            pairs += 1
            above = found[2] - (found[0] + found[1]) / 2
            if ((np.abs(above) if straight else above) > 1e-9 * np.abs(found).sum(axis=0)).any():
                convex = "convex: in the middle between two points it lies above their mean"
                raise NotConvex(
                    f"{smooth.name} is not {'linear, so the problem is not convex' if straight else convex}"
                )
    how = "linear" if straight else "not above the mean of two points"
    return f"{how} in the middle between {pairs} pairs{' of points' if straight else ''}"
