"""Conditional tables from counts, level by level, against counting by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.families.conditionals import Smoothing
from likely.families.structure import Structure
from likely.priors import Laplace
from likely.statistics import JointCounts, JointFrame

SIZES, M = (2, 3, 2), 5.0


@pytest.fixture(scope="module")
def seen():
    rng = np.random.default_rng(1)
    codes = np.array([rng.integers(-1, size, 80) for size in SIZES], np.int32)
    return codes, rng.integers(2, size=80).astype(np.int32)


def smoothing(codes, y, weight=None):
    structure = Structure("given", (((), (0,), (1, 0)),))
    frame = JointFrame(
        ("a", "b", "c"), tuple(np.arange(n) for n in SIZES), None, structure.cliques, (False, False, True)
    )
    table = np.zeros((2, sum(SIZES)))
    for j, start in enumerate(np.cumsum([0, *SIZES[:-1]])):
        there = codes[j] >= 0
        np.add.at(table, (y[there], start + codes[j][there]), 1.0 if weight is None else weight[there])
    return Smoothing(JointCounts(table, frame.joint.count(codes, y, 2, weight)), frame, structure, Laplace(), M)


def by_hand(codes, y, factor, k, at, weight=None):
    """p of the last of these values given those before it, in class k: counted, and smoothed by fewer parents."""
    *parents, j = factor
    w = np.ones(len(y)) if weight is None else weight
    values, cut = SIZES[j], j == 2
    rows = (y == k) & (codes[j] >= 0)
    p = (w[rows & (codes[j] == at[-1])].sum() + 1) / (w[rows].sum() + values + (not cut))
    for parent, value in zip(parents, at, strict=False):
        if value < 0:
            break
        rows &= codes[parent] == value
        p = (w[rows & (codes[j] == at[-1])].sum() + M * p) / (w[rows].sum() + M)
    return p


@pytest.mark.parametrize("factor", [(0,), (0, 1), (1, 0, 2)])
def test_tables_are_what_is_counted_by_hand(seen, factor):
    p = smoothing(*seen).conditional(factor)
    for k in range(2):
        for at in np.ndindex(*(SIZES[j] + 1 for j in factor[:-1]), SIZES[factor[-1]]):
            slots = *(cell - 1 for cell in at[:-1]), at[-1]
            assert_allclose(p[k][at], by_hand(*seen, factor, k, slots), rtol=1e-12)
    assert_allclose(p.sum(axis=-1), 1, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("factor", [(0,), (0, 1), (1, 0, 2)])
def test_without_a_row_they_are_those_of_all_others(seen, factor, weighted):
    codes, y = seen
    weight = np.random.default_rng(2).choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    found = smoothing(codes, y, weight).own(factor, codes, y, np.ones(len(y)) if weight is None else weight)
    for row in range(len(y)):
        if codes[factor[-1], row] < 0:
            assert found[row] == 0
            continue
        rest = np.delete(np.arange(len(y)), row)
        of_rest = None if weight is None else weight[rest]
        p = by_hand(codes[:, rest], y[rest], factor, y[row], [codes[j, row] for j in factor], of_rest)
        assert_allclose(found[row], np.log(p), rtol=1e-10)


def test_a_value_not_seen_backs_off_to_the_column_alone(seen):
    p = smoothing(*seen).conditional((0, 1))
    assert_allclose(p[:, -1], p[:, 0], rtol=1e-12)
