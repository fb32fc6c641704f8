"""Dates as mail writes them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from likely.mail.dates import date


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("Mon, 1 Jan 2024 10:20:30 +0200", datetime(2024, 1, 1, 10, 20, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("1 Jan 2024 10:20 -0330", datetime(2024, 1, 1, 10, 20, tzinfo=timezone(timedelta(hours=-3.5)))),
        ("Mon, 1 Jan 2024 10:20:30 GMT", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Mon, 1 Jan 2024 10:20:30", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Mon, 1 Jan 2024 10:20:30 EST", datetime(2024, 1, 1, 15, 20, 30, tzinfo=UTC)),
        ("Monday, 01-Jan-24 10:20:30 GMT", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Mon Jan  1 10:20:30 2024", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Thu, 22 Aug 0102 12:07:35 +0000", datetime(2002, 8, 22, 12, 7, 35, tzinfo=UTC)),
        ("Mon, 31 Dec 2016 23:59:60 +0000", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("31 Feb 2024 10:20:30 +0000", None),
        ("1 Jan 2024 25:20:30 +0000", None),
        ("1 Jan 2024 10:20:30 +9999", None),
        ("1 Jan 9999 10:20:30 +0000", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(value, moment):
    assert date(value) == moment
