"""Gradient descent and Newton's method as in textbooks, with their traces, for teaching."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.optimize.function import Array
from likely.optimize.problem import Problem, point
from likely.plotted import Plotted
from likely.tabular import Cells, Tabular
from likely.typing import Objective

FAR = 1e10
"""A path has diverged if |x| is more than this many times max(1, |start|)."""


@dataclass(frozen=True)
class Trace(Tabular, Plotted):
    """The path of a method: each point visited, the start first, with its value, gradient and step length.

    See Also
    --------
    gradient_descent : makes it.
    newton : makes it.
    """

    points: Array
    values: Array
    gradient_norms: Array
    lengths: Array
    """The factor of the direction at each point but the last."""
    outcome: str
    """"converged", "diverged" or "stopped"."""
    message: str
    """The outcome as a sentence."""

    @property
    def x(self) -> Array:
        """The last point."""
        return np.asarray(self.points[-1])

    @property
    def converged(self) -> bool:
        return self.outcome == "converged"

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.lengths)

    def cells(self) -> Cells:
        lengths = [*self.lengths.tolist(), None]
        steps = {"value": self.values, "gradient norm": self.gradient_norms, "length": lengths}
        return {"step": range(len(self.points)), **steps, **{f"x{j}": x for j, x in enumerate(self.points.T)}}

    @property
    def caption(self) -> str:
        return self.message

    def __str__(self) -> str:
        lines = [f"{'step':>4} {'value':>12} {'gradient':>10} {'length':>8}"]
        lengths = [f"{length:8.2g}" for length in self.lengths] + [" " * 8]
        shown = range(len(self.points)) if len(self.points) <= 20 else [*range(10), *range(-5, 0)]
        for k in shown:
            step = k % len(self.points)
            lines.append(f"{step:4d} {self.values[k]:12.6g} {self.gradient_norms[k]:10.2e} {lengths[k]}".rstrip())
        if len(self.points) > 20:
            lines.insert(11, " ...")
        return "\n".join([*lines, self.message])


def gradient_descent(
    objective: Objective,
    start: ArrayLike,
    *,
    length: float = 1.0,
    backtracking: bool = True,
    steps: int = 1000,
    tolerance: float = 1e-8,
) -> Trace:
    """Gradient descent as in textbooks: steps against the gradient.

    Parameters
    ----------
    objective : callable
        The function to minimise: x, an array, to a number. It may have `gradient` and `hessian`, as `Function` has;
        otherwise they are approximated by differences.
    start : array
        The starting point.
    length : float, default 1
        The length of a step, as a multiple of the gradient.
    backtracking : bool, default True
        Whether to halve the length until the objective falls by at least half of what the slope predicts, and to double
        it after a step that was not halved.
    steps : int, default 1000
        The most steps.
    tolerance : float, default 1e-8
        The length of the gradient at which it stops.

    Returns
    -------
    Trace
        Every point with its value; `plot` draws the path.

    See Also
    --------
    newton : needs fewer steps, since it uses the curvature.

    Examples
    --------
    >>> from likely.optimize import gradient_descent
    >>> def f(x):
    ...     return (x[0] - 1) ** 2 + 4 * (x[1] + 1) ** 2
    >>> gradient_descent(f, [0, 0]).x.round(4).tolist()
    [1.0, -1.0]
    """
    if not (np.isfinite(length) and length > 0):
        raise ValueError(f"the length of a step must be above 0, not {length}")

    def direction(_: Array, gradient: Array) -> tuple[Array, str]:
        return -gradient, ""

    return _walk(_alone(objective, start), start, direction, length, backtracking, steps, tolerance, grows=True)


def newton(
    objective: Objective,
    start: ArrayLike,
    *,
    backtracking: bool = False,
    steps: int = 100,
    tolerance: float = 1e-8,
) -> Trace:
    """Newton's method as in textbooks: each step x - H^-1 g goes to the stationary point of the quadratic model.

    Parameters
    ----------
    objective : callable
        The function to minimise: x, an array, to a number. It may have `gradient` and `hessian`, as `Function` has;
        otherwise they are approximated by differences.
    start : array
        The starting point.
    backtracking : bool, default False
        Whether to shorten a step until the objective falls. A direction in which it does not fall is replaced by the
        direction against the gradient.
    steps : int, default 100
        The most steps.
    tolerance : float, default 1e-8
        The length of the gradient at which it stops.

    Returns
    -------
    Trace
        Every point with its value; `plot` draws the path. Plain Newton may diverge, or converge to a maximum or a
        saddle; `outcome` shows which.

    See Also
    --------
    gradient_descent : needs no curvature.

    Examples
    --------
    >>> from likely.optimize import newton
    >>> def f(x):
    ...     return (x[0] - 1) ** 2 + 4 * (x[1] + 1) ** 2
    >>> newton(f, [0, 0]).x.round(4).tolist()
    [1.0, -1.0]
    """
    problem, unit = _alone(objective, start), np.ones(1)

    def direction(x: Array, gradient: Array) -> tuple[Array, str]:
        hessian = problem.objective.hessian(x, unit)
        if not np.isfinite(hessian).all():
            return np.full(x.size, np.nan), "the Hessian is not finite"
        try:
            d = np.asarray(-np.linalg.solve(hessian, gradient), np.float64)
        except np.linalg.LinAlgError:
            d = np.full(x.size, np.inf)
        if backtracking and not (np.isfinite(d).all() and gradient @ d < 0):
            return -gradient, ""
        return d, "" if np.isfinite(d).all() else "the Hessian is singular"

    trace = _walk(problem, start, direction, 1.0, backtracking, steps, tolerance, grows=False)
    if trace.converged:
        curves = np.linalg.eigvalsh(problem.objective.hessian(trace.x, unit))
        if curves[0] < -1e-7 * np.abs(curves).max():
            kind = "maximum" if curves[-1] < 0 else "saddle"
            message = f"{trace.message}, but to a {kind}: the Hessian has the eigenvalue {curves[0]:.3g}"
            return replace(trace, message=message)
    return trace


def _walk(
    problem: Problem,
    start: ArrayLike,
    direction: Callable[[Array, Array], tuple[Array, str]],
    length: float,
    backtracking: bool,
    steps: int,
    tolerance: float,
    grows: bool,
) -> Trace:
    """Steps from the start until the gradient is small, with `direction` giving each step's direction, or an error."""
    x = point(start, "start")
    value, gradient = _at(problem, x)
    if not (np.isfinite(value) and np.isfinite(gradient).all()):
        raise ValueError("the objective and its gradient must be finite at the start")
    points, values, norms, lengths = [x], [value], [float(np.linalg.norm(gradient))], list[float]()
    reach = FAR * max(1.0, float(np.linalg.norm(x)))

    def trace(outcome: str, message: str) -> Trace:
        return Trace(np.array(points), np.array(values), np.array(norms), np.array(lengths), outcome, message)

    while norms[-1] > tolerance:
        if len(lengths) == steps:
            return trace("stopped", f"stopped after {steps} steps with a gradient of {norms[-1]:.2g}")
        d, why = direction(x, gradient)
        if why:
            return trace("diverged", f"diverged after {len(lengths)} steps: {why}")
        halvings = 0
        if backtracking:
            while not problem.value(x + length * d) <= value + 0.5 * length * float(gradient @ d):
                length, halvings = length / 2, halvings + 1
                if length * np.abs(d).max() <= 1e-16 * np.abs(x).max() or length < 1e-300:
                    return trace("stopped", f"stopped after {len(lengths)} steps: rounding hides any further fall")
        x = x + length * d
        value, gradient = _at(problem, x)
        points.append(x)
        values.append(value)
        norms.append(float(np.linalg.norm(gradient)))
        lengths.append(length)
        if not np.isfinite(norms[-1]) or not np.isfinite(value) or np.linalg.norm(x) > reach:
            how = f"at step {len(lengths)} the objective is {value:.3g} and |x| {np.linalg.norm(x):.3g}"
            return trace("diverged", f"diverged: {how}")
        if not backtracking:
            continue
        length = (length if halvings else 2 * length) if grows else 1.0
    return trace("converged", f"converged in {len(lengths)} steps")


def _alone(objective: Any, start: ArrayLike) -> Problem:
    return Problem(objective, point(start, "start"), (), ())


def _at(problem: Problem, x: Array) -> tuple[float, Array]:
    with np.errstate(all="ignore"):
        return problem.value(x), problem.gradient(x)
