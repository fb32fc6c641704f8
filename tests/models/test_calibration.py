"""What a map makes of log probabilities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import log_softmax, softmax

from likely.models.calibration import LEAST, Calibration, Steps

RNG = np.random.default_rng(0)
CLASSES = np.array(["a", "b", "c"])
LOG_P = log_softmax(3 * RNG.normal(size=(50, 3)), axis=1)
RISING = Steps(np.array([0.0, 0.5, 1.0]), np.array([0.1, 0.5, 0.8]))


def test_a_temperature_scales_and_an_offset_moves():
    offset = np.array([0.0, 1.0, -0.5])
    found = Calibration(CLASSES, 0.4, offset)
    assert found.how == "temperature"
    assert_allclose(found(LOG_P), softmax(0.4 * LOG_P + offset, axis=1))


def test_what_is_impossible_stays_possible_by_a_hair():
    found = Calibration(CLASSES[:2], 2.0, np.zeros(2))(np.array([[0.0, -np.inf]]))
    assert_allclose(found[0, 1], np.exp(LEAST), rtol=1e-9)


@pytest.mark.parametrize("winner", [None, RISING], ids=["curves", "and of the winner"])
def test_curves_are_of_each_class_and_of_the_winner(winner):
    found = Calibration(CLASSES, 1.0, np.zeros(3), (RISING,) * 3, winner)
    assert found.how == "isotonic"
    p = found(LOG_P)
    drawn = np.interp(np.exp(LOG_P), *RISING)
    drawn /= drawn.sum(axis=1, keepdims=True)
    assert_allclose(p.sum(axis=1), 1)
    if winner is None:
        assert_allclose(p, drawn)
        return
    first = drawn.argmax(axis=1)[:, None]
    assert_allclose(np.take_along_axis(p, first, 1), np.interp(np.take_along_axis(drawn, first, 1), *RISING))
    others = np.arange(3) != first
    ratio = (p / drawn)[others].reshape(-1, 2)
    assert_allclose(ratio[:, 0], ratio[:, 1])
