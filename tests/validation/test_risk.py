"""Risk against coverage, by hand and by counting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.validation.risk import risk


def test_by_hand():
    found = risk(np.array([0.9, 0.6, 0.8, 0.6]), np.array([True, False, True, True]))
    assert found.threshold.tolist() == [0.9, 0.8, 0.6]
    assert found.coverage.tolist() == [0.25, 0.5, 1.0]
    assert found.precision.tolist() == [1.0, 1.0, 0.75]
    assert found.at_precision(0.97) == (0.8, 0.5, 1.0)
    assert found.at_precision(0.7) == (0.6, 1.0, 0.75)
    assert found.at_threshold(0.7) == (0.7, 0.5, 1.0)
    assert str(found.at_precision(0.97)) == "predicts 50 % of the rows at 100.0 % precision, with threshold 0.800"
    assert_allclose(found.area, 0.5 * 0.25)


def test_a_precision_that_is_out_of_reach_answers_nothing():
    found = risk(np.array([0.9, 1.0]), np.array([True, False]))
    threshold, coverage, precision = found.at_precision(0.97)
    assert threshold > 1
    assert (coverage, precision) == (0.0, 1.0)
    assert found.at_threshold(threshold).coverage == 0


@pytest.mark.parametrize("weighted", [False, True])
def test_every_point_is_what_counting_gives(weighted):
    rng = np.random.default_rng(0)
    sure, right = rng.choice(np.linspace(0, 1, 30), 300), rng.random(300) < 0.7
    weight = rng.random(300) if weighted else None
    w = np.ones(300) if weight is None else weight
    found = risk(sure, right, weight)
    for threshold, coverage, precision in zip(found.threshold, found.coverage, found.precision, strict=True):
        answered = sure >= threshold
        assert_allclose(coverage, w[answered].sum() / w.sum())
        assert_allclose(precision, w[answered & right].sum() / w[answered].sum())


def test_the_most_is_answered_that_the_precision_allows():
    rng = np.random.default_rng(1)
    sure = rng.random(500)
    right = rng.random(500) < sure
    point = risk(sure, right).at_precision(0.9)
    assert point.precision >= 0.9
    more = [t for t in sure if t < point.threshold and right[sure >= t].mean() >= 0.9]
    assert not more
