"""Convex quadratic programs by the dual active set of Goldfarb and Idnani (1983).

With H = L L' and y = L' d the program is the nearest point of a polytope to one outside of it. The point starts where
no inequality holds it, and is moved onto one violated inequality after another; those whose multipliers would turn
negative let go. All that is kept is a QR of the normals that hold. Where many rows are wrong they are first put right
together, for as long as that leaves far fewer.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.optimize.function import EPSILON, Array

DEPENDENT = 1e-11
"""A normal with no more than this share left after the others counts as a combination of them."""
MANY = 30
"""Rows that are wrong at once, from which on all that hold are factored together. 500 weights in order take .8 s so and
1.0 one after another, a thousand bounds 1.3 s and 1.6 (the problems of `bench speed --only logistic_limits`, with one
core); 10 and 100 do about as well."""


class Polytope(NamedTuple):
    """equal @ d = equal_to, normals @ d <= bound; each bound is known up to its rounding."""

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
    """Rounding makes the rows that hold follow each other in a circle."""


class Solution(NamedTuple):
    d: Array
    equal: Array
    """Multipliers."""
    at_most: Array
    active: list[int]
    """The inequalities that hold d."""


@dataclass
class Holding:
    """The normals that hold the point, as columns of Q R: equalities first, never let go, then inequalities."""

    q: Array
    r: Array
    fixed: int
    rows: list[int]
    """The inequalities."""

    def multipliers(self, target: Array, to: Array) -> tuple[Array, Array]:
        """The point nearest to the target on all rows that hold, and the multipliers of these."""
        from scipy.linalg import solve_triangular

        if not self.r.size:
            return target, np.zeros(0)
        height = solve_triangular(self.r, to, trans="T", check_finite=False)
        across = self.q.T @ target - height
        y = target - self.q @ across
        # Once more: where the target is far, as of a linear objective, the first time leaves its rounding.
        return y - self.q @ (self.q.T @ y - height), solve_triangular(self.r, across, check_finite=False)

    def beside(self, normal: Array) -> tuple[Array, Array, Array]:
        """What of a normal the others leave, and the rest as their combination, in terms of Q and of themselves."""
        from scipy.linalg import solve_triangular

        share = self.q.T @ normal
        left = normal - self.q @ share
        again = self.q.T @ left  # once more: Gram-Schmidt alone loses digits where little is left
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
    `warm`: inequalities that may hold.

    Where 0 is known to be feasible a conflict is rounding, and the row that meets it is left out.
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
    none, kept = _held(equal, polytope, target)

    def held(by: Holding) -> tuple[Array, Array]:
        return by.multipliers(target, np.concatenate([polytope.equal_to[kept], polytope.bound[by.rows]]))

    def exceeded(by: Holding, y: Array) -> tuple[NDArray[np.bool], Array]:
        """Which rows the point is beyond, and by how much."""
        beyond = normals @ y - polytope.bound
        size = 1e-13 * np.linalg.norm(y) + EPSILON * np.linalg.norm(target)
        found = beyond > polytope.rounding + lengths * size
        found[by.rows] = False
        return found, beyond

    def wrong(by: Holding) -> tuple[list[int], set[int]]:
        """Rows that should hold, and rows that pull instead of holding."""
        y, multipliers = held(by)
        pulling = zip(by.rows, multipliers[by.fixed :] < 0, strict=True)
        return np.flatnonzero(exceeded(by, y)[0]).tolist(), {row for row, pulls in pulling if pulls}

    def settled() -> tuple[Array, Array]:
        """The point that the rows hold, once those that pull instead of holding are gone."""
        y, multipliers = held(holding)
        while holding.rows and multipliers[holding.fixed :].min() < 0:
            holding.drop(holding.fixed + int(np.argmin(multipliers[holding.fixed :])))
            y, multipliers = held(holding)
        return y, multipliers

    holding = _warmed(none, equal[kept], normals, warm)
    outside, pulling = wrong(holding)
    while len(outside) + len(pulling) >= MANY:
        rows = [row for row in holding.rows if row not in pulling] + outside
        guess = _warmed(none, equal[kept], normals, rows)
        then = wrong(guess)
        if len(then[0]) + len(then[1]) > len(outside) + len(pulling) - MANY:
            break
        holding, (outside, pulling) = guess, then

    y, multipliers = settled()
    ignored = np.zeros(len(normals), bool)
    for _ in range(10 * (len(normals) + len(target)) + 100):
        violated, beyond = exceeded(holding, y)
        violated &= ~ignored
        if not violated.any():
            y, multipliers = held(holding)
            d = y if root is None else solve_triangular(root, y, lower=True, trans="T", check_finite=False)
            of_equal, of_rows = np.zeros(len(equal)), np.zeros(len(normals))
            of_equal[kept] = multipliers[: holding.fixed]
            of_rows[holding.rows] = np.maximum(multipliers[holding.fixed :], 0.0)
            return Solution(d, of_equal, of_rows, list(holding.rows))
        row = int(np.argmax(np.where(violated, beyond / np.maximum(lengths, np.finfo(float).tiny), -np.inf)))
        try:
            y, multipliers = _moved_onto(row, normals[row], float(polytope.bound[row]), holding, y, multipliers, kept)
        except Conflict:
            # 1e6 times the rounding is 2e-9 of what is summed: less is no contradiction, but normals almost dependent.
            if not feasible and beyond[row] > 1e6 * polytope.rounding[row]:
                raise
            ignored[row] = True
            y, multipliers = settled()
    raise Stalled


def _moved_onto(
    row: int, normal: Array, bound: float, holding: Holding, y: Array, multipliers: Array, kept: list[int]
) -> tuple[Array, Array]:
    own = 0.0
    while True:
        left, share, combination = holding.beside(normal)
        free = np.linalg.norm(left) > DEPENDENT * np.linalg.norm(normal)
        whole = float(normal @ y - bound) / float(left @ left) if free else np.inf
        loosening = combination[holding.fixed :] > DEPENDENT * np.abs(combination).max(initial=0.0)
        ratios = np.full(len(holding.rows), np.inf)
        held = multipliers[holding.fixed :]
        ratios[loosening] = held[loosening] / combination[holding.fixed :][loosening]
        part = float(ratios.min(initial=np.inf))
        if whole == part == np.inf:
            used = np.abs(combination) > 1e-9
            equalities = [k for k, u in zip(kept, used[: holding.fixed], strict=True) if u]
            raise Conflict(
                equalities, [k for k, u in zip(holding.rows, used[holding.fixed :], strict=True) if u] + [row]
            )
        step = max(min(whole, part), 0.0)
        multipliers = multipliers - step * combination
        own += step
        if free:
            y = y - step * left
        if whole <= part:
            holding.add(row, left, share)
            return y, np.append(multipliers, own)
        gone = holding.fixed + int(np.argmin(ratios))
        holding.drop(gone)
        multipliers = np.delete(multipliers, gone)


def _warmed(holding: Holding, equal: Array, normals: Array, warm: list[int]) -> Holding:
    """With the rows that held last time, unless they depend on each other now."""
    from scipy.linalg import qr

    columns = np.concatenate([equal, normals[warm]])
    if not warm or len(columns) > columns.shape[1]:
        return holding
    q, r = qr(columns.T, mode="economic", check_finite=False)
    if (np.abs(np.diagonal(r)) <= 1e3 * DEPENDENT * np.linalg.norm(columns, axis=1)).any():
        return holding
    return Holding(q, r, holding.fixed, list(warm))


def _held(equal: Array, polytope: Polytope, target: Array) -> tuple[Holding, list[int]]:
    """The equalities, without those that are combinations of others; and which are kept."""
    from scipy.linalg import qr

    n = len(target)
    if not len(equal):
        return Holding(np.zeros((n, 0)), np.zeros((0, 0)), 0, []), []
    lengths = np.linalg.norm(equal, axis=1)
    scaled = equal / np.where(lengths > 0, lengths, 1.0)[:, None]
    q, r, order = qr(scaled.T, mode="economic", pivoting=True)
    rank = int((np.abs(np.diagonal(r)) > DEPENDENT).sum())
    kept = [int(k) for k in order[:rank]]
    holding = Holding(q[:, :rank], r[:rank, :rank] * lengths[kept], rank, [])
    y, _ = holding.multipliers(target, polytope.equal_to[kept])
    beyond = np.abs(equal @ y - polytope.equal_to)
    # y may be next to 0 where the target is not, and then has nothing but the rounding of its projection.
    size = 1e-11 * np.linalg.norm(y) + 8 * EPSILON * np.linalg.norm(target)
    allowed = 1e3 * polytope.equal_rounding + lengths * size
    if (beyond > allowed).any():
        row = int(np.argmax(beyond - allowed))
        _, _, combination = holding.beside(equal[row])
        raise Conflict(sorted({row, *(k for k, c in zip(kept, combination, strict=True) if abs(c) > 1e-9)}), [])
    return holding, kept
