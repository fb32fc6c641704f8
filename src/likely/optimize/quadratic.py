"""Convex quadratic programs by the dual active set of Goldfarb and Idnani (1983).

With H = L L' and y = L' d, the solution is the point of a polytope nearest to a target. y starts at the target, with no
active inequality. It is moved onto one violated inequality after another; active ones whose multipliers would become
negative are dropped. The only state is a QR factorisation of the active normals. If many rows are wrong, they are first
corrected together, as long as each round leaves far fewer.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.optimize.function import EPSILON, Array

DEPENDENT = 1e-11
"""A normal is a linear combination of others if at most this share of it is orthogonal to them."""
MANY = 30
"""If this many rows are wrong, all active rows are factored together. 500 ordered weights then take 0.8 s, compared
with 1.0 s one by one; a thousand bounds 1.3 s, compared with 1.6 s (the problems of `bench speed --only
logistic_limits`, with one core). 10 and 100 are about as fast."""


class Polytope(NamedTuple):
    """equal @ d = equal_to and normals @ d <= bound; `rounding` is the rounding error of each bound."""

    equal: Array
    equal_to: Array
    equal_rounding: Array
    normals: Array
    bound: Array
    rounding: Array


class Conflict(Exception):
    """No point satisfies all rows: these equalities and inequalities contradict each other."""

    def __init__(self, equalities: list[int], inequalities: list[int]) -> None:
        super().__init__(equalities, inequalities)
        self.equalities, self.inequalities = equalities, inequalities


class Stalled(Exception):
    """The set of active rows cycles, because of rounding."""


class Solution(NamedTuple):
    """The solution d, its multipliers, and the active inequalities."""

    d: Array
    equal: Array
    """The multipliers of the equalities."""
    at_most: Array
    """The multipliers of the inequalities."""
    active: list[int]
    """The active inequalities."""


@dataclass
class ActiveRows:
    """The active normals as columns of Q R: first the equalities, which are never dropped, then inequalities."""

    q: Array
    r: Array
    fixed: int
    """The number of equalities."""
    rows: list[int]
    """The active inequalities."""

    def multipliers(self, target: Array, to: Array) -> tuple[Array, Array]:
        """The point nearest to the target on all active rows, and the multipliers of these."""
        from scipy.linalg import solve_triangular

        if not self.r.size:
            return target, np.zeros(0)
        height = solve_triangular(self.r, to, trans="T", check_finite=False)
        across = self.q.T @ target - height
        y = target - self.q @ across
        # Projected twice: if the target is far away, as for a linear objective, the first time leaves rounding errors.
        return y - self.q @ (self.q.T @ y - height), solve_triangular(self.r, across, check_finite=False)

    def decomposed(self, normal: Array) -> tuple[Array, Array, Array]:
        """The part of a normal that is orthogonal to the active ones; and the rest, as a combination of the columns of
        Q, and of the active normals."""
        from scipy.linalg import solve_triangular

        share = self.q.T @ normal
        left = normal - self.q @ share
        again = self.q.T @ left  # a second time: one step of Gram-Schmidt loses digits if little is left
        left, share = left - self.q @ again, share + again
        return left, share, solve_triangular(self.r, share, check_finite=False) if share.size else share

    def add(self, row: int, left: Array, share: Array) -> None:
        length = np.linalg.norm(left)
        self.q = np.column_stack([self.q, left / length])
        k = len(self.r)
        r = np.zeros((k + 1, k + 1))
        r[:k, :k], r[:k, k], r[k, k] = self.r, share, length
        self.r = r
        self.rows.append(row)

    def drop(self, k: int) -> None:
        from scipy.linalg import qr_delete

        del self.rows[k - self.fixed]
        q, r = qr_delete(self.q, self.r, k, 1, "col", check_finite=False)
        left = len(self.r) - 1
        self.q, self.r = q[:, :left], r[:left]


def solve(root: Array | None, gradient: Array, polytope: Polytope, warm: list[int], feasible: bool = False) -> Solution:
    """min d' H d / 2 + gradient' d within the polytope, H = root root' (lower); without a root H is the identity.
    `warm` are inequalities that are likely to be active.

    If 0 is known to be `feasible`, a conflict can only come from rounding, and its row is ignored.
    """
    with threads.blas_alone(10.0 * len(gradient) ** 3):
        return _solved(root, gradient, polytope, warm, feasible)


def _solved(root: Array | None, gradient: Array, polytope: Polytope, warm: list[int], feasible: bool) -> Solution:
    from scipy.linalg import solve_triangular

    def transformed(rows: Array) -> Array:
        return rows if root is None else np.asarray(solve_triangular(root, rows.T, lower=True, check_finite=False).T)

    target = -transformed(gradient)
    equal, normals = transformed(polytope.equal), transformed(polytope.normals)
    lengths = np.linalg.norm(normals, axis=1)
    none, kept = _independent_equalities(equal, polytope, target)

    def held(by: ActiveRows) -> tuple[Array, Array]:
        return by.multipliers(target, np.concatenate([polytope.equal_to[kept], polytope.bound[by.rows]]))

    def exceeded(by: ActiveRows, y: Array) -> tuple[NDArray[np.bool], Array]:
        """Which rows the point violates, and by how much."""
        beyond = normals @ y - polytope.bound
        size = 1e-13 * np.linalg.norm(y) + EPSILON * np.linalg.norm(target)
        violated = beyond > polytope.rounding + lengths * size
        violated[by.rows] = False
        return violated, beyond

    def wrong(by: ActiveRows) -> tuple[list[int], set[int]]:
        """Rows that should be active, and active rows with a negative multiplier."""
        y, multipliers = held(by)
        pulling = zip(by.rows, multipliers[by.fixed :] < 0, strict=True)
        return np.flatnonzero(exceeded(by, y)[0]).tolist(), {row for row, pulls in pulling if pulls}

    def settled() -> tuple[Array, Array]:
        """The point on the active rows, after those with a negative multiplier are dropped."""
        y, multipliers = held(active_rows)
        while active_rows.rows and multipliers[active_rows.fixed :].min() < 0:
            active_rows.drop(active_rows.fixed + int(np.argmin(multipliers[active_rows.fixed :])))
            y, multipliers = held(active_rows)
        return y, multipliers

    active_rows = _warm_start(none, equal[kept], normals, warm)
    outside, pulling = wrong(active_rows)
    while len(outside) + len(pulling) >= MANY:
        rows = [row for row in active_rows.rows if row not in pulling] + outside
        guess = _warm_start(none, equal[kept], normals, rows)
        then = wrong(guess)
        if len(then[0]) + len(then[1]) > len(outside) + len(pulling) - MANY:
            break
        active_rows, (outside, pulling) = guess, then

    y, multipliers = settled()
    ignored = np.zeros(len(normals), bool)
    for _ in range(10 * (len(normals) + len(target)) + 100):
        violated, beyond = exceeded(active_rows, y)
        violated &= ~ignored
        if not violated.any():
            y, multipliers = held(active_rows)
            d = y if root is None else solve_triangular(root, y, lower=True, trans="T", check_finite=False)
            of_equal, of_rows = np.zeros(len(equal)), np.zeros(len(normals))
            of_equal[kept] = multipliers[: active_rows.fixed]
            of_rows[active_rows.rows] = np.maximum(multipliers[active_rows.fixed :], 0.0)
            return Solution(d, of_equal, of_rows, list(active_rows.rows))
        row = int(np.argmax(np.where(violated, beyond / np.maximum(lengths, np.finfo(float).tiny), -np.inf)))
        try:
            y, multipliers = _moved_onto(
                row, normals[row], float(polytope.bound[row]), active_rows, y, multipliers, kept
            )
        except Conflict:
            # 1e6 times the rounding is 2e-9 of the terms: with less it is no contradiction, normals are only nearly
            # dependent.
            if not feasible and beyond[row] > 1e6 * polytope.rounding[row]:
                raise
            ignored[row] = True
            y, multipliers = settled()
    raise Stalled


def _moved_onto(
    row: int, normal: Array, bound: float, active_rows: ActiveRows, y: Array, multipliers: Array, kept: list[int]
) -> tuple[Array, Array]:
    """Moves y onto a violated row, and drops active rows whose multipliers would become negative."""
    own = 0.0
    while True:
        left, share, combination = active_rows.decomposed(normal)
        free = np.linalg.norm(left) > DEPENDENT * np.linalg.norm(normal)
        whole = float(normal @ y - bound) / float(left @ left) if free else np.inf
        loosening = combination[active_rows.fixed :] > DEPENDENT * np.abs(combination).max(initial=0.0)
        ratios = np.full(len(active_rows.rows), np.inf)
        held = multipliers[active_rows.fixed :]
        ratios[loosening] = held[loosening] / combination[active_rows.fixed :][loosening]
        part = float(ratios.min(initial=np.inf))
        if whole == part == np.inf:
            used = np.abs(combination) > 1e-9
            equalities = [k for k, u in zip(kept, used[: active_rows.fixed], strict=True) if u]
            raise Conflict(
                equalities, [k for k, u in zip(active_rows.rows, used[active_rows.fixed :], strict=True) if u] + [row]
            )
        step = max(min(whole, part), 0.0)
        multipliers = multipliers - step * combination
        own += step
        if free:
            y = y - step * left
        if whole <= part:
            active_rows.add(row, left, share)
            return y, np.append(multipliers, own)
        gone = active_rows.fixed + int(np.argmin(ratios))
        active_rows.drop(gone)
        multipliers = np.delete(multipliers, gone)


def _warm_start(active_rows: ActiveRows, equal: Array, normals: Array, warm: list[int]) -> ActiveRows:
    """The equalities with the rows that were active last time, unless these are dependent now."""
    from scipy.linalg import qr

    columns = np.concatenate([equal, normals[warm]])
    if not warm or len(columns) > columns.shape[1]:
        return active_rows
    q, r = qr(columns.T, mode="economic", check_finite=False)
    if (np.abs(np.diagonal(r)) <= 1e3 * DEPENDENT * np.linalg.norm(columns, axis=1)).any():
        return active_rows
    return ActiveRows(q, r, active_rows.fixed, list(warm))


def _independent_equalities(equal: Array, polytope: Polytope, target: Array) -> tuple[ActiveRows, list[int]]:
    """The equalities as active rows, without those that are combinations of others; and which are kept."""
    from scipy.linalg import qr

    n = len(target)
    if not len(equal):
        return ActiveRows(np.zeros((n, 0)), np.zeros((0, 0)), 0, []), []
    lengths = np.linalg.norm(equal, axis=1)
    scaled = equal / np.where(lengths > 0, lengths, 1.0)[:, None]
    q, r, order = qr(scaled.T, mode="economic", pivoting=True)
    rank = int((np.abs(np.diagonal(r)) > DEPENDENT).sum())
    kept = [int(k) for k in order[:rank]]
    active_rows = ActiveRows(q[:, :rank], r[:rank, :rank] * lengths[kept], rank, [])
    y, _ = active_rows.multipliers(target, polytope.equal_to[kept])
    beyond = np.abs(equal @ y - polytope.equal_to)
    # y may be close to 0 while the target is not; then it is only the rounding error of the projection.
    size = 1e-11 * np.linalg.norm(y) + 8 * EPSILON * np.linalg.norm(target)
    allowed = 1e3 * polytope.equal_rounding + lengths * size
    if (beyond > allowed).any():
        row = int(np.argmax(beyond - allowed))
        _, _, combination = active_rows.decomposed(equal[row])
        raise Conflict(sorted({row, *(k for k, c in zip(kept, combination, strict=True) if abs(c) > 1e-9)}), [])
    return active_rows, kept
