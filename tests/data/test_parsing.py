"""Cells as the values that a schema says they are."""

from datetime import date, datetime, time
from typing import Any

import pyarrow as pa
import pytest

from likely.data.parsing import cast, is_nested, is_text, trimmed, values, without_numbers
from likely.data.schema import ColumnSchema


def column(cells: list[Any], type_: pa.DataType | None = None) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(cells, type_)])


def read(cells: list[Any], how: ColumnSchema, marks: tuple[str, ...] = ()) -> tuple[list[Any], list[bool] | None]:
    found, unread = values(column(cells), how, marks)
    return found.to_pylist(), None if unread is None else unread.tolist()


@pytest.mark.parametrize(
    ("how", "texts", "found"),
    [
        (ColumnSchema("a", "number"), ["1", " 2.5", "+1e3", "-.5", "-inf"], [1.0, 2.5, 1000.0, -0.5, float("-inf")]),
        (ColumnSchema("a", "number", decimal=",", thousands="."), ["1.234,5", "12345"], [1234.5, 12345.0]),
        (ColumnSchema("a", "number", unit="€"), ["€ 1.5", "-€2", "3 €", "4"], [1.5, -2.0, 3.0, 4.0]),
        (ColumnSchema("a", "integer", thousands="'"), ["1'234", "-5"], [1234, -5]),
        (ColumnSchema("a", "yesno"), ["Yes", "n", "TRUE", "0"], [True, False, True, False]),
        (ColumnSchema("a", "date", "%d.%m.%Y"), ["29.02.2024"], [datetime(2024, 2, 29)]),
        (ColumnSchema("a", "date", "%z"), ["2024-02-29T01:00:00+02:00"], [datetime(2024, 2, 28, 23)]),
        (ColumnSchema("a", "time"), ["06:30", "23:59:59"], [time(6, 30), time(23, 59, 59)]),
        (ColumnSchema("a", "time", "%I:%M %p"), ["06:30 PM"], [time(18, 30)]),
        (ColumnSchema("a", "category"), [" x", "1"], [" x", "1"]),
    ],
)
def test_texts_are_read_as_the_schema_says(how: ColumnSchema, texts: list[str], found: list[Any]) -> None:
    assert read([*texts, None], how) == ([*found, None], None)


@pytest.mark.parametrize(
    ("how", "text"),
    [
        (ColumnSchema("a", "number"), "1,5"),
        (ColumnSchema("a", "number", thousands=","), "1,23"),
        (ColumnSchema("a", "integer"), "1.5"),
        (ColumnSchema("a", "integer"), "12345678901234567890"),
        (ColumnSchema("a", "yesno"), "maybe"),
        (ColumnSchema("a", "date"), "2023-02-29"),
        (ColumnSchema("a", "date", "%d.%m.%Y"), "2023-02-28"),
        (ColumnSchema("a", "time"), "25:00"),
    ],
)
def test_a_text_that_is_no_such_value_is_missing_and_marked(how: ColumnSchema, text: str) -> None:
    assert read([text, " ", None], how) == ([None, None, None], [True, False, False])


def test_marks_are_missing_and_not_unread() -> None:
    how = ColumnSchema("a", "integer", missing=("none",))
    assert read(["1", "none", "-999", "tall"], how, ("-999",)) == ([1, None, None, None], [False, False, False, True])
    assert read(["x", "-", "none"], ColumnSchema("a", "category", missing=("none",)), ("-",)) == (
        ["x", None, None],
        None,
    )
    assert read([1.5, -999.0], ColumnSchema("a", "number"), ("-999", "NaN")) == ([1.5, None], None)


def test_values_of_another_arrow_type_are_cast() -> None:
    assert read([1, None], ColumnSchema("a", "number")) == ([1.0, None], None)
    assert read([date(2024, 2, 29)], ColumnSchema("a", "date")) == ([datetime(2024, 2, 29)], None)
    assert read([1, 2], ColumnSchema("a", "category")) == (["1", "2"], None)
    coded = column(["2", "1", "2"]).dictionary_encode()
    assert values(coded, ColumnSchema("a", "integer"))[0].to_pylist() == [2, 1, 2]


def test_fractions_in_a_column_of_whole_numbers_are_left_as_they_are() -> None:
    assert read([1.0, 2.5], ColumnSchema("a", "integer")) == ([1.0, 2.5], None)


def test_nanoseconds_are_cut_off() -> None:
    found, _ = values(column([1_001], pa.timestamp("ns")), ColumnSchema("a", "date"))
    assert found.cast(pa.int64()).to_pylist() == [1]


def test_a_type_that_can_not_be_read_so_is_named() -> None:
    with pytest.raises(ValueError, match="column 'a' is of Arrow type bool, which can't be read as a date"):
        values(column([True]), ColumnSchema("a", "date"))


def test_a_cast_of_texts_to_times_needs_no_day() -> None:
    assert cast(column(["06:30:00", None]), pa.time64("us")).to_pylist() == [time(6, 30), None]


def test_numbers_lose_only_the_marks_that_are_numbers() -> None:
    assert without_numbers(column([1, -9]), ["x", "-9.0"]).to_pylist() == [1, None]
    assert without_numbers(column(["-9"]), ["-9"]).to_pylist() == ["-9"]


def test_the_kinds_of_arrow_types() -> None:
    assert [is_text(type_) for type_ in (pa.string(), pa.large_string(), pa.string_view(), pa.binary())] == [
        *(True, True, True, False)
    ]
    assert [is_nested(type_) for type_ in (pa.list_(pa.int8()), pa.struct([]), pa.binary(2), pa.string())] == [
        *(True, True, True, False)
    ]


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.string_view()])
def test_texts_lose_the_blanks_around_them(type_: pa.DataType) -> None:
    texts = pa.chunked_array([pa.array([" a ", "?", " ? ", " ", "", None], type_)])
    assert trimmed(texts, ["?"]).to_pylist() == ["a", None, None, " ", "", None]
    assert trimmed(texts, ["", "?"]).to_pylist() == ["a", None, None, None, None, None]
    assert trimmed(column([1, 2])).to_pylist() == [1, 2]
