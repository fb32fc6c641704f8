"""Rows of Python values as tables."""

from datetime import date, datetime

import pyarrow as pa
import pytest

from likely.data.stream.records import table_of


@pytest.mark.parametrize(
    ("cells", "type_", "values"),
    [
        ([1.0, None, 3.0], pa.int64(), [1, None, 3]),
        ([1, 2.5], pa.float64(), [1.0, 2.5]),
        ([1, "x", 2.0], pa.large_string(), ["1", "x", "2"]),
        (
            [date(2024, 1, 2), datetime(2024, 1, 2, 3)],
            pa.timestamp("us"),
            [datetime(2024, 1, 2), datetime(2024, 1, 2, 3)],
        ),
        ([slice(1), None], pa.large_string(), ["slice(None, 1, None)", None]),
        ([None, None], pa.null(), [None, None]),
    ],
)
def test_a_column_has_the_type_of_all_its_cells(cells: list[object], type_: object, values: list[object]) -> None:
    column = table_of(["a"], [cells])["a"]
    assert (column.type, column.to_pylist()) == (type_, values)
