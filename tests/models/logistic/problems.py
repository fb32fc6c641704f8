"""Rows and classes to learn from, and the objective by its formula."""

import numpy as np
import scipy.sparse as sp


def drawn(seed, rows, columns, classes, spread=1.0):
    """Classes that the columns tell of, none of them empty."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns))
    weights = rng.normal(size=(columns, classes)) * spread / np.sqrt(columns)
    y = np.argmax(x @ weights + rng.gumbel(size=(rows, classes)), axis=1).astype(np.int32)
    y[: min(rows, classes)] = np.arange(min(rows, classes))
    return x, y


def objective(x, y, weights, bias, c, weight=None, centre=0.0):
    x = x.toarray() if sp.issparse(x) else np.asarray(x, float)
    z = x @ weights.T + bias
    z = np.hstack([np.zeros_like(z), z]) if z.shape[1] == 1 else z
    top = z.max(axis=1)
    loss = top + np.log(np.exp(z - top[:, None]).sum(axis=1)) - z[np.arange(len(y)), y]
    penalty = 0.0 if c == np.inf else np.sum((weights - centre) ** 2) / 2
    return penalty + (1.0 if c == np.inf else c) * np.sum(loss if weight is None else weight * loss)
