"""Small tables that the tests of this room share."""

import numpy as np
import pyarrow as pa


def mixed(rows=60, seed=0, holes=0.1):
    """An Arrow table of columns of each kind with missing cells, and three classes that differ in all of them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=rows)
    y[:6] = [0, 1, 2, 0, 1, 2]

    def cells(values):
        return pa.array(values.tolist(), mask=rng.random(rows) < holes)

    table = pa.table(
        {
            "number": cells(rng.normal(y, 1.2)),
            "skewed": cells(np.exp(rng.normal(0.7 * y, 1.0))),
            "count": cells(rng.poisson(1 + 2 * y)),
            "flag": cells(rng.random(rows) < 0.2 + 0.3 * y),
            "name": cells(np.array(["ann", "bob", "cyd", "dee"])[(rng.integers(3, size=rows) + y) % 4]),
        }
    )
    return table, np.array(["red", "green", "blue"])[y]


FAMILIES = {
    "number": "gaussian",
    "skewed": "gaussian",
    "count": "poisson",
    "flag": "bernoulli",
    "name": "categorical",
}
"""Of the columns above; nothing is left to be chosen."""


def with_noise(x, columns, seed=0):
    """A table with columns of all kinds that have nothing to do with anything."""
    rng, n = np.random.default_rng(seed), x.num_rows
    kinds = (
        lambda: rng.normal(size=n),
        lambda: rng.integers(6, size=n),
        lambda: rng.random(n) < 0.4,
        lambda: np.array(list("pqrs"))[rng.integers(4, size=n)],
    )
    for i in range(columns):
        x = x.append_column(f"noise {i}", pa.array(kinds[i % 4]()))
    return x
