"""Cells as the values that a schema says they are.

pyarrow.compute takes long to load (`python -X importtime`), so it is imported only where cells are written in a way
that Arrow's own casts do not read.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.number_forms import REWRITES, pattern_of, plainly, unit_pattern
from likely.data.schema import ColumnSchema
from likely.data.stream.columns import texts

NO_CAST = pa.ArrowException
"""What Arrow raises, in several kinds, where a value does not fit another type, or no value of its type can."""

ARROW: dict[str, pa.DataType] = {
    "number": pa.float64(),
    "integer": pa.int64(),
    "category": pa.large_string(),
    "text": pa.large_string(),
    "yesno": pa.bool_(),
    "date": pa.timestamp("us"),
    "time": pa.time64("us"),
}
"""The type of a column's values, by that of its schema."""

WITH_ZONE = "%z"
"""The format of a date in ISO 8601 with its time zone."""
YES, NO = ("yes", "y", "true", "t", "1"), ("no", "n", "false", "f", "0")
WHAT = {"number": "number", "integer": "whole number", "yesno": "yes or no", "date": "date", "time": "time of day"}


def values(
    column: pa.ChunkedArray, how: ColumnSchema, marks: Iterable[str] = ()
) -> tuple[pa.ChunkedArray, NDArray[np.bool] | None]:
    """The column as values of its type, and which of its cells could not be read; None where all could. These are
    missing in the values. `marks` are texts and numbers that mark a missing cell, besides those of the column.

    Raises ValueError where cells of the column's Arrow type can't be read as this type.
    """
    if pa.types.is_dictionary(column.type):
        column = cast(column, column.type.value_type)
    marks = [*how.missing, *marks]
    if not is_text(column.type):
        return without_numbers(_of_values(without_numbers(column, marks), how), marks), None
    if how.type in ("category", "text"):
        return _without(cast(column, pa.large_string()), marks), None
    if how.plain:
        try:
            return without_numbers(cast(column, ARROW[how.type]), marks), None
        except NO_CAST:
            pass
    return _of_text(column, how, marks)


def cast(column: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    """By a reader, since `column.cast` first imports pyarrow.compute."""
    if column.type == type_:
        return column
    if pa.types.is_time(type_) and is_text(column.type):  # Arrow reads a time of day with its day alone
        import pyarrow.compute as pc

        day, space = (pa.scalar(text, column.type) for text in ("1970-01-01", " "))
        column = cast(pc.binary_join_element_wise(day, column, space), pa.timestamp(type_.unit))
    return pa.table([column], names=[""]).to_reader().cast(pa.schema([("", type_)])).read_all().column(0)


def is_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_string_view(type_))


def is_nested(type_: pa.DataType) -> bool:
    """Whether cells are lists, objects or bytes, which no model reads."""
    return bool(
        pa.types.is_nested(type_)
        or pa.types.is_binary(type_)
        or pa.types.is_large_binary(type_)
        or pa.types.is_binary_view(type_)
        or pa.types.is_fixed_size_binary(type_)
    )


def trimmed(column: pa.ChunkedArray, marks: Iterable[str] = ()) -> pa.ChunkedArray:
    """Texts without the blanks around them. Those that are then one of the marks are missing. Blank cells stay as they
    are, unless blank is a mark. Columns that are no texts stay as they are, too."""
    if not is_text(column.type):
        return column
    import pyarrow.compute as pc

    if pa.types.is_string_view(column.type):  # which Arrow does not trim
        column = cast(column, pa.large_string())
    found = _without(pc.utf8_trim_whitespace(column), list(marks))
    return pc.if_else(pc.is_in(found, texts([""]).cast(found.type)), column, found)


def _null(type_: pa.DataType) -> pa.Scalar:
    """Without `pa.scalar`, which would import pandas first."""
    return pa.nulls(1, type_)[0]


def without_numbers(column: pa.ChunkedArray, marks: Iterable[str]) -> pa.ChunkedArray:
    """Without the numbers that mark a missing cell, as -999 may."""
    found = [number for mark in marks if (number := _number(mark)) is not None]
    if not found or not is_numeric(column.type):
        return column
    import pyarrow.compute as pc

    marked = pc.is_in(cast(column, pa.float64()), pa.array(found, pa.float64()))
    return pc.if_else(marked, _null(column.type), column)


def _number(mark: str) -> float | None:
    try:
        number = float(mark)
    except ValueError:
        return None
    return number if number == number else None


def is_numeric(type_: pa.DataType) -> bool:
    return bool(pa.types.is_integer(type_) or pa.types.is_floating(type_))


