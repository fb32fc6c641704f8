"""What is read of a cell, by each database."""

import numpy as np
import pytest

from likely.families.formula import Cell
from likely.sql.dialects import dialect_of
from likely.sql.expressions import good, reading, searched, total

NUMBERS = [-3.5, -1.0, 0.0, 0.5, 1.0, 2.0, 23.0, 25.5, None]


def read(connection, expression):
    """Of each of the numbers, the value of an expression of t.x."""
    literal = dialect_of(connection).number
    rows = [
        f"SELECT {at} AS at, {'NULL' if x is None else literal(x)} + {literal(0.0)} AS x"
        for at, x in enumerate(NUMBERS)
    ]
    found = connection.execute(f"SELECT {expression} FROM ({' UNION ALL '.join(rows)}) AS t ORDER BY t.at").fetchall()
    return [row[0] for row in found]


def expected(work):
    return [None if x is None else work(x) for x in NUMBERS]


CELLS = [
    (Cell(0), expected(lambda x: x)),
    (Cell(0, "log"), [np.log(x) if x is not None and x > 0 else None for x in NUMBERS]),
    (Cell(0, "cos", 24.0), expected(lambda x: np.cos(2 * np.pi * x / 24))),
    (Cell(0, "sin", 24.0), expected(lambda x: np.sin(2 * np.pi * x / 24))),
    (Cell(0, "above", 0.5), expected(lambda x: float(x > 0.5))),
    (Cell(0, "missing"), [float(x is None) for x in NUMBERS]),
    (Cell(0, "bin", np.array([-1.0, 0.5, 2.0])), expected(lambda x: np.searchsorted([-1.0, 0.5, 2.0], x, "right"))),
    (Cell(0, "bin", np.array([])), expected(lambda x: 0)),
    (Cell(0, "category", np.array([1.0, -3.5])), expected(lambda x: {1.0: 0, -3.5: 1}.get(x, 2))),
    (Cell(0, "category", np.array([])), expected(lambda x: 0)),
]


@pytest.mark.parametrize(("cell", "values"), CELLS, ids=lambda case: getattr(case, "reading", ""))
def test_readings(connection, cell, values):
    found = read(connection, reading(dialect_of(connection), cell, "t.x"))
    assert [x is None for x in found] == [x is None for x in values]
    np.testing.assert_allclose(
        [x for x in found if x is not None], [x for x in values if x is not None], rtol=1e-14, atol=1e-14
    )


def test_what_a_family_can_read(connection):
    cell = Cell(0, low=0.0, high=2.0, whole=True)
    found = read(connection, f"CASE WHEN {good(dialect_of(connection), cell, 't.x')} THEN 1 ELSE 0 END")
    assert found == [0, 0, 1, 0, 1, 1, 0, 0, 0]


def test_a_search_by_halves(connection):
    edges = [dialect_of(connection).number(float(edge)) for edge in range(20)]
    found = read(connection, f"CASE WHEN t.x IS NOT NULL THEN {searched('t.x', edges, str)} END")
    assert found == expected(lambda x: int(np.searchsorted(np.arange(20.0), x, "right")))


def test_a_sum_of_many_terms(connection):
    assert connection.execute(f"SELECT {total(['1'] * 5000)}").fetchall()[0][0] == 5000
