"""The contract that all tables share: the same cells read alike wherever they come from."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from likely.data import Table, read
from likely.data.array import FEW
from likely.data.table import encode_numbers

ALL = slice(None)
CELLS = [[0, 3, 0], [1, 0, 0], [0, 3, 2], [4, 0, 0], [0, 0, 2]]


class OnlyStream:
    """An object with nothing but __arrow_c_stream__."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def named(cells):
    return {name: [row[j] for row in cells] for j, name in enumerate("abc")}


SOURCES = {
    "list": lambda cells: cells,
    "tuple": lambda cells: tuple(map(tuple, cells)),
    "int array": np.array,
    "float array": lambda cells: np.array(cells, np.float32),
    "object array": lambda cells: np.array(cells, object),
    "csr": lambda cells: scipy.sparse.csr_array(np.array(cells)),
    "csc": lambda cells: scipy.sparse.csc_matrix(np.array(cells)),
    "pandas": lambda cells: pd.DataFrame(named(cells)),
    "polars": lambda cells: pl.DataFrame(named(cells)),
    "pyarrow": lambda cells: pa.table(named(cells)),
    "batch": lambda cells: pa.record_batch(named(cells)),
    "stream": lambda cells: OnlyStream(pa.table(named(cells))),
    "reader": lambda cells: pa.table(named(cells)).to_reader(),
    "decimals": lambda cells: pd.DataFrame(named([[Decimal(cell) for cell in row] for row in cells])),
}


@pytest.fixture(params=SOURCES)
def table(request):
    return read(SOURCES[request.param](CELLS))


def test_shape(table):
    assert isinstance(table, Table)
    assert table.rows == 5
    assert len(table.names) == len(table.kinds) == 3
    assert table.row_bytes > 0


def test_names(request):
    for source in ("pandas", "polars", "pyarrow", "batch", "stream", "reader"):
        assert list(read(SOURCES[source](CELLS)).names) == ["a", "b", "c"]
    for source in ("list", "tuple", "int array", "object array", "csr"):
        assert list(read(SOURCES[source](CELLS)).names) == [0, 1, 2]


def test_numbers(table):
    assert np.asarray(table.numbers([0, 1, 2], ALL)).tolist() == CELLS
    assert np.asarray(table.numbers([2, 0], slice(1, 4))).tolist() == [[row[2], row[0]] for row in CELLS[1:4]]


def test_categories(table):
    codes, labels = table.categories([0, 1, 2], ALL, None)
    assert codes.dtype == np.int32
    assert codes.tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 1], [2, 1, 0], [0, 1, 1]]
    assert [of_column.tolist() for of_column in labels] == [[0, 1, 4], [3, 0], [0, 2]]


def test_categories_among_those_known(table):
    codes, labels = table.categories([1], slice(1, 3), [np.array([7, 0])])
    assert codes.tolist() == [[1], [2]]
    assert labels[0].tolist() == [7, 0]


def test_every_second_row(table):
    assert np.asarray(table.every(2).numbers([0, 1, 2], ALL)).tolist() == CELLS[::2]
    assert list(table.every(2).names) == list(table.names)
    assert table.every(2).kinds == table.kinds


