"""`solve` solves a softmax problem, with a bound on the error. The shape decides about the solver:

- Dense, more columns than rows: a rotation of the columns does not change the penalty, so the rows are rotated into as
  many columns as there are rows (`rotated`), and solved there.
- Dense, few unknowns: `direct`, in which every step is one pass over the rows.
- All others: `iterative`. It works with a number for each row if rows are sparse and fewer than columns, and if it does
  not start from weights.

`bench/logistic.py` compares each with its peers.
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
"""The most unknowns for a Cholesky factor, whose time grows with their cube."""
MOST_ROTATED = 2000
"""The most rows that are rotated."""
FAR = 1e3
"""Without a penalty, scores above this show that weights diverge."""
START = 1e-4
"""The relative gap to which a sample is solved before a pass over all rows: their minima differ by more."""
LARGE = 5.0
"""Without a penalty, scores above this may show that weights diverge: a fit can reach `tol` before its loss is 0."""


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
    """Dense or sparse rows; x is an array, or a CSR matrix of float64. Cells must be finite: dense rows raise NotFinite
    otherwise, sparse ones you must check before.
    """
    kind: type[SoftmaxRows] = DenseRows if isinstance(x, np.ndarray) else SparseRows
    return kind(x, np.ascontiguousarray(y, np.int32), classes, weight, means, scales, offset, penalise_bias)


def solve(rows: SoftmaxRows, c: float = 1.0, *, start: SoftmaxFit | None = None, tol: float = 1e-6) -> SoftmaxFit:
    """Weights and bias whose objective is within tol of the minimum, relative to `scale_of` the objective. The best
    bias of a class without rows is minus infinity; it is only as low as the gap requires.
    """
    if not c > 0:
        raise ValueError(f"C must be above 0, not {c}")
    return fit_of(rows, c, _by_shape(rows, 1 / c, start, tol), tol)


def solve_elsewhere(rows: RowPasses, sample: SoftmaxRows, c: float = 1.0, tol: float = 1e-6) -> SoftmaxFit:
    """`solve` for rows on other machines, with few columns and a finite C. `sample` is some of them on this machine. It
    is solved first, and its Hessian is used for the steps over all rows and for the gap.
    """
    assert isinstance(sample, DenseRows)
    begin = solve(sample, c * rows.total / sample.total, tol=START)
    start = np.column_stack([begin.weights, begin.bias])
    with threads.blas_alone():
        fit = direct.solve_by(rows, sample, 1 / c, start, tol)
    return _times(c, fit, _shortfall(rows.scale_of(fit.objective), c, fit, tol))


def _by_shape(rows: SoftmaxRows, penalty: float, start: SoftmaxFit | None, tol: float) -> SoftmaxFit:
    if isinstance(rows, DenseRows):
        if penalty and wide(rows):
            small, q = rotated(rows)
            fit = _by_shape(small, penalty, start and replace(start, weights=start.weights @ q), tol)
            return replace(fit, weights=fit.weights @ q.T)
        if (rows.columns + 1) * rows.outputs <= (MOST_UNKNOWNS if rows.number > rows.columns * rows.outputs else 300):
            begin = None if start is None else np.column_stack([start.weights, start.bias])
            with threads.blas_alone():
                return direct.solve(rows, penalty, begin, tol)
    few = penalty and rows.number < rows.columns and rows.number * rows.width <= iterative.MOST_NUMBERS
    begun = start is not None and start.dual is None  # from weights only, which give no numbers for rows
    space = RowSpace if few and not begun and isinstance(rows, SparseRows) else ColumnSpace
    return iterative.solve(space(rows, penalty), start, tol)


def wide(rows: SoftmaxRows) -> bool:
    """Whether there are more columns than rows, so that `rotated` needs fewer columns."""
    return isinstance(rows, DenseRows) and rows.number < rows.columns and rows.number <= MOST_ROTATED


def rotated(rows: DenseRows) -> tuple[DenseRows, Array]:
    """X = R^T Q^T: the rows of R^T, with as many columns as rows; and Q, which times their weights gives those of X."""
    from scipy.linalg import qr

    standard = rows.taken(np.arange(rows.number))
    with threads.blas_alone(2 * rows.columns * rows.number**2):
        q, r = qr(standard.x.T, mode="economic", check_finite=False)
    return replace(standard, x=np.ascontiguousarray(r.T)), q


def fit_of(rows: SoftmaxRows, c: float, fit: SoftmaxFit, tol: float, constrained: bool = False) -> SoftmaxFit:
    """The fit in terms of P, with a message if it does not reach the tolerance."""
    if c == np.inf and (which := _separable(rows, fit, constrained)):
        message = f"{which} linearly separable, so weights without a penalty do not exist; give a finite C"
    else:
        message = _shortfall(rows.scale_of(fit.objective), c, fit, tol)
    return _times(c, fit, message)


def _shortfall(scale: float, c: float, fit: SoftmaxFit, tol: float) -> str:
    if fit.gap == np.inf:
        many = "without a penalty there is no gap for a problem of this size"
        why = many if c == np.inf else "the gap of classes so far apart is lost in rounding"
        return f"{why}, so how good the weights are is not known"
    if not fit.gap <= tol * scale:
        reached = fit.gap / scale
        return f"the objective is within {reached:.1e} of its least, relative to it, where {tol:.1e} was asked for"
    return ""


def _times(c: float, fit: SoftmaxFit, message: str) -> SoftmaxFit:
    """The fit with P and its gap, from P / C."""
    times, weights = 1.0 if c == np.inf else c, np.array(fit.weights, order="C")
    objective, gap = times * fit.objective, times * fit.gap
    return replace(fit, weights=weights, bias=fit.bias.copy(), objective=objective, gap=gap, message=message)


def _separable(rows: SoftmaxRows, fit: SoftmaxFit, constrained: bool) -> str:
    """The start of a message, if classes are separable and weights diverge; otherwise "". If scores are only large, a
    linear programme decides; not with constraints, which may keep the weights finite.
    """
    scores = rows.scores(fit.weights.T, fit.bias)[:, : rows.outputs]
    spread = np.ptp(scores, axis=1) if rows.outputs > 1 else np.abs(scores[:, 0])
    if spread.max(initial=0.0) > FAR or fit.objective <= 1e-6 * rows.total:
        return "the classes are"
    large = not constrained and spread.max(initial=0.0) > LARGE
    return "some rows of a class are" if large and separated(rows) else ""
