"""scipy's sparse matrices and arrays, against their dense cells."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from likely.data import read
from likely.data.sparse import SparseTable

ALL = slice(None)
CELLS = np.array([[0, 3, 0, 1], [0, 0, 0, 0], [2, 0, 1, 0], [0, 3, 0, 0], [5, 0, 0, 7]])
FORMATS = [
    sp.csr_array,
    sp.csc_array,
    sp.coo_array,
    sp.lil_array,
    sp.dok_array,
    sp.bsr_array,
    sp.csr_matrix,
    sp.csc_matrix,
    sp.coo_matrix,
]
DTYPES = [np.float32, np.float64, np.int8, np.int32, np.int64, np.uint8, np.uint16, np.bool]


def dense_of(csr):
    """The cells of a slice of rows in CSR form, by a loop over what is stored."""
    cells = np.zeros(csr.shape)
    for i in range(csr.shape[0]):
        for k in range(csr.indptr[i], csr.indptr[i + 1]):
            cells[i, csr.indices[k]] += csr.data[k]
    return cells


def with_duplicates_out_of_order(dtype=np.float64, index=np.int32):
    """[[3, 1], [0, 7]]: row 0 backwards, row 1 in two parts."""
    data = np.array([1, 3, 3, 4], dtype)
    indices, indptr = np.array([1, 0, 1, 1], index), np.array([0, 2, 4], index)
    return sp.csr_array((data, indices, indptr), shape=(2, 2))


@pytest.mark.parametrize("format_", FORMATS)
def test_cells_in_every_format(format_):
    table = read(format_(CELLS))
    assert isinstance(table, SparseTable)
    assert table.rows == 5
    assert list(table.names) == [0, 1, 2, 3]
    assert table.kinds == ("sparse",) * 4
    assert np.array_equal(table.numbers(range(4), ALL), CELLS)
    assert np.array_equal(dense_of(table.numbers(range(4), ALL, sparse=True)), CELLS)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_cells_of_every_type(dtype, index):
    matrix = sp.csr_array(CELLS.astype(dtype))
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    table = read(matrix)
    part = table.numbers(range(4), slice(1, 4), sparse=True)
    assert part.dtype == dtype
    assert part.indices.dtype == part.indptr.dtype == index
    assert np.array_equal(dense_of(part), CELLS[1:4].astype(dtype).astype(float))


@pytest.mark.parametrize("rows", [slice(0, 0), slice(0, 1), slice(1, 2), slice(2, 5), slice(5, 5), ALL])
@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [1], [3, 0], [0, 2]])
def test_some_rows_and_columns(rows, columns):
    table = read(sp.csr_array(CELLS))
    expected = CELLS[rows][:, columns]
    assert np.array_equal(table.numbers(columns, rows), expected)
    assert np.array_equal(dense_of(table.numbers(columns, rows, sparse=True)), expected)


def test_a_slice_of_rows_is_not_copied():
    matrix = sp.csr_array(CELLS.astype(float))
    part = read(matrix).numbers(range(4), slice(2, 5), sparse=True)
    assert np.shares_memory(part.data, matrix.data)
    assert np.shares_memory(part.indices, matrix.indices)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_duplicates_are_summed(index):
    table = read(with_duplicates_out_of_order(index=index))
    assert np.array_equal(table.numbers([0, 1], ALL), [[3, 1], [0, 7]])
    part = table.numbers([0, 1], ALL, sparse=True)
    assert part.indices.tolist() == [0, 1, 1]
    assert part.data.tolist() == [3, 1, 7]


def test_duplicates_in_coordinates_are_summed():
    matrix = sp.coo_matrix(([1, 2, 4], ([0, 1, 0], [1, 0, 1])), shape=(2, 2))
    assert read(matrix).numbers([0, 1], ALL).tolist() == [[0, 5], [2, 0]]


def test_a_matrix_out_of_order_stays_as_it_was():
    matrix = with_duplicates_out_of_order()
    read(matrix)
    assert matrix.data.tolist() == [1, 3, 3, 4]
    assert matrix.indices.tolist() == [1, 0, 1, 1]
    assert matrix.indptr.tolist() == [0, 2, 4]


def test_arrays_that_a_matrix_was_made_of_stay_as_they_were():
    everything = np.array([9.0, 1.0, 3.0, 3.0, 4.0])
    indices, indptr = np.array([1, 0, 1, 1], np.int32), np.array([0, 2, 4], np.int32)
    table = read(sp.csr_matrix((everything[1:], indices, indptr), shape=(2, 2)))
    assert table.numbers([0, 1], ALL).tolist() == [[3, 1], [0, 7]]
    assert everything.tolist() == [9, 1, 3, 3, 4]
    assert indices.tolist() == [1, 0, 1, 1]


def test_read_only_arrays_out_of_order():
    data, indices, indptr = np.array([1.0, 3.0]), np.array([1, 0], np.int32), np.array([0, 2], np.int32)
    for array in (data, indices, indptr):
        array.flags.writeable = False
    assert read(sp.csr_array((data, indices, indptr), shape=(1, 2))).numbers([0, 1], ALL).tolist() == [[3, 1]]


def test_a_memory_map(tmp_path):
    matrix = sp.csr_array(CELLS.astype(float))
    matrix.data.tofile(tmp_path / "data")
    mapped = np.memmap(tmp_path / "data", np.float64, "r")
    table = read(sp.csr_array((mapped, matrix.indices, matrix.indptr), shape=CELLS.shape))
    assert np.array_equal(table.numbers(range(4), ALL), CELLS)


def test_zeros_that_are_stored():
    matrix = sp.csr_array(([0.0, 2.0], [0, 1], [0, 2]), shape=(1, 2))
    assert read(matrix).numbers([0, 1], ALL).tolist() == [[0, 2]]


@given(
    hnp.arrays(
        np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.sampled_from([0, 0, 0, 1, 4])
    ),
    st.booleans(),
)
def test_codes_are_those_of_a_dict(cells, whole):
    x = cells if whole else cells / 2
    codes, labels = read(sp.csr_array(x)).categories(range(x.shape[1]), ALL, None)
    for j in range(x.shape[1]):
        places = {}
        assert codes[:, j].tolist() == [places.setdefault(cell, len(places)) for cell in x[:, j].tolist()]
        assert labels[j].tolist() == list(places)
        assert labels[j].dtype == (np.int64 if whole else np.float64)


def test_codes_among_known():
    codes, labels = read(sp.csr_array(CELLS)).categories([1], ALL, [np.array([3])])
    assert codes[:, 0].tolist() == [0, 1, 1, 0, 1]
    assert labels[0].tolist() == [3]


def test_every_so_many_rows():
    table = read(sp.csr_array(CELLS)).every(2)
    assert isinstance(table, SparseTable)
    assert np.array_equal(table.numbers(range(4), ALL), CELLS[::2])


def test_no_rows():
    table = read(sp.csr_array((0, 3)))
    assert table.rows == 0
    assert table.numbers([0, 1, 2], ALL).shape == (0, 3)
    assert dense_of(table.numbers([0, 1, 2], ALL, sparse=True)).shape == (0, 3)


def test_a_type_that_kernels_do_not_know_becomes_float64():
    part = read(sp.csr_array(CELLS.astype(np.longdouble))).numbers(range(4), ALL, sparse=True)
    assert part.data.dtype == np.float64
    assert np.array_equal(dense_of(part), CELLS)


def test_some_rows_in_an_order():
    table = read(sp.csr_array(CELLS)).take(np.array([2, 0, 0]))
    assert np.array_equal(table.numbers(range(4), ALL), CELLS[[2, 0, 0]])
