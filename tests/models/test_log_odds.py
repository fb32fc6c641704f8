"""Log odds against exact arithmetic, where probabilities are all the same."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest

from likely.models.log_odds import log_odds, probability


def exact(scores, k):
    """By fractions: exp of each score as a float, sums without rounding."""
    odds = [Fraction(exp(score - max(scores))) for score in scores]
    others = sum(odds) - odds[k]
    return log(odds[k]) - log(others)


@pytest.mark.parametrize(
    "scores", [(0.0, -40.0, -50.0), (1.0, 1.0, 1.0), (3.0, -600.0, -601.0), (2.0, 0.5), (-5, 2, 1.9)]
)
def test_it_is_the_log_of_the_odds(scores):
    found = log_odds(np.array([scores], float))[0]
    assert found == pytest.approx([exact(scores, k) for k in range(len(scores))], rel=1e-12, abs=1e-12)


def test_what_probabilities_can_not_tell_apart_has_an_order():
    scores = np.array([[0.0, 40.0], [0.0, 50.0], [0.0, 900.0]])
    odds = log_odds(scores)[:, 1]
    assert (probability(odds) == 1).all()
    assert odds.tolist() == [40.0, 50.0, 900.0]


def test_without_others_it_is_certain_and_without_any_it_is_even():
    odds = log_odds(np.array([[0.0, -np.inf], [-np.inf, -np.inf]]))
    assert odds.tolist() == [[np.inf, -np.inf], [0.0, 0.0]]
    assert log_odds(np.array([[3.0]])).tolist() == [[np.inf]]
    assert log_odds(np.empty((0, 3))).shape == (0, 3)
    assert probability(np.array([-np.inf, 0.0, np.inf])).tolist() == pytest.approx([0.0, 0.5, 1.0])
