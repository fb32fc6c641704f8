"""Rows that alone have a category, left out: as if the category had never come."""

from dataclasses import replace

import numpy as np
import pytest

from likely.data import Sample, read
from likely.families import Bernoulli, Categorical, Gaussian, Histogram
from likely.limits import Within
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Dirichlet, Laplace

TABLE = np.array(
    [["a", "x"], ["b", "x"], ["a", "y"], ["c", "x"], ["a", None], ["d", "x"], [None, "z"], ["b", "y"]], object
)
Y = np.array([0, 0, 1, 1, 0, 1, 1, 0], np.int32)
ALONE = [False, False, False, True, False, True, True, False]
"""c, d and z come once."""


def sample(rows, weight=None):
    part = None if weight is None else weight[rows]
    return Sample(read(TABLE[rows]), Y[rows], np.arange(2), part)


@pytest.mark.parametrize(
    "family",
    [
        Categorical(),
        Categorical(Laplace(0.3)),
        Categorical(Dirichlet(2.0, estimate="mode")),
        Categorical(unseen=False),
        Categorical(Within(0.05, 0.9)),
        Categorical(Within(0.05, 0.9), unseen=False),
    ],
    ids=repr,
)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("column_weights", [None, [0.5, 2.0], [1.0, 0.0]])
def test_scores_are_those_of_a_model_that_never_saw_the_row(family, weighted, column_weights):
    weight = np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0]) if weighted else None
    times = None if column_weights is None else np.array(column_weights)
    every = sample(np.arange(8), weight)
    model = NaiveBayesModel(family).learn(every)
    (block,) = (replace(block, column_weights=times) for block in model.known.blocks)
    model = replace(model, learned=replace(model.known, blocks=(block,)))
    scores = model.loo_scores(every)
    alone = family.unlearn_own_categories(block, block.observe(every), scores)
    if times is None or times[1] > 0:
        assert alone.tolist() == ALONE
    for row in range(8):
        without = NaiveBayesModel(family).learn(sample(np.arange(8) != row, weight))
        (left,) = (replace(block, column_weights=times) for block in without.known.blocks)
        without = replace(without, learned=replace(without.known, blocks=(left,)))
        expected = without.score(sample(np.array([row])).table)[0]
        if family.unseen or not alone[row]:
            np.testing.assert_allclose(scores[row], expected, rtol=1e-9, atol=1e-9)
        else:  # of a value that nobody knows
            assert np.isneginf(scores[row]).all()
            assert np.isneginf(expected).all()


@pytest.mark.parametrize("family", [Bernoulli(), Gaussian(), Histogram(bins=(0.0, 0.5, 1.0))], ids=repr)
def test_other_families_have_none(family):
    x = np.array([[0.0], [1.0], [1.0], [0.0]])
    every = Sample(read(x), np.array([0, 0, 1, 1], np.int32), np.arange(2))
    model = NaiveBayesModel(family).learn(every)
    (block,) = model.known.blocks
    scores = model.loo_scores(every)
    before = scores.copy()
    assert not family.unlearn_own_categories(block, block.observe(every), scores).any()
    np.testing.assert_array_equal(scores, before)
