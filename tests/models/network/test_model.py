"""The model behind BayesNetwork: a frozen value, as the others."""

import numpy as np
import pandas as pd

from likely.families import Categorical, Histogram
from likely.models.network.model import NetworkModel

from ...samples import sample_of


def rows(n=60):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n)
    return pd.DataFrame({"a": (y ^ (rng.random(n) < 0.2)).astype(str), "b": rng.normal(y)}), y


def test_learning_gives_another_model():
    sample = sample_of(*rows())
    empty = NetworkModel("auto", structure="tan")
    model = empty.fit(sample)
    assert empty.learned is None
    assert model.learn(sample).class_counts.sum() == 120
    assert model.class_counts.sum() == 60


def test_what_reads_each_column():
    model = NetworkModel(structure="naive").fit(sample_of(*rows()))
    families = model.chosen_families
    assert type(families["a"]) is Categorical
    assert type(families["b"]) is Histogram
    assert model.network_block is model.blocks[0]


def test_the_smoothing_is_chosen_anew_and_bins_stay():
    sample = sample_of(*rows())
    model = NetworkModel(structure=(("a", "b"),)).fit(sample)
    again = model.retuned(sample)
    assert again.network_block.family == model.network_block.family
