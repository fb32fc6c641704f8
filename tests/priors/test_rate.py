"""Gamma: what it adds to events, and its posterior against scipy.stats."""

import pytest
from scipy import optimize, stats

from likely.priors import Gamma


def test_for_the_mode_of_a_rate_the_pseudocount_of_events_is_one_less():
    assert Gamma(3, 2, "mode").rate() == (2, 2)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (2, 4), (10, 0.1)])
def test_gamma_against_scipy(a, b):
    belief, truth = Gamma(a, b).posterior(9, 3), stats.gamma(a + 9, scale=1 / (b + 3))
    assert belief.mean == pytest.approx(truth.mean())
    assert belief.interval(0.9) == pytest.approx(truth.interval(0.9))
    best = optimize.minimize_scalar(lambda r: -truth.logpdf(r), bounds=(0, 30), method="bounded")
    assert belief.mode == pytest.approx(best.x, abs=1e-4)


def test_the_mode_of_a_gamma_that_falls_throughout_is_nought():
    assert Gamma(0.5, 2).mode == 0