def test_a_table_is_read_as_itself(table):
    assert read(table) is table


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, -3.0, 0.5, None]), min_size=2, max_size=2), min_size=1, max_size=9))
def test_numbers_with_holes_are_the_same_from_array_and_arrow(cells):
    as_array = read(np.array(cells, np.float64))
    as_arrow = read(pa.table({"a": [a for a, _ in cells], "b": [b for _, b in cells]}, _float_schema()))
    for rows in (ALL, slice(1, None), slice(0, len(cells) // 2)):
        x, z = as_array.numbers([0, 1], rows), as_arrow.numbers([0, 1], rows)
        assert np.array_equal(x, z, equal_nan=True)
        assert np.array_equal(as_array.categories([0, 1], rows, None)[0], as_arrow.categories([0, 1], rows, None)[0])


def _float_schema():
    return pa.schema([("a", pa.float64()), ("b", pa.float64())])


def test_encode_numbers_by_columns():
    codes, labels = encode_numbers(np.array([[1.0, 1.0], [np.nan, 2.5]]), None, None, ["a", "b"])
    assert codes.tolist() == [[0, 0], [-1, 1]]
    assert [of_column.tolist() for of_column in labels] == [[1.0], [1.0, 2.5]]


def test_encode_numbers_that_are_there():
    block, valid = np.array([[5, 5], [6, 6]]), np.array([[True, False], [True, True]])
    codes, labels = encode_numbers(block, valid, None, ["a", "b"])
    assert codes.tolist() == [[0, -1], [1, 0]]
    assert [of_column.tolist() for of_column in labels] == [[5, 6], [6]]


@pytest.mark.parametrize(
    ("dtype", "label"), [("u1", "i8"), ("i2", "i8"), ("u8", "i8"), ("?", "?"), ("f4", "f8"), ("f8", "f8")]
)
def test_labels_are_of_one_type_whatever_width_they_came_in(dtype, label):
    _, (labels,) = encode_numbers(np.array([[1], [0]], dtype), None, None, ["a"])
    assert labels.dtype == np.dtype(label)


def test_known_labels_that_the_block_cannot_hold_are_none_of_its_values():
    codes, _ = encode_numbers(np.array([[-1], [0]]), None, [np.array([2**64 - 1, 0], np.uint64)], ["a"])
    assert codes.tolist() == [[2], [1]]
    codes, _ = encode_numbers(np.array([[2**64 - 1], [0]], np.uint64), None, [np.array([-1, 0])], ["a"])
    assert codes.tolist() == [[2], [1]]


@pytest.mark.parametrize("source", SOURCES)
def test_the_lowest_number_of_each_column(source):
    """Of all columns together where only what is not 0 is stored."""
    cells = [[row[0] + 1, row[1] - 1, row[2]] for row in CELLS]
    table = read(SOURCES[source](cells))
    expected = [1, -1, 0] if "sparse" not in table.kinds else [-1, -1, -1]
    assert table.lowest([0, 1, 2]).tolist() == expected
    assert table.lowest([2, 1]).tolist() == [expected[2], expected[1]]
    most = np.max(cells, axis=0) if "sparse" not in table.kinds else [np.max(cells)] * 3
    assert table.highest([0, 1, 2]).tolist() == list(most)
    assert table.highest([2, 1]).tolist() == [most[2], most[1]]


@pytest.mark.parametrize("make", [np.array, pd.DataFrame, lambda cells: pa.table({"0": cells[:, 0], "1": cells[:, 1]})])
def test_missing_cells_are_not_the_lowest_and_of_nothing_there_is_none(make):
    cells = np.array([[np.nan, np.nan], [3.0, np.nan], [2.0, np.nan]])
    assert read(make(cells)).lowest([0, 1]).tolist() == [2.0, np.inf]
    assert read(make(cells)).highest([0, 1]).tolist() == [3.0, -np.inf]


def test_a_value_that_stands_for_missing_is_not_the_lowest():
    table = read(np.array([[-999, 5], [7, 4]]), -999)
    assert (table.lowest([0, 1]).tolist(), table.highest([0, 1]).tolist()) == ([7, 4], [7, 5])


@pytest.mark.parametrize("columns", [FEW - 1, FEW])
def test_few_columns_and_many_have_the_same_extremes(columns):
    cells = np.random.default_rng(0).integers(-9, 9, (20, columns))
    assert read(cells).lowest(range(columns)).tolist() == cells.min(axis=0).tolist()
    assert read(cells).highest(range(columns)).tolist() == cells.max(axis=0).tolist()


def test_which_cells_are_missing_whatever_they_hold():
    table = pd.DataFrame({"n": [1.0, None, 3.0], "t": ["x", "y", None], "flag": [None, True, False]})
    expected = [[False, False, True], [True, False, False], [False, True, False]]
    for made in (read(table), read(pa.Table.from_pandas(table))):
        assert made.missing([0, 1, 2], ALL).tolist() == expected
        assert made.missing([1], slice(1, 3)).tolist() == [[False], [True]]
    assert read(np.array([[-1, 2], [3, -1]]), -1).missing([0, 1], ALL).tolist() == [[True, False], [False, True]]
    assert read(["good", None]).missing([0], ALL).tolist() == [[False], [True]]


TWO = (np.array([[1.0, np.nan], [3.0, 4.0]]), np.array([[5.0, 6.0]]))


@pytest.mark.parametrize("make", [np.array, pd.DataFrame, lambda cells: pa.table({"0": cells[:, 0], "1": cells[:, 1]})])
def test_tables_are_joined_in_their_order(make):
    first, second = (read(make(cells)) for cells in TWO)
    whole = first.joined([second])
    assert whole.rows == 3
    assert whole.kinds == first.kinds
    np.testing.assert_array_equal(whole.numbers([0, 1], ALL), np.concatenate(TWO))


def test_sparse_matrices_and_texts_are_joined():
    sparse = [read(scipy.sparse.csr_array(np.nan_to_num(cells))) for cells in TWO]
    found = sparse[0].joined(sparse[1:]).numbers([0, 1], ALL)
    np.testing.assert_array_equal(found, np.nan_to_num(np.concatenate(TWO)))
    texts = read(["a b", None]).joined([read(["c"])])
    assert (texts.rows, texts.missing([0], ALL)[:, 0].tolist()) == (3, [False, True, False])


def test_a_column_that_holds_nothing_in_one_table_is_what_it_is_in_the_other():
    empty = read(pa.table({"n": pa.nulls(1), "t": pa.nulls(1), "i": [1], "e": pa.nulls(1)}))
    full = read(pa.table({"n": [1.5], "t": ["x"], "i": [2.5], "e": pa.nulls(1)}))
    for tables in ((empty, full), (full, empty)):
        whole = tables[0].joined(tables[1:])
        assert whole.kinds == ("float", "category", "float", "empty")
        assert sorted(whole.numbers([2], ALL)[:, 0].tolist()) == [1.0, 2.5]
        assert sum(whole.missing([0, 1], ALL).ravel()) == 2
