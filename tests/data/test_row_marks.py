"""Marks of rows: equal for equal cells whatever holds them, different for others."""

import numpy as np
import pyarrow as pa
import pytest

from likely.data.row_digest import MARK
from likely.data.row_marks import mixed, row_marks

ONE = np.array(["a", "b"], object)


def marked(columns: dict[str, object], y: list[int] | None = None, classes: np.ndarray = ONE) -> list[int]:
    table = pa.table(columns)
    return row_marks(table, classes, np.array(y or [0] * table.num_rows, np.int32)).tolist()


def test_the_class_and_every_cell_count() -> None:
    base = {"n": [1.0, 1.0, 2.0, 1.0, 1.0], "s": ["x", "x", "x", "y", "x"]}
    found = marked(base, [0, 0, 0, 0, 1])
    assert found[0] == found[1]
    assert len(set(found)) == 4
    assert marked({"n": [1.0], "s": ["x"]})[0] == found[0]
    assert marked({"m": [1.0], "s": ["x"]})[0] != found[0]


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([0, 7, None], pa.int8()),
        pa.array([-0.0, 7, float("nan")], pa.float32()),
        pa.array([0, 7, None], pa.float64()),
        pa.chunked_array([pa.array([0], pa.int64()), pa.array([7, None], pa.int64())]),
    ],
)
def test_numbers_are_equal_in_every_type(cells: pa.Array) -> None:
    assert marked({"n": cells}) == marked({"n": [0, 7, None]})


@pytest.mark.parametrize(
    "cells",
    [
        pa.array(["", "ä" * 40, None], pa.string()),
        pa.array(["", "ä" * 40, None]).dictionary_encode(),
        pa.array(["out", "", "ä" * 40, None, "out"], pa.large_string()).slice(1, 3),
        pa.chunked_array([pa.array([""]), pa.array(["ä" * 40, None])]),
    ],
)
def test_texts_are_equal_in_every_type(cells: pa.Array) -> None:
    assert marked({"s": cells}) == marked({"s": ["", "ä" * 40, None]})


def test_a_missing_cell_is_as_a_column_that_is_not_there_and_order_does_not_matter() -> None:
    alone = marked({"n": [1.0], "s": ["x"]})
    assert marked({"s": ["x"], "n": [1.0]}) == alone
    assert marked({"n": [1.0], "s": ["x"], "m": pa.array([None], pa.float64())}) == alone
    assert marked({"n": [1.0], "s": ["x"], "t": pa.array([None], pa.string())}) == alone
    assert marked({"n": [1.0], "s": ["x"], "e": pa.nulls(1)}) == alone


def test_texts_differ_by_any_byte_and_by_their_length() -> None:
    texts = ["", "\0", "\0\0", "a" * 8, "a" * 9, "a" * 16, "a" * 8 + "b" * 8, "b" * 8 + "a" * 8, "a" * 15 + "b"]
    assert len(set(marked({"s": texts}))) == len(texts)
    assert marked({"s": ["x"]}) != marked({"s": ["x" + "\0"]})


def test_parts_are_marked_as_the_whole() -> None:
    columns = pa.table({"n": np.arange(100.0), "s": [f"text {k}" for k in range(100)]})
    y = np.arange(100, dtype=np.int32) % 2
    whole = row_marks(columns, ONE, y)
    parts = [row_marks(columns.slice(a, 7), ONE, y[a : a + 7]) for a in range(0, 100, 7)]
    assert (np.concatenate(parts) == whole).all()
    assert marked({"n": pa.array([], pa.float64())}) == []


def test_marks_stay_what_they_were() -> None:
    """Models that were stored hold them."""
    columns = {"n": [1.5, None, -3.0], "i": [7, 8, 9], "b": [True, None, False], "s": ["cat", "a longer text", None]}
    assert marked(columns, [0, 1, 0]) == [2317319938, 3378502916, 4277192704]


def test_marks_are_spread_evenly() -> None:
    """Half of the hashes end in no zero, a quarter in one; and the bits kept are as those of random numbers."""
    found = np.array(marked({"n": np.arange(40_000)}), np.uint32)
    zeros = found & np.uint32(0xFF)
    for ends in range(5):
        assert (zeros == ends).mean() == pytest.approx(2.0 ** -(ends + 1), abs=0.01)
    bits = (found >> np.uint32(8))[:, None] >> np.arange(MARK, dtype=np.uint32) & np.uint32(1)
    np.testing.assert_allclose(bits.mean(axis=0), 0.5, atol=0.015)


def test_mixed_is_splitmix64() -> None:
    """The first numbers of its reference implementation, of seed 0."""
    assert [hex(one) for one in mixed(np.arange(3, dtype=np.uint64)).tolist()] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
    ]
