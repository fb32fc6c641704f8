"""`minimize`: the minimum, its multipliers, and the proof."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from likely.optimize import general, polyhedral
from likely.optimize.certificate import Certificate, certify
from likely.optimize.function import Array
from likely.optimize.polyhedral import Infeasible, Unsolved
from likely.optimize.problem import Multipliers, Problem, point
from likely.typing import ConstraintsLike, Objective


@dataclass(frozen=True)
class Minimum:
    """A minimum: a point at which the Karush-Kuhn-Tucker conditions hold, with its multipliers and certificate.

    See Also
    --------
    minimize : makes it.
    Certificate : the proof in it.
    """

    x: Array
    value: float
    multipliers: Multipliers
    kkt: Certificate
    steps: int
    """The number of Newton steps; with nonlinear constraints, those after scipy's solver."""
    calls: dict[str, int] = field(repr=False)
    """How often the objective's values, gradients and Hessians were computed."""


def minimize(
    objective: Objective,
    start: ArrayLike,
    equalities: ConstraintsLike = (),
    at_most: ConstraintsLike = (),
    *,
    tolerance: float = 1e-6,
    limit: int = 200,
) -> Minimum:
    """Minimises an objective where `equalities` are zero and `at_most` are not above zero.

    Parameters
    ----------
    objective : callable
        The function to minimise: x, an array, to a number. It may have `gradient` and `hessian`, as `Function` has;
        otherwise they are approximated by differences.
    start : array
        The starting point. It need not satisfy the constraints.
    equalities : constraint or list of constraints, optional
        Functions or `Linear`, each zero at the solution.
    at_most : constraint or list of constraints, optional
        Functions, `Linear` or `Bounds`, none above zero at the solution.
    tolerance : float, default 1e-6
        The largest violation of a KKT condition; for most problems it is below 1e-9.
    limit : int, default 200
        The most steps.

    Returns
    -------
    Minimum
        The point, its value, its multipliers and a certificate. If the problem is not convex, it is a local minimum.

    Raises
    ------
    Unsolved
        If no point can be certified; `Infeasible` or `Unbounded` if that is the reason.

    See Also
    --------
    kkt : checks a point of your own.
    dual : the dual value and the gap.

    Examples
    --------
    >>> from likely.optimize import Bounds, minimize
    >>> def f(x):
    ...     return (x[0] - 3) ** 2 + (x[1] - 1) ** 2
    >>> found = minimize(f, [0.0, 0.0], at_most=Bounds(high=2))
    >>> found.x.round(4).tolist(), found.multipliers.at_most.high.round(3).tolist()
    ([2.0, 1.0], [2.0, 0.0])
    """
    if limit < 1:
        raise ValueError(f"limit is the most steps that may be taken, 1 or more, not {limit}")
    x = point(start, "start")
    problem = Problem(objective, x, equalities, at_most)
    x = polyhedral.feasible(problem.equalities.of(linear=True), problem.at_most.of(linear=True), x)
    x = problem.clipped(x)
    for smooth in problem.smooths:
        smooth.check(x)
    solution = polyhedral.newton(problem, x, limit) if problem.linear else general.solve(problem, x, limit, tolerance)
    calls = dict(problem.objective.calls)
    proof = certify(problem, solution.x, solution.equal, solution.at_most)
    _require_proof(problem, solution, proof, tolerance)
    return Minimum(solution.x, problem.value(solution.x), proof.multipliers, proof, solution.steps, calls)


def _require_proof(problem: Problem, solution: polyhedral.Found, proof: Certificate, tolerance: float) -> None:
    where = polyhedral.shown(solution.x)
    if not proof.feasibility <= tolerance:
        worst, kind = max(
            (float(np.abs(problem.equalities.values(solution.x)).max(initial=0.0)), "equalities"),
            (float(problem.at_most.values(solution.x).max(initial=0.0)), "at_most"),
        )
        raise Infeasible(
            f"no point was found that satisfies all constraints; the nearest, {where}, misses one of {kind} by "
            f"{worst:.2g}"
        )
    if not proof.holds(tolerance):
        raise Unsolved(
            f"no certificate: the best point found, {where}, leaves stationarity {proof.stationarity:.1e}, sign "
            f"{proof.sign:.1e} and complementarity {proof.complementarity:.1e}; try another start, or scale the problem"
        )
    least = np.inf if proof.curvature is None else proof.curvature
    if least < -1e-5 and least < -1e-5 * _size(problem, solution):
        raise Unsolved(f"{where} satisfies the conditions but is no minimum: the objective bends down there")


def _size(problem: Problem, solution: polyhedral.Found) -> float:
    return float(np.abs(problem.hessian(solution.x, solution.equal, solution.at_most)).max())
