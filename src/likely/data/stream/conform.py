"""A batch as a model reads it: its columns, of its kinds."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from likely.data.arrow import NO_CAST
from likely.data.table import Kind


def conform(
    table: pa.Table,
    names: Sequence[str],
    kinds: Sequence[Kind],
    moments: Mapping[str, str],
    missing: Sequence[str] = (),
) -> pa.Table:
    """The columns of these names and kinds, whatever else the table has, and in whatever order.

    Text is read as numbers where the model has numbers, as a time where it was one (`moments` has the types). Raises
    ValueError for a cell that can't be.
    """
    here = dict(zip(table.column_names, table.columns, strict=True))
    absent = [name for name in names if name not in here]
    if absent:
        raise ValueError(f"there is no column {absent[0]!r}, which the model reads")
    columns = [_read(here[name], name, kind, moments.get(name)) for name, kind in zip(names, kinds, strict=True)]
    return pa.table(columns, names=list(names))


def _read(column: pa.ChunkedArray, name: str, kind: Kind, moment: str | None) -> pa.ChunkedArray:
    text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    if moment is not None:
        return _cast(column, name, [pa.type_for_alias(moment)], "time")
    if kind in ("category", "text") or not text:
        as_text = kind in ("category", "text") and not text and not pa.types.is_dictionary(column.type)
        return column.cast(pa.large_string()) if as_text else column
    column = pc.utf8_trim_whitespace(column)
    if kind == "bool":
        return _cast(column, name, [pa.bool_()], "yes or no")
    return _cast(column, name, [pa.int64(), pa.float64()], "number")


def _cast(column: pa.ChunkedArray, name: str, types: Sequence[pa.DataType], what: str) -> pa.ChunkedArray:
    for type_ in types:
        try:
            return column.cast(type_)
        except NO_CAST:
            continue
    row = next(row for row in range(len(column)) if not _can(column[row], types[-1]))
    raise ValueError(f"column {name!r}, row {row}, has {column[row].as_py()!r}, which is no {what}")


def _can(cell: pa.Scalar, type_: pa.DataType) -> bool:
    try:
        cell.cast(type_)
    except NO_CAST:
        return False
    return True
