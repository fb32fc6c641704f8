"""Dates and times: the ways in which they are written, and what a classifier reads of them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.schema import ColumnSchema
from likely.data.stream.columns import texts

SHAPE = re.compile(
    r"(?:(?P<a>\d{1,4})(?P<sep>[./-])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})"
    r"|(?P<weekday>[A-Za-z]{3},? )?(?:"
    r"(?P<day>\d{1,2})(?P<s1>[ -])(?P<month>[A-Za-z]{3,9})(?P=s1)(?P<year>\d{4}|\d{2})"
    r"|(?P<month2>[A-Za-z]{3,9}) (?P<day2>\d{1,2})(?P<comma>,?) (?P<year2>\d{4})))"
    r"(?:(?P<t>[ T])(?P<hour>\d{1,2}):\d{2}(?P<seconds>:\d{2})?(?P<half> ?[AaPp][Mm])?)?"
)
CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?P<seconds>:[0-5]\d)?(?P<half> ?[AaPp][Mm])?")
NO_DATE = re.compile(r"0000[-/.]00[-/.]00([ T]00:00(:00(\.0+)?)?)?|00[-/.]00[-/.]0000")
"""What MySQL writes for a date that is not known."""
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
ISO = "ISO"


class DateForm(NamedTuple):
    """How a column of dates is written."""

    format: str
    """As for strptime. Empty for ISO 8601, or if the day or the month may come first."""
    either: tuple[str, str] | None = None
    """The two formats that it may be."""


def form_of(counts: Mapping[str, int], share: float = 1.0) -> DateForm | None:
    """The one form in which at least this share of the texts are dates; None if there is none. Counts are how often
    each text occurs."""
    forms: Counter[str] = Counter()
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for text, times in counts.items():
        found = SHAPE.fullmatch(text)
        form = found and _form(found)
        if not found or not form:
            continue
        forms[form] += times
        if "D" in form:
            first[form] += times * (int(found["a"]) > 12)
            second[form] += times * (int(found["b"]) > 12)
    if not forms:
        return None
    form, most = forms.most_common(1)[0]
    least = share * sum(counts.values())
    if "D" not in form:
        return DateForm("" if form == ISO else form) if most >= least else None
    if most - min(first[form], second[form]) < least:
        return None
    first_day, first_month = _with(form, "%d", "%m"), _with(form, "%m", "%d")
    if first[form] == second[form]:
        if second[form] or "." not in form:
            return None if second[form] else DateForm("", (first_day, first_month))
        return DateForm(first_day)  # 3.4.2024 is a day before a month wherever dates are written with dots
    if "." in form and not first[form]:
        return None
    return DateForm(first_day if first[form] > second[form] else first_month)


def clock_form(counts: Mapping[str, int], share: float = 1.0) -> str | None:
    """The format in which at least this share of the texts are times of day; None if there is none."""
    forms: Counter[str] = Counter()
    for text, times in counts.items():
        found = CLOCK.fullmatch(text)
        if found and (1 <= int(found["hour"]) <= 12 if found["half"] else int(found["hour"]) < 24):
            forms[_clock_format(found)] += times
    form, most = forms.most_common(1)[0] if forms else ("", 0)
    return form if form and most >= share * sum(counts.values()) else None


def _clock_format(found: re.Match[str]) -> str:
    form = f"%{'I' if found['half'] else 'H'}:%M" + (":%S" if found["seconds"] else "")
    return form + ("" if not found["half"] else f"{' ' if found['half'][0] == ' ' else ''}%p")


def _with(form: str, first: str, second: str) -> str:
    """The form with these formats instead of D and M, the day and the month. The M of minutes stays."""
    return re.sub(r"(?<!%)[DM]", lambda found: first if found[0] == "D" else second, form)


def _form(found: re.Match[str]) -> str | None:
    time = f"{found['t']}{_clock_format(found)}" if found["t"] else ""
    if found["a"]:
        a, b, c = found["a"], found["b"], found["c"]
        if len(a) == 4 and len(c) <= 2:
            if not (1 <= int(b) <= 12 and 1 <= int(c) <= 31):
                return None
            iso = (
                found["sep"] == "-" and len(b) == len(c) == 2 and not found["half"] and len(found["hour"] or "00") == 2
            )
            return ISO if iso else f"%Y{found['sep']}%m{found['sep']}%d{time}"
        if len(a) > 2 or len(c) not in (2, 4) or max(int(a), int(b)) > 31 or min(int(a), int(b)) < 1:
            return None
        # D and M stand for the day and the month until all texts have been read.
        return f"D{found['sep']}M{found['sep']}%{'Y' if len(c) == 4 else 'y'}{time}"
    month, space = found["month"] or found["month2"], found["s1"]
    if month[:3].lower() not in MONTHS:
        return None
    weekday = "" if not found["weekday"] else "%a, " if "," in found["weekday"] else "%a "
    if weekday and found["weekday"][:3].capitalize() not in WEEKDAYS:
        return None
    # %b also reads the name in full.
    if found["month"]:
        return f"{weekday}%d{space}%b{space}%{'Y' if len(found['year']) == 4 else 'y'}{time}"
    return f"{weekday}%b %d{found['comma']} %Y{time}"


DAY = 86_400_000_000
"""Microseconds."""
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
MONTH_NAMES = [month.capitalize() for month in MONTHS]


def parts_of(column: pa.ChunkedArray) -> tuple[str, ...]:
    """Which parts of its dates differ from row to row, so that a class may depend on them."""
    micros = _micros(column)
    micros = micros[~np.isnat(micros)]
    found = []
    if len(micros):
        for part, of in (("month", _months), ("weekday", _weekdays), ("hour", _hours)):
            if len(np.unique(of(micros))) > 1:
                found.append(part)
    return tuple(found)


def features(table: pa.Table, columns: Iterable[ColumnSchema]) -> pa.Table:
    """The table with each date as days since 1970. After it come the parts of the date that differ from row to row: the
    month and the weekday as categories, and the time of day, which families for periodic columns read."""
    by_name = {column.name: column for column in columns}
    found: dict[str, Any] = {}
    for name, cells in zip(table.column_names, table.columns, strict=True):
        column = by_name.get(name)
        if column is None or column.type != "date":
            found[name] = cells
            continue
        micros = _micros(cells)
        missing = np.isnat(micros)
        micros = np.where(missing, np.datetime64(0, "us"), micros)
        found[name] = _column(pa.float64(), micros.astype(np.int64) / DAY, missing)
        for part in column.parts:
            if part == "hour":
                found[part_name(name, part)] = _column(pa.time64("us"), _hours(micros), missing)
            else:
                names, of = (MONTH_NAMES, _months) if part == "month" else (WEEKDAYS, _weekdays)
                indices = _column(pa.int32(), of(micros).astype(np.int32), missing)
                found[part_name(name, part)] = texts(names).take(indices)
    return pa.table(found)


def part_name(name: str, part: str) -> str:
    return f"{name} {part}"


def shown(columns: Iterable[ColumnSchema], name: str, value: Any) -> Any:
    """The value of a feature. A number that stands for a date or a time is shown as people write it."""
    column = next((one for one in columns if name == one.name or name == part_name(one.name, "hour")), None)
    if column is None or column.type not in ("date", "time") or not isinstance(value, (int, float)):
        return value
    if column.type == "time" or name != column.name:
        return _clock(value)
    moment = np.datetime64(round(value * DAY), "us")
    text = str(moment.astype("M8[s]")).replace("T", " ")
    return text.removesuffix(" 00:00:00") if "hour" not in column.parts else text


def _clock(micros: float) -> str:
    minutes = int(micros // 60_000_000)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _column(type_: pa.DataType, values: NDArray[Any], missing: NDArray[np.bool]) -> pa.ChunkedArray:
    """Without `pyarrow.array`, which would import pandas first."""
    there = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    data = pa.py_buffer(np.ascontiguousarray(values))
    return pa.chunked_array([pa.Array.from_buffers(type_, len(values), [there, data])])


def _micros(column: pa.ChunkedArray) -> NDArray[Any]:
    return np.asarray(column.cast(pa.timestamp("us")).to_numpy(), "M8[us]")


def _months(micros: NDArray[Any]) -> NDArray[np.int64]:
    return np.asarray(micros.astype("M8[M]").astype(np.int64) % 12)


def _weekdays(micros: NDArray[Any]) -> NDArray[np.int64]:
    return np.asarray((micros.astype("M8[D]").astype(np.int64) + 3) % 7)


def _hours(micros: NDArray[Any]) -> NDArray[np.int64]:
    return np.asarray(micros.astype(np.int64) % DAY)
