"""The cells in which columns are counted together."""

import doctest

import numpy as np

from likely.statistics import joint
from likely.statistics.joint import JointCells


def test_the_example():
    assert doctest.testmod(joint, extraglobs={"np": np}).failed == 0


def test_a_sum_over_the_slots_of_a_column_counts_the_others_whether_or_not_it_is_missing():
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(-1, size, 200) for size in (2, 3, 4)], np.int32)
    y = rng.integers(3, size=200).astype(np.int32)
    three, two = JointCells((2, 3, 4), ((0, 1, 2),)), JointCells((2, 3, 4), ((0, 2),))
    summed = three.of(three.count(codes, y, 3), 0).sum(axis=2)
    assert np.array_equal(summed, two.of(two.count(codes, y, 3), 0))


def test_no_clique_has_no_cell():
    assert JointCells((2,), ()).count(np.zeros((1, 4), np.int32), np.zeros(4, np.int32), 2).shape == (2, 0)
