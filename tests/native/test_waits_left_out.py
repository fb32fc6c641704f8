"""Waiting times left out, against a recount in plain Python."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import block, codes_for, present
from .test_counts_left_out import SEEDS, drawn


def expected_cell(x: np.ndarray, y: np.ndarray, weight: np.ndarray, at: tuple, of_class: int, prior: tuple) -> float:
    """log p(x | class) of a cell, from the sums of all rows but its own."""
    (i, j), (rows, waited) = at, prior
    there, others = present(x[:, j]), np.arange(len(y)) != i
    w = weight * others * there
    total, n = (w * np.nan_to_num(x[:, j])).sum(), w.sum()
    if math.isnan(waited):
        waited = rows * (total / n if total > 0 else 1.0)
    own = y == of_class
    total, n = (w * own * np.nan_to_num(x[:, j])).sum() + waited, (w * own).sum()
    rate = (n + rows) / total if total > 0 else 1.0
    return math.log(rate) - rate * x[i, j]


@given(
    SEEDS,
    st.integers(1, 12),
    st.integers(1, 3),
    st.integers(1, 6),
    st.booleans(),
    st.sampled_from([(1.0, math.nan), (0.3, math.nan), (2.0, 4.0)]),
)
def test_left_out_exponential(seed, rows, columns, classes, weighted, prior):
    x, y = block(seed, rows, columns, "f8", low=0, high=50), codes_for(seed, rows, classes)
    weight = drawn(seed, rows, weighted)
    total, seen, times = np.zeros((classes, columns)), np.zeros((classes, columns)), np.linspace(0, 2, columns)
    _native.totals(x, y, weight, _native.NON_NEGATIVE, total, seen)
    own, cells, scores = np.zeros((rows, columns)), np.zeros((rows, classes, columns)), np.ones((rows, classes))
    given_ = x, y, weight, total, seen, *prior
    assert _native.left_out_exponential(*given_, own) == -1
    assert _native.left_out_exponential_cells(*given_, cells) == -1
    assert _native.score_left_out_exponential(*given_, times, scores) == -1
    weights = np.ones(rows) if weight is None else weight
    for i, j, k in np.ndindex(rows, columns, classes):
        expected = expected_cell(x, y, weights, (i, j), k, prior) if present(x[i, j]) else 0.0
        assert_allclose(cells[i, k, j], expected, rtol=1e-9, atol=1e-9)
    assert_allclose(own, cells[np.arange(rows), y], rtol=1e-12, atol=1e-12)
    assert_allclose(scores, 1 + cells @ times, rtol=1e-12, atol=1e-12)
