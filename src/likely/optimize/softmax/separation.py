"""Whether classes are linearly separable, so that weights without a penalty do not exist."""

import numpy as np

from likely.optimize.softmax.rows import SoftmaxRows

MOST = 2_000_000
"""The most numbers in the linear programme; one of this size takes seconds."""


def separated(rows: SoftmaxRows) -> bool | None:
    """Whether there is a direction of the weights that lowers the score of no row's own class against another class,
    and raises that of some row. Then the likelihood grows along it without end (Albert and Anderson, 1984). None if the
    problem is too large.

    In complete separation it raises the scores of all rows, in quasi-separation of some.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    counted = np.flatnonzero(rows.weight > 0) if rows.weight is not None else np.arange(rows.number)
    outputs, features = rows.outputs, rows.columns + 1
    if len(counted) * max(1, outputs - 1) * 2 * features > MOST:
        return None
    x, y = rows.x[counted], rows.y[counted]
    x = np.asarray(x if isinstance(x, np.ndarray) else x.toarray(), np.float64)
    x = (x - (0.0 if rows.means is None else rows.means)) / (1.0 if rows.scales is None else rows.scales)
    x = np.column_stack([x, np.ones(len(counted))])
    if outputs == 1:
        margins = csr_array(np.where(y == 1, 1.0, -1.0)[:, None] * x)
    else:
        row, other = np.nonzero(np.arange(outputs) != y[:, None])
        at = np.arange(features)
        columns = np.concatenate([y[row, None] * features + at, other[:, None] * features + at], axis=1)
        values = np.concatenate([x[row], -x[row]], axis=1)
        starts = np.arange(0, values.size + 1, 2 * features)
        margins = csr_array((values.ravel(), columns.ravel(), starts), shape=(len(row), outputs * features))
    gain = np.asarray(margins.sum(axis=0)).ravel()
    result = linprog(-gain, A_ub=-margins, b_ub=np.zeros(margins.shape[0]), bounds=(-1, 1), method="highs")
    return bool(result.status == 0 and -result.fun > 1e-6 * margins.shape[0])
