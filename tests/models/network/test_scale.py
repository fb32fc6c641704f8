"""One weight for all columns of a network, on its plans."""

from dataclasses import replace

import numpy as np
import pandas as pd

from likely import BayesNetwork
from likely.models.network.scale import scalable, scale, scaled, unscaled

from ...samples import sample_of


def plans():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    x = pd.DataFrame({"c": np.array(list("ab"))[y], "d": np.array(list("xyz"))[rng.integers(0, 3, 200)]})
    model = BayesNetwork("naive", column_weights=False).fit(x, y)
    return model.model_.plans(sample_of(model._read(x), y))


def test_a_plan_is_scaled_and_back():
    for plan in plans():
        assert scaled(plan, 1.0) is plan
        half = scaled(plan, 0.5)
        assert half.column_weights.tolist() == [0.5] * len(plan.columns)
        assert unscaled(half).column_weights is None


def test_columns_of_weight_0_stay_without_weight():
    plan = next(plan for plan in plans() if len(plan.columns) == 2)
    some = replace(plan, column_weights=np.array([1.0, 0.0]))
    assert scaled(some, 0.25).column_weights.tolist() == [0.25, 0.0]
    assert unscaled(scaled(some, 0.25)).column_weights.tolist() == [1.0, 0.0]


def test_the_scale_of_plans_is_found_again():
    assert scale([scaled(plan, 0.25) for plan in plans()]) == 0.25
    assert scale(plans()) == 1.0


def test_plans_of_a_network_can_be_scaled():
    assert scalable(plans())
