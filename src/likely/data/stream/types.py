"""The type of a column that several parts of a file have, each its own."""

import pyarrow as pa

from likely.data.parsing import is_text


def common(before: pa.DataType, now: pa.DataType) -> pa.DataType:
    """The narrowest type for columns of both."""
    if before == now or pa.types.is_null(now):
        return before
    if pa.types.is_null(before):
        return pa.large_string() if is_text(now) else now
    if _is_number(before) and _is_number(now):
        return pa.int64() if pa.types.is_integer(before) and pa.types.is_integer(now) else pa.float64()
    if all(pa.types.is_time(type_) for type_ in (before, now)):
        return pa.time64("us")
    if all(pa.types.is_date(type_) or pa.types.is_timestamp(type_) for type_ in (before, now)):
        return pa.timestamp("us")
    return pa.large_string()


def _is_number(type_: pa.DataType) -> bool:
    return bool(pa.types.is_integer(type_) or pa.types.is_floating(type_))
