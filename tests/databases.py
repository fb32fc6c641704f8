"""A table with columns of all kinds, and how it comes into a database."""

import numpy as np
import pyarrow as pa

from likely.families import Bernoulli, Categorical, Gaussian, Histogram, LogNormal, Poisson, VonMises
from likely.sql.dialects import dialect_of

FAMILIES = {
    "normal": Gaussian(),
    "skewed": LogNormal(),
    "bins": Histogram(),
    "visits": Poisson(),
    "colour": Categorical(),
    "room": Categorical(),
    "member": Bernoulli(),
    "hour": VonMises(period=24),
}

TYPES = {
    "duckdb": {"double": "DOUBLE", "int64": "BIGINT", "string": "VARCHAR", "bool": "BOOLEAN"},
    "sqlite": {"double": "REAL", "int64": "INTEGER", "string": "TEXT", "bool": "INTEGER"},
    "postgres": {"double": "float8", "int64": "bigint", "string": "text", "bool": "boolean"},
}


def put(connection, table: pa.Table, name: str = "rows") -> None:
    dialect = dialect_of(connection)
    types = TYPES[dialect.name]
    columns = ", ".join(f"{dialect.identifier(field.name)} {types[str(field.type)]}" for field in table.schema)
    connection.execute(f"CREATE TABLE {dialect.identifier(name)} ({columns})")
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    mark = "%s" if dialect.name == "postgres" else "?"
    marks = ", ".join([mark] * table.num_columns)
    cursor = connection if dialect.name == "duckdb" else connection.cursor()
    if rows:
        cursor.executemany(f"INSERT INTO {dialect.identifier(name)} VALUES ({marks})", rows)


def mixed(n=1500, seed=0, holes=0.1, shift=0.0):
    """A table of columns of all kinds with a class, `y`, and missing cells."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    columns = {
        "normal": rng.normal(y, 1 + y) + shift,
        "skewed": np.exp(rng.normal(y / 2, 1.0)),
        "bins": rng.gamma(0.5, 1.0, n) * np.where(y == 1, -3, 2),
        "visits": rng.poisson(1 + 2 * y),
        "colour": np.array(["red", "green's", 'b"l\\ue'], object)[(y + (rng.random(n) < 0.4)) % 3],
        "room": rng.choice([1, 7, 900], n, p=[0.5, 0.3, 0.2]) + y,
        "member": rng.random(n) < 0.2 + 0.2 * y,
        "hour": (rng.normal(6 * y, 2) % 24),
    }
    cells = {
        name: [None if rng.random() < holes else cell.item() if hasattr(cell, "item") else cell for cell in values]
        for name, values in columns.items()
    }
    return pa.table({**cells, "y": np.array(["lion", "a 'tiger'", "Ω"], object)[y]})
