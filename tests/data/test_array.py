"""Numpy arrays of every type and layout, against plain Python loops."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from likely.data import read
from likely.data.array import ArrayTable

from ..codes import dict_codes

ALL = slice(None)
FLOATS = [np.float16, np.float32, np.float64, np.longdouble]
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
DTYPES = [*FLOATS, *INTEGERS, np.bool]


def numbers(x, missing=None, columns=None, rows=ALL):
    table = read(x, missing)
    return table.numbers(range(len(table.names)) if columns is None else columns, rows)


def codes_of(x, known=None, missing=None):
    """Codes column by column, and what they stand for."""
    table = read(x, missing)
    codes, labels = table.categories(range(len(table.names)), ALL, known)
    return codes.T.tolist(), [of_column.tolist() for of_column in labels]


def as_field(x):
    """The same cells as a field of a structured array: rows are an odd number of bytes apart."""
    whole = np.zeros(x.shape, [("before", np.int8), ("value", x.dtype), ("after", np.int16)])
    whole["value"] = x
    return whole["value"]


def as_read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def in_every_second(x):
    larger = np.zeros((2 * x.shape[0], 3 * x.shape[1]), x.dtype)
    larger[::2, ::3] = x
    return larger[::2, ::3]


LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "strided": in_every_second,
    "backwards": lambda x: np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
    "field": as_field,
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "little-endian": lambda x: x.astype(x.dtype.newbyteorder("<")),
    "read-only": as_read_only,
    "matrix": lambda x: x.view(np.matrix),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_are_the_cells_whatever_the_type_and_layout(dtype, layout):
    cells = (
        [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]]
        if dtype is np.bool
        else [[i * 3 + j for j in range(3)] for i in range(4)]
    )
    x = LAYOUTS[layout](np.array(cells, dtype))
    assert numbers(x).tolist() == cells


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_codes_are_those_of_a_loop_whatever_the_type_and_layout(dtype, layout):
    cells = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]]
    x = LAYOUTS[layout](np.array(cells, dtype))
    codes, labels = codes_of(x)
    for j in range(3):
        assert (codes[j], labels[j]) == dict_codes([row[j] for row in cells])


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_is_a_missing_cell(dtype):
    x = np.array([[1, np.nan], [np.nan, 2]], dtype)
    cells = numbers(x)
    assert np.isnan(cells).tolist() == [[False, True], [True, False]]
    assert codes_of(x) == ([[0, -1], [-1, 0]], [[1.0], [2.0]])


def test_cells_of_a_memory_map(tmp_path):
    cells = np.arange(12.0).reshape(4, 3)
    cells.tofile(tmp_path / "cells")
    mapped = np.memmap(tmp_path / "cells", np.float64, "r", shape=(4, 3))
    assert np.array_equal(numbers(mapped), cells)
    assert np.shares_memory(numbers(mapped), mapped)


def test_a_row_repeated_by_broadcasting():
    x = np.broadcast_to(np.array([1.0, 2.0]), (3, 2))
    assert numbers(x).tolist() == [[1.0, 2.0]] * 3
    assert codes_of(x) == ([[0, 0, 0], [0, 0, 0]], [[1.0], [2.0]])


@pytest.mark.parametrize(
    ("dtype", "kind"), [*((d, "float") for d in FLOATS), *((d, "int") for d in INTEGERS), (np.bool, "bool")]
)
def test_kind_follows_from_the_type(dtype, kind):
    table = read(np.zeros((2, 3), dtype))
    assert table.kinds == (kind,) * 3
    assert list(table.names) == [0, 1, 2]
    assert table.rows == 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.uint64, np.bool])
@pytest.mark.parametrize("columns", [[0, 1, 2, 3, 4], [1], [0, 2, 4], [1, 2, 3]])
def test_evenly_spaced_columns_are_not_copied(dtype, columns):
    x = np.ones((6, 5), dtype)
    part = numbers(x, columns=columns, rows=slice(2, 5))
    assert np.shares_memory(part, x)
    assert part.shape == (3, len(columns))


@pytest.mark.parametrize("columns", [[0, 1, 3], [4, 0], [3, 2, 1], [2, 2]])
def test_columns_in_any_order(columns):
    x = np.arange(20).reshape(4, 5)
    expected = [[x[i, j] for j in columns] for i in range(1, 3)]
    assert numbers(x, columns=columns, rows=slice(1, 3)).tolist() == expected


def test_codes_of_some_columns_and_rows():
    x = np.array([[5, 7], [5, 8], [6, 8], [6, 7]])
    codes, labels = read(x).categories([1], slice(1, 4), None)
    assert codes.tolist() == [[0], [0], [1]]
    assert [of_column.tolist() for of_column in labels] == [[8, 7]]


def test_labels_are_whole_where_the_column_is():
    assert read(np.array([[True], [False]])).categories([0], ALL, None)[1][0].dtype == np.bool
    assert read(np.array([[1], [2]], np.uint8)).categories([0], ALL, None)[1][0].dtype == np.int64
    assert read(np.array([[1.0], [2.0]], np.float32)).categories([0], ALL, None)[1][0].dtype == np.float64


cells_of = {
    "float64": hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=12),
        elements=st.sampled_from(
            [0.0, -0.0, 1.0, 1.5, 255.0, 256.0, -1.0, 1e300, math.inf, -math.inf, math.nan, 5e-324]
        ),
    ),
    "int64": hnp.arrays(
        np.int64,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=12),
        elements=st.sampled_from([0, 1, -1, 255, 256, 257, 2**53, 2**53 + 1, 2**60, 2**60 + 1, -(2**63), 2**63 - 1]),
    ),
    "uint8": hnp.arrays(np.uint8, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12)),
    "bool": hnp.arrays(np.bool, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12)),
}


@pytest.mark.parametrize("kind", cells_of)
@given(data=st.data())
def test_codes_of_any_numbers_are_those_of_a_dict(kind, data):
    x = data.draw(cells_of[kind])
    codes, labels = codes_of(x)
    for j in range(x.shape[1]):
        assert (codes[j], labels[j]) == dict_codes(x[:, j].tolist())


@pytest.mark.parametrize("kind", cells_of)
@given(data=st.data())
def test_codes_among_known_labels_are_those_of_a_dict(kind, data):
    x = data.draw(cells_of[kind])
    known = [np.unique(x[: len(x) // 2, j][x[: len(x) // 2, j] == x[: len(x) // 2, j]]) for j in range(x.shape[1])]
    known = [labels.astype(np.float64 if x.dtype.kind == "f" else np.int64) for labels in known]
    codes, _ = codes_of(x, known)
    for j in range(x.shape[1]):
        assert codes[j] == dict_codes(x[:, j].tolist(), known[j].tolist())[0]


def test_uint64_beyond_int64_is_a_label_like_any_other():
    codes, labels = codes_of(np.array([[2**64 - 1], [1], [2**63], [2**64 - 1]], np.uint64))
    assert codes == [[0, 1, 2, 0]]
    assert labels == [[2**64 - 1, 1, 2**63]]


def test_many_labels():
    column = np.random.default_rng(0).integers(0, 50_000, 100_000)
    codes, labels = codes_of(column[:, None])
    assert (codes[0], labels[0]) == dict_codes(column.tolist())


def test_whole_numbers_among_known_floats():
    assert codes_of(np.array([[1], [2], [3]]), [np.array([1.0, 2.5, 3.0])])[0] == [[0, 3, 2]]


def test_floats_among_known_whole_numbers():
    assert codes_of(np.array([[1.0], [2.5], [np.nan]]), [np.array([1, 2])])[0] == [[0, 2, -1]]


def test_numbers_where_text_was_learned():
    with pytest.raises(ValueError, match=r"^column 1 was learned as text, such as 'a', and now holds numbers$"):
        codes_of(np.array([[1, 2]]), [np.array([1]), np.array(["a"], object)])


def test_numbers_where_text_was_learned_that_was_missing_throughout():
    codes, labels = codes_of(np.array([[np.nan]]), [np.array([], object)])
    assert (codes, labels) == ([[-1]], [[]])


@pytest.mark.parametrize("dtype", [*FLOATS, np.int16, np.int32, np.int64])
@pytest.mark.parametrize("sentinel", [-999, -999.0, np.int64(-999), np.float64(-999), np.float32(-999)])
def test_sentinel_is_a_missing_cell(dtype, sentinel):
    x = np.array([[1, -999], [-999, 2]], dtype)
    assert np.isnan(numbers(x, sentinel)).tolist() == [[False, True], [True, False]]
    assert codes_of(x, missing=sentinel) == ([[0, -1], [-1, 0]], [[1], [2]])


def test_nan_stays_missing_beside_a_sentinel():
    assert np.isnan(numbers(np.array([[np.nan, -999.0, 1.0]]), -999)).tolist() == [[True, True, False]]


@pytest.mark.parametrize("sentinel", [None, np.nan, "?"])
def test_a_sentinel_that_no_number_equals(sentinel):
    x = np.array([[1.0, -999.0]])
    assert np.shares_memory(numbers(x, sentinel), x)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.bool])
def test_a_sentinel_that_the_type_cannot_hold(dtype):
    assert numbers(np.array([[1, 0]], dtype), -999).tolist() == [[1, 0]]


def test_a_sentinel_beside_large_whole_numbers_keeps_them_apart():
    assert codes_of(np.array([[2**60], [2**60 + 1], [-999]]), missing=-999) == ([[0, 1, -1]], [[2**60, 2**60 + 1]])


def test_the_array_stays_as_it_was():
    x = np.array([[1.0, -999.0], [np.nan, 2.0]])
    before = x.copy()
    table = read(x, -999)
    table.numbers([0, 1], ALL)
    table.categories([0, 1], ALL, None)
    assert np.array_equal(x, before, equal_nan=True)


def test_every_so_many_rows():
    table = read(np.arange(14).reshape(7, 2), missing=4).every(3)
    assert isinstance(table, ArrayTable)
    assert table.rows == 3
    assert np.array_equal(table.numbers([0, 1], ALL), [[0, 1], [6, 7], [12, 13]])
    assert np.isnan(read(np.arange(14).reshape(7, 2), missing=6).every(3).numbers([0], ALL)[1, 0])


def test_no_rows():
    table = read(np.zeros((0, 2)))
    codes, labels = table.categories([0, 1], ALL, None)
    assert table.numbers([0, 1], ALL).shape == (0, 2)
    assert codes.shape == (0, 2)
    assert [of_column.tolist() for of_column in labels] == [[], []]


def test_row_bytes_count_a_row():
    assert read(np.zeros((4, 6), np.float32)).row_bytes == 24


def test_some_rows_in_an_order():
    table = read(np.array([[1.0, 2.0], [-9.0, 4.0], [5.0, 6.0]]), missing=-9).take(np.array([2, 1, 1]))
    assert np.array_equal(table.numbers([0, 1], slice(None)), [[5, 6], [np.nan, 4], [np.nan, 4]], equal_nan=True)
