"""A batch as a model reads it: its columns, of its kinds."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from likely.data.arrow import NO_CAST
from likely.data.table import Kind
from likely.errors import BadCell


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
    if moment is not None:
        return parsed(column, name, [pa.type_for_alias(moment)], "time")
    text = _is_text(column.type)
    if kind in ("category", "text"):
        as_it_is = text or pa.types.is_dictionary(column.type)
        return column if as_it_is else parsed(column, name, [pa.large_string()], "text")
    if not text:
        return column
    if kind == "bool":
        return parsed(column, name, [pa.bool_()], "yes or no")
    return parsed(column, name, [pa.int64(), pa.float64()], "number")


def parsed(column: pa.ChunkedArray, name: str, types: Sequence[pa.DataType], what: str) -> pa.ChunkedArray:
    """As the first of the types that all cells are of, as they are written or without the spaces around them."""
    for written in _spellings(column):
        for type_ in types:
            try:
                return _cast(written, type_)
            except NO_CAST:
                continue
    row = bisect_left(range(len(written)), True, key=lambda last: not _can(written.slice(0, last + 1), types[-1]))
    if row == len(written):
        raise ValueError(f"column {name!r} is of Arrow type {column.type}, which can't be read as {types[-1]}")
    raise BadCell("", row, name, written[row].as_py(), f", which is no {what}")


def _spellings(column: pa.ChunkedArray) -> Iterator[pa.ChunkedArray]:
    yield column
    if _is_text(column.type):
        import pyarrow.compute as pc

        yield pc.utf8_trim_whitespace(column)


def _cast(column: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    """By a reader, since `column.cast` first imports pyarrow.compute, which takes long (`python -X importtime`)."""
    if pa.types.is_time(type_) and _is_text(column.type):  # Arrow reads a time of day with its day alone
        import pyarrow.compute as pc

        day, space = (pa.scalar(text, column.type) for text in ("1970-01-01", " "))
        column = _cast(pc.binary_join_element_wise(day, column, space), pa.timestamp(type_.unit))
    return pa.table([column], names=[""]).to_reader().cast(pa.schema([("", type_)])).read_all().column(0)


def _can(column: pa.ChunkedArray, type_: pa.DataType) -> bool:
    try:
        _cast(column, type_)
    except NO_CAST:
        return False
    return True


def _is_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))
