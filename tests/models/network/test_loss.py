"""The leave-one-out log loss by which networks are compared, against fits without the row."""

from copy import copy

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import BayesNetwork
from likely.models.network.loss import STRENGTHS, TEMPERATURES, by_column, loss, strengths

from ...samples import sample_of


def fitted(structure):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    a = np.where(rng.random(60) < 0.7, y, rng.integers(3, size=60))
    x = pd.DataFrame({"a": a.astype(str), "b": ((a + rng.integers(2, size=60)) % 3).astype(str)})
    return BayesNetwork(structure, column_weights=False).fit(x, y), x, y


def by_hand(model, x, y, times):
    scores = []
    for row in range(len(y)):
        without = copy(model).forget(x.iloc[[row]], y[[row]])
        prior = np.log((np.bincount(y) - (np.arange(2) == y[row])) / (len(y) - 1))
        scores.append(prior + times * (without.predict_joint_log_proba(x.iloc[[row]])[0] - prior))
    logs = np.array(scores)
    return -np.mean(logs[np.arange(len(y)), y] - np.logaddexp.reduce(logs, axis=1))


@pytest.mark.parametrize("structure", [(("a", "b"),), "aode"])
def test_the_loss_is_that_of_fits_without_the_row_at_the_best_temperature(structure):
    model, x, y = fitted(structure)
    found = loss(model.model_.network_block, model.model_, sample_of(model._read(x), y))
    assert_allclose(found, min(by_hand(model, x, y, times) for times in TEMPERATURES), rtol=1e-9)


def test_of_the_first_columns_the_loss_is_that_of_a_model_of_these():
    model, x, y = fitted((("a", "b"),))
    block, sample = model.model_.network_block, sample_of(model._read(x), y)
    first, both = by_column(block, model.model_, sample, np.array([0, 1]))
    assert_allclose(both, loss(block, model.model_, sample), rtol=1e-9)
    alone = BayesNetwork("naive", column_weights=False).fit(x[["a"]], y)
    of_alone = sample_of(alone._read(x[["a"]]), y)
    assert_allclose(first, loss(alone.model_.network_block, alone.model_, of_alone), rtol=1e-9)


def test_every_strength_is_tried_where_there_is_something_to_smooth():
    tried = strengths(fitted((("a", "b"),))[0].model_.network_block)
    assert [block.family.strength for block in tried] == list(STRENGTHS)
    assert len(strengths(fitted("naive")[0].model_.network_block)) == 1
