"""The type of a column, and how it is written, inferred from its cells."""

from typing import Any

import pyarrow as pa
import pytest

from likely.data import inference
from likely.data.inference import Hints, infer
from likely.data.schema import ColumnSchema
from likely.data.summary import ColumnSummary

PLAIN = Hints()


def inferred(
    cells: Any, name: str = "a", given: ColumnSchema | None = None, kept: bool = False, hints: Hints = PLAIN
) -> tuple[ColumnSchema, ColumnSummary]:
    given_by_name = {} if given is None else {name: given}
    columns, seen = infer(pa.table({name: cells}), given_by_name, [name] if kept else [], hints)
    return columns[0], seen[name]


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        (pa.bool_(), "yesno"),
        (pa.uint8(), "integer"),
        (pa.float32(), "number"),
        (pa.decimal128(5, 2), "number"),
        (pa.duration("s"), "number"),
        (pa.time32("s"), "time"),
        (pa.date32(), "date"),
        (pa.string(), "category"),
        (pa.dictionary(pa.int8(), pa.int64()), "integer"),
        (pa.list_(pa.int8()), "ignore"),
        (pa.binary(), "ignore"),
        (pa.null(), "ignore"),
    ],
)
def test_an_arrow_type_says_the_type_of_a_column(type_: pa.DataType, found: str) -> None:
    assert inferred(pa.array([], type_))[0].type == found


@pytest.mark.parametrize(
    ("texts", "column"),
    [
        (["1.234,5", "7,25"], ColumnSchema("a", "number", decimal=",", thousands=".")),
        (["1,234", "56,789"], ColumnSchema("a", "integer", thousands=",")),
        (["$1.50", "$2"], ColumnSchema("a", "number", unit="$")),
        (["$1", "€2"], ColumnSchema("a", "category")),
        (["25.07.2023", "1.8.2023"], ColumnSchema("a", "date", "%d.%m.%Y", parts=("month",))),
        (["x", "y"], ColumnSchema("a", "category")),
        ([" ", ""], ColumnSchema("a", "category")),
    ],
)
def test_texts_say_how_a_column_is_written(texts: list[str], column: ColumnSchema) -> None:
    assert inferred(texts)[0] == column


def test_the_user_says_that_a_comma_is_decimal() -> None:
    found = inferred(["1,234", "56,789"], hints=Hints(decimal=","))[0]
    assert found == ColumnSchema("a", "number", decimal=",")


def test_few_texts_among_numbers_are_missing() -> None:
    column, seen = inferred(["1", "2"] * 20 + ["tall", "unknown"])
    assert column == ColumnSchema("a", "integer", missing=("tall", "unknown"))
    assert seen.unread == {"tall": 1, "unknown": 1}


def test_many_texts_among_numbers_make_categories() -> None:
    column, seen = inferred(["1", "2"] * 5 + ["tall"])
    assert (column, seen.unread) == (ColumnSchema("a", "category"), {})
    assert inferred(["1", "-", "-"])[0].type == "category"


def test_dates_that_can_be_read_in_two_ways_are_categories() -> None:
    column, seen = inferred(["1/2/2024", "3/4/2024"])
    assert (column.type, seen.either) == ("category", ("%d/%m/%Y", "%m/%d/%Y"))


def test_dates_with_a_zone_keep_that_in_their_format() -> None:
    column, _ = inferred(pa.array([0, 86_400], pa.timestamp("s", "UTC")))
    assert column == ColumnSchema("a", "date", "%z", parts=("weekday",))


@pytest.mark.parametrize(
    ("name", "cells", "left_out"),
    [
        ("a", [f"K{i}" for i in range(20)], True),
        ("a", [f"K{i}" for i in range(19)], False),
        ("a", [f"some words {i}" for i in range(20)], False),
        ("a", list(range(20)), True),
        ("a", [i * i for i in range(200)], False),
        ("userId", [i * i for i in range(200)], True),
        pytest.param("paid", [i * i for i in range(200)], False),
        ("a_id", [i / 2 for i in range(200)], False),
    ],
)
def test_a_column_that_names_its_row_is_left_out(name: str, cells: list[Any], left_out: bool) -> None:
    assert (inferred(cells, name)[0].type == "ignore") == left_out
    assert inferred(cells, name, kept=True)[0].type != "ignore"


def test_what_the_user_gave_is_kept() -> None:
    assert inferred(["1", "2"], given=ColumnSchema("a", "category"))[0] == ColumnSchema("a", "category")
    assert inferred(list(range(20)), given=ColumnSchema("a", "integer"))[0].type == "integer"
    given = ColumnSchema("a", "date", "%d/%m/%Y")
    assert inferred(["1/2/2024", "1/3/2024"], given=given)[0] == ColumnSchema(
        "a", "date", "%d/%m/%Y", parts=("month", "weekday")
    )


def test_columns_past_the_most_are_not_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "SUMMARISED", 1)
    table = pa.table({name: range(20) for name in "abc"} | {"t": ["1,5", "2,5"] * 10})
    columns, seen = infer(table, {}, ["c"], Hints())
    assert [column.type for column in columns] == ["ignore", "integer", "integer", "number"]
    assert list(seen) == ["a", "c", "t"]


@pytest.mark.parametrize("mark", ["n/a", "N/A", "?", "NULL", "nan", "#DIV/0!", "unknown"])
def test_what_marks_a_missing_cell_of_csv_does_among_numbers_of_other_formats_too(mark: str) -> None:
    column, _ = inferred(["1.5", "2", "3", mark] * 10)
    assert (column.type, column.missing) == ("number", () if mark == "nan" else (mark,))
