"""Where solvers begin, and what their tolerance is relative to."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.models.logistic.point import first_bias, relative_to
from likely.models.logistic.rows import Dense


@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5, 3.0, 1.0, 1.0])])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_first_bias_gives_every_row_the_shares_of_the_classes(classes, weight):
    y = np.array([0, 1, 1, 0, 1, classes - 1], np.int32)
    bias = first_bias(Dense(np.zeros((6, 1)), y, classes, weight))
    scores = np.array([0.0, bias[0]]) if classes == 2 else bias
    shares = np.bincount(y, weight, classes)
    assert_allclose(np.exp(scores) / np.exp(scores).sum(), shares / shares.sum(), rtol=1e-12)


def test_a_thousandth_of_a_row_is_the_least_that_a_gap_is_compared_with():
    rows = Dense(np.zeros((4, 1)), np.array([0, 1, 0, 1], np.int32), 2)
    assert relative_to(rows, 7.0) == 7.0
    assert relative_to(rows, 0.0) == 4e-3


def test_a_bias_that_is_held_begins_at_zero():
    assert not first_bias(Dense(np.zeros((6, 1)), np.array([0, 1, 1, 1, 2, 2], np.int32), 3, held=True)).any()
