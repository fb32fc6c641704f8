"""What limits of probabilities cost, beside what is gained as they are loosened."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import NaiveBayes
from likely.families import Categorical
from likely.limits import Within
from likely.priors import MaximumLikelihood

RNG = np.random.default_rng(1)
TABLE = pd.DataFrame({"g": RNG.choice(list("ABC"), 300, p=[0.8, 0.15, 0.05])})
Y = RNG.choice(["x", "y", "z"], 300, p=[0.7, 0.2, 0.1])


def fitted(low=0.1, high=0.6, classes="frequencies"):
    prior = Within({"C": low}, {"A": high}, MaximumLikelihood())
    return NaiveBayes({"g": Categorical(prior, unseen=False)}, class_prior=classes).fit(TABLE, Y)


def test_a_multiplier_is_the_log_likelihood_gained_as_a_limit_of_a_value_is_loosened():
    low, high = fitted().multipliers("g")
    assert low.shape == high.shape == (3, 3)
    assert not low[:, :2].any()
    assert not high[:, 1:].any()
    step = 1e-5
    for sides, gain in (({"high": 0.6}, high[:, 0].sum()), ({"low": 0.1}, -low[:, 2].sum())):
        ((name, bound),) = sides.items()
        above, below = (fitted(**{name: bound + d}).log_likelihood(TABLE, Y) for d in (step, -step))
        assert gain != 0
        assert_allclose((above - below) / (2 * step), gain, rtol=1e-4)


def test_a_multiplier_is_the_log_likelihood_gained_as_a_limit_of_a_class_is_loosened():
    def at(least, most):
        return fitted(classes=Within({"z": least}, {"x": most}))

    low, high = at(0.2, 0.5).multipliers()
    step = 1e-5
    gained = (at(0.2, 0.5 + step).log_likelihood(TABLE, Y) - at(0.2, 0.5 - step).log_likelihood(TABLE, Y)) / (2 * step)
    lost = (at(0.2 + step, 0.5).log_likelihood(TABLE, Y) - at(0.2 - step, 0.5).log_likelihood(TABLE, Y)) / (2 * step)
    assert_allclose([gained, lost], [high[0], -low[2]], rtol=1e-4)
    assert high[0] > 0
    assert low[2] > 0


def test_what_has_no_limits_says_so():
    model = NaiveBayes().fit(TABLE, Y)
    with pytest.raises(ValueError, match="the class prior has no limits"):
        model.multipliers()
    with pytest.raises(ValueError, match="column 'g' has no limits"):
        model.multipliers("g")
    with pytest.raises(ValueError, match="there is no column 'h'"):
        model.multipliers("h")
