"""The type of a column in several tables, and these tables as one."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from likely.data.parsing import is_numeric, is_text


def common(before: pa.DataType, now: pa.DataType) -> pa.DataType:
    """The narrowest type for columns of both."""
    if before == now or pa.types.is_null(now):
        return before
    if pa.types.is_null(before):
        return pa.large_string() if is_text(now) else now
    if is_numeric(before) and is_numeric(now):
        return pa.int64() if pa.types.is_integer(before) and pa.types.is_integer(now) else pa.float64()
    if all(pa.types.is_time(type_) for type_ in (before, now)):
        return pa.time64("us")
    if all(pa.types.is_date(type_) or pa.types.is_timestamp(type_) for type_ in (before, now)):
        return pa.timestamp("us")
    return pa.large_string()


def common_types(tables: Sequence[pa.Table]) -> dict[str, pa.DataType]:
    """Of each column in any of the tables."""
    types: dict[str, pa.DataType] = {}
    for table in tables:
        for field in table.schema:
            types[field.name] = common(types.get(field.name, pa.null()), field.type)
    return types


def together(tables: Sequence[pa.Table]) -> pa.Table:
    """As one table. A column has the narrowest type for all, and is missing where a table lacks it."""
    types = common_types(tables)
    return pa.concat_tables([_as_types(table, types) for table in tables]) if tables else pa.table({})


def _as_types(table: pa.Table, types: Mapping[str, pa.DataType]) -> pa.Table:
    here = dict(zip(table.column_names, table.columns, strict=True))
    absent = pa.chunked_array([pa.nulls(table.num_rows)])
    columns = {name: here.get(name, absent) for name in types}
    return pa.table(
        {name: cells if cells.type == types[name] else cells.cast(types[name]) for name, cells in columns.items()}
    )
