"""The type of a column, which the first batch decides and a later one may widen."""

import pyarrow as pa


class Widened(Exception):
    """A column turned out to be of a wider type than its first cells: what was read of it before must be read again."""


def wider(type_: pa.DataType, value: str) -> pa.DataType:
    """The narrowest type that holds what a column held so far and this value too."""
    if pa.types.is_null(type_) and _is(int, value):
        return pa.int64()
    if (pa.types.is_null(type_) or pa.types.is_integer(type_)) and _is(float, value):
        return pa.float64()
    return pa.large_string()


def common(before: pa.DataType, now: pa.DataType) -> pa.DataType:
    """The narrowest type for columns of both."""
    if before == now or pa.types.is_null(now):
        return before
    if pa.types.is_null(before):
        return now
    if _is_number(before) and _is_number(now):
        return pa.int64() if pa.types.is_integer(before) and pa.types.is_integer(now) else pa.float64()
    if pa.types.is_temporal(before) and pa.types.is_temporal(now):
        return before
    return pa.large_string()


def plain(type_: pa.DataType) -> pa.DataType:
    """The type without what does not matter here: a time is one moment wherever it was noted."""
    return pa.timestamp(type_.unit) if pa.types.is_timestamp(type_) else type_


def _is(kind: type, value: str) -> bool:
    try:
        kind(value)
    except ValueError:
        return False
    return "_" not in value  # which Python allows in a number


def _is_number(type_: pa.DataType) -> bool:
    return bool(pa.types.is_integer(type_) or pa.types.is_floating(type_))
