"""Codes counted and scored, numbers cut into bins, and bins joined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import SIZES, block, call, codes_for, problems, weights_for


def cells_of(seed, rows, sizes):
    """Codes, columns x rows, some of them missing, and where the cells of each column start."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(-1, size, rows) for size in sizes], np.int32).reshape(len(sizes), rows)
    return codes, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


cell_problems = st.tuples(
    st.integers(0, 2**32),
    st.sampled_from(SIZES),
    st.lists(st.sampled_from([0, 1, 2, 5, 300]), min_size=1, max_size=4),
    st.integers(1, 40),
    st.booleans(),
)


@given(cell_problems)
def test_count_cells(problem):
    seed, rows, sizes, classes, weighted = problem
    codes, starts = cells_of(seed, rows, sizes)
    y, weight = codes_for(seed, rows, classes), weights_for(seed, rows) if weighted else None
    table = np.ones((classes, starts[-1]))
    expected = table.copy()
    for j in range(len(sizes)):
        for i in range(rows):
            if codes[j, i] >= 0:
                expected[y[i], starts[j] + codes[j, i]] += 1 if weight is None else weight[i]
    _native.count_cells(codes, y, weight, starts, table)
    assert np.array_equal(table, expected)


@given(cell_problems)
def test_score_cells(problem):
    seed, rows, sizes, classes, impossible = problem
    codes, starts = cells_of(seed, rows, sizes)
    table = np.random.default_rng(seed).normal(size=(classes, starts[-1]))
    if impossible and table.size:
        table[0, 0] = -np.inf
    out = np.ones((rows, classes))
    expected = out.copy()
    for j in range(len(sizes)):
        for i in range(rows):
            if codes[j, i] >= 0:
                expected[i] += table[:, starts[j] + codes[j, i]]
    _native.score_cells(codes, starts, table, out)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-13)


@given(problems, st.lists(st.sampled_from([0, 1, 2, 3, 7, 8, 63]), min_size=7, max_size=7))
def test_bin_cells(problem, numbers_of_edges):
    seed, rows, columns, dtype, layout, _, _ = problem
    x = block(seed, rows, columns, dtype, layout)
    rng = np.random.default_rng(seed)
    edges = [
        np.sort(rng.choice(np.arange(-60, 60, 0.5), number, replace=False)) for number in numbers_of_edges[:columns]
    ]
    starts = np.concatenate([[0], np.cumsum([len(e) for e in edges])]).astype(np.int64)
    codes = np.empty((columns, rows), np.int32)
    assert _native.bin_cells(x, np.concatenate(edges), starts, codes) == -1
    for j in range(columns):
        for i in range(rows):
            v = float(x[i, j])
            assert codes[j, i] == (-1 if v != v else sum(edge <= v for edge in edges[j]))


@pytest.mark.parametrize("number", [4, 5, 16, 63])
@pytest.mark.parametrize("shape", ["even", "normal", "heavy", "in heaps", "close"])
def test_bins_of_many_rows(number, shape):
    """Also of numbers on an edge, beside one, and far beyond all."""
    rng = np.random.default_rng(number)
    edges = {
        "even": np.arange(float(number)),
        "normal": np.sort(rng.normal(size=number)),
        "heavy": np.sort(rng.standard_cauchy(number) ** 3),
        "in heaps": np.cumsum(np.where(np.arange(number) % 8 == 0, 1e9, 1e-3)),
        "close": 1e6 + np.arange(number) * np.spacing(1e6),
    }[shape]
    beside = np.concatenate([edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf), [1e150, -1e150, np.nan]])
    x = np.concatenate([beside, rng.uniform(edges[0], edges[-1], 5000), rng.choice(edges, 500)])[:, None]
    codes = np.empty((1, len(x)), np.int32)
    assert _native.bin_cells(x, edges, np.array([0, number]), codes) == -1
    expected = np.where(np.isnan(x[:, 0]), -1, np.searchsorted(edges, x[:, 0], side="right"))
    np.testing.assert_array_equal(codes[0], expected)


def test_join_bins_is_what_the_left_out_rows_say():
    """Against the sum written out, for every number of bins joined."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 6, (3, 4, 16)).astype(np.float64)
    edges = np.cumsum(rng.random((4, 17)), axis=1)
    pseudocounts = np.array([1.0, 0.5, 2.0, 0.25])
    values = np.zeros((4, 4))
    for k, a in enumerate(pseudocounts):
        joined = counts.reshape(3, 4, 16 >> k, 1 << k).sum(axis=3)
        widths = np.diff(edges[:, :: 1 << k], axis=1)
        for of_class, column, cell in zip(*np.nonzero(joined), strict=True):
            n, rows = joined[of_class, column, cell], joined[of_class, column].sum()
            share = (n - 1 + a) / (rows - 1 + a * (16 >> k))
            values[column, k] += n * np.log(share / widths[column, cell])
    steps = np.zeros(4, np.int64)
    _native.join_bins(counts.reshape(3, 64), edges, pseudocounts, steps)
    assert steps.tolist() == (1 << values.argmax(axis=1)).tolist()


@pytest.mark.parametrize("name", ["count_cells", "score_cells", "left_out_cells", "score_left_out_cells"])
@pytest.mark.parametrize("code", [-2, -(2**31), 1, 2**31 - 1])
@pytest.mark.parametrize("place", [(0, 0), (2, 1)])
def test_codes_out_of_range(name, code, place):
    codes = np.zeros((3, 2), np.int32)
    codes[place] = code
    with pytest.raises(ValueError, match=r"^a code is out of range$"):
        call(name, 0, codes)


STARTS = [
    [0, 2, 1, 3],
    [0, 1, 2, 4],
    [0, 1, 2, 2],
    [1, 1, 2, 3],
    [-1, 1, 2, 3],
    [0, -1, 2, 3],
    [0, 2**62, 2**62, 3],
    [0, 1, 3],
    [0, 1, 2, 2, 3],
    [3],
    [],
]


CUT = [("count_cells", 3), ("score_cells", 1), ("bin_cells", 2), ("left_out_cells", 3), ("score_left_out_cells", 3)]


@pytest.mark.parametrize(("name", "at"), CUT)
@pytest.mark.parametrize("starts", STARTS, ids=str)
def test_starts_that_do_not_fit(name, at, starts):
    with pytest.raises(ValueError, match=r"^(the starts do not fit the table|one start per column and the end)"):
        call(name, at, np.array(starts, np.int64))
