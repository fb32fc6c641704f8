"""Batches as a model reads them."""

from datetime import time
from typing import Any

import pyarrow as pa
import pytest

from likely.data.stream import conform


def test_columns_are_found_by_name_and_read_by_kind() -> None:
    table = pa.table({"z": ["?"], "n": [" 3 "], "x": ["2.5"], "b": ["true"], "c": ["7"], "d": [" 1970-01-03"]})
    found = conform(table, ["d", "c", "b", "x", "n"], ["int", "category", "bool", "float", "int"], {"d": "date32[day]"})
    assert found.to_pydict() == {
        "d": [__import__("datetime").date(1970, 1, 3)],
        "c": ["7"],
        "b": [True],
        "x": [2.5],
        "n": [3],
    }


@pytest.mark.parametrize(
    "column", [pa.array([1, None]), pa.array([1.5, None]), pa.array(["1", None]).dictionary_encode()]
)
def test_what_has_a_type_keeps_it(column: pa.Array) -> None:
    assert conform(pa.table({"a": column}), ["a"], ["float"], {})["a"].type == column.type


def test_numbers_are_text_where_the_model_has_text() -> None:
    assert conform(pa.table({"a": [1, 2]}), ["a"], ["category"], {})["a"].to_pylist() == ["1", "2"]


@pytest.mark.parametrize(
    ("cell", "kind", "moments", "says"),
    [
        ("x", "int", {}, "column 'a', row 1, has 'x', which is no number"),
        ("maybe", "bool", {}, "column 'a', row 1, has 'maybe', which is no yes or no"),
        ("soon", "int", {"a": "timestamp[s]"}, "column 'a', row 1, has 'soon', which is no time"),
        ("25:00:00", "int", {"a": "time32[s]"}, "column 'a', row 1, has '25:00:00', which is no time"),
    ],
)
def test_a_cell_that_cannot_be_read(cell: str, kind: Any, moments: dict[str, str], says: str) -> None:
    good = "1" if not moments else "12:30:00" if moments["a"].startswith("time32") else "2024-01-01 00:00:00"
    with pytest.raises(ValueError, match=says):
        conform(pa.table({"a": [good, cell, cell]}), ["a"], [kind], moments)


@pytest.mark.parametrize("unit", ["time32[s]", "time32[ms]", "time64[us]", "time64[ns]"])
def test_a_time_of_day_is_read_from_text(unit: str) -> None:
    column = pa.chunked_array([["12:30:00", None], [" 00:00:01"]], pa.large_string())
    found = conform(pa.table({"a": column}), ["a"], ["int"], {"a": unit})["a"]
    assert found.type == pa.type_for_alias(unit)
    assert found.to_pylist() == [time(12, 30), None, time(0, 0, 1)]


@pytest.mark.parametrize("cells", [[[1]], []])
@pytest.mark.parametrize(("kind", "moments"), [("category", {}), ("int", {"a": "duration[s]"})])
def test_a_type_that_cannot_be_read_is_named(cells: list[Any], kind: Any, moments: dict[str, str]) -> None:
    column = pa.array(cells, pa.list_(pa.int64()))
    with pytest.raises(ValueError, match="column 'a'"):
        conform(pa.table({"a": column}), ["a"], [kind], moments)


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="there is no column 'b', which the model reads"):
        conform(pa.table({"a": [1]}), ["b"], ["int"], {})
