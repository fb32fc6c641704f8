"""The rows that tests of Spark fit."""

import numpy as np
import pyarrow as pa

ROWS = 600
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, ROWS)
TABLE = pa.table(
    {
        "number": pa.array(RNG.normal(Y), mask=RNG.random(ROWS) < 0.1),
        "count": RNG.poisson(2 + Y),
        "word": np.array(["red", "green", "blue"])[RNG.integers(0, 3, ROWS)],
        "weight": RNG.integers(1, 4, ROWS),
        "y": np.array(["a", "b", "c"])[Y],
    }
)
X = TABLE.drop_columns(["weight", "y"])
