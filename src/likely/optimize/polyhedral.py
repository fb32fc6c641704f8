"""Newton's method under linear constraints: each step minimises the quadratic model under all constraints.

All iterates satisfy the constraints, so the objective is never evaluated outside of them. Its Hessian may be singular
or indefinite; then the step uses the absolute values of its eigenvalues.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from likely.optimize.function import EPSILON, Array
from likely.optimize.problem import ConstraintRows, Problem
from likely.optimize.quadratic import Conflict, Polytope, Solution, Stalled, solve

FAR = 1e14
"""The objective is unbounded if it still falls when |x| is this many times max(1, |start|)."""


class Unsolved(ValueError):
    """No point was found that can be certified. `Infeasible` and `Unbounded` are raised if that is the reason.

    See Also
    --------
    minimize : raises it.
    """


class Infeasible(Unsolved):
    """No point satisfies all constraints. For linear constraints, `equalities` and `at_most` are the positions of the
    rows that contradict each other, if they are known.

    See Also
    --------
    Unbounded : the objective falls without end.
    Unsolved : the base class of both.
    """

    def __init__(self, message: str, equalities: Sequence[int] = (), at_most: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.equalities, self.at_most = list(equalities), list(at_most)


class Unbounded(Unsolved):
    """The objective is unbounded: it falls without end.

    See Also
    --------
    Infeasible : no point satisfies all constraints.
    Unsolved : the base class of both.
    """


class Found(NamedTuple):
    """A point with its multipliers, as one number for each row, and the number of steps."""

    x: Array
    equal: Array
    """The multipliers of the equalities."""
    at_most: Array
    """The multipliers of the inequalities."""
    steps: int


def feasible(equalities: ConstraintRows, at_most: ConstraintRows, x: Array) -> Array:
    """The nearest point that satisfies linear constraints."""
    for _ in range(2):  # the second time from nearby, which removes rounding errors of the first
        polytope = _step_polytope(equalities, at_most, x)
        satisfied = (polytope.bound >= -polytope.rounding).all()
        if satisfied and (np.abs(polytope.equal_to) <= polytope.equal_rounding).all():
            break
        try:
            moved = solve(None, np.zeros(x.size), polytope, [])
            x = at_most.snapped(x + moved.d, moved.active)
        except Conflict as conflict:
            rows = [equalities.row(k) for k in conflict.equalities] + [at_most.row(k) for k in conflict.inequalities]
            raise Infeasible(_contradiction(rows), conflict.equalities, conflict.inequalities) from None
        except Stalled:
            raise Unsolved(
                "the constraints could not be distinguished within rounding; leave out repeated ones"
            ) from None
    return x


def newton(problem: Problem, x: Array, limit: int) -> Found:
    """A point that satisfies the KKT conditions, found from a start that satisfies the constraints."""
    if not np.isfinite(problem.value(x)):
        x = _moved_inside(problem, x)
    value, gradient = problem.value(x), problem.gradient(x)
    ask_finite(value, gradient, x)
    reach = FAR * max(1.0, float(np.abs(x).max()))
    best = Found(x, np.zeros(len(problem.equalities)), np.zeros(len(problem.at_most)), 0)
    least, unimproved, escapes, active = np.inf, 0, 0, list[int]()
    for step in range(1, limit + 1):
        hessian = problem.objective.hessian(x, np.ones(1))
        if not np.isfinite(hessian).all():
            raise Unsolved(f"the Hessian of the objective is not finite at {shown(x)}")
        root, bowl = rooted(hessian, gradient, x)
        model = _model(problem, x, root, gradient, active)
        active = model.active
        length, after, value_after = _searched(problem, x, model, value, gradient)
        if value_after == -np.inf or np.abs(after).max() > reach:
            raise Unbounded(
                f"the objective falls without end: it is {value_after:.6g} at {shown(after)}; bound x where it falls"
            )
        if length > 0:
            gradient = problem.gradient(after)
            ask_finite(value_after, gradient, after)
        left, rounding = _violation(problem, gradient, model, after)
        if left < least:
            unimproved = 0 if left < 0.5 * least else unimproved + 1
            best, least = Found(after, model.equal, model.at_most, step), left
        else:
            unimproved += 1
        still = length == 0 or np.abs(after - x).max() <= 2 * EPSILON * np.abs(x).max()
        falling = value - value_after > 16 * EPSILON * abs(value)
        x, value = after, value_after
        if least <= rounding or still or (unimproved >= 3 and not falling):
            down = None if bowl or escapes == 5 else _downhill(problem, x, hessian, active, value)
            if down is None:
                break
            (x, value), least, unimproved, active = down, np.inf, 0, []
            escapes += 1
            gradient = problem.gradient(x)
    return best._replace(steps=step)


def rooted(hessian: Array, gradient: Array, x: Array) -> tuple[Array, bool]:
    """The lower Cholesky factor of a Hessian, made positive definite if it is not; and whether it was."""
    from scipy.linalg import LinAlgError, cholesky, qr

    size = np.abs(np.diagonal(hessian)).max()
    try:
        root = cholesky(hessian, lower=True, check_finite=False)
        if np.diagonal(root).min() ** 2 > 1e-13 * size:
            return root, True
    except LinAlgError:
        pass
    values, vectors = np.linalg.eigh(hessian)
    # A linear objective has no curvature; this small one allows steps 1e8 times as long as x.
    flat = 1e-8 * (np.abs(gradient).max() / max(1.0, np.abs(x).max()) or 1.0)
    largest = np.abs(values).max()
    curves = np.maximum(np.abs(values), 1e-8 * largest if largest > flat else flat)
    upper = qr(np.sqrt(curves)[:, None] * vectors.T, mode="r", check_finite=False)[0]
    return np.asarray(upper.T), False


def left_free(normals: Array) -> Array:
    """An orthonormal basis, in columns, of the directions orthogonal to all these normals: n x (n - rank)."""
    from scipy.linalg import qr

    lengths = np.linalg.norm(normals, axis=1)
    normals = normals[lengths > 0] / lengths[lengths > 0, None]
    alone = np.count_nonzero(normals, axis=1) == 1  # bounds: they fix one unknown each, without a QR
    free = ~normals[alone].any(axis=0)
    basis = np.eye(normals.shape[1])[:, free]
    if alone.all():
        return basis
    q, r, _ = qr(normals[~alone][:, free].T, pivoting=True, check_finite=False)
    return np.asarray(basis @ q[:, int((np.abs(np.diagonal(r)) > 1e-10).sum()) :])


def _model(problem: Problem, x: Array, root: Array, gradient: Array, active: list[int]) -> Solution:
    polytope = _step_polytope(problem.equalities, problem.at_most, x)
    try:
        try:
            return solve(root, gradient, polytope, active)
        except Conflict:
            here = polytope._replace(bound=np.maximum(polytope.bound, 0.0), equal_to=0 * polytope.equal_to)
            return solve(root, gradient, here, active, feasible=True)
    except Stalled:
        raise Unsolved(f"the constraints that hold at {shown(x)} could not be distinguished within rounding") from None


def _step_polytope(equalities: ConstraintRows, at_most: ConstraintRows, x: Array) -> Polytope:
    """The constraints of a step from x."""
    equal, normals = equalities.gradients(x), at_most.gradients(x)
    return Polytope(
        equal, -equalities.values(x), equalities.rounding(x), normals, -at_most.values(x), at_most.rounding(x)
    )


def _searched(problem: Problem, x: Array, model: Solution, value: float, gradient: Array) -> tuple[float, Array, float]:
    """A line search: the length of the step, the new point, and its value. Steps are halved until the value falls by
    a tenth of what the slope predicts.

    A step to a point where the objective is not finite is first cut to 0.99 of itself, and then halved: towards a
    minimum near an edge, as of a logarithm, it then comes 100 times closer, not only twice. If the fall is smaller than
    rounding errors, the whole step is taken; its gradient shows whether it helped.
    """
    d, slope = model.d, float(gradient @ model.d)
    lost = 1e-12 * abs(value) + 16 * EPSILON * float(np.abs(gradient) @ np.abs(x))
    if slope > lost:
        return 0.0, x, value
    length, cut = 1.0, True
    while length > 1e-16:
        after = x + length * d
        if length == 1:
            after = problem.at_most.snapped(after, model.active)
        after = _restored(problem, after, x)
        reached = problem.value(after)
        if reached <= value + 0.1 * length * slope or (length == 1 and -slope <= lost and reached <= value + lost):
            break
        length, cut = (0.99, False) if cut and not np.isfinite(reached) else (length / 2, False)
    else:
        return 0.0, x, value
    # A quadratic falls by half of what its slope predicts; if the fall is almost all of it, a longer step is tried.
    while length >= 1 and slope < -lost and reached <= value + 0.9 * length * slope and np.abs(after).max() < 1e100:
        further = x + 10 * length * d
        if (problem.at_most.values(further) > problem.at_most.rounding(further)).any():
            break
        then = problem.value(further)
        if not then <= value + 9 * length * slope:
            break
        length, after, reached = 10 * length, further, then
    return length, after, reached


def _restored(problem: Problem, x: Array, known: Array) -> Array:
    """The nearest point that satisfies the constraints. If rounding prevents finding it, as when two inequalities form
    an equality: x itself if it satisfies them up to rounding, otherwise `known`, a point that satisfies them.
    """
    try:
        return problem.clipped(feasible(problem.equalities, problem.at_most, x))
    except Unsolved:
        x = problem.clipped(x)
        rows = (
            (np.abs(problem.equalities.values(x)), problem.equalities),
            (problem.at_most.values(x), problem.at_most),
        )
        allowed = 64 * EPSILON * np.abs(x).max()
        near = all((beyond <= allowed * np.linalg.norm(own.gradients(x), axis=1)).all() for beyond, own in rows)
        return x if near else known


def _violation(problem: Problem, gradient: Array, model: Solution, x: Array) -> tuple[float, float]:
    """The violation of stationarity and complementarity, in units of the gradient; and how much of it is rounding."""
    of_equal, of_rows = model.equal @ problem.equalities.gradients(x), model.at_most @ problem.at_most.gradients(x)
    stationary = np.abs(gradient + of_equal + of_rows).max()
    slack = np.abs(model.at_most * problem.at_most.values(x)).max(initial=0.0) / max(1.0, np.abs(x).max())
    return float(max(stationary, slack)), 16 * EPSILON * float(np.abs([gradient, of_equal, of_rows]).max())


def _moved_inside(problem: Problem, x: Array) -> Array:
    """A point inside: a tenth of the way from x, where the objective is infinite, to the point farthest from all
    constraints."""
    from scipy.optimize import linprog

    normals, values = problem.at_most.gradients(x), problem.at_most.values(x)
    lengths = np.linalg.norm(normals, axis=1)
    if not len(normals):
        return x
    result = linprog(
        np.append(np.zeros(x.size), -1.0),
        A_ub=np.column_stack([normals, lengths]),
        b_ub=-values,
        A_eq=np.column_stack([problem.equalities.gradients(x), np.zeros(len(problem.equalities))]),
        b_eq=-problem.equalities.values(x),
        bounds=[(None, None)] * x.size + [(0.0, max(1.0, float(np.abs(x).max())))],
    )
    return x if result.x is None else problem.clipped(x + 0.1 * result.x[:-1])


def _downhill(
    problem: Problem, x: Array, hessian: Array, active: list[int], value: float
) -> tuple[Array, float] | None:
    """A point with a lower value along the direction of the least curvature, from a stationary point; None if there is
    none."""
    basis = left_free(np.concatenate([problem.equalities.gradients(x), problem.at_most.gradients(x)[active]]))
    if not basis.size:
        return None
    values, vectors = np.linalg.eigh(basis.T @ hessian @ basis)
    size = np.abs(hessian).max()
    if values[0] > 1e-8 * size:
        return None
    along = basis @ vectors[:, 0]
    for length in max(1.0, float(np.abs(x).max())) * 4.0 ** -np.arange(20):
        for sign in (1.0, -1.0):
            after = _restored(problem, x + sign * length * along, x)
            reached = problem.value(after)
            if reached < value - 1e-9 * max(abs(value), size * length**2):
                return after, reached
    return None


def ask_finite(value: float, gradient: Array, x: Array) -> None:
    """Raises Unsolved unless the value and the gradient at x are finite."""
    if not np.isfinite(value):
        raise Unsolved(f"the objective is {value} at {shown(x)}; start where it and its neighbours are finite")
    if not np.isfinite(gradient).all():
        i = int(np.argmin(np.isfinite(gradient)))
        raise Unsolved(f"the gradient of the objective is {gradient[i]} in x[{i}] at {shown(x)}")


def _contradiction(rows: list[str]) -> str:
    shown_rows = rows if len(rows) <= 6 else [*rows[:6], f"{len(rows) - 6} more"]
    if len(shown_rows) == 1:
        return f"no point satisfies {shown_rows[0]}"
    return f"no point satisfies all of {', '.join(shown_rows[:-1])} and {shown_rows[-1]}"


def shown(x: Array) -> str:
    return f"x = {np.array2string(x, precision=6, threshold=6, edgeitems=2, separator=', ')}"
