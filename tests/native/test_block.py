"""What a cell may be, and which is the first that is not."""

import numpy as np
import pytest

from likely import _native

from .kernels import moments

ALLOWED = {
    "FINITE": [0.0, -0.0, -1.5, 1e150, -1e150, 5e-324],
    "NON_NEGATIVE": [0.0, -0.0, 1.5, 1e150],
    "COUNT": [0.0, -0.0, 1.0, 2.0**53],
    "BINARY": [0.0, -0.0, 1.0],
}


FORBIDDEN = {
    "FINITE": [np.inf, -np.inf, 1.1e150, -1.1e150],
    "NON_NEGATIVE": [np.inf, -np.inf, 1.1e150, -1.0, -5e-324],
    "COUNT": [np.inf, -np.inf, -1.0, 0.5, 2.0**53 + 2, 1e300],
    "BINARY": [np.inf, -np.inf, 2.0, -1.0, 0.5],
}


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind in ALLOWED for value in ALLOWED[kind]])
def test_cells_that_are_allowed(kind, value):
    sums = np.zeros((2, 1, 1))
    assert _native.totals(np.array([[value]]), np.zeros(1, np.int32), None, getattr(_native, kind), *sums) == -1


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind in FORBIDDEN for value in FORBIDDEN[kind]])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (1, 2), (299, 1), (256, 0), (255, 2)])
def test_the_first_cell_that_is_not_allowed(kind, value, row, column):
    x = np.ones((300, 3))
    x[0, 1] = np.nan
    x[row, column] = value
    x[row + 1 :, 0] = value
    sums = np.zeros((2, 1, 3))
    position = _native.totals(x, np.zeros(300, np.int32), None, getattr(_native, kind), *sums)
    assert divmod(position, 3) == (row, column)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1.1e150])
def test_the_first_infinite_cell(value):
    x = np.zeros((40, 2))
    x[7, 1] = x[9, 0] = value
    one = np.ones((1, 2))
    assert moments(x, np.zeros(40, np.int32), 1, None)[0] == 15
    assert _native.score_gaussian(x, one, one, one, np.zeros((40, 1))) == 15
    assert _native.bin_cells(x, np.zeros(0), np.zeros(3, np.int64), np.empty((2, 40), np.int32)) == 15
    assert _native.score_linear(x, _native.NON_NEGATIVE, one, one, one, None, np.zeros((40, 1))) == 15
    prior = (0.0, 1.0, 1.0, 1.0, False)
    assert _native.left_out_gaussian(x, np.zeros(40, np.int32), None, one, one, one, prior, np.zeros((40, 2))) == 15


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("columns", [1, 3, 30])
@pytest.mark.parametrize("row", [0, 67, 68, 95, 96, 255, 256, 299])
def test_the_first_infinite_cell_of_rows_worked_on_together(value, columns, row):
    x, y = np.zeros((300, columns)), np.zeros(300, np.int32)
    x[: row // 2, 0] = np.nan
    x[row, -1] = value
    x[row + 1 :, 0] = value
    n, mean, matrix = np.full(1, 300.0), np.zeros((1, columns)), np.eye(columns)[None]
    out, marks = np.zeros((300, 1)), np.zeros(300, np.uint8)
    position = row * columns + columns - 1
    assert _native.scatter(x, y, None, n.copy(), mean.copy(), matrix.copy()) == position
    assert _native.distances(x, mean, matrix, None, None, out, None, marks) == position
    assert _native.left_out_factored(x, y, None, n, mean, matrix, n, 0.0, 0.5, False, out, marks) == position
