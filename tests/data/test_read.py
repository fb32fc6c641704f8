"""What may be given as a table, and the sentences for what may not."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from likely.data import read
from likely.data.array import ArrayTable
from likely.data.arrow import ArrowTable
from likely.data.sparse import SparseTable

ALL = slice(None)


def refused(x, error, sentence, missing=None):
    """That reading raises this error, with exactly this sentence."""
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        read(x, missing)


def cells(x, missing=None):
    """Every cell, text as text, missing ones as None."""
    table = read(x, missing)
    columns = []
    for j, kind in enumerate(table.kinds):
        if kind == "category":
            codes, (labels,) = table.categories([j], ALL, None)
            columns.append([None if code < 0 else labels[code] for code in codes[:, 0]])
        else:
            columns.append([None if v != v else v for v in table.numbers([j], ALL)[:, 0].tolist()])
    return [list(row) for row in zip(*columns, strict=True)]


class OnlyStream:
    """An object with nothing but __arrow_c_stream__."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class OnlyArray:
    """An object with nothing but __array__."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype)


@pytest.mark.parametrize(
    ("x", "kind"),
    [
        (np.zeros((1, 2)), ArrayTable),
        ([[1, 2]], ArrayTable),
        (((1.0, 2.0),), ArrayTable),
        (OnlyArray([[1, 2]]), ArrayTable),
        (np.array([[1, 2]], object), ArrowTable),
        (scipy.sparse.csr_matrix([[1, 0]]), SparseTable),
        (scipy.sparse.coo_array(np.eye(2)), SparseTable),
        (pd.DataFrame({"a": [1]}), ArrayTable),
        (pd.DataFrame({"a": [1], "b": ["x"]}), ArrowTable),
        (pl.DataFrame({"a": [1]}), ArrowTable),
        (pa.table({"a": [1]}), ArrowTable),
        (OnlyStream(pa.table({"a": [1]})), ArrowTable),
        (np.array([["x", 1]], object), ArrowTable),
        ([["x", 1]], ArrowTable),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_read_as_what(x, kind):
    assert type(read(x)) is kind


# Rows and objects


def test_a_list_of_mixed_rows():
    assert cells([["x", 1, 2.5], ["y", 2, None]]) == [["x", 1, 2.5], ["y", 2, None]]
    assert read([["x", 1, True], ["y", 2, False]]).kinds == ("category", "int", "bool")


def test_a_list_of_rows_of_text_stays_text():
    assert cells([["1", "x"], ["2", "y"]]) == [["1", "x"], ["2", "y"]]


def test_a_hole_in_a_list_of_text():
    assert cells([["x"], [None], ["y"]]) == [["x"], [None], ["y"]]
    assert cells([["x"], [float("nan")], ["y"]]) == [["x"], [None], ["y"]]


def test_a_hole_in_a_list_of_numbers():
    assert cells([[1, None], [2.5, 3]]) == [[1, None], [2.5, 3]]


def test_text_in_an_array_of_fixed_width():
    assert cells(np.array([["x", "long enough"], ["y", ""]])) == [["x", "long enough"], ["y", ""]]


def test_text_of_variable_width():
    assert cells(np.array([["x", "é"], ["y", ""]], np.dtypes.StringDType())) == [["x", "é"], ["y", ""]]


def test_bytes_are_read_as_text():
    assert cells(np.array([[b"x"], [b"y"]])) == [["x"], ["y"]]


def test_an_object_array_of_numbers_is_of_numbers():
    assert cells(np.array([[1, 2.5], [np.float32(0.5), np.int8(3)]], object)) == [[1, 2.5], [0.5, 3]]


def test_text_that_looks_like_numbers_is_text():
    table = read(np.array([["1", "2"], ["3", "4"]], object))
    assert table.kinds == ("category", "category")


def test_columns_of_an_object_array_are_of_their_own_kinds():
    x = np.array([["x", 1, 1.5, True], [None, 2, None, False]], object)
    assert read(x).kinds == ("category", "int", "float", "bool")
    assert cells(x) == [["x", 1, 1.5, True], [None, 2, None, False]]


@pytest.mark.parametrize("hole", [None, np.nan, pd.NA, pd.NaT])
def test_holes_of_every_kind_in_an_object_array(hole):
    x = np.array([["x", 1.5], [hole, hole]], object)
    assert cells(x) == [["x", 1.5], [None, None]]


def test_dates_of_numpy():
    x = np.array([["2020-01-01"], ["1970-01-02"]], "datetime64[D]")
    assert cells(x) == [[18262], [1]]


def test_an_object_array_of_nothing_but_holes():
    assert cells(np.array([[None], [None]], object)) == [[None], [None]]


# Sentinels


def test_a_sentinel_of_text():
    assert cells([["?", 1], ["x", 2]], "?") == [[None, 1], ["x", 2]]
    assert cells(pd.DataFrame({"a": ["?", "x"], "b": [1, 2]}), "?") == [[None, 1], ["x", 2]]


def test_a_sentinel_of_text_among_numbers():
    assert cells(pd.DataFrame({"a": pd.Series([1.5, "?", 2.5], dtype=object)}), "?") == [[1.5], [None], [2.5]]
    assert cells(np.array([[1, 2], ["?", 3]], object), "?") == [[1, 2], [None, 3]]
    assert cells([[1, 2], ["?", 3]], "?") == [[1, 2], [None, 3]]


def test_a_sentinel_of_a_number_in_a_mixed_table():
    assert cells([["x", 1, -999.0], ["y", -999, 2.5]], -999) == [["x", 1, None], ["y", None, 2.5]]


def test_a_sentinel_of_a_number_leaves_text_alone():
    assert cells([["-999", -999]], -999) == [["-999", None]]


# Refused


SHAPE = (
    "Expected 2D array, got {}D array instead: a table has rows and columns. Reshape your data either using "
    "array.reshape(-1, 1) if it has a single column or array.reshape(1, -1) if it is a single row."
)


@pytest.mark.parametrize("dimensions", [0, 1, 3, 4])
@pytest.mark.parametrize("dtype", [float, object, str, bool])
def test_arrays_that_are_not_of_two_dimensions(dimensions, dtype):
    """But for texts, which are a table of one column."""
    if dtype is str and dimensions == 1:
        return
    refused(np.zeros((2,) * dimensions, dtype), ValueError, SHAPE.format(dimensions))


def test_lists_that_are_not_of_two_dimensions():
    refused([1, 2], ValueError, SHAPE.format(1))
    refused([], ValueError, SHAPE.format(1))
    refused([[[1]]], ValueError, SHAPE.format(3))


@pytest.mark.parametrize("x", [pd.Series([1, 2]), pl.Series([1, 2]), pa.chunked_array([[1, 2]]), pa.array([1, 2])])
def test_a_single_column_is_no_table(x):
    refused(x, ValueError, SHAPE.format(1))


def test_a_list_of_texts_with_something_else_in_it():
    refused(["a", 1], TypeError, "row 1 has 1, which is no text, as the others are")


@pytest.mark.parametrize("dtype", [complex, np.complex64])
def test_complex_numbers(dtype):
    sentence = "Complex data not supported: columns must be real numbers or text"
    refused(np.ones((2, 2), dtype), ValueError, sentence)
    refused([[1j, 2]], ValueError, sentence)


def test_a_complex_number_among_objects():
    x = np.array([[1, 2], [3, 1j]], object)
    sentence = "column 1, row 1, has 1j: argument must be a string or a real number, not 'complex'"
    refused(x, TypeError, sentence)


@pytest.mark.parametrize("x", [None, 3, "text", {"a": [1]}, (row for row in [[1]]), pl.LazyFrame({"a": [1]}), object])
def test_what_is_no_table(x):
    refused(
        x,
        TypeError,
        "a table is needed (numpy, scipy.sparse, pandas, polars, pyarrow, or a list of rows), not " + type(x).__name__,
    )


def test_rows_of_different_lengths():
    refused([[1, 2], [3, 4], [5]], ValueError, "rows differ in length: row 0 has 2 cells, row 2 has 1")
    refused([[1, 2], 3], ValueError, "rows differ in length: row 0 has 2 cells, row 1 has 0")


def test_a_cell_that_is_a_list():
    with pytest.raises((TypeError, ValueError), match=r"(row 0.*column 1|column 1.*row 0).*\[2, 3\]"):
        read([[1, [2, 3]], [4, 5]])


def test_text_and_numbers_in_one_column():
    sentence = "column 'a' mixes types: it has 1, and in row 2 'x'"
    refused(pd.DataFrame({"a": [1, None, "x"]}, dtype=object), TypeError, sentence)
    refused(pd.DataFrame({"a": ["x", "y", 3]}), TypeError, "column 'a' mixes types: it has 'x', and in row 2 3")
    refused([[1, 2], ["a", 3]], TypeError, "column 0 mixes types: it has 1, and in row 1 'a'")
    refused(np.array([[1, 2], ["a", 3]], object), TypeError, "column 0 mixes types: it has 1, and in row 1 'a'")


def test_text_and_numbers_in_one_column_with_a_hole_of_pandas():
    frame = pd.DataFrame({"a": pd.Series([1, pd.NA, "x"], dtype=object)})
    refused(frame, TypeError, "column 'a' mixes types: it has 1, and in row 2 'x'")


def test_text_and_truth_in_one_column():
    frame = pd.DataFrame({"a": pd.Series([True, "x"], dtype=object)})
    refused(frame, TypeError, "column 'a' mixes types: it has True, and in row 1 'x'")


def test_numbers_and_truth_in_one_column_are_read_or_named():
    frame = pd.DataFrame({"a": pd.Series([2, True], dtype=object)})
    try:
        assert cells(frame) == [[2], [1]]
    except TypeError as error:
        assert "column 'a'" in str(error)  # noqa: PT017 - either is right, but not silence about where
        assert "row 1" in str(error)  # noqa: PT017


def test_a_number_too_large_for_a_whole_number_of_64_bits():
    frame = pd.DataFrame({"a": pd.Series([1, 2**70], dtype=object)})
    try:
        assert cells(frame) == [[1], [2**70]]
    except (TypeError, ValueError) as error:
        assert "column 'a'" in str(error)  # noqa: PT017


def test_a_cell_that_is_an_array():
    frame = pd.DataFrame({"a": [np.array([1, 2]), "x"]})
    with pytest.raises(TypeError, match=r"^column 'a', row 0, has "):
        read(frame)


def test_a_cell_that_is_an_object():
    frame = pd.DataFrame({"a": pd.Series(["x", pd.Timestamp(0)], dtype=object)})
    refused(
        frame,
        TypeError,
        "column 'a', row 1, has Timestamp('1970-01-01 00:00:00'): argument must be a string or a real number, not "
        "'Timestamp'",
    )


def test_text_that_is_no_unicode():
    with pytest.raises((TypeError, ValueError), match=r"column 'a'"):
        read(pd.DataFrame({"a": pd.Series(["x", "\udc80"], dtype=object)}))


def test_names_that_occur_twice():
    sentence = "column names must differ, but 'a' occurs 2 times"
    refused(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]), ValueError, sentence)
    refused(pa.table([[1], [2], [3]], names=["a", "b", "a"]), ValueError, sentence)
    refused(OnlyStream(pa.table([[1], [2]], names=["a", "a"])), ValueError, sentence)


def test_sparse_arrays_that_are_not_of_two_dimensions():
    sentence = "Expected 2D array, got 1D sparse array instead. Reshape your data."
    refused(scipy.sparse.coo_array([1, 0, 2]), ValueError, sentence)


def test_sparse_complex_numbers():
    x = scipy.sparse.csr_array(np.array([[1j]]))
    refused(x, ValueError, "Complex data not supported: columns must be real numbers")


def test_a_frame_without_columns():
    assert len(read(pd.DataFrame(index=[1, 2])).names) == 0
    assert len(read(np.zeros((2, 0))).names) == 0


def frames_of_one_array():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, (9, 3)).astype(float)
    x[2, 1] = x[5, 0] = np.nan
    return {
        "of an array": pd.DataFrame(x, columns=list("abc")),
        "of columns": pd.DataFrame(dict(zip("abc", x.T, strict=True))),
        "of float32": pd.DataFrame(x.astype(np.float32), columns=list("abc")),
        "of integers": pd.DataFrame(np.nan_to_num(x).astype(np.int16), columns=list("abc")),
        "of bools": pd.DataFrame(np.nan_to_num(x) > 2, columns=list("abc")),
        "a part": pd.DataFrame(np.repeat(x, 2, axis=0), columns=list("abc")).iloc[::2],
    }


@pytest.mark.parametrize("which", frames_of_one_array())
def test_a_frame_of_one_array_is_read_where_it_lies(which):
    frame = frames_of_one_array()[which]
    table = read(frame, missing=4)
    assert isinstance(table, ArrayTable)
    assert np.shares_memory(table.array, frame.iloc[:, 0].to_numpy())
    by_column = read(pa.Table.from_pandas(frame, preserve_index=False), missing=4)
    assert table.names == by_column.names
    assert table.kinds == by_column.kinds
    for rows in (slice(None), slice(2, 7)):
        assert np.array_equal(table.numbers([0, 2], rows), by_column.numbers([0, 2], rows), equal_nan=True)
        (codes, labels), (codes_, labels_) = (t.categories([0, 1, 2], rows, None) for t in (table, by_column))
        assert np.array_equal(codes, codes_)
        assert [one.tolist() for one in labels] == [one.tolist() for one in labels_]
    some = np.array([5, 0, 0, 2])
    assert table.take(some).names == table.every(2).names == table.names
    assert np.array_equal(table.take(some).missing([0, 1], ALL), by_column.take(some).missing([0, 1], ALL))


@pytest.mark.parametrize("which", [which for which in frames_of_one_array() if which != "of bools"])
def test_parts_of_both_kinds_are_joined(which):
    one, other = frames_of_one_array()[which], pa.table({"a": [1, None], "b": [2.5, 3.0], "c": [None, 4]})
    wanted = np.vstack([np.asarray(read(one).numbers([0, 1, 2], ALL), float), read(other).numbers([0, 1, 2], ALL)])
    joined, turned = read(one).joined([read(other)]), read(other).joined([read(one)])
    assert np.array_equal(joined.numbers([0, 1, 2], ALL), wanted, equal_nan=True)
    assert np.array_equal(turned.numbers([0, 1, 2], ALL), np.roll(wanted, 2, axis=0), equal_nan=True)
    assert joined.names == turned.names == ("a", "b", "c")


def test_a_frame_of_several_arrays_is_read_column_by_column():
    frame = pd.DataFrame({"a": [1.5, 2.5]})
    frame["b"] = [3.5, 4.5]
    assert isinstance(read(frame), ArrowTable)
    assert isinstance(read(frame.iloc[:, :0]), ArrowTable)
