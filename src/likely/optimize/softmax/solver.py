"""`solve`: a softmax problem, with the proof of how good the solution is. Which solver, by shape:

- Dense, more columns than rows: the penalty is the same in any rotation of the columns, so the rows are rotated into as
  many columns as there are rows (`rotated`), and solved there.
- Dense rows and few unknowns: `direct`, whose every step is one pass over the rows.
- All else: `iterative`, with a number for each row if the rows are sparse and fewer than their columns, and no weights
  are given to start from.

`bench/logistic.py` measures each compared with its peers.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.engines import threads
from likely.optimize.softmax import direct, iterative
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.problem import Array, Codes, RowPasses, SoftmaxFit
from likely.optimize.softmax.rows import SoftmaxRows
from likely.optimize.softmax.separation import separated
from likely.optimize.softmax.space import ColumnSpace, RowSpace
from likely.optimize.softmax.sparse import SparseRows

MOST_UNKNOWNS = 1200
"""For a Cholesky factor, whose time grows with their cube."""
MOST_ROTATED = 2000
FAR = 1e3
"""Scores beyond this, without a penalty, are weights on their way to infinity."""
START = 1e-4
"""To what gap, relative to the objective, a sample is solved before a pass over all rows: these differ by more."""
LARGE = 5.0
"""Scores beyond this may be: where a row's loss goes to nothing, a fit within tol stops on the way."""


def rows_of(
    x: Any,
    y: Codes,
    classes: int,
    weight: Array | None = None,
    means: Array | None = None,
    scales: Array | None = None,
    offset: Array | None = None,
    penalise_bias: bool = False,
) -> SoftmaxRows:
    """Dense or sparse, as x is: an array or a CSR matrix of float64. Cells must be finite: dense rows raise NotFinite
    otherwise, sparse ones must have been checked.
    """
    kind: type[SoftmaxRows] = DenseRows if isinstance(x, np.ndarray) else SparseRows
    return kind(x, np.ascontiguousarray(y, np.int32), classes, weight, means, scales, offset, penalise_bias)


def solve(rows: SoftmaxRows, c: float = 1.0, *, start: SoftmaxFit | None = None, tol: float = 1e-6) -> SoftmaxFit:
    """Weights and bias whose objective is within tol, relative to it, of the minimum; a thousandth for each row is the
    least objective that tol is relative to. The best bias of a class without rows is minus infinity: it is as low as
    the gap asks for.
    """
    if not c > 0:
        raise ValueError(f"C must be above 0, not {c}")
    return fit_of(rows, c, _by_shape(rows, 1 / c, start, tol), tol)


def solve_elsewhere(rows: RowPasses, sample: SoftmaxRows, c: float = 1.0, tol: float = 1e-6) -> SoftmaxFit:
    """The same of rows that lie elsewhere, of few columns, with a finite C. Some of them are here: they are solved
    first, and their curvature is that by which steps over all rows are taken and the gap is proved.
    """
    assert isinstance(sample, DenseRows)
    begin = solve(sample, c * rows.total / sample.total, tol=START)
    start = np.column_stack([begin.weights, begin.bias])
    with threads.blas_alone():
        found = direct.solve_by(rows, sample, 1 / c, start, tol)
    return _times(c, found, _shortfall(rows.scale_of(found.objective), c, found, tol))


def _by_shape(rows: SoftmaxRows, penalty: float, start: SoftmaxFit | None, tol: float) -> SoftmaxFit:
    if isinstance(rows, DenseRows):
        if penalty and wide(rows):
            small, q = rotated(rows)
            found = _by_shape(small, penalty, start and replace(start, weights=start.weights @ q), tol)
            return replace(found, weights=found.weights @ q.T)
        if (rows.columns + 1) * rows.outputs <= (MOST_UNKNOWNS if rows.number > rows.columns * rows.outputs else 300):
            begin = None if start is None else np.column_stack([start.weights, start.bias])
            with threads.blas_alone():
                return direct.solve(rows, penalty, begin, tol)
    few = penalty and rows.number < rows.columns and rows.number * rows.width <= iterative.MOST_NUMBERS
    begun = start is not None and start.dual is None  # by weights alone, from which numbers of rows can't go on
    space = RowSpace if few and not begun and isinstance(rows, SparseRows) else ColumnSpace
    return iterative.solve(space(rows, penalty), start, tol)


def wide(rows: SoftmaxRows) -> bool:
    """Whether there are more columns than rows, which fewer can stand for."""
    return isinstance(rows, DenseRows) and rows.number < rows.columns and rows.number <= MOST_ROTATED


def rotated(rows: DenseRows) -> tuple[DenseRows, Array]:
    """X = R^T Q^T: rows of R^T have as many columns as there are rows, and weights are Q times theirs."""
    from scipy.linalg import qr

    standard = rows.taken(np.arange(rows.number))
    with threads.blas_alone(2 * rows.columns * rows.number**2):
        q, r = qr(standard.x.T, mode="economic", check_finite=False)
    return replace(standard, x=np.ascontiguousarray(r.T)), q


def fit_of(rows: SoftmaxRows, c: float, found: SoftmaxFit, tol: float, constrained: bool = False) -> SoftmaxFit:
    """With a message where it falls short."""
    if c == np.inf and (which := _separable(rows, found, constrained)):
        message = f"{which} linearly separable, so weights without a penalty do not exist; give a finite C"
    else:
        message = _shortfall(rows.scale_of(found.objective), c, found, tol)
    return _times(c, found, message)


def _shortfall(scale: float, c: float, found: SoftmaxFit, tol: float) -> str:
    if found.gap == np.inf:
        many = "without a penalty there is no gap for a problem of this size"
        why = many if c == np.inf else "the gap of classes so far apart is lost in rounding"
        return f"{why}, so how good the weights are is not known"
    if not found.gap <= tol * scale:
        reached = found.gap / scale
        return f"the objective is within {reached:.1e} of its least, relative to it, where {tol:.1e} was asked for"
    return ""


def _times(c: float, found: SoftmaxFit, message: str) -> SoftmaxFit:
    """P and its gap, from P / C."""
    times, weights = 1.0 if c == np.inf else c, np.array(found.weights, order="C")
    objective, gap = times * found.objective, times * found.gap
    return replace(found, weights=weights, bias=found.bias.copy(), objective=objective, gap=gap, message=message)


def _separable(rows: SoftmaxRows, found: SoftmaxFit, constrained: bool) -> str:
    """What runs away: scores do where weights alone bring a loss to zero. Of scores that are large, a linear
    programme says whether they would; it knows no constraints, which may hold them.
    """
    scores = rows.scores(found.weights.T, found.bias)[:, : rows.outputs]
    spread = np.ptp(scores, axis=1) if rows.outputs > 1 else np.abs(scores[:, 0])
    if spread.max(initial=0.0) > FAR or found.objective <= 1e-6 * rows.total:
        return "the classes are"
    large = not constrained and spread.max(initial=0.0) > LARGE
    return "some rows of a class are" if large and separated(rows) else ""
