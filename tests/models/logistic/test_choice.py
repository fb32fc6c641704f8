"""What is chosen depends on what is left open."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.data import Sample, read
from likely.models.logistic.choice import Choice
from likely.models.logistic.regression import LogisticModel


def sample():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    return Sample(read(x), (x[:, 0] > rng.logistic(size=200) / 3).astype(np.int32), np.arange(2))


@pytest.fixture
def generative():
    rows = sample()
    return NaiveBayes()._unlearned().fit(rows)


def test_nothing_is_tried_where_c_is_given():
    found = Choice(LogisticModel(2.0), sample(), None).made()
    assert (found.best.c, found.tried, found.tol) == (2.0, [], 1e-6)


def test_of_several_the_best_and_no_scale():
    found = Choice(LogisticModel((0.1, 1.0)), sample(), None).made()
    assert [trial.c for trial in found.tried] == [0.1, 1.0]
    assert {trial.nb_scale for trial in found.tried} == {1.0}


def test_a_blend_chooses_readings_to_as_much_as_it_compares(generative):
    found = Choice(LogisticModel(None, shrink_to="naive_bayes"), sample(), generative).made()
    assert {trial.reading for trial in found.tried} == {"curve", "knots", "family"}
    assert found.tol == 1e-3


def test_time_ordered_rows_choose_c_and_the_scale_alone(generative):
    model = LogisticModel(None, shrink_to="naive_bayes", time_ordered=True)
    found = Choice(model, sample(), generative).made()
    assert {trial.reading for trial in found.tried} == {"family"}
    assert not found.evidence


def test_pairs_that_are_named_are_features(generative):
    model = LogisticModel(1.0, shrink_to="naive_bayes", interactions=[(0, 1)])
    assert Choice(model, sample(), generative).made().design.pairs == [(0, 1)]
