"""Cells that are not of their column's type."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from likely.data.inference import MOST_UNREAD
from likely.data.schema import ColumnSchema
from likely.data.unread import Unread, UnreadCells
from likely.errors import BadCell

COLUMN = ColumnSchema("a", "number")
CELLS = pa.chunked_array([["1", " x ", "x", "2"]])
BAD = np.array([False, True, True, False])


def test_cells_are_counted_with_the_place_of_the_first() -> None:
    unread = UnreadCells()
    unread.add(COLUMN, (CELLS, BAD), "line {}".format)
    unread.note(BadCell("counts", 7, "a", -3.0))
    assert unread["a"].texts == {"x": 2, "-3": 1}
    unread.note(BadCell("numbers", 7, "a", -1e200))
    assert unread["a"].texts["-1e+200"] == 1
    assert unread["a"].place == "line 1"


def test_the_first_is_an_error_where_there_shall_be_none() -> None:
    with pytest.raises(BadCell, match=r"^line 1: column 'a' has ' x ', which is no number$"):
        UnreadCells(strict=True).add(COLUMN, (CELLS, BAD), "line {}".format)


def test_too_many_kinds_are_an_error() -> None:
    many = pa.chunked_array([[f"x{i}" for i in range(MOST_UNREAD + 1)]])
    with pytest.raises(BadCell, match="more than 20 others are none; add --type a=category"):
        UnreadCells().add(COLUMN, (many, np.ones(len(many), bool)), str)
    unread = UnreadCells()
    for i in range(MOST_UNREAD):
        unread.note(BadCell("counts", i, "a", -i))
    with pytest.raises(BadCell, match="add --type a=number"):
        unread.note(BadCell("counts", 99, "a", -99))


def test_cells_of_two_parts_add_up() -> None:
    one, other = UnreadCells(), UnreadCells()
    one["a"] = Unread(Counter({"x": 1, "y": 2}), "one.csv, line 3")
    other["a"], other["b"] = Unread(Counter({"x": 4}), "two.csv, line 9"), Unread(Counter({"?": 1}), "two.csv, line 2")
    both = one + other
    assert {name: dict(unread.texts) for name, unread in both.items()} == {"a": {"x": 5, "y": 2}, "b": {"?": 1}}
    assert both["a"].place == "one.csv, line 3"
    other["a"].texts.update(map(str, range(MOST_UNREAD)))
    with pytest.raises(BadCell, match=r"one\.csv, line 3: column 'a' has 'x', and there are more than"):
        _ = one + other
