"""Reads the date of a message."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from functools import lru_cache

DATE_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATE = re.compile(
    rf"(\d{{1,2}})[\s-]+({DATE_MONTHS})[a-z]*[\s-]+(\d{{2,4}})\s+(\d\d?):(\d\d)(?::(\d\d))?"
    r"\s*+([+-]\d{4}|GMT|UTC?)?",
    re.IGNORECASE,
)
USUAL_DATE = re.compile(
    rf"(?:[A-Z][a-z]{{2}}, )?(\d\d?) ({DATE_MONTHS}) (\d{{4}}) (\d\d):(\d\d):(\d\d) ([+-]\d{{4}})", re.ASCII
)
MONTHS = dict(zip(DATE_MONTHS.lower().split("|"), range(1, 13), strict=True))
YEARS = range(1970, 2100)


def date(value: str) -> datetime | None:
    """The time in a Date field; None if it can't be read. A missing or unknown time zone counts as UTC."""
    value = value[:200]
    found = USUAL_DATE.match(value) or DATE.search(value)
    try:
        if found is not None:
            day, month, years, hour, minute, second, zone = found.groups()
            at = (int(years), MONTHS[month.lower()], int(day), int(hour), int(minute), min(int(second or 0), 59))
            where = _zone(zone) if zone else timezone(timedelta(seconds=_offset(value)))
        else:
            parsed = parsedate_tz(value)
            if parsed is None:
                return None
            at, where = (*parsed[:5], min(parsed[5], 59)), timezone(timedelta(seconds=parsed[9] or 0))
        # RFC 5322, 4.3. Some programs that count years from 1900 wrote 0102 for 2002.
        year = at[0] + (2000 if at[0] < 50 else 1900 if at[0] < 1000 else 0)
        return datetime(year, *at[1:], tzinfo=where) if year in YEARS else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


@lru_cache(64)
def _zone(name: str) -> timezone:
    """A time zone from its offset, such as +0130; UTC for names."""
    if name[0] not in "+-":
        return UTC
    minutes = int(name[1:3]) * 60 + int(name[3:])
    return timezone(timedelta(minutes=-minutes if name[0] == "-" else minutes))


def _offset(value: str) -> int:
    """Seconds east of UTC for the name of a time zone, such as EST; 0 if there is none."""
    parsed = parsedate_tz(value)
    return (parsed[9] or 0) if parsed is not None else 0
