"""Sums of numbers by class, from dense and sparse cells."""

import numpy as np
import pytest
from scipy import sparse

from likely import _native
from likely.families import BadCell
from likely.families.totals import number_of, totals
from likely.statistics import Totals

from .blocks import observed

CELLS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("weight", [None, [0.5, 1.0, 2.0]], ids=["rows", "weights"])
def test_sums_and_numbers_of_each_class(layout, weight):
    seen = observed(layout(CELLS), [0, 1, 1], 3, weight)
    found, w = totals(seen, seen.cells, _native.BINARY, "needs"), np.ones(3) if weight is None else np.array(weight)
    np.testing.assert_array_equal(found.total, [w[0] * CELLS[0], w[1] * CELLS[1] + w[2] * CELLS[2], [0, 0]])
    for column in (0, 1):
        np.testing.assert_array_equal(number_of(found, column), [w[0], w[1] + w[2], 0])


def test_a_bad_cell_is_shown_as_it_was_observed():
    """Not as the number that stands for it."""
    seen = observed(np.array([[7.0], [3.0]]), [0, 0])
    with pytest.raises(BadCell, match=r"^needs; column 0, row 1, has 3\.0$"):
        totals(seen, np.array([[1.0], [0.5]]), _native.BINARY, "needs")


def test_one_number_stands_for_all_columns_of_a_sparse_table():
    both = Totals(np.array([[5, 1], [0, 2]]), np.array([[3], [4]]))
    assert number_of(both, 1).tolist() == [3, 4]
