"""Cells by their schema."""

import pyarrow as pa

from likely.data.schema import MISSING, ColumnSchema, Schema
from likely.data.typed_cells import trimmed_categories, typed_cells

TABLE = pa.table({"a": ["1", "x", "-9"], "b": [" k ", " ", "l"], "c": [1, 2, 3]})
COLUMNS = (
    *(ColumnSchema("a", "number"), ColumnSchema("b", "category")),
    *(ColumnSchema("c", "ignore"), ColumnSchema("d", "date")),
)


def test_cells_that_are_not_of_their_type_are_missing_and_reported() -> None:
    table, unread = typed_cells(TABLE, Schema(COLUMNS, (*MISSING, "-9")))
    assert table.to_pydict() == {"a": [1.0, None, None], "b": [" k ", " ", "l"], "d": [None, None, None]}
    ((name, (cells, bad)),) = unread.items()
    assert name == "a"
    assert cells.filter(pa.array(bad)).to_pylist() == ["x"]


def test_columns_that_the_table_lacks_may_be_left_out() -> None:
    assert typed_cells(TABLE, Schema(COLUMNS), optional=True).table.column_names == ["a", "b"]


def test_categories_have_no_blanks_around_them() -> None:
    assert trimmed_categories(TABLE, COLUMNS)["b"].to_pylist() == ["k", None, "l"]
    assert trimmed_categories(TABLE, COLUMNS[:1]) is TABLE
