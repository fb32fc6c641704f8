"""The kernels: they agree with plain Python and numpy, and no argument makes them reach outside their buffers.

CI runs this file on a build under AddressSanitizer and UBSan, too.
"""

import math
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

DTYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "strided": lambda x: np.repeat(np.repeat(x, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda x: np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
    "rows apart": lambda x: np.hstack([x, x])[:, : x.shape[1]],
}
SIZES = [0, 1, 2, 3, 31, 32, 33, 64, 255, 256, 257, 300]
CLASSES = range(1, 41)


def block(seed, rows, columns, dtype, layout="rows", low=-50, high=50):
    """Random whole numbers, and NaN in one float in ten, of that type and layout."""
    rng = np.random.default_rng(seed)
    if dtype == "?":
        low, high = 0, 2
    x = rng.integers(max(low, 0) if dtype[0] == "u" else low, high, (rows, columns)).astype(dtype)
    if dtype[0] == "f":
        x[rng.random(x.shape) < 0.1] = np.nan
    return LAYOUTS[layout](x)


def codes_for(seed, rows, classes):
    return np.random.default_rng(seed + 1).integers(0, classes, rows).astype(np.int32)


def weights_for(seed, rows):
    return np.random.default_rng(seed + 2).choice([0.0, 0.5, 1.0, 2.0, 3.0], rows)


def present(x):
    return x == x


problems = st.tuples(
    st.integers(0, 2**32),
    st.sampled_from(SIZES),
    st.sampled_from([1, 2, 3, 7]),
    st.sampled_from(DTYPES),
    st.sampled_from(sorted(LAYOUTS)),
    st.integers(1, 40),
    st.booleans(),
)


def drawn(problem, low=-50, high=50):
    seed, rows, columns, dtype, layout, classes, weighted = problem
    x = block(seed, rows, columns, dtype, layout, low, high)
    return x, codes_for(seed, rows, classes), classes, weights_for(seed, rows) if weighted else None


# Counting


def moments(x, y, classes, weight):
    n, mean, m2 = np.zeros((3, classes, x.shape[1]))
    return _native.moments(x, y, weight, n, mean, m2), n, mean, m2


def exact_moments(x, y, classes, weight):
    """By fractions, so that nothing rounds but the result."""
    n, mean, m2 = np.zeros((3, classes, x.shape[1]))
    for k in range(classes):
        for j in range(x.shape[1]):
            rows = [i for i in range(len(x)) if y[i] == k and present(x[i, j])]
            w = [Fraction(1 if weight is None else float(weight[i])) for i in rows]
            v = [Fraction(float(x[i, j])) for i in rows]
            n[k, j] = sum(w)
            if sum(w):
                centre = sum(a * b for a, b in zip(w, v, strict=True)) / sum(w)
                mean[k, j] = centre
                m2[k, j] = sum(a * (b - centre) ** 2 for a, b in zip(w, v, strict=True))
    return n, mean, m2


@given(problems)
def test_moments(problem):
    x, y, classes, weight = drawn(problem)
    bad, n, mean, m2 = moments(x, y, classes, weight)
    n_, mean_, m2_ = exact_moments(x, y, classes, weight)
    assert bad == -1
    assert np.array_equal(n, n_)
    assert_allclose(mean, mean_, rtol=1e-13, atol=1e-13)
    assert_allclose(m2, m2_, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("centre", [0.0, 1e8, -1e12])
def test_moments_far_from_zero(centre):
    x = centre + np.random.default_rng(0).normal(size=(500, 3))
    _, n, mean, m2 = moments(x, np.zeros(500, np.int32), 1, None)
    n_, mean_, m2_ = exact_moments(x, np.zeros(500, np.int32), 1, None)
    assert np.array_equal(n, n_)
    assert_allclose(mean, mean_, rtol=0, atol=1e-15 * np.abs(x).max())
    assert_allclose(m2, m2_, rtol=1e-12)


def test_moments_of_a_value_repeated_have_no_spread():
    assert moments(np.full((100, 1), 0.1), np.zeros(100, np.int32), 1, None)[3][0, 0] == 0


@given(problems, st.sampled_from(["NON_NEGATIVE", "COUNT", "BINARY", "FINITE"]))
def test_totals(problem, kind):
    x, y, classes, weight = drawn(problem, 0, 2 if kind == "BINARY" else 50)
    total, seen = np.zeros((2, classes, x.shape[1]))
    assert _native.totals(x, y, weight, getattr(_native, kind), total, seen) == -1
    w = np.ones(len(x)) if weight is None else weight
    for k in range(classes):
        for j in range(x.shape[1]):
            rows = [i for i in range(len(x)) if y[i] == k and present(x[i, j])]
            assert total[k, j] == math.fsum(w[i] * float(x[i, j]) for i in rows)
            assert seen[k, j] == math.fsum(w[i] for i in rows)


def test_totals_are_added_to_what_is_there():
    total, seen = np.full((1, 1), 10.0), np.full((1, 1), 20.0)
    _native.totals(np.array([[3.0]]), np.zeros(1, np.int32), None, _native.COUNT, total, seen)
    assert (total[0, 0], seen[0, 0]) == (13, 21)


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


# Scores


def parameters(seed, classes, columns, number=3):
    return np.random.default_rng(seed + 3).normal(size=(number, classes, columns))


@given(problems)
def test_score_gaussian(problem):
    seed, rows, columns, dtype, layout, classes, _ = problem
    x = block(seed, rows, columns, dtype, layout)
    mean, rate, constant = parameters(seed, classes, columns)
    out = np.ones((rows, classes))
    assert _native.score_gaussian(x, mean, rate, constant, out) == -1
    cells = constant - ((x.astype(float)[:, None, :] - mean) * rate) ** 2
    expected = 1 + np.where(present(x)[:, None, :], cells, 0).sum(axis=2)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("columns", [1, 3])
def test_scores_of_every_number_of_classes(classes, columns):
    x = np.random.default_rng(classes).integers(0, 2, (5, columns)).astype(float)
    mean, rate, constant = parameters(classes, classes, columns)
    gaussian, linear = np.zeros((2, 5, classes))
    _native.score_gaussian(x, mean, rate, constant, gaussian)
    _native.score_linear(x, _native.BINARY, mean, rate, np.zeros_like(mean), False, linear)
    for k in range(classes):
        assert_allclose(
            gaussian[:, k], (constant[k] - ((x - mean[k]) * rate[k]) ** 2).sum(axis=1), rtol=1e-12, atol=1e-12
        )
        assert_allclose(linear[:, k], np.where(x == 0, mean[k], rate[k]).sum(axis=1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("columns", [300, 2047, 2048, 2049, 5000])
def test_scores_of_many_columns(columns):
    x = block(0, 5, columns, "f8")
    mean, rate, constant = parameters(0, 3, columns) / 50
    out = np.zeros((5, 3))
    assert _native.score_gaussian(x, mean, rate, constant, out) == -1
    cells = constant - ((x[:, None, :] - mean) * rate) ** 2
    assert_allclose(out, np.nansum(cells, axis=2), rtol=1e-12)


def linear_cell(x, zero, one, slope, factorial):
    """What one cell adds, by the definition of the kernel."""
    if x != x:
        return 0.0
    if x == 0:
        return zero
    return one + (slope * x if slope else 0.0) - (math.lgamma(x + 1) if factorial else 0.0)


@given(problems, st.sampled_from(["poisson", "bernoulli", "multinomial"]), st.booleans())
def test_score_linear(problem, family, impossible):
    seed, rows, columns, dtype, layout, classes, _ = problem
    rows = min(rows, 40)
    x = block(seed, rows, columns, dtype, layout, 0, 2 if family == "bernoulli" else 100)
    zero, one, slope = parameters(seed, classes, columns)
    kind, factorial = _native.COUNT, False
    if family == "bernoulli":
        kind, slope = _native.BINARY, np.zeros_like(zero)
        if impossible:
            zero[0, 0], one[-1, -1] = -np.inf, -np.inf
    elif family == "poisson":
        factorial, one = True, zero
        if impossible:
            slope[0, 0] = -np.inf
    else:
        kind, zero, one = _native.NON_NEGATIVE, np.zeros_like(zero), np.zeros_like(zero)
        if impossible:
            slope[0, 0] = -np.inf
    out = np.zeros((rows, classes))
    assert _native.score_linear(x, kind, zero, one, slope, factorial, out) == -1
    expected = [
        [
            sum(linear_cell(float(x[i, j]), zero[k, j], one[k, j], slope[k, j], factorial) for j in range(columns))
            for k in range(classes)
        ]
        for i in range(rows)
    ]
    assert_allclose(out, np.reshape(expected, (rows, classes)), rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("x", [0, 1, 2, 10, 170, 254, 255, 256, 257, 1000, 10**6, 10**12, 2**53])
def test_log_factorial(x):
    zero = np.zeros((1, 1))
    out = np.zeros((1, 1))
    _native.score_linear(np.array([[float(x)]]), _native.COUNT, zero, zero, zero, True, out)
    assert_allclose(-out[0, 0], math.lgamma(x + 1), rtol=1e-14, atol=0)


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


def test_join_bins_is_what_the_left_out_rows_say():
    """Against the sum written out, for every number of bins joined."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 6, (3, 4, 16)).astype(np.float64)
    edges = np.cumsum(rng.random((4, 17)), axis=1)
    imagined = np.array([1.0, 0.5, 2.0, 0.25])
    values = np.zeros((4, 4))
    for k, a in enumerate(imagined):
        joined = counts.reshape(3, 4, 16 >> k, 1 << k).sum(axis=3)
        widths = np.diff(edges[:, :: 1 << k], axis=1)
        for of_class, column, cell in zip(*np.nonzero(joined), strict=True):
            n, rows = joined[of_class, column, cell], joined[of_class, column].sum()
            share = (n - 1 + a) / (rows - 1 + a * (16 >> k))
            values[column, k] += n * np.log(share / widths[column, cell])
    steps = np.zeros(4, np.int64)
    _native.join_bins(counts.reshape(3, 64), edges, imagined, steps)
    assert steps.tolist() == (1 << values.argmax(axis=1)).tolist()


# Left out


def left_out_log_density(x, y, weight, row, column, of_class, prior):
    """Of one cell for a class: moments of the other rows, the prior as rows imagined, all by loops."""
    prior_mean, mean_rows, prior_variance, variance_rows, mode = prior
    left = np.ones(len(x)) if weight is None else weight.copy()
    left[row] = 0
    n, mean, m2 = (table[0, 0] for table in exact_moments(x[:, [column]], np.where(y == of_class, 0, 1), 2, left))
    rows, variance_weight = mean_rows + n, variance_rows + n
    centre = (mean_rows * prior_mean + n * mean) / rows if rows else prior_mean
    shift = mean_rows * n / rows * (mean - prior_mean) ** 2 if rows else 0.0
    variance = (variance_rows * prior_variance + m2 + shift) / (variance_weight + (5 if mode else 0))
    return -0.5 * math.log(2 * math.pi * variance) - (x[row, column] - centre) ** 2 / (2 * variance)


@given(
    st.integers(0, 2**32),
    st.integers(1, 12),
    st.integers(1, 3),
    st.integers(1, 5),
    st.booleans(),
    st.tuples(st.floats(-5, 5), st.sampled_from([0.0, 0.5, 2.0]), st.floats(0.5, 9), st.floats(0.5, 9), st.booleans()),
)
def test_left_out_gaussian(seed, rows, columns, classes, weighted, prior):
    x, y = block(seed, rows, columns, "f8"), codes_for(seed, rows, classes)
    weight = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], rows) if weighted else None
    _, n, mean, m2 = moments(x, y, classes, weight)
    own, scores = np.zeros((rows, columns)), np.zeros((rows, classes))
    assert _native.left_out_gaussian(x, y, weight, n, mean, m2, prior, own) == -1
    assert _native.score_left_out_gaussian(x, y, weight, n, mean, m2, prior, scores) == -1
    expected = np.zeros((rows, columns, classes))
    for i, j in np.argwhere(present(x)):
        for k in range(classes):
            expected[i, j, k] = left_out_log_density(x, y, weight, i, j, k, prior)
    assert_allclose(own, expected[np.arange(rows), :, y], rtol=1e-9, atol=1e-9)
    assert_allclose(scores, expected.sum(axis=1), rtol=1e-9, atol=1e-9)


# Encoding


def dict_codes(values, known=None):
    places = {} if known is None else {label: at for at, label in enumerate(known)}
    codes = []
    for value in values:
        if value is None or value != value:
            codes.append(-1)
        elif known is None:
            codes.append(places.setdefault(value, len(places)))
        else:
            codes.append(places.get(value, len(places)))
    return codes, list(places)


@given(problems)
def test_encode_numbers(problem):
    seed, rows, columns, dtype, layout, _, halves = problem
    x = block(seed, rows, columns, dtype, layout)
    if halves and dtype[0] == "f":
        x = x / 2
    codes = np.empty((columns, rows), np.int32)
    found = _native.encode_numbers(x, None, None, codes)
    for j in range(columns):
        assert (codes[j].tolist(), found[j].tolist()) == dict_codes(x[:, j].tolist())
        assert found[j].dtype == (np.float64 if dtype[0] == "f" else np.uint64 if dtype == "u8" else np.int64)


@given(problems)
def test_encode_numbers_among_known(problem):
    seed, rows, columns, dtype, layout, _, _ = problem
    x = block(seed, rows, columns, dtype, layout)
    label = np.float64 if dtype[0] == "f" else np.uint64 if dtype == "u8" else np.int64
    values = np.arange(0 if dtype == "u8" else -10, 300, 3)
    known = [np.random.default_rng(seed + j).permutation(values).astype(label) for j in range(columns)]
    codes = np.empty((columns, rows), np.int32)
    assert _native.encode_numbers(x, None, known, codes) == []
    for j in range(columns):
        assert codes[j].tolist() == dict_codes(x[:, j].tolist(), known[j].tolist())[0]


@given(problems)
def test_encode_numbers_that_are_there(problem):
    seed, rows, columns, dtype, layout, _, transposed = problem
    x = block(seed, rows, columns, dtype, layout)
    valid = np.random.default_rng(seed).random((columns, rows)).T < 0.7
    valid = valid if transposed else np.ascontiguousarray(valid)
    codes = np.empty((columns, rows), np.int32)
    found = _native.encode_numbers(x, valid, None, codes)
    for j in range(columns):
        cells = [cell if there else None for cell, there in zip(x[:, j].tolist(), valid[:, j], strict=True)]
        assert (codes[j].tolist(), found[j].tolist()) == dict_codes(cells)


def test_encode_numbers_beyond_int64():
    codes = np.empty((1, 3), np.int32)
    (found,) = _native.encode_numbers(np.array([[2**64 - 1], [1], [2**63]], np.uint64), None, None, codes)
    assert found.tolist() == [2**64 - 1, 1, 2**63]


@given(st.lists(st.floats(), max_size=40))
def test_encode_any_floats(values):
    codes = np.empty((1, len(values)), np.int32)
    (found,) = _native.encode_numbers(np.array(values, np.float64)[:, None], None, None, codes)
    assert (codes[0].tolist(), found.tolist()) == dict_codes(values)


def joined(values, offset_type=np.int64):
    """Texts as Arrow keeps them, in a buffer that ends with the last."""
    encoded = [b"" if value is None else value.encode() for value in values]
    offsets = np.concatenate([[0], np.cumsum([len(e) for e in encoded])]).astype(offset_type)
    return offsets, np.array(list(b"".join(encoded)), np.uint8)


def parted(offsets, data):
    return [data[a:b].tobytes().decode() for a, b in pairwise(offsets)]


def bitmap(values, bit):
    bits = np.zeros(bit + len(values), np.uint8)
    bits[bit:] = [value is not None for value in values]
    return np.packbits(bits, bitorder="little")


words = st.one_of(
    st.sampled_from(
        ["", "\0", "\0\0", "a", "a\0", "é", "x" * 7, "x" * 8, "x" * 9, "x" * 15, "x" * 16, "x" * 17, "x" * 33]
    ),
    st.text(alphabet="ab\0é😀", max_size=40),
)
texts = st.one_of(st.none(), words)


@given(st.lists(texts, max_size=40), st.integers(0, 17), st.sampled_from([np.int32, np.int64]))
def test_encode_text(values, bit, offset_type):
    codes = np.empty(len(values), np.int32)
    found = _native.encode_text(*joined(values, offset_type), bitmap(values, bit), bit, None, codes)
    assert (codes.tolist(), parted(*found)) == dict_codes(values)


@given(st.lists(texts, max_size=40), st.lists(words, unique=True))
def test_encode_text_among_known(values, known):
    codes = np.empty(len(values), np.int32)
    _native.encode_text(*joined(values), bitmap(values, 0), 0, joined(known), codes)
    assert codes.tolist() == dict_codes(values, known)[0]


@given(st.lists(words, min_size=3, max_size=20), st.data())
def test_encode_a_slice_of_text(values, data):
    first = data.draw(st.integers(0, len(values)))
    last = data.draw(st.integers(first, len(values)))
    offsets, bytes_ = joined(values, np.int32)
    codes = np.empty(last - first, np.int32)
    found = _native.encode_text(offsets[first : last + 1], bytes_, None, 0, None, codes)
    assert (codes.tolist(), parted(*found)) == dict_codes(values[first:last])


def test_encode_many_texts_that_differ():
    values = [f"{i * 7919 % 5003}" * (1 + i % 3) for i in range(6000)]
    codes = np.empty(len(values), np.int32)
    found = _native.encode_text(*joined(values), None, 0, None, codes)
    assert (codes.tolist(), parted(*found)) == dict_codes(values)


# Posteriors


def score_table(seed, rows, classes):
    rng = np.random.default_rng(seed)
    scores = rng.choice([-np.inf, -800.0, -2.0, -1.0, 0.0, 3.5], (rows, classes))
    prior = np.log(rng.dirichlet(np.ones(classes)))
    return scores, prior


@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 50]), st.integers(1, 40))
def test_best(seed, rows, classes):
    scores, prior = score_table(seed, rows, classes)
    codes = np.full(rows, -7, np.int64)
    _native.best(scores, prior, codes)
    expected = [max(range(classes), key=(prior if max(s) == -np.inf else s).__getitem__) for s in scores]
    assert codes.tolist() == expected


@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 50]), st.integers(1, 40), st.booleans())
def test_normalise(seed, rows, classes, log):
    scores, prior = score_table(seed, rows, classes)
    out = scores.copy()
    _native.normalise(out, prior, log)
    for before, after in zip(scores, out, strict=True):
        row = prior if max(before) == -np.inf else before
        top = max(row)
        total = top + math.log(math.fsum(math.exp(s - top) for s in row))
        expected = [s - total if log else math.exp(s - total) for s in row]
        assert_allclose(after, expected, rtol=1e-13, atol=1e-300 if not log else 1e-13)


# What a cell may be


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
    assert _native.score_linear(x, _native.NON_NEGATIVE, one, one, one, False, np.zeros((40, 1))) == 15
    prior = (0.0, 1.0, 1.0, 1.0, False)
    assert _native.left_out_gaussian(x, np.zeros(40, np.int32), None, one, one, one, prior, np.zeros((40, 2))) == 15


@pytest.mark.parametrize("value", [np.inf, -np.inf, -1.0, np.nan])
def test_the_first_stored_value_that_is_not_allowed(value):
    values = np.array([1.0, 1.0, value, value, 1.0])
    indptr, indices = np.array([0, 1, 3, 5], np.int32), np.array([0, 0, 1, 0, 1], np.int32)
    y = np.array([0, 1, 0], np.int32)
    total = np.zeros((2, 2))
    assert _native.csr_totals(indptr, indices, values, y, None, _native.NON_NEGATIVE, total) == 2


# Hostile arguments


def good():
    """Arguments of every kernel that fit: two rows, three columns, two classes."""
    x, y = np.ones((2, 3)), np.array([0, 1], np.int32)
    table = np.ones((2, 3))
    codes, starts = np.zeros((3, 2), np.int32), np.array([0, 1, 2, 3])
    csr = np.array([0, 1, 2], np.int32), np.array([0, 2], np.int32), np.ones(2)
    offsets, bytes_ = joined(["a", "bc"])
    prior = (0.0, 1.0, 1.0, 1.0, False)
    return {
        "moments": [x, y, np.ones(2), table.copy(), table.copy(), table.copy()],
        "totals": [x, y, np.ones(2), _native.COUNT, table.copy(), table.copy()],
        "csr_totals": [*csr, y, np.ones(2), _native.COUNT, table.copy()],
        "csr_scores": [*csr, _native.COUNT, np.ones((3, 2)), np.zeros((2, 2))],
        "score_gaussian": [x, table, table, table, np.zeros((2, 2))],
        "score_linear": [x, _native.COUNT, table, table, table, True, np.zeros((2, 2))],
        "left_out_gaussian": [x, y, np.ones(2), table, table, table, prior, np.zeros((2, 3))],
        "score_left_out_gaussian": [x, y, np.ones(2), table, table, table, prior, np.zeros((2, 2))],
        "count_cells": [codes, y, np.ones(2), starts, table.copy()],
        "score_cells": [codes, starts, table, np.zeros((2, 2))],
        "bin_cells": [x, np.ones(3), starts, np.zeros((3, 2), np.int32)],
        "join_bins": [np.ones((2, 8)), np.arange(10.0).reshape(2, 5), np.ones(2), np.zeros(2, np.int64)],
        "encode_numbers": [x, np.ones((2, 3), np.bool), [np.ones(1)] * 3, np.zeros((3, 2), np.int32)],
        "encode_text": [offsets, bytes_, np.array([3], np.uint8), 0, joined(["a"]), np.zeros(2, np.int32)],
        "best": [np.zeros((2, 2)), np.zeros(2), np.zeros(2, np.int64)],
        "normalise": [np.zeros((2, 2)), np.zeros(2), False],
    }


OUTPUTS = {
    "moments": [3, 4, 5],
    "totals": [4, 5],
    "csr_totals": [6],
    "csr_scores": [5],
    "score_gaussian": [4],
    "score_linear": [6],
    "left_out_gaussian": [7],
    "score_left_out_gaussian": [7],
    "count_cells": [4],
    "score_cells": [3],
    "bin_cells": [3],
    "join_bins": [3],
    "encode_numbers": [3],
    "encode_text": [5],
    "best": [2],
    "normalise": [0],
}
ARRAYS = [
    (name, at) for name, arguments in good().items() for at, a in enumerate(arguments) if isinstance(a, np.ndarray)
]
EVERY_OUTPUT = [(name, at) for name, places in OUTPUTS.items() for at in places]


def call(name, at=None, value=None):
    arguments = good()[name]
    if at is not None:
        arguments[at] = value
    return getattr(_native, name)(*arguments)


def test_every_kernel_is_here():
    kernels = [name for name in dir(_native) if callable(getattr(_native, name)) and not name.startswith("_")]
    assert sorted(good()) == sorted(OUTPUTS) == kernels


@pytest.mark.parametrize("name", good())
def test_arguments_that_fit(name):
    call(name)


FREE = [
    # More classes or columns than the rows have, more bytes or bits than are needed, any number of rows in place.
    ("csr_totals", 6, 0, 1),
    ("csr_totals", 6, 1, 1),
    ("csr_scores", 4, 0, 1),
    ("join_bins", 0, 0, 1),
    ("join_bins", 0, 0, -1),
    ("join_bins", 2, 0, 1),
    ("join_bins", 2, 0, -1),
    ("count_cells", 4, 0, 1),
    ("encode_text", 1, 0, 1),
    ("encode_text", 2, 0, 1),
    ("normalise", 0, 0, -1),
    ("normalise", 0, 0, 1),
]
SHAPES = [
    (name, at, axis, change)
    for name, at in ARRAYS
    for axis in range(good()[name][at].ndim)
    for change in (-1, 1)
    if (name, at, axis, change) not in FREE
]


@pytest.mark.parametrize(("name", "at", "axis", "change"), SHAPES)
def test_a_shape_that_does_not_fit(name, at, axis, change):
    array = good()[name][at]
    shape = list(array.shape)
    shape[axis] += change
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.zeros(shape, array.dtype))


@pytest.mark.parametrize(("name", "at", "axis", "change"), FREE)
def test_a_shape_that_may_differ(name, at, axis, change):
    array = good()[name][at]
    shape = list(array.shape)
    shape[axis] += change
    call(name, at, np.ones(shape, array.dtype))


@pytest.mark.parametrize(("name", "at"), ARRAYS)
def test_an_axis_too_many_or_too_few(name, at):
    array = good()[name][at]
    for wrong in (array[..., None], array[0], np.array(0, array.dtype)):
        with pytest.raises((ValueError, TypeError)):
            call(name, at, wrong)


@pytest.mark.parametrize(("name", "at"), ARRAYS)
@pytest.mark.parametrize("wrong", ["text", {}, 3.5, object()], ids=["text", "dict", "number", "object"])
def test_what_is_no_array(name, at, wrong):
    with pytest.raises((ValueError, TypeError)):
        call(name, at, wrong)


@pytest.mark.parametrize(("name", "at"), [(name, at) for name, at in ARRAYS if good()[name][at].ndim == 2])
@pytest.mark.parametrize("dtype", ["c16", "O", "U3", "M8[s]", "V8"])
def test_a_type_that_is_no_number(name, at, dtype):
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.zeros(good()[name][at].shape, dtype))


@pytest.mark.parametrize("name", [name for name, arguments in good().items() if arguments[0].shape == (2, 3)])
@pytest.mark.parametrize("dtype", ["f2", "g", ">f8", ">i4"])
def test_a_type_of_number_that_the_kernels_do_not_read(name, dtype):
    with pytest.raises((ValueError, TypeError)):
        call(name, 0, np.ones((2, 3), dtype))


@pytest.mark.parametrize(("name", "at"), EVERY_OUTPUT)
def test_an_output_of_another_type_is_refused(name, at):
    """Or else it would be converted, and what is written there lost."""
    array = good()[name][at]
    with pytest.raises((ValueError, TypeError)):
        call(name, at, array.astype(np.float32 if array.dtype == np.float64 else np.int16))


@pytest.mark.parametrize(("name", "at"), EVERY_OUTPUT)
def test_an_output_that_is_not_contiguous_is_refused(name, at):
    array = good()[name][at]
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.repeat(array, 2, axis=-1)[..., ::2])


@pytest.mark.parametrize(("name", "at"), EVERY_OUTPUT)
def test_an_output_that_is_read_only_is_refused(name, at):
    array = good()[name][at].copy()
    array.flags.writeable = False
    with pytest.raises((ValueError, TypeError)):
        call(name, at, array)


OF_CLASSES = [
    (name, 1 if name != "csr_totals" else 3)
    for name in good()
    if name in ("moments", "totals", "csr_totals", "left_out_gaussian", "score_left_out_gaussian", "count_cells")
]


@pytest.mark.parametrize(("name", "at"), OF_CLASSES)
@pytest.mark.parametrize("code", [-1, -(2**31), 2, 2**31 - 1])
def test_class_codes_out_of_range(name, at, code):
    with pytest.raises(ValueError, match=r"^a class code is out of range$"):
        call(name, at, np.array([0, code], np.int32))


@pytest.mark.parametrize(("name", "at"), OF_CLASSES)
def test_class_codes_are_not_cut_to_32_bits(name, at):
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.array([0, 2**32 + 1]))


@pytest.mark.parametrize(("name", "at"), OF_CLASSES)
def test_weights_for_other_rows(name, at):
    for length in (0, 1, 3):
        with pytest.raises(ValueError, match=r"^one weight per row is needed$"):
            call(name, at + 1, np.ones(length))


@pytest.mark.parametrize("name", ["count_cells", "score_cells"])
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


@pytest.mark.parametrize(("name", "at"), [("count_cells", 3), ("score_cells", 1), ("bin_cells", 2)])
@pytest.mark.parametrize("starts", STARTS, ids=str)
def test_starts_that_do_not_fit(name, at, starts):
    with pytest.raises(ValueError, match=r"^(the starts do not fit the table|one start per column and the end)"):
        call(name, at, np.array(starts, np.int64))


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


OFFSETS = [[0, 2, 1], [0, 1, 4], [0, 4, 3], [-1, 1, 3], [0, -1, 3], [3, 1, 0], [0, 1, 2**31 - 1], [0, 3], [0], []]


@pytest.mark.parametrize("type_", [np.int32, np.int64])
@pytest.mark.parametrize("offsets", OFFSETS, ids=str)
def test_offsets_that_do_not_fit(type_, offsets):
    with pytest.raises(ValueError, match=r"^(the offsets do not fit the bytes|one offset per text and the end)"):
        call("encode_text", 0, np.array(offsets, type_))


def test_offsets_are_not_cut():
    with pytest.raises((ValueError, TypeError)):
        call("encode_text", 0, np.array([0, 1, 2**64 - 2**32 + 3], np.uint64))


@pytest.mark.parametrize("offsets", [[0, 2], [-1, 1], [1, 0], []], ids=str)
def test_offsets_of_known_labels_that_do_not_fit(offsets):
    with pytest.raises(ValueError, match=r"^the offsets do not fit the bytes$"):
        call("encode_text", 4, (np.array(offsets, np.int64), np.zeros(1, np.uint8)))


def test_known_labels_that_are_not_distinct():
    with pytest.raises(ValueError, match=r"^the labels are not distinct$"):
        call("encode_text", 4, joined(["a", "b", "a"]))
    with pytest.raises(ValueError, match=r"^the labels are not distinct$"):
        call("encode_numbers", 2, [np.array([1.0, 2.0, 1.0])] * 3)


@pytest.mark.parametrize(("bits", "bit"), [(0, 0), (1, 7), (1, 8), (2, 15), (1, 2**32)])
def test_a_bitmap_that_is_too_short(bits, bit):
    arguments = good()["encode_text"]
    arguments[2:4] = np.zeros(bits, np.uint8), bit
    with pytest.raises(ValueError, match=r"^the bitmap is too short$"):
        _native.encode_text(*arguments)


def test_a_bit_before_the_bitmap():
    with pytest.raises(TypeError):
        call("encode_text", 3, -1)


def test_a_bit_so_large_that_a_sum_wraps():
    """In an interpreter of its own, as a kernel that reads there takes it down."""
    script = """
import numpy as np
from likely import _native
offsets, texts, bitmap, codes = np.arange(3), np.zeros(2, np.uint8), np.zeros(1, np.uint8), np.zeros(2, np.int32)
for bit in (2**64 - 1, 2**64 - 2, 2**63):
    try:
        _native.encode_text(offsets, texts, bitmap, bit, None, codes)
    except (ValueError, TypeError):
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["refused"] * 3, done.stderr[-2000:]


@pytest.mark.parametrize("known", [[], [np.ones(1)] * 2, [np.ones(1)] * 4])
def test_labels_of_other_columns(known):
    with pytest.raises(ValueError, match=r"^one array of labels per column is needed$"):
        call("encode_numbers", 2, known)


@pytest.mark.parametrize("label", ["text", None, np.ones((1, 1)), np.array(["a"])])
def test_labels_that_are_no_numbers(label):
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        call("encode_numbers", 2, [label] * 3)


def test_factorials_of_what_is_no_count():
    with pytest.raises(ValueError, match=r"^only counts have factorials$"):
        call("score_linear", 1, _native.NON_NEGATIVE)


@pytest.mark.parametrize("name", ["best", "normalise"])
def test_no_classes(name):
    arguments = good()[name]
    arguments[:2] = np.zeros((2, 0)), np.zeros(0)
    with pytest.raises(ValueError, match=r"^the scores do not fit$"):
        getattr(_native, name)(*arguments)


@pytest.mark.parametrize("columns", [0, 1])
@pytest.mark.parametrize("rows", [0, 1])
def test_no_rows_and_no_columns(rows, columns):
    x, y, table = np.ones((rows, columns)), np.zeros(rows, np.int32), np.zeros((1, columns))
    starts, codes = np.arange(columns + 1), np.zeros((columns, rows), np.int32)
    assert _native.moments(x, y, None, table.copy(), table.copy(), table.copy()) == -1
    assert _native.totals(x, y, None, _native.COUNT, table.copy(), table.copy()) == -1
    assert _native.score_gaussian(x, table, table, table, np.zeros((rows, 1))) == -1
    assert _native.bin_cells(x, np.ones(columns), starts, codes) == -1
    _native.count_cells(np.zeros_like(codes), y, None, starts, table.copy())
    _native.score_cells(np.zeros_like(codes), starts, table, np.zeros((rows, 1)))
    assert len(_native.encode_numbers(x, None, None, codes)) == columns
    csr = np.zeros(rows + 1, np.int32), np.zeros(0, np.int32), np.zeros(0)
    assert _native.csr_totals(*csr, y, None, _native.COUNT, table.copy()) == -1
    _native.csr_scores(*csr, _native.NON_NEGATIVE, np.zeros((columns, 1)), np.zeros((rows, 1)))
