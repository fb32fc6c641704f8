"""Whether classes can be separated, so that weights without a penalty do not exist."""

import numpy as np

from likely.optimize.softmax.rows import SoftmaxRows

MOST = 2_000_000
"""Numbers in the linear programme at the most; one of these takes seconds."""


def separated(rows: SoftmaxRows) -> bool | None:
    """Is there a direction of the weights that brings the score of no row's class down against another, and of some row
    up? The likelihood then rises along it for ever (Albert and Anderson, 1984). None where the problem is too large.

    Complete separation is when it brings those of all rows up; quasi-separation, of some.
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
    found = linprog(-gain, A_ub=-margins, b_ub=np.zeros(margins.shape[0]), bounds=(-1, 1), method="highs")
    return bool(found.status == 0 and -found.fun > 1e-6 * margins.shape[0])
