"""The kernels of logistic regression against the formulas, in high precision where rounding would tell."""

import mpmath
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import _native

from .kernels import block, codes_for, problems_of_matrices, weights_for


def width(outputs):
    return 1 if outputs == 1 else -(-outputs // 4) * 4


def padded(table, outputs):
    out = np.zeros((len(table), width(outputs)))
    out[:, :outputs] = table
    return out


def plain(scores, y, weight):
    """Loss and residuals by the formulas."""
    both = np.hstack([np.zeros_like(scores), scores]) if scores.shape[1] == 1 else scores
    p = np.exp(both - both.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    w = np.ones(len(y)) if weight is None else weight
    own = np.arange(len(y)), y
    top = both.max(axis=1)
    loss = w @ (top + np.log(np.exp(both - top[:, None]).sum(axis=1)) - both[own])
    p[own] -= 1
    p *= w[:, None]
    return loss, p[:, 1:] if scores.shape[1] == 1 else p


@settings(deadline=None)
@given(problems_of_matrices, st.booleans(), st.booleans())
def test_a_pass(problem, shifted, with_offset):
    seed, rows, columns, dtype, layout, classes, weighted = problem
    classes = max(classes, 2)
    outputs = 1 if classes == 2 else classes
    x = block(seed, rows, columns, dtype, layout, -3, 4, 0.0)
    y, weight = codes_for(seed, rows, classes), weights_for(seed, rows) if weighted else None
    rng = np.random.default_rng(seed)
    weights, bias = rng.normal(size=(columns, outputs)) / columns, rng.normal(size=outputs)
    shift = rng.normal(size=columns) if shifted else None
    offset = rng.normal(size=(rows, outputs)) if with_offset else None
    gradient, slope = np.ones((columns, outputs)), np.ones(outputs)
    place, loss = _native.logistic_pass(x, shift, y, weight, offset, weights, bias, gradient, slope)
    assert place == -1
    z = x.astype(float) - (0 if shift is None else shift)
    true, residuals = plain(z @ weights + bias + (0 if offset is None else offset), y, weight)
    np.testing.assert_allclose(loss, true, rtol=1e-12, atol=1e-13)
    table, out = padded(weights, outputs), np.ones((rows, width(outputs)))
    assert _native.dense_product(x, shift, table, out) == -1
    np.testing.assert_allclose(out, z @ table, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(gradient, 1 + z.T @ residuals, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(slope, 1 + residuals.sum(axis=0), rtol=1e-11, atol=1e-11)


@settings(deadline=None)
@given(problems_of_matrices, st.booleans(), st.sampled_from([0.0, 0.9]))
def test_products_of_columns_and_of_classes(problem, shifted, zeros):
    seed, rows, columns, dtype, layout, classes, weighted = problem
    classes, columns = 3 + classes % 4, min(columns, 20)
    x = block(seed, rows, columns, dtype, layout, -3, 4, 0.0)
    x[np.random.default_rng(seed).random(x.shape) < zeros] = 0
    y, weight = codes_for(seed, rows, classes), weights_for(seed, rows) if weighted else None
    rng = np.random.default_rng(seed)
    shift = rng.normal(size=columns) if shifted else None
    z = np.hstack([x.astype(float) - (0 if shift is None else shift), np.ones((rows, 1))])
    w = np.ones(rows) if weight is None else weight
    out = np.ones((columns + 1, columns + 1))
    assert _native.weighted_products(x, shift, w, out) == -1
    np.testing.assert_allclose(out, 1 + z.T @ (w[:, None] * z), rtol=1e-11, atol=1e-9)
    scores = rng.normal(size=(rows, classes))
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    residuals = padded(plain(scores, y, weight)[1], classes)
    pairs = [(k, other) for k in range(classes) for other in range(k)]
    blocks = np.empty((len(pairs) - 2, columns + 1, columns + 1))
    assert _native.softmax_products(x, shift, residuals, y, weight, classes, 1, blocks) == -1
    for (k, other), found in zip(pairs[1:-1], blocks, strict=True):
        own = -w * p[:, k] * p[:, other]
        np.testing.assert_allclose(found, z.T @ (own[:, None] * z), rtol=1e-10, atol=1e-9)


@given(st.integers(0, 2**32), st.integers(0, 40), st.integers(1, 30).filter(lambda c: c != 2), st.booleans())
def test_residuals_and_curvature(seed, rows, outputs, weighted):
    rng = np.random.default_rng(seed)
    classes = 2 if outputs == 1 else outputs
    y, weight = codes_for(seed, rows, classes), weights_for(seed, rows) if weighted else None
    scores, along = rng.normal(size=(2, rows, outputs)) * 3
    found, out = padded(scores, outputs), np.ones((rows, width(outputs)))
    loss = _native.logistic_residuals(found, y, weight, outputs)
    true, residuals = plain(scores, y, weight)
    np.testing.assert_allclose(loss, true, rtol=1e-12)
    np.testing.assert_allclose(found, padded(residuals, outputs), rtol=1e-11, atol=1e-14)
    _native.logistic_curvature(found, y, weight, outputs, padded(along, outputs), out)
    step = 1e-6
    ahead, behind = (plain(scores + t * along, y, weight)[1] for t in (step, -step))
    np.testing.assert_allclose(out, padded((ahead - behind) / (2 * step), outputs), atol=1e-7)


@pytest.mark.parametrize("score", [-800.0, -745.0, -40.0, -1e-9, 0.0, 1e-9, 0.3, 40.0, 745.0, 800.0, 1e5])
@pytest.mark.parametrize("outputs", [1, 3])
def test_scores_far_out(score, outputs):
    """To the last places, where 1 - p would have none."""
    y = np.array([1, 0], np.int32)
    scores = np.zeros((2, width(outputs)))
    scores[:, 0 if outputs == 1 else 1] = score
    loss = _native.logistic_residuals(scores, y, None, outputs)
    with mpmath.workdps(400):
        others = mpmath.mpf(1 if outputs == 1 else 2)
        e = mpmath.exp(mpmath.mpf(score))
        p = e / (e + others)
        expected = float(mpmath.log(e + others) - score) + float(mpmath.log(e + others))
        second, first = float(p - 1), float(p)
    np.testing.assert_allclose(loss, expected, rtol=1e-14)
    at = 0 if outputs == 1 else 1
    np.testing.assert_allclose(scores[:, at], [second, first], rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("index", ["i4", "i8"])
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("columns", [1, 4, 8, 12, 20, 24, 32])
def test_sparse_products(index, squared, columns):
    rng = np.random.default_rng(columns)
    x = sp.random_array((3000, 70), density=0.1, rng=rng, format="csr")
    arguments = x.indptr.astype(index), x.indices.astype(index), x.data
    table, back = rng.normal(size=(70, columns)), rng.normal(size=(3000, columns))
    true = x.toarray() ** 2 if squared else x.toarray()
    out = np.ones((3000, columns))
    _native.csr_product(*arguments, table, squared, out)
    np.testing.assert_allclose(out, true @ table, rtol=1e-11, atol=1e-12)
    sums = np.ones((70, columns))
    _native.csr_transposed_product(*arguments, back, squared, sums)
    np.testing.assert_allclose(sums, 1 + true.T @ back, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("index", ["i4", "i8"])
def test_forms_of_sparse_rows(index):
    rng = np.random.default_rng(1)
    x = sp.random_array((500, 40), density=0.1, rng=rng, format="csr")
    table, out = rng.normal(size=(41, 41)), np.ones(500)
    _native.csr_forms(x.indptr.astype(index), x.indices.astype(index), x.data, table, out)
    with_ones = np.column_stack([x.toarray(), np.ones(500)])
    np.testing.assert_allclose(out, np.einsum("ij,jk,ik->i", with_ones, table, with_ones), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("column", [-1, 3, 2**31 - 1])
@pytest.mark.parametrize("row", [0, 2499])
def test_sparse_columns_out_of_range(column, row):
    indices = np.zeros(5000, np.int32)
    indices[2 * row] = column
    arguments = np.arange(0, 5001, 2, dtype=np.int32), indices, np.ones(5000)
    message = r"^a column index of the sparse matrix is out of range$"
    with pytest.raises(ValueError, match=message):
        _native.csr_product(*arguments, np.ones((3, 1)), False, np.zeros((2500, 1)))
    with pytest.raises(ValueError, match=message):
        _native.csr_transposed_product(*arguments, np.ones((2500, 1)), False, np.zeros((3, 1)))
    with pytest.raises(ValueError, match=message):
        _native.csr_forms(*arguments, np.ones((4, 4)), np.zeros(2500))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e151])
def test_a_cell_that_is_no_number_is_told(bad):
    x = np.ones((300, 3))
    x[270, 1] = bad
    arguments = np.zeros(300, np.int32), None, None, np.ones((3, 1)), np.ones(1)
    place, _ = _native.logistic_pass(x, None, *arguments, np.zeros((3, 1)), np.zeros(1))
    assert place // 3 == 270
