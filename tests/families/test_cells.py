"""Cells of a block, dense or sparse."""

import numpy as np
import pytest
from scipy import sparse

from likely.data.sparse import Csr
from likely.families.cells import BadCell, check, dense, log_share, ratio, stored, taken, terms, without


def test_a_bad_cell_knows_its_place():
    error = BadCell("Poisson needs counts of 0 or more", 3, 1, -1.5)
    assert str(error) == "Poisson needs counts of 0 or more; column 1, row 3, has -1.5"
    assert (error.row, error.column, error.value) == (3, 1, -1.5)


def test_a_position_in_a_dense_block_is_a_row_and_a_column():
    with pytest.raises(BadCell) as caught:
        check(5, np.arange(6.0).reshape(3, 2), "")
    assert (caught.value.row, caught.value.column, caught.value.value) == (2, 1, 5.0)


def test_a_position_in_a_sparse_block_is_that_of_a_stored_value():
    """Rows without any are passed over."""
    block = sparse.csr_array(np.array([[0, 1.0, 0], [0, 0, 0], [2.0, 0, 3.0]]))
    for position, place in enumerate([(0, 1, 1.0), (2, 0, 2.0), (2, 2, 3.0)]):
        with pytest.raises(BadCell) as caught:
            check(position, block, "")
        assert (caught.value.row, caught.value.column, caught.value.value) == place


def test_no_position_is_no_error():
    assert check(-1, np.zeros((1, 1)), "") is None


def test_the_log_of_no_share_is_minus_infinity():
    """Also of nothing at all, and without a warning."""
    np.testing.assert_array_equal(
        log_share(np.array([0.0, 0.0, 2.0]), np.array([3.0, 0.0, 2.0])), [-np.inf, -np.inf, 0]
    )


def test_what_is_absent_or_missing_adds_nothing_to_a_sum():
    found = terms(np.array([0.0, np.nan, 2.0, 1.0]), np.array([-np.inf, 1.0, -3.0, -np.inf]))
    np.testing.assert_array_equal(found, [0.0, 0.0, -6.0, -np.inf])


SPARSE = sparse.csr_array(np.array([[0, 1.0, 0], [0, 0, 0], [2.0, 0, 3.0]]))


@pytest.mark.parametrize(
    "cells", [SPARSE, Csr(SPARSE.indptr, SPARSE.indices, SPARSE.data, SPARSE.shape)], ids=["scipy", "ours"]
)
def test_sparse_cells_made_dense_stored_and_taken(cells):
    np.testing.assert_array_equal(dense(cells), SPARSE.toarray())
    row, value = stored(cells)
    assert (row.tolist(), value.tolist()) == ([0, 2, 2], [1.0, 2.0, 3.0])
    rows = np.array([2, 0, 2, 1])
    np.testing.assert_array_equal(dense(taken(cells, rows)), SPARSE.toarray()[rows])


def test_what_rounding_leaves_of_a_sum_is_nothing():
    assert without(np.array([0.1 + 0.2, 3.0, 1.0]), np.array([0.3, 1.0, 2.0])).tolist() == [0.0, 2.0, 0.0]


def test_a_ratio_of_nothing_is_what_is_said():
    assert ratio(np.array([1.0, 0.0, 4.0]), np.array([2.0, 0.0, 0.0])).tolist() == [0.5, 0.0, 0.0]
    assert ratio(np.array([0.0]), np.array([0.0]), 0.5).tolist() == [0.5]
