"""The schema of a table, inferred from rows of all of it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.dates import DateForm, form_of, parts_of
from likely.data.parsing import WITH_ZONE, is_nested, is_text, values
from likely.data.schema import ColumnSchema, ColumnType
from likely.data.stream.columns import numbers
from likely.data.summary import ColumnSummary, summary

NUMBERS = 0.95
"""The share of a column's cells that must be numbers, or dates, for the others to be read as missing."""
MARKERS = {"-", "--", "---", ".", "..", "*", "unknown", "unk", "none", "missing", "na", "n.a.", "n.a", "not available"}
"""Texts that mark a missing cell in a column whose other cells are numbers or dates, up to half of all cells."""
MOST_UNREAD = 20
"""Distinct texts of a column that may be read as missing: more are values."""
SUMMARISED = 1000
"""Columns that are looked at closely. Of the others, the types of Arrow's reader are taken as they are."""
LEAST_ROWS = 20
"""Fewer rows do not show that a column is an identifier."""
UNITS = "$€£¥%"
NAMED_AS_ID = re.compile(
    r"(?i:(?:^|[_\s.-])(?:id|ids|uuid|guid|key|nbr|no|number|nr|code)$)|(?<=[a-z])(?:ID|Id|Nbr|Number|Code|Key)$"
)
FORMATS = [(".", ""), (",", ""), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "\u00a0")]
"""The decimal sign and the separator of thousands of numbers, the plainest first."""


class Hints(NamedTuple):
    """What the user knows of all columns."""

    decimal: str | None = None
    thousands: str | None = None


def infer(
    table: pa.Table, given: Mapping[str, ColumnSchema], kept: Collection[str], hints: Hints
) -> tuple[list[ColumnSchema], dict[str, ColumnSummary]]:
    """Each column of a sample of rows, with its summary. `given` are columns that the user described; `kept` are not
    left out, whatever they look like: those with the classes and the weights."""
    columns, summaries = [], {}
    for at, (name, cells) in enumerate(zip(table.column_names, table.columns, strict=True)):
        if at >= SUMMARISED and name not in kept and name not in given and not is_text(cells.type):
            columns.append(ColumnSchema(name, _type(cells.type)))
            continue
        seen = summary(name, cells, name in given)
        column, seen = _inferred(cells, seen, given.get(name), hints, name in kept)
        columns.append(column)
        summaries[name] = seen
    return columns, summaries


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
    """Whether a column names its row rather than describes it: texts that almost all occur once, or whole numbers
    that count the rows, or occur about once each and are named as an identifier."""
    if seen.present < LEAST_ROWS:
        return False
    if column.type == "category" and is_text_type(seen.arrow):
        return seen.distinct_share > 0.9 and seen.words < 2
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
    """Numbers and dates that are written in some other way, or with a few texts among them; else categories."""
    counts = {str(text).strip(): 0 for text in seen.values}
    for text, times in seen.values.items():
        counts[str(text).strip()] += times
    counts.pop("", None)
    name, present = seen.name, sum(counts.values())
    if not present:
        return ColumnSchema(name, "category"), seen
    texts = [text for text in counts if text.lower() not in MARKERS]
    type_ = "" if given is None else given.type
    column = _number(name, texts, counts, hints) if type_ in ("", "number", "integer") else None
    if column is None and type_ in ("", "date"):
        form = _date_form(texts, counts)
        if form is not None and form.either is not None:
            return ColumnSchema(name, "category"), replace(seen, either=form.either)
        column = None if form is None else ColumnSchema(name, "date", form.format)
    if given is not None:
        column = given if column is None else replace(column, type=given.type)
    if column is not None:
        _, unread = values(cells, column)
        others = _counted(cells, unread)
        if given is not None or _few(others, seen):
            missing = tuple(text for text in others if text)[:MOST_UNREAD]
            return replace(column, missing=missing), replace(seen, unread=others)
    return ColumnSchema(name, "category"), seen


def _few(others: Mapping[str, int], seen: ColumnSummary) -> bool:
    """Whether what is no number among numbers is little enough to be read as missing."""
    if len(others) > MOST_UNREAD:
        return False
    share = sum(others.values()) / max(seen.present, 1)
    known = sum(times for text, times in others.items() if text.lower() in MARKERS or not text) / max(seen.present, 1)
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
    """How its numbers are written, if most of the texts are numbers in one way."""
    with_digits = [text for text in texts if any(mark.isdigit() for mark in text)]
    if not with_digits or any(re.match(r"[+-]?0\d", text) for text in with_digits):
        return None
    units = {mark for text in with_digits for mark in UNITS if mark in text}
    if len(units) > 1:
        return None
    unit = units.pop() if units else ""
    bare = [re.sub(rf"^([+-]?)\s*{re.escape(unit)}\s*|\s*{re.escape(unit)}$", r"\1", text) for text in with_digits]
    weights = [counts[text] for text in with_digits]
    all_cells = sum(counts[text] for text in texts)
    best, most = None, 0
    for decimal, thousands in FORMATS:
        if hints.decimal not in (None, decimal) or hints.thousands not in (None, thousands):
            continue
        pattern = _pattern(decimal, thousands)
        matched = sum(weight for text, weight in zip(bare, weights, strict=True) if pattern.fullmatch(text))
        if matched > most:
            best, most = (decimal, thousands), matched
    if best is None or most < NUMBERS * all_cells:
        return None
    decimal, thousands = best
    if best == (",", "") and hints.decimal is None and all(re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", t) for t in bare):
        decimal, thousands = ".", ","  # 1,234 and nothing else: thousands, as `--decimal ,` can say otherwise
    whole = not any(
        decimal in text or "e" in text.lower() for text in bare if _pattern(decimal, thousands).fullmatch(text)
    )
    return ColumnSchema(name, "integer" if whole and not unit else "number", "", decimal, thousands, unit)


def _pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    whole = rf"(?:\d+|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+)" if thousands else r"\d+"
    point = re.escape(decimal)
    return re.compile(rf"[+-]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d{{1,3}})?|[+-]?inf", re.I)


def _date_form(texts: Sequence[str], counts: Mapping[str, int]) -> DateForm | None:
    """How the dates are written, if most of the texts are dates."""
    dates = [text for text in texts if text[0].isdigit() or text[-1].isdigit()]
    if not dates or sum(counts[text] for text in dates) < NUMBERS * sum(counts[text] for text in texts):
        return None
    return form_of(dates)
