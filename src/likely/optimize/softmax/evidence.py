"""Softmax regression with a few unknowns that all classes share, by a damped and projected Newton method.

    min over u of   sum_i s_i (log sum_k exp z_ik - z_i,y_i) + 1/2 (u - towards)^T ridge (u - towards)
    z_ik = offset_ik + sum_j scale_j e_ikj

e_ikj is the evidence of kind j for class k in row i: log p(x_j | y = k) for column weights, the log-odds of a text for
its scale, log p itself for a temperature. The scale is u, which may have a lower bound; or exp u (`logs`), for scales
above 0 that are as likely to be half as double.
"""

from collections.abc import Callable

import numpy as np

from likely import _native
from likely.engines import threads
from likely.optimize.softmax.problem import Array, Codes
from likely.optimize.softmax.steps import halved

Passed = Callable[[Array], tuple[float, Array, Array]]
"""From scales to the loss, its gradient and its Hessian."""

LIMIT = 100
SHARED = 1 << 16
"""From this many numbers of evidence on, a pass uses several threads."""


def evidence_pass(
    evidence: Array,
    y: Codes,
    offset: Array | None = None,
    weight: Array | None = None,
    smooth: bool = False,
    largest: float = np.inf,
) -> Passed:
    """A function that passes over the evidence, rows x classes x unknowns. Evidence is taken relative to that for the
    row's own class, and clipped to `largest`. If `smooth`, one row in n + 2 counts as a row of another class, as in
    Platt scaling: then a few rows without an error do not make the scale infinite.
    """
    n, classes, unknowns = evidence.shape
    own = np.arange(n), y
    relative = np.ascontiguousarray(evidence - evidence[own][:, None])
    if largest < np.inf:
        np.clip(relative, -largest, largest, out=relative)
    before = np.zeros((n, classes)) if offset is None else np.ascontiguousarray(offset - offset[own][:, None])
    others = relative.sum(axis=1) / ((n + 2) * (classes - 1)) if smooth else np.zeros((n, unknowns))
    tilt = np.sum(others if weight is None else weight[:, None] * others, axis=0)

    def passed(scale: Array) -> tuple[float, Array, Array]:
        def work(rows: slice) -> Array:
            sums = np.zeros((unknowns + 2, unknowns))
            own = None if weight is None else weight[rows]
            sums[-1, 0] = _native.weighing_pass(relative[rows], before[rows], own, scale, sums[-2], sums[:-2])
            return sums

        sums = threads.total(work, threads.parts(n) if relative.size > SHARED else [slice(0, n)])
        return float(sums[-1, 0] - tilt @ scale), sums[-2] - tilt, sums[:-2]

    return passed


def least(
    passed: Passed,
    ridge: Array,
    towards: Array,
    *,
    start: Array | None = None,
    low: Array | float = -np.inf,
    logs: bool = False,
    enough: float = 1e-12,
) -> tuple[Array, float]:
    """The scales of the least objective, and that objective. It ends with the first step that would lower it by less
    than `enough`.

    u >= low: unknowns at `low` that would go below it stay there, others are clipped to it. With `logs`, the negative
    part of the curvature that taking logs adds is left out, so that the Hessian stays positive definite.
    """

    def at(u: Array) -> tuple[float, tuple[Array, Array, Array]]:
        scale = np.exp(u) if logs else u
        loss, gradient, curvature = passed(scale)
        if logs:
            gradient = scale * gradient
            curvature = np.outer(scale, scale) * curvature + np.diag(np.maximum(gradient, 0.0))
        away = ridge @ (u - towards)
        return loss + 0.5 * float((u - towards) @ away), (u, gradient + away, curvature + ridge)

    value, (u, gradient, curvature) = at(towards if start is None else start)
    for _ in range(LIMIT):
        free = (u > low) | (gradient < 0)
        step = np.zeros(len(u))
        step[free] = np.linalg.solve(curvature[np.ix_(free, free)], -gradient[free])
        fall = -float(gradient @ step)
        if fall < enough:
            value, u = value - fall / 2, np.maximum(u + step, low)
            break
        moved = halved(lambda t, u=u, step=step: at(np.maximum(u + t * step, low)), value, fall)  # type: ignore[misc]
        if moved is None:
            break
        _, value, (u, gradient, curvature) = moved
    return (np.exp(u) if logs else u), value
