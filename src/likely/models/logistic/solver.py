"""`solve`: the weights of an L2 logistic regression, with the proof of how good they are.

    P(W, b) = 1/2 |W - centre|^2 + C sum_i s_i (log sum exp z_i - z_i,y),     z_i = W (x_i - means) / scales + b

Which method, by shape:

- More columns than rows, dense: the penalty is the same in any rotation of the columns, so the rows are rotated into as
  many columns as there are rows (`rotated`), and solved there.
- Dense rows and few unknowns: `direct`, whose every step is one pass over the rows.
- Sparse rows, fewer than their columns: `spanned`, on tables of rows and not of columns.
- All else: `iterative`.

`bench/logistic.py` measures each beside its peers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.models.logistic import direct, iterative, spanned
from likely.models.logistic.point import Found, relative_to
from likely.models.logistic.rows import Codes, Dense, Rows, padded, rows_of

Array = NDArray[np.float64]

MOST_UNKNOWNS = 1200
"""For a Cholesky factor, whose time grows with their cube."""
MOST_ROTATED = 2000
FAR = 1e3
"""Scores beyond this, without a penalty, are weights on their way to infinity."""


@dataclass(frozen=True)
class Solution:
    weights: Array
    """outputs x columns, of the columns standardised; one output of two classes, for the second of them."""
    bias: Array
    objective: float
    """P; the sum of the losses where C is infinite."""
    gap: float
    """The objective is above its least by no more than this. Where C is infinite, but for rounding."""
    passes: int
    message: str = ""
    """Why the gap is above what was asked for; empty if it is not."""
    holding: Array | None = None
    """Of the limits that have multipliers, what they hold: rows of the free weights and biases (`contrasts`). None
    without limits.
    """


def solve(
    x: Any,
    y: Codes,
    classes: int,
    c: float = 1.0,
    *,
    weight: Array | None = None,
    centre: Array | None = None,
    means: Array | None = None,
    scales: Array | None = None,
    offset: Array | None = None,
    held: bool = False,
    start: tuple[Array, Array] | None = None,
    tol: float = 1e-6,
) -> Solution:
    """Weights and bias whose objective is within tol, relative to it, of the least.

    x is a dense array or a CSR matrix of float64, y has codes from 0, `centre` and `start` are as in Solution. The
    `offset` (rows x outputs) is added to the scores, and a bias that is `held` is penalised as the weights are. Cells
    must be finite: dense rows raise NotFinite otherwise, sparse ones must have been checked. The best bias of a class
    without rows is minus infinity: it is as low as the gap asks for. A thousandth for each row is the least objective
    that tol is relative to.
    """
    rows = rows_of(x, y, classes, weight, means, scales, offset, held)
    return solve_rows(rows, c, centre=centre, start=start, tol=tol)


def solve_rows(
    rows: Rows,
    c: float = 1.0,
    *,
    centre: Array | None = None,
    start: tuple[Array, Array] | None = None,
    tol: float = 1e-6,
) -> Solution:
    """The same, of rows that are at hand."""
    if not c > 0:
        raise ValueError(f"C must be above 0, not {c}")
    base = np.zeros((rows.columns, rows.outputs)) if centre is None else np.ascontiguousarray(centre.T, np.float64)
    begin = None if start is None else (np.ascontiguousarray(start[0].T), np.asarray(start[1], np.float64))
    found = _by_shape(rows, 1 / c, base, begin, tol)
    return told(rows, c, found, tol)


def _by_shape(rows: Rows, penalty: float, centre: Array, start: direct.Start | None, tol: float) -> Found:
    if isinstance(rows, Dense):
        if penalty and wide(rows):
            return _rotated(rows, penalty, centre, start, tol)
        if (rows.columns + 1) * rows.outputs <= (MOST_UNKNOWNS if rows.number > rows.columns * rows.outputs else 300):
            with threads.blas_alone():
                return direct.solve(rows, penalty, centre, start, tol)
    elif penalty and rows.number < rows.columns and rows.number * rows.width <= spanned.MOST_NUMBERS:
        return spanned.solve(rows, penalty, centre, start, tol)
    return iterative.solve(rows, penalty, centre, start, tol)


def wide(rows: Rows) -> bool:
    """Whether there are more columns than rows, which fewer can stand for."""
    return isinstance(rows, Dense) and rows.number < rows.columns and rows.number <= MOST_ROTATED


def rotated(rows: Dense, centre: Array | float = 0.0) -> tuple[Dense, Array]:
    """X = R^T Q^T: rows of R^T are as many columns as rows, and weights are centre + Q times theirs."""
    from scipy.linalg import qr

    standard = rows.taken(np.arange(rows.number))
    with threads.blas_alone(2 * rows.columns * rows.number**2):
        q, r = qr(standard.x.T, mode="economic", check_finite=False)
    offset = np.zeros((rows.number, rows.outputs)) if rows.offset is None else rows.offset
    offset = np.ascontiguousarray(offset + standard.x @ np.broadcast_to(centre, (rows.columns, rows.outputs)))
    return Dense(np.ascontiguousarray(r.T), rows.y, rows.classes, rows.weight, offset=offset, held=rows.held), q


def _rotated(rows: Dense, penalty: float, centre: Array, start: direct.Start | None, tol: float) -> Found:
    small, q = rotated(rows, centre)
    begin = None if start is None else (q.T @ (start[0] - centre), start[1])
    found = _by_shape(small, penalty, np.zeros((rows.number, rows.outputs)), begin, tol)
    return Found(centre + q @ found.weights, found.bias, found.value, found.gap, found.passes)


def told(rows: Rows, c: float, found: Found, tol: float) -> Solution:
    """What was found as it is told, with a message where it falls short."""
    times = 1.0 if c == np.inf else c
    message = ""
    if c == np.inf and _separable(rows, found):
        message = (
            "the classes can be told apart without error, so weights without a penalty do not exist; give a finite C"
        )
    elif found.gap == np.inf:
        many = "without a penalty there is no gap of so many unknowns"
        why = many if c == np.inf else "the gap of classes so far apart is lost in rounding"
        message = f"{why}, so how good the weights are is not known"
    elif not found.gap <= tol * relative_to(rows, found.value):
        reached = found.gap / relative_to(rows, found.value)
        message = f"the objective is within {reached:.1e} of its least, relative to it, where {tol:.1e} was asked for"
    weights = np.ascontiguousarray(found.weights.T)
    return Solution(weights, found.bias, times * found.value, times * found.gap, found.passes, message)


def _separable(rows: Rows, found: Found) -> bool:
    """Do the scores of some rows run away? They do where a loss can be brought to zero by weights alone."""
    scores = rows.scores(padded(found.weights, rows.width), found.bias)[:, : rows.outputs]
    spread = np.ptp(scores, axis=1) if rows.outputs > 1 else np.abs(scores[:, 0])
    return bool(spread.max(initial=0.0) > FAR or found.value <= 1e-6 * rows.total)
