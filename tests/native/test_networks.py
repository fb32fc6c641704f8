"""Scores of networks, against plain loops; what is missing in a forest, against the sum over all values."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import call


@st.composite
def networks(draw):
    """Columns of 1 to 3 values, each with parents among those before it, and log probabilities."""
    columns, classes = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    sizes = [draw(st.integers(1, 3)) for _ in range(columns)]
    most = draw(st.integers(0, 2))
    factors = [
        (*draw(st.lists(st.integers(0, j - 1), max_size=most, unique=True)), j) if j else (0,) for j in range(columns)
    ]
    return columns, classes, sizes, factors, draw(st.integers(0, 2**32))


def arguments(problem, rows=70, holes=0.3):
    _, classes, sizes, factors, seed = problem
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, size + 1, rows) for size in sizes], np.int32)
    codes[rng.random(codes.shape) < holes] = -1
    width = -(-classes // 4) * 4
    tables = []
    for factor in factors:
        shape = [sizes[j] + 2 for j in factor]
        p = rng.random((*shape, width))
        p[..., 0, :] = 0
        p /= p.sum(axis=-2, keepdims=True)
        with np.errstate(divide="ignore"):
            logs = np.log(p)
        logs[..., 0, :] = 0
        tables.append(logs)
    flat = np.concatenate([table.reshape(-1, width) for table in tables])
    members, ends = np.array([j for factor in factors for j in factor]), np.cumsum([len(factor) for factor in factors])
    return codes, np.array(sizes) + 1, members, ends, flat, tables


def entries(codes, factors, tables, row):
    """What each factor adds to each class."""
    return np.array([t[tuple(codes[j, row] + 1 for j in factor)] for factor, t in zip(factors, tables, strict=True)])


@given(networks())
def test_a_network_is_the_sum_of_its_factors(problem):
    columns, classes, _, factors, seed = problem
    codes, sizes, members, ends, flat, tables = arguments(problem)
    times = np.random.default_rng(seed).choice([0.0, 0.5, 1.0], columns)
    out = np.ones((codes.shape[1], classes))
    _native.score_networks(codes, sizes, members, ends, np.array([columns]), flat, times, False, None, None, None, out)
    for row in range(codes.shape[1]):
        expected = 1 + (times[:, None] * entries(codes, factors, tables, row)).sum(axis=0)[:classes]
        assert_allclose(out[row], expected, rtol=1e-12, atol=1e-12)


@given(networks())
def test_own_factors_take_the_place_of_those_of_the_own_class(problem):
    columns, classes, _, factors, seed = problem
    codes, sizes, members, ends, flat, tables = arguments(problem)
    rng = np.random.default_rng(seed)
    y, own = rng.integers(classes, size=codes.shape[1]).astype(np.int32), rng.normal(size=(codes.shape[1], columns))
    out = np.zeros((codes.shape[1], classes))
    _native.score_networks(
        codes, sizes, members, ends, np.array([columns]), flat, np.ones(columns), False, y, own, None, out
    )
    found = np.zeros((codes.shape[1], columns))
    _native.look_up_factors(codes, y, sizes, members, ends, flat, found)
    for row in range(codes.shape[1]):
        parts = entries(codes, factors, tables, row)
        assert np.array_equal(found[row], parts[:, y[row]])
        expected = parts.sum(axis=0)[:classes]
        expected[y[row]] = own[row].sum()
        assert_allclose(out[row], expected, rtol=1e-12, atol=1e-12)


@given(networks().filter(lambda problem: all(len(factor) <= 2 for factor in problem[3])))
def test_what_is_missing_in_a_forest_is_summed_out(problem):
    columns, classes, sizes_, factors, _ = problem
    codes, sizes, members, ends, flat, tables = arguments(problem, rows=9)
    out = np.zeros((9, classes))
    _native.score_networks(
        codes, sizes, members, ends, np.array([columns]), flat, np.ones(columns), True, None, None, None, out
    )
    for row in range(9):
        values = [range(sizes_[j] + 1) if codes[j, row] < 0 else [codes[j, row]] for j in range(columns)]
        whole = np.array(list(product(*values)), np.int32).T
        each = [entries(whole, factors, tables, at).sum(axis=0)[:classes] for at in range(whole.shape[1])]
        assert_allclose(out[row], np.logaddexp.reduce(each), rtol=1e-10, atol=1e-10)


@given(networks())
def test_several_networks_are_averaged_where_their_first_column_is_there(problem):
    columns, classes, _, factors, _ = problem
    codes, sizes, members, ends, flat, tables = arguments(problem)
    out = np.zeros((codes.shape[1], classes))
    twice = np.array([columns, 2 * columns])
    again = (
        np.concatenate([members, members]),
        np.concatenate([ends, ends[-1] + ends]),
        np.concatenate([flat, flat / 2]),
    )
    _native.score_networks(
        codes, sizes, again[0], again[1], twice, again[2], np.ones(columns), False, None, None, None, out
    )
    for row in range(codes.shape[1]):
        total = entries(codes, factors, tables, row).sum(axis=0)[:classes]
        expected = np.logaddexp(total, total / 2) - np.log(2) if codes[0, row] >= 0 else np.zeros(classes)
        assert_allclose(out[row], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, np.array([[0, 3], [0, 0], [0, 0]], np.int32)),
        (2, np.array([0, 1, 1, 2])),
        (4, np.array([2])),
        (4, np.array([1, 3])),
        (4, np.array([3, 3])),
        (8, None),
        (10, None),
    ],
)
def test_networks_that_do_not_fit(at, value):
    with pytest.raises(ValueError, match=r"code|fit|forest|network|cycle|column"):
        call("score_networks", at, value)
