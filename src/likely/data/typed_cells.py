"""Cells as values of the types that a schema gives their columns."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.parsing import trimmed, values
from likely.data.schema import MISSING, ColumnSchema, Schema


class TypedCells(NamedTuple):
    """Rows as their schema reads them."""

    table: pa.Table
    """The columns that are not ignored, of the schema's types."""
    unread: dict[str, tuple[pa.ChunkedArray, NDArray[np.bool]]]
    """By column: its cells, and which of them are not of its type. These are missing in the table."""


def typed_cells(table: pa.Table, schema: Schema, optional: bool = False) -> TypedCells:
    """Reads cells by a schema. A column that is not in the table is missing in all rows, or left out if it is
    `optional`."""
    here = dict(zip(table.column_names, table.columns, strict=True))
    absent = pa.chunked_array([pa.nulls(table.num_rows)])
    marks = [mark for mark in schema.missing if mark not in MISSING]
    found, unread = dict[str, pa.ChunkedArray](), dict[str, tuple[pa.ChunkedArray, NDArray[np.bool]]]()
    for column in schema.columns:
        if column.type == "ignore" or (optional and column.name not in here):
            continue
        cells = here.get(column.name, absent)
        found[column.name], bad = values(cells, column, marks)
        if bad is not None:
            unread[column.name] = cells, bad
    return TypedCells(pa.table(found), unread)


def trimmed_categories(table: pa.Table, columns: Iterable[ColumnSchema]) -> pa.Table:
    """The table with no blanks around the texts of categories. Those that are blank are missing."""
    categories = {column.name for column in columns if column.type == "category"} & {*table.column_names}
    if not categories:
        return table
    pairs = zip(table.column_names, table.columns, strict=True)
    return pa.table({name: trimmed(cells, [""]) if name in categories else cells for name, cells in pairs})
