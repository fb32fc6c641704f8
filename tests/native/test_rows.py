"""Columns that lie apart, side by side as rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from .kernels import DTYPES, block


@given(
    st.integers(0, 2**32),
    st.sampled_from([0, 1, 7, 8, 9, 500]),
    st.lists(st.tuples(st.sampled_from(DTYPES), st.booleans()), max_size=70),
)
def test_columns_become_rows(seed, rows, kinds):
    rng = np.random.default_rng(seed)
    columns = [block(seed + j, rows, 1, dtype)[:, 0].copy() for j, (dtype, _) in enumerate(kinds)]
    there = [rng.random(rows) < 0.8 if holes else None for _, holes in kinds]
    out = np.zeros((rows, len(kinds)))
    _native.place_columns(columns, there, out)
    wanted = np.zeros_like(out)
    for j, (values, some) in enumerate(zip(columns, there, strict=True)):
        wanted[:, j] = values if some is None else np.where(some, values, np.nan)
    assert np.array_equal(out, wanted, equal_nan=True)


ONE = np.ones(2)


@pytest.mark.parametrize(
    ("columns", "there"),
    [
        ([ONE, ONE], [None]),
        ([ONE], [None, None]),
        ([ONE, ONE[:1]], [None, None]),
        ([ONE, np.ones(4)[::2]], [None, None]),
        ([ONE, np.ones((2, 1))], [None, None]),
        ([ONE, np.ones(2, np.complex128)], [None, None]),
        ([ONE, ["a", "b"]], [None, None]),
        ([ONE, ONE], [None, np.ones(1, np.bool)]),
        ([ONE, ONE], [None, ONE]),
    ],
)
def test_columns_that_do_not_fit(columns, there):
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        _native.place_columns(columns, there, np.zeros((2, 2)))
