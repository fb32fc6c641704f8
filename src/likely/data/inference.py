"""The schema of a table, inferred from rows of all of it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.dates import NO_DATE, clock_form, form_of, parts_of
from likely.data.number_forms import form_of_numbers, may_be_thousands
from likely.data.parsing import WITH_ZONE, is_nested, is_text, values
from likely.data.schema import MISSING, ColumnSchema, ColumnType
from likely.data.stream.columns import numbers
from likely.data.summary import ColumnSummary, summary

NUMBERS = 0.95
"""The share of a column's cells that must be numbers, or dates, for the others to be read as missing."""
MARKERS = {
    *("-", "--", "---", ".", "..", "*", "unknown", "unk", "none", "nil", "missing", "na", "n.a.", "n.a", "n.d.", "n/d"),
    *("nd", "tbd", "undefined", "not available", "not applicable", "no data", "(blank)", "(empty)", "(null)"),
    *(mark.lower() for mark in MISSING),
}
"""Texts that mark a missing cell in a column whose other cells are numbers or dates, up to half of all cells."""
MOST_UNREAD = 20
"""The most distinct texts of a column that are read as missing. If there are more, they are values."""
SUMMARISED = 1000
"""The first columns, which are summarised. Later ones keep the type that Arrow's reader finds, unless that is text."""
LEAST_ROWS = 20
"""Fewer rows do not show that a column is an identifier."""
NAMED_AS_ID = re.compile(
    r"(?i:(?:^|[_\s.-])(?:id|ids|uuid|guid|key|nbr|no|number|nr|code)$)|(?<=[a-z])(?:ID|Id|Nbr|Number|Code|Key)$"
)


class Hints(NamedTuple):
    """What the user knows of all columns."""

    decimal: str | None = None
    thousands: str | None = None


def infer(
    table: pa.Table, given: Mapping[str, ColumnSchema], kept: Collection[str], hints: Hints
) -> tuple[list[ColumnSchema], dict[str, ColumnSummary]]:
    """The schema of each column by a sample of rows, and its summary. `given` are columns that the user described.
    `kept` are columns that are never left out: those with the classes and the weights."""
    columns, summaries = [], {}
    for at, (name, cells) in enumerate(zip(table.column_names, table.columns, strict=True)):
        if at >= SUMMARISED and name not in kept and name not in given and not is_text(cells.type):
            columns.append(ColumnSchema(name, _type(cells.type)))
            continue
        seen = summary(name, cells, name in given)
        column, seen = _inferred(cells, seen, given.get(name), hints, name in kept)
        columns.append(column)
        summaries[name] = seen
    if hints.decimal is None and any(column.decimal == "," for column in columns):
        # If one column has a decimal comma, so has each that could be read both ways: 1.234 is 1234, 1,234 is not.
        hints = hints._replace(decimal=",")
        for at, column in enumerate(columns):
            again = summaries.get(column.name)
            if column.decimal == "." and again is not None and column.name not in given and _may_be_thousands(again):
                cells, keep = table[column.name], column.name in kept
                columns[at], summaries[column.name] = _inferred(cells, again, None, hints, keep)
    return columns, summaries


def _may_be_thousands(seen: ColumnSummary) -> bool:
    return is_text_type(seen.arrow) and may_be_thousands(list(map(str, seen.values)))


def _inferred(
    cells: pa.ChunkedArray, seen: ColumnSummary, given: ColumnSchema | None, hints: Hints, kept: bool
) -> tuple[ColumnSchema, ColumnSummary]:
    if given is not None and given.type in ("category", "text", "ignore"):
        return given, seen
    if given is not None and not given.plain:
        return (replace(given, parts=parts_of(values(cells, given)[0])) if given.type == "date" else given), seen
    if is_text(cells.type):
        column, seen = _of_text(cells, seen, given, hints)
    else:
        type_ = given.type if given is not None else _type(cells.type)
        zone = pa.types.is_timestamp(cells.type) and cells.type.tz is not None
        column = ColumnSchema(seen.name, type_, WITH_ZONE if zone and type_ == "date" else "")
    if kept and (column.type in ("date", "time", "ignore") or (is_text(cells.type) and (seen.unread or column.unit))):
        column, seen = ColumnSchema(seen.name, "category"), replace(seen, unread={})  # these are names of classes
    if given is None and not kept and is_identifier(column, seen):
        column = ColumnSchema(seen.name, "ignore")
    if column.type == "date":
        column = replace(column, parts=parts_of(values(cells, column)[0]))
    return column, seen


