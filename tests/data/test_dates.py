"""Dates: the form in which they are written, and what a classifier reads of them."""

from collections import Counter
from datetime import datetime, time

import pyarrow as pa
import pytest

from likely.data.dates import DateForm, clock_form, features, form_of, parts_of, shown
from likely.data.schema import ColumnSchema

MOMENTS = [datetime(1970, 1, 1), datetime(2024, 2, 29, 6), None]  # a Thursday and a Thursday


def column(*moments: datetime | None) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(moments, pa.timestamp("us"))])


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("2024-2-9", "%Y-%m-%d"),
        ("2024/2/9 14:30", "%Y/%m/%d %H:%M"),
        ("29.2.24", "%d.%m.%y"),
        ("3.4.2024", "%d.%m.%Y"),
        pytest.param("25.7.2024 14:30", "%d.%m.%Y %H:%M"),
        pytest.param("12/31/2024 1:05:09 PM", "%m/%d/%Y %I:%M:%S %p"),
        ("9 Feb 2024 1:05:09pm", "%d %b %Y %I:%M:%S%p"),
        ("9-Feb-2024", "%d-%b-%Y"),
        ("09-FEB-24", "%d-%b-%y"),
        ("February 9, 2024", "%b %d, %Y"),
        ("Fri Feb 09 2024", "%a %b %d %Y"),
        ("Fri, 9 Feb 2024 13:05:09", "%a, %d %b %Y %H:%M:%S"),
    ],
)
def test_the_form_found_reads_the_text(text: str, format_: str) -> None:
    assert form_of(Counter([text])) == DateForm(format_)
    datetime.strptime(text, format_.replace("%b", "%B") if "February" in text else format_)


@pytest.mark.parametrize("text", ["2024-13-01", "32/1/2024", "0/1/2024", "9 Foo 2024", "1/2-2024", "1/2/024", "tall"])
def test_a_text_that_is_no_date_has_no_form(text: str) -> None:
    assert form_of(Counter([text])) is None


def test_a_day_above_twelve_anywhere_says_which_comes_first() -> None:
    assert form_of(Counter(["1/2/2024", "13/2/2024"])) == DateForm("%d/%m/%Y")
    assert form_of(Counter(["1/2/2024", "2/13/2024"])) == DateForm("%m/%d/%Y")


def test_both_orders_are_named_where_nothing_says_which_comes_first() -> None:
    assert form_of(Counter(["1/2/2024", "3/4/2024"])) == DateForm("", ("%d/%m/%Y", "%m/%d/%Y"))


@pytest.mark.parametrize(
    "texts", [["13/2/2024", "2/13/2024"], ["2024-01-01", "1.1.2024"], ["2024-01-01", "x"], ["1.13.2024"], []]
)
def test_texts_of_more_than_one_form_have_none(texts: list[str]) -> None:
    assert form_of(Counter(texts)) is None


def test_dates_of_iso_8601_need_no_format() -> None:
    assert form_of(Counter(["2024-02-29", "2024-02-29 14:30"])) == DateForm("")


def test_few_texts_that_are_no_dates_do_not_change_the_form() -> None:
    assert form_of({"25.7.2024": 19, "25.13.2024": 1}, 0.95) == DateForm("%d.%m.%Y")
    assert form_of({"25/7/2024": 19, "7/25/2024": 1}, 0.95) == DateForm("%d/%m/%Y")
    assert form_of({"25/7/2024": 18, "7/25/2024": 2}, 0.95) is None


@pytest.mark.parametrize(
    ("text", "format_"),
    [("6:40", "%H:%M"), ("2:30 PM", "%I:%M %p"), ("23:59:59", "%H:%M:%S"), ("24:00", None), ("2:1", None)],
)
def test_the_form_of_a_time_of_day(text: str, format_: str | None) -> None:
    assert clock_form({text: 1}) == format_


def test_only_parts_that_differ_are_read() -> None:
    assert parts_of(column(*MOMENTS)) == ("month", "hour")
    assert parts_of(column(datetime(2024, 1, 1), datetime(2024, 1, 2))) == ("weekday",)
    assert parts_of(column(None, None)) == ()


def test_a_date_becomes_days_since_1970_and_its_parts() -> None:
    table = pa.table({"d": column(*MOMENTS), "n": [1, 2, 3]})
    found = features(table, [ColumnSchema("d", "date", parts=("month", "weekday", "hour"))])
    assert found.to_pydict() == {
        "d": [0.0, 19782.25, None],
        "d month": ["Jan", "Feb", None],
        "d weekday": ["Thu", "Thu", None],
        "d hour": [time(0), time(6), None],
        "n": [1, 2, 3],
    }


def test_the_days_and_months_before_1970_are_right() -> None:
    table = pa.table({"d": column(datetime(1969, 12, 31, 23, 30))})  # a Wednesday
    found = features(table, [ColumnSchema("d", "date", parts=("month", "weekday", "hour"))]).to_pylist()
    assert found == [{"d": -0.5 / 24, "d month": "Dec", "d weekday": "Wed", "d hour": time(23, 30)}]


def test_numbers_that_stand_for_dates_are_shown_as_people_write_them() -> None:
    columns = [ColumnSchema("d", "date", parts=("hour",)), ColumnSchema("e", "date"), ColumnSchema("t", "time")]
    assert shown(columns, "d", 19782.25) == "2024-02-29 06:00:00"
    assert shown(columns, "d", 19782.0) == "2024-02-29 00:00:00"
    assert shown(columns, "e", 19782.0) == "2024-02-29"
    assert shown(columns, "d hour", 23_400_000_000.0) == "06:30"
    assert shown(columns, "t", 0) == "00:00"


def test_other_values_are_shown_as_they_are() -> None:
    columns = [ColumnSchema("d", "date", parts=("month",)), ColumnSchema("n", "number")]
    assert [shown(columns, "n", 1.5), shown(columns, "d month", "Feb"), shown(columns, "d", None)] == [1.5, "Feb", None]
