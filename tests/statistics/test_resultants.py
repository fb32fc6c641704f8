"""Sums of directions: what the laws do not ask."""

import numpy as np
import pytest

from likely.statistics import NeverLearned, Resultants


def sums(*angles: float) -> Resultants:
    size = np.ones((1, 1))
    return Resultants(len(angles) * size.astype(int), np.cos(angles).sum() * size, np.sin(angles).sum() * size)


def test_opposite_directions_lead_nowhere():
    assert sums(0.0, np.pi).length.item() == pytest.approx(0)
    assert sums(1.0, 1.0).length.item() == pytest.approx(2)


def test_what_was_taken_away_leaves_nothing():
    left = (sums(0.1, 0.2, 0.3) - sums(0.2)) - sums(0.3) - sums(0.1)
    assert [array.item() for array in left.arrays().values()] == [0, 0, 0]


def test_a_direction_that_was_never_learned_is_not_taken_away():
    """Two steps to the east, less one to the west, would be one step of length 3."""
    with pytest.raises(NeverLearned):
        sums(0.0, 0.0) - sums(np.pi)