def _of_values(column: pa.ChunkedArray, how: ColumnSchema) -> pa.ChunkedArray:
    """Values of a column that is not text."""
    type_, wanted = column.type, ARROW[how.type]
    try:
        if pa.types.is_null(type_) or type_ == wanted:
            return cast(column, wanted)
        if how.type == "number" and (is_numeric(type_) or pa.types.is_decimal(type_) or pa.types.is_boolean(type_)):
            return cast(column, wanted)
        if how.type == "integer" and pa.types.is_floating(type_):
            return column  # 1.0 is a whole number; what is none is for the family to say
        if how.type == "date" and pa.types.is_timestamp(type_) and type_.tz is not None:
            return cast(column, pa.timestamp(type_.unit)).cast(wanted, safe=False)
        if how.type in ("date", "time") and pa.types.is_temporal(type_):
            return column.cast(wanted, safe=False)  # nanoseconds are of no use here
        return cast(column, wanted)
    except NO_CAST:
        what = WHAT.get(how.type, how.type)
        raise ValueError(f"column {how.name!r} is of Arrow type {type_}, which can't be read as a {what}") from None


def _without(column: pa.ChunkedArray, marks: list[str]) -> pa.ChunkedArray:
    """With the cells that hold a mark missing."""
    if not marks:
        return column
    import pyarrow.compute as pc

    marked = pc.is_in(column, texts(marks).cast(column.type))
    return pc.if_else(marked, _null(column.type), column)


def _of_text(
    column: pa.ChunkedArray, how: ColumnSchema, marks: list[str]
) -> tuple[pa.ChunkedArray, NDArray[np.bool] | None]:
    """Values of texts, and which of these can't be read, and so are missing; None where all can."""
    import pyarrow.compute as pc

    cells = pc.utf8_trim_whitespace(cast(column, pa.large_string()))
    cells = _without(cells, ["", *(mark.strip() for mark in marks)])
    found = _READ[how.type](cells, how)
    unread = pc.and_(pc.is_valid(cells), pc.is_null(found))
    found = without_numbers(found, marks)
    return found, unread.to_numpy() if pc.any(unread).as_py() else None


def _numbers(cells: pa.ChunkedArray, how: ColumnSchema) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    for pattern, replacement in REWRITES:
        cells = pc.replace_substring_regex(cells, pattern, replacement)
    if how.unit:
        cells = pc.replace_substring_regex(cells, unit_pattern(how.unit), r"\1\2")
    thousands = plainly(how.thousands)
    pattern = pattern_of(how.decimal, thousands).pattern
    cells = _where(pc.match_substring_regex(cells, f"^(?i:{pattern})$"), cells)
    if thousands:
        cells = pc.replace_substring(cells, thousands, "")
    if how.decimal != ".":
        cells = pc.replace_substring(cells, how.decimal, ".")
    cells = pc.replace_substring_regex(cells, r"^\+", "")
    if how.type == "integer":
        cells = _where(pc.match_substring_regex(cells, r"^-?0*\d{1,18}$"), cells)
    return cast(cells, ARROW[how.type])


def _where(there: pa.ChunkedArray, cells: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return pc.if_else(there, cells, _null(cells.type))


def _yes_or_no(cells: pa.ChunkedArray, how: ColumnSchema) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    lower = pc.utf8_lower(cells)
    yes, no = (pc.is_in(lower, pa.array(words, pa.large_string())) for words in (YES, NO))
    return pc.if_else(pc.or_(yes, no), yes, _null(pa.bool_()))


def _dates(cells: pa.ChunkedArray, how: ColumnSchema) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    if how.format in ("", WITH_ZONE):
        return _by_distinct(cells, _iso_date, ARROW["date"])
    return pc.strptime(cells, format=how.format, unit="us", error_is_null=True)


def _times(cells: pa.ChunkedArray, how: ColumnSchema) -> pa.ChunkedArray:
    def of(text: str) -> time:
        return datetime.strptime(text, how.format).time() if how.format else time.fromisoformat(text)

    return _by_distinct(cells, of, ARROW["time"])


def _iso_date(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)


def _by_distinct(cells: pa.ChunkedArray, of: Callable[[str], Any], type_: pa.DataType) -> pa.ChunkedArray:
    """Python reads each distinct text once. Those that it can't read are missing."""

    def read(text: str | None) -> Any:
        try:
            return None if text is None else of(text)
        except (ValueError, OverflowError):
            return None

    coded = cells.combine_chunks().dictionary_encode()
    coded = coded if isinstance(coded, pa.ChunkedArray) else pa.chunked_array([coded])
    parts = [
        pa.array([read(text) for text in chunk.dictionary.to_pylist()], type_).take(chunk.indices)
        for chunk in coded.chunks
    ]
    return pa.chunked_array(parts, type_)


_READ: dict[str, Callable[[pa.ChunkedArray, ColumnSchema], pa.ChunkedArray]] = {
    "number": _numbers,
    "integer": _numbers,
    "yesno": _yes_or_no,
    "date": _dates,
    "time": _times,
}