def _type(type_: pa.DataType) -> ColumnType:
    if pa.types.is_dictionary(type_):
        return _type(type_.value_type)
    if pa.types.is_boolean(type_):
        return "yesno"
    if pa.types.is_integer(type_):
        return "integer"
    if pa.types.is_floating(type_) or pa.types.is_decimal(type_):
        return "number"
    if pa.types.is_time(type_):
        return "time"
    if pa.types.is_duration(type_):
        return "number"
    if pa.types.is_temporal(type_):
        return "date"
    return "ignore" if is_nested(type_) or pa.types.is_null(type_) else "category"


def is_identifier(column: ColumnSchema, seen: ColumnSummary) -> bool:
    """Whether a column names its row rather than describes it. Its texts almost all occur once; or its whole numbers
    count the rows; or its name is that of an identifier, and most of its whole numbers occur once."""
    if seen.present < LEAST_ROWS:
        return False
    if column.type == "category" and is_text_type(seen.arrow):
        return seen.distinct_share > 0.9 and seen.words < 2 and seen.numbers < 0.5
    if column.type != "integer":
        return False
    return (seen.consecutive and seen.distinct_share > 0.95) or (
        seen.distinct_share > 0.5 and seen.distinct > 100 and NAMED_AS_ID.search(seen.name) is not None
    )


def is_text_type(arrow: str) -> bool:
    return "string" in arrow


def _of_text(
    cells: pa.ChunkedArray, seen: ColumnSummary, given: ColumnSchema | None, hints: Hints
) -> tuple[ColumnSchema, ColumnSummary]:
    """Numbers, dates or times, in any way of writing and maybe with a few other texts among them; else categories."""
    counts = {str(text).strip(): 0 for text in seen.values}
    for text, times in seen.values.items():
        counts[str(text).strip()] += times
    counts.pop("", None)
    name, present = seen.name, sum(counts.values())
    if not present:
        return ColumnSchema(name, "category"), seen
    texts = [text for text in counts if not marks_missing(text)]
    type_ = "" if given is None else given.type
    column = _number(name, texts, counts, hints) if type_ in ("", "number", "integer") else None
    if column is None and type_ in ("", "date"):
        form = form_of({text: counts[text] for text in texts}, NUMBERS)
        if form is not None and form.either is not None:
            return ColumnSchema(name, "category"), replace(seen, either=form.either)
        column = None if form is None else ColumnSchema(name, "date", form.format)
    if column is None and type_ in ("", "time"):
        clock = clock_form({text: counts[text] for text in texts}, NUMBERS)
        column = None if clock is None else ColumnSchema(name, "time", clock)
    if given is not None:
        column = given if column is None else replace(column, type=given.type)
    if column is not None:
        _, unread = values(cells, column)
        others = _counted(cells, unread)
        if given is not None or _few(others, seen):
            missing = tuple(text for text in others if text)[:MOST_UNREAD]
            return replace(column, missing=missing), replace(seen, unread=others)
    return ColumnSchema(name, "category"), seen


def marks_missing(text: str) -> bool:
    """Whether a text in a column of numbers or dates stands for a missing one."""
    return not text or text.lower() in MARKERS or NO_DATE.fullmatch(text) is not None


def _few(others: Mapping[str, int], seen: ColumnSummary) -> bool:
    """Whether the cells that are no numbers or dates are few enough to be read as missing."""
    if len(others) > MOST_UNREAD:
        return False
    share = sum(others.values()) / max(seen.present, 1)
    known = sum(times for text, times in others.items() if marks_missing(text)) / max(seen.present, 1)
    return share - known <= 1 - NUMBERS and known <= 0.5


def _counted(cells: pa.ChunkedArray, unread: NDArray[np.bool] | None) -> dict[str, int]:
    """The texts that could not be read, and how often each occurs; blank cells too."""
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(cells)
    blank = pc.fill_null(pc.equal(trimmed, ""), False)
    picked = blank if unread is None else pc.or_(blank, numbers(unread))
    found = pc.value_counts(trimmed.filter(picked))
    pairs = zip(found.field("values").to_pylist(), found.field("counts").to_pylist(), strict=True)
    return dict(sorted(pairs, key=lambda pair: -pair[1])[: 2 * MOST_UNREAD])


def _number(name: str, texts: Sequence[str], counts: Mapping[str, int], hints: Hints) -> ColumnSchema | None:
    """How its numbers are written, if most of the texts are numbers written in the same way."""
    form = form_of_numbers({text: counts[text] for text in texts}, NUMBERS, hints.decimal, hints.thousands)
    if form is None:
        return None
    type_: ColumnType = "integer" if form.whole and not form.unit else "number"
    return ColumnSchema(name, type_, "", form.decimal, form.thousands, form.unit)
