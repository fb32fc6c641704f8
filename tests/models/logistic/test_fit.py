"""What is kept of a fit."""

import numpy as np

from likely.models.logistic.regression import LogisticModel

from ...samples import sample_of


def test_what_was_chosen_and_counted_is_kept():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"] * 30 + ["b"] * 10)
    sample = sample_of(rng.normal(size=(70, 2)) + (y == "b")[:, None], y)
    known = LogisticModel((0.1, 1.0)).learn(sample).known
    assert known.class_counts.tolist() == [30, 40]
    assert known.c == min(known.tried, key=lambda trial: trial.log_loss).c
    assert known.generative is None
    assert (known.reading, known.evidence, known.multipliers, known.kkt) == ("family", (), (), None)
    assert known.solution.weights.shape == (1, known.design.size)
