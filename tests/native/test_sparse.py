"""Totals and scores of sparse matrices."""

import math

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import CLASSES, DTYPES, call, codes_for, good, weights_for


def sparse(seed, rows, columns, dtype, index):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 2 if dtype == "?" else 9, (rows, columns)) * (rng.random((rows, columns)) < 0.4)
    matrix = scipy.sparse.csr_array(dense.astype(dtype))
    return dense, (matrix.indptr.astype(index), matrix.indices.astype(index), matrix.data)


sparse_problems = st.tuples(
    st.integers(0, 2**32),
    st.sampled_from([0, 1, 2, 17, 40]),
    st.sampled_from([1, 3, 30]),
    st.sampled_from(DTYPES),
    st.sampled_from(["i4", "i8"]),
    st.integers(1, 40),
    st.booleans(),
)


@given(sparse_problems)
def test_csr_totals(problem):
    seed, rows, columns, dtype, index, classes, weighted = problem
    dense, csr = sparse(seed, rows, columns, dtype, index)
    y, weight = codes_for(seed, rows, classes), weights_for(seed, rows) if weighted else None
    total = np.zeros((classes, columns))
    assert _native.csr_totals(*csr, y, weight, _native.COUNT, total) == -1
    w = np.ones(rows) if weight is None else weight
    expected = [
        [math.fsum(w[i] * dense[i, j] for i in range(rows) if y[i] == k) for j in range(columns)]
        for k in range(classes)
    ]
    assert np.array_equal(total, np.reshape(expected, (classes, columns)))


def test_csr_totals_of_a_slice_of_a_longer_matrix():
    total = np.zeros((1, 2))
    indptr, indices, values = (
        np.array([1, 2, 3], np.int32),
        np.array([0, 1, 0, 1], np.int32),
        np.array([9.0, 1.0, 2.0, 9.0]),
    )
    assert _native.csr_totals(indptr, indices, values, np.zeros(2, np.int32), None, _native.COUNT, total) == -1
    assert total.tolist() == [[2, 1]]


@given(sparse_problems)
def test_csr_scores(problem):
    seed, rows, columns, dtype, index, classes, impossible = problem
    dense, csr = sparse(seed, rows, columns, dtype, index)
    weights = np.random.default_rng(seed).normal(size=(columns, classes))
    if impossible:
        weights[0, 0] = -np.inf
    out = np.ones((rows, classes))
    _native.csr_scores(*csr, _native.NON_NEGATIVE, weights, out)
    terms = np.where(dense[:, :, None] == 0, 0.0, np.maximum(dense, 1)[:, :, None] * weights)
    assert_allclose(out, 1 + terms.sum(axis=1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("classes", CLASSES)
def test_csr_scores_of_every_number_of_classes(classes):
    dense, csr = sparse(classes, 6, 40, "f8", "i4")
    weights = np.random.default_rng(0).normal(size=(40, classes))
    out = np.zeros((6, classes))
    _native.csr_scores(*csr, _native.NON_NEGATIVE, weights, out)
    assert_allclose(out, dense @ weights, rtol=1e-12, atol=1e-12)


def test_a_zero_that_is_stored_adds_nothing():
    out = np.zeros((1, 1))
    csr = np.array([0, 1], np.int32), np.array([0], np.int32), np.array([0.0])
    _native.csr_scores(*csr, _native.NON_NEGATIVE, np.array([[-np.inf]]), out)
    assert out[0, 0] == 0


@pytest.mark.parametrize("value", [np.inf, -np.inf, -1.0, np.nan])
def test_the_first_stored_value_that_is_not_allowed(value):
    values = np.array([1.0, 1.0, value, value, 1.0])
    indptr, indices = np.array([0, 1, 3, 5], np.int32), np.array([0, 0, 1, 0, 1], np.int32)
    y = np.array([0, 1, 0], np.int32)
    total = np.zeros((2, 2))
    assert _native.csr_totals(indptr, indices, values, y, None, _native.NON_NEGATIVE, total) == 2


@pytest.mark.parametrize("name", ["csr_totals", "csr_scores"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize(
    "indptr",
    [[0, 2, 1], [0, 1, 3], [0, 1, 2**31 - 1], [-1, 1, 2], [2, 1, 2], [0, -1, 2], [0, 2], [0, 1, 2, 2], [0], []],
)
def test_rows_of_a_sparse_matrix_that_do_not_fit(name, index, indptr):
    arguments = good()[name]
    arguments[:2] = np.array(indptr, index), arguments[1].astype(index)
    with pytest.raises(ValueError, match=r"^the sparse matrix is not well formed$"):
        getattr(_native, name)(*arguments)


@pytest.mark.parametrize("name", ["csr_totals", "csr_scores"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("column", [-1, 3, 2**31 - 1, -(2**31)])
def test_columns_of_a_sparse_matrix_out_of_range(name, index, column):
    arguments = good()[name]
    arguments[:2] = arguments[0].astype(index), np.array([0, column], index)
    with pytest.raises(ValueError, match=r"^a column index of the sparse matrix is out of range$"):
        getattr(_native, name)(*arguments)


@pytest.mark.parametrize("name", ["csr_totals", "csr_scores"])
def test_columns_of_a_sparse_matrix_are_not_cut_to_32_bits(name):
    with pytest.raises((ValueError, TypeError)):
        call(name, 1, np.array([0, 2**32 + 1]))


@pytest.mark.parametrize("name", ["csr_totals", "csr_scores"])
def test_values_of_a_sparse_matrix_without_a_column(name):
    for length in (0, 1, 3):
        with pytest.raises(ValueError, match=r"^the sparse matrix is not well formed$"):
            call(name, 2, np.ones(length))
