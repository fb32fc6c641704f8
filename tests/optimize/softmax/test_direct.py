"""The direct solver by itself: no slope at its point, the gap asked for, whatever its start; and its L-BFGS."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.optimize.softmax import direct

from .problems import ends_alike_from_any_start, ends_without_slope


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_the_objective_has_no_slope_where_it_ends(classes, penalty):
    ends_without_slope(direct.solve, classes, penalty)


def test_the_start_does_not_matter():
    ends_alike_from_any_start(direct.solve, np.column_stack([np.full((3, 5), 2.0), [1.0, -1.0, 0.0]]))


@pytest.mark.parametrize("steps", [0, 1, 4, direct.MEMORY + 3])
def test_two_loops_are_the_updates_of_the_inverse(steps):
    rng = np.random.default_rng(steps)
    root = rng.normal(size=(20, 20))
    curvature, diagonal, pairs = root @ root.T + np.eye(20), rng.random(20) + 0.5, []
    for _ in range(steps):
        moved = rng.normal(size=20)
        pairs = direct._remembered(pairs, moved, curvature @ moved)
    inverse = np.diag(diagonal)
    for moved, turned in pairs:
        product = moved @ turned
        away = np.eye(20) - np.outer(moved, turned) / product
        inverse = away @ inverse @ away.T + np.outer(moved, moved) / product
    gradient = rng.normal(size=20)
    assert len(pairs) == min(steps, direct.MEMORY)
    assert_allclose(direct._two_loops(pairs, gradient, diagonal.__mul__), inverse @ gradient, rtol=1e-6, atol=1e-9)


def test_a_step_along_which_the_gradient_does_not_grow_is_not_remembered():
    assert direct._remembered([], np.ones(2), -np.ones(2)) == []
