"""Tables that come as rows of Python values, as workbooks and databases give them."""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

import pyarrow as pa


def table_of(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> pa.Table:
    return pa.table([_column(column) for column in columns], names=list(names))


def _column(cells: Sequence[Any]) -> pa.Array:
    """In the type that all cells have, or else as texts."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {float} and all(cell is None or cell.is_integer() for cell in cells):
        return pa.array([None if cell is None else int(cell) for cell in cells], pa.int64(), from_pandas=False)
    if kinds == {date, datetime}:
        return pa.array(
            [cell if cell is None or isinstance(cell, datetime) else datetime.combine(cell, time()) for cell in cells]
        )
    if len(kinds) <= 1 or kinds == {int, float}:
        try:
            return pa.array(cells, from_pandas=False)
        except pa.ArrowException:  # a type of the database's own
            pass
    return pa.array([None if cell is None else _text(cell) for cell in cells], pa.large_string())


def _text(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
