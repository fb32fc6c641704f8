"""Log probabilities from counts that a row has been taken out of."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import block, codes_for, present

SEEDS = st.integers(0, 2**32)


def left(x, y, weight, row, of_class):
    """The weights of the rows of a class, but for one row."""
    w = np.ones(len(x)) if weight is None else weight.copy()
    w[row] = 0
    return np.where(y == of_class, w, 0)


def drawn(seed, rows, weighted):
    return np.random.default_rng(seed).choice([0.5, 1.0, 2.5], rows) if weighted else None


@given(SEEDS, st.integers(1, 12), st.integers(1, 3), st.integers(1, 4), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_left_out_cells(seed, rows, columns, classes, weighted, pseudocount):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, columns)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    codes = np.stack([rng.integers(-1, size, rows) for size in sizes]).astype(np.int32)
    y, weight = codes_for(seed, rows, classes), drawn(seed, rows, weighted)
    counts, width = np.zeros((classes, starts[-1])), rng.random(starts[-1])
    _native.count_cells(codes, y, weight, starts, counts)
    given_ = codes, y, weight, starts, counts, np.full(starts[-1], pseudocount), width
    logs, times = np.empty((rows, columns)), rng.choice([0.0, 0.5, 2.0], columns)
    _native.left_out_cells(*given_, logs)
    expected = np.zeros((rows, columns))
    for j, i in np.argwhere(codes >= 0):
        w = left(codes.T, y, weight, i, y[i])
        above = w[codes[j] == codes[j, i]].sum() + pseudocount
        below = w[codes[j] >= 0].sum() + pseudocount * sizes[j]
        cell = starts[j] + codes[j, i]
        expected[i, j] = (math.log(above / below) if above else -math.inf) - width[cell]
    assert_allclose(logs, expected, rtol=1e-9, atol=1e-9)
    table, scores, plain = rng.normal(size=counts.shape), np.full((rows, classes), 0.25), np.zeros((rows, classes))
    _native.score_left_out_cells(*given_, times, table, scores)
    _native.score_cells(codes, starts, table, plain)
    with np.errstate(invalid="ignore"):
        plain[np.arange(rows), y] = np.where(times == 0, 0.0, times * expected).sum(axis=1)
    assert_allclose(scores, 0.25 + plain, rtol=1e-9, atol=1e-9)
    again = np.full((rows, classes), 0.75)
    _native.put_own_scores(logs, times, y, np.full(rows, 0.25), again)
    assert_allclose(again[np.arange(rows), y], scores[np.arange(rows), y], rtol=1e-9, atol=1e-9)
    assert (np.delete(again.ravel(), np.arange(rows) * classes + y) == 0.75).all()


@given(SEEDS, st.integers(1, 12), st.integers(1, 3), st.integers(1, 4), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_left_out_bernoulli(seed, rows, columns, classes, weighted, pseudocount):
    x, y = block(seed, rows, columns, "f8", low=0, high=2), codes_for(seed, rows, classes)
    weight = drawn(seed, rows, weighted)
    total, seen, logs = np.zeros((classes, columns)), np.zeros((classes, columns)), np.empty((rows, columns))
    _native.totals(x, y, weight, _native.BINARY, total, seen)
    assert _native.left_out_bernoulli(x, y, weight, total, seen, pseudocount, 2 * pseudocount, logs) == -1
    for i in range(rows):
        for j in range(columns):
            w = left(x, y, weight, i, y[i])
            ones, zeros = w[x[:, j] == 1].sum() + 2 * pseudocount, w[x[:, j] == 0].sum() + pseudocount
            p = (ones if x[i, j] == 1 else zeros) / (ones + zeros) if ones + zeros else 0.5
            expected = 0.0 if not present(x[i, j]) else math.log(p) if p else -math.inf
            assert_allclose(logs[i, j], expected, rtol=1e-9, atol=1e-9)


@given(SEEDS, st.integers(1, 12), st.integers(1, 3), st.integers(1, 4), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_left_out_poisson(seed, rows, columns, classes, weighted, pseudocount):
    x, y = block(seed, rows, columns, "f8", low=0, high=50), codes_for(seed, rows, classes)
    x = np.where(x < 25, np.floor(x / 10), x)  # small ones that repeat, and beyond those that are kept
    weight = drawn(seed, rows, weighted)
    total, seen, logs = np.zeros((classes, columns)), np.zeros((classes, columns)), np.empty((rows, columns))
    _native.totals(x, y, weight, _native.COUNT, total, seen)
    assert _native.left_out_poisson(x, y, weight, total, seen, pseudocount, 2 * pseudocount, logs) == -1
    for i in range(rows):
        for j in range(columns):
            w, there = left(x, y, weight, i, y[i]), present(x[:, j])
            events, seen_rows = (w * np.nan_to_num(x[:, j])).sum() + pseudocount, w[there].sum() + 2 * pseudocount
            rate, value = events / seen_rows if seen_rows else 0.0, x[i, j]
            expected = 0.0
            if there[i]:
                log = value * math.log(rate) if value and rate else -math.inf if value else 0.0
                expected = log - rate - math.lgamma(value + 1)
            assert_allclose(logs[i, j], expected, rtol=1e-9, atol=1e-9)
