"""A summary of a column: its counts, and how often it alone gives the class."""

from typing import Any

import pyarrow as pa
import pytest

from likely.data import summary as module
from likely.data.summary import ColumnSummary, alone, summary


def summed(cells: Any, type_: pa.DataType | None = None) -> ColumnSummary:
    return summary("a", pa.chunked_array([pa.array(cells, type_)]))


def shares(y: list[Any], **columns: Any) -> dict[str, float | None]:
    table = pa.table({"y": y, **columns})
    seen = {name: summary(name, table[name]) for name in table.column_names}
    return {name: one.alone for name, one in alone(table, seen, "y").items()}


def test_values_are_counted_the_most_frequent_first() -> None:
    seen = summed(["x", "y y", None, "y y", "z"])
    assert list(seen.values.items()) == [("y y", 2), ("x", 1), ("z", 1)]
    assert (seen.rows, seen.missing, seen.present, seen.distinct, seen.arrow) == (5, 1, 4, 3, "string")
    assert seen.distinct_share == 0.75


def test_the_words_of_a_text_are_a_mean_over_its_rows() -> None:
    assert summed(["one", "one", " two  words "]).words == pytest.approx(4 / 3)
    assert summed([1, 2]).words == 0


def test_categories_of_arrow_are_counted_as_their_values() -> None:
    column = pa.chunked_array([pa.array(["x", "y"]).dictionary_encode(), pa.array(["y"]).dictionary_encode()])
    seen = summary("a", column)
    assert (dict(seen.values), seen.arrow) == ({"y": 2, "x": 1}, "string")


def test_only_the_most_frequent_values_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1)
    seen = summed([1, 2, 2, 3])
    assert (seen.values, seen.distinct) == ({2: 2}, 3)


@pytest.mark.parametrize(("cells", "type_"), [([[1], None], None), ([b"x", None], None), ([None], pa.null())])
def test_cells_that_are_no_values_are_not_counted(cells: list[Any], type_: pa.DataType | None) -> None:
    seen = summed(cells, type_)
    assert (seen.values, seen.distinct, seen.missing, seen.rows) == ({}, 0, 1, len(cells))


def test_a_column_with_nothing_in_it_has_no_distinct_values() -> None:
    seen = summed([None, None], pa.string())
    assert (seen.present, seen.distinct_share, seen.words) == (0, 0, 0)


@pytest.mark.parametrize(
    ("cells", "consecutive"),
    [
        (range(5, 25), True),
        (range(19), False),
        ([*range(50), *range(90, 140)], True),
        (range(0, 60, 2), False),
        ([*range(20), None], False),
        ([float(i) for i in range(20)], False),
    ],
)
def test_whole_numbers_that_count_the_rows_are_consecutive(cells: Any, consecutive: bool) -> None:
    assert summed(list(cells)).consecutive == consecutive


def test_how_often_a_column_alone_gives_the_class() -> None:
    found = shares(
        ["p", "q"] * 20,
        same=["u", "v"] * 20,
        three_of_four=[0, 1, 0, 1, 0, 1, 1, 0] * 5,
        tied=[0, 0, 1, 1] * 10,
        missing=["u", "v", None, None] * 10,
    )
    assert found == {"y": None, "same": 1.0, "three_of_four": 0.75, "tied": 0.0, "missing": 0.5}


def test_a_lead_of_one_row_is_lost_when_that_row_is_left_out() -> None:
    assert shares(["p"] * 11 + ["q"] * 10 + ["q"] * 9, a=[0] * 21 + [1] * 9)["a"] == pytest.approx(9 / 30)
    assert shares(["p"] * 12 + ["q"] * 10 + ["q"] * 8, a=[0] * 22 + [1] * 8)["a"] == pytest.approx(20 / 30)


def test_columns_that_can_not_show_it_are_left_as_they_are() -> None:
    y = ["p", "q"] * 20
    assert shares(y, constant=[1] * 40, unlike=range(40), nested=[[1], [2]] * 20) == {
        **dict.fromkeys(["y", "constant", "unlike", "nested"])
    }
    assert shares(["p", "q"] * 9, same=["u", "v"] * 9)["same"] is None
    assert shares(["p"] * 40, a=[0, 1] * 20)["a"] is None
