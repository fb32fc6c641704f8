"""Columns counted together."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native
from likely.statistics.joint import JointCells, pairs

from .kernels import call, codes_for, weights_for
from .test_cells import cells_of


@st.composite
def joint_problems(draw):
    sizes = draw(st.lists(st.sampled_from([0, 1, 2, 5, 9]), min_size=1, max_size=6))
    columns = st.integers(0, len(sizes) - 1)
    clique = st.lists(columns, min_size=1, max_size=3, unique=True).map(tuple)
    every = st.just(pairs(range(len(sizes)))) if len(sizes) > 1 else st.nothing()
    cliques = draw(st.lists(clique, min_size=1, max_size=7).map(tuple) | every)
    return draw(st.integers(0, 2**32)), draw(st.sampled_from([0, 1, 33, 4096, 4099])), tuple(sizes), cliques


@given(joint_problems(), st.integers(1, 5), st.booleans())
def test_count_joint(problem, classes, weighted):
    seed, rows, sizes, cliques = problem
    codes, _ = cells_of(seed, rows, sizes)
    y, weight = codes_for(seed, rows, classes), weights_for(seed, rows) if weighted else None
    cells = JointCells(sizes, cliques)
    counts = cells.count(codes, y, classes, weight)
    assert counts.dtype == (np.float64 if weighted else np.int64)
    for q, clique in enumerate(cliques):
        expected = np.zeros((classes, *cells.shape(q)))
        np.add.at(expected, (y, *(codes[j] + 1 for j in clique)), 1 if weight is None else weight)
        assert np.array_equal(cells.of(counts, q), expected)


def test_what_is_in_the_table_stays():
    arguments = [np.zeros((1, 2), np.int32), np.zeros(2, np.int32), None, np.array([1]), np.array([0]), np.array([1])]
    table = np.full((1, 2), 5.0)
    _native.count_joint(*arguments, table)
    assert table.tolist() == [[5, 7]]


def test_every_pair_once_in_order():
    assert pairs([3, 5, 9]) == ((3, 5), (3, 9), (5, 9))
    assert len(pairs(range(50))) == len(list(itertools.combinations(range(50), 2)))


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, np.array([[0, 1], [0, 0], [0, 0]], np.int32)),
        (0, np.array([[0, -2], [0, 0], [0, 0]], np.int32)),
        (3, np.array([1, 1, -1])),
        (3, np.array([1, 1, 2**31])),
        (4, np.array([0, 1, 3])),
        (4, np.array([0, 1, -1])),
        (5, np.array([3, 2])),
        (5, np.array([3, 3])),
        (5, np.array([2, 4])),
    ],
)
def test_cliques_that_do_not_fit(at, value):
    with pytest.raises(ValueError, match=r"size|fit|column|clique|code"):
        call("count_joint", at, value)
