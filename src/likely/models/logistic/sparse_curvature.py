"""The curvature of sparse rows as a table of all unknowns, and quadratic forms of the rows.

Only what is not zero is multiplied: the squares of the rows' values in number, and not the square of the columns.
"""

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.models.logistic.rows import Sparse

Array = NDArray[np.float64]


def curvature(rows: Sparse, residuals: Array) -> Array:
    """Of the loss: (outputs x (columns + 1)) squared, the bias after the columns of each output."""
    c, size = rows.outputs, rows.columns + 1
    if c == 1:
        return products(rows, rows.own_curvature(residuals)[:, 0])
    out = np.zeros((c, size, c, size))
    for k in range(1, c):
        alone = np.zeros_like(residuals)
        alone[:, k] = 1.0
        changes = rows.curved(residuals, alone)
        for other in range(k):
            out[k, :, other] = out[other, :, k] = products(rows, changes[:, other])
    classes = np.arange(c)
    out[classes, :, classes] = -out.sum(axis=2)  # a constant added to every class changes nothing
    return out.reshape(c * size, c * size)


def products(rows: Sparse, weight: Array) -> Array:
    """Of the standardised columns and a column of ones, weighted: (columns + 1) squared."""
    x, out = rows.x.tocsc(), np.empty((rows.columns + 1, rows.columns + 1))
    weighted = rows.x.copy()
    weighted.data *= np.repeat(weight, np.diff(rows.x.indptr))

    def work(columns: slice) -> None:
        out[columns, :-1] = (x[:, columns].T @ weighted).toarray()

    threads.run(work, threads.pieces(rows.columns, 8 * rows.columns))
    out[-1, :-1] = out[:-1, -1] = np.asarray(weighted.sum(axis=0)).ravel()
    out[-1, -1] = weight.sum()
    turn = _standardising(rows)
    return out if turn is None else turn @ out @ turn.T


def forms(rows: Sparse, table: Array) -> Array:
    """(x, 1)^T table (x, 1) of every standardised row."""
    turn, out = _standardising(rows), np.empty(rows.number)
    table = np.ascontiguousarray(table if turn is None else turn.T @ table @ turn)

    def work(part: slice) -> None:
        indptr = rows.x.indptr[part.start : part.stop + 1]
        _native.csr_forms(indptr, rows.x.indices, rows.x.data, table, out[part])

    threads.run(work, threads.pieces(rows.number, 12 * rows.x.nnz // max(rows.number, 1)))
    return out


def _standardising(rows: Sparse) -> Array | None:
    """The table that makes ((x - means) / scales, 1) of (x, 1); None where rows are as they are."""
    if rows.means is None and rows.scales is None:
        return None
    scales = np.ones(rows.columns) if rows.scales is None else rows.scales
    turn = np.diag(np.append(1 / scales, 1.0))
    if rows.means is not None:
        turn[:-1, -1] = -rows.means / scales
    return turn
