"""Columns that count more or less than once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.families import FAMILIES, Bernoulli, Poisson
from likely.families.weighable import Weighable
from likely.priors import MaximumLikelihood
from likely.statistics import Frame

WEIGHTS = np.array([0.0, 0.25, 3.0])
OF_COLUMNS = [name for name, family in FAMILIES.items() if issubclass(family, Weighable)]


def counted(name):
    """Some rows of three columns, counted, and the frame."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40).astype(np.int32)
    family, block = FAMILIES[name](), rng.integers(0, 2, (40, 3)) + (y[:, None] if name != "bernoulli" else 0)
    if family.reads == "categories":
        block, frame = block.astype(np.int32), Frame(range(3), cells=(np.arange(3),) * 3)
    else:
        block = block.astype(np.float64)
        block[5, 1] = np.nan
        frame = family.frame(range(3), block, y, 2, None, np.zeros(3, np.bool))
    return family, family.count(block, y, 2, None, frame), frame, block


def test_which_they_are():
    assert OF_COLUMNS == ["bernoulli", "categorical", "poisson", "gaussian", "histogram"]


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_the_score_is_the_sum_of_each_column_so_many_times(name):
    family, statistics, frame, block = counted(name)
    once = family.contributions(family.estimate(statistics, frame), block)
    weighed = family.parameters(statistics, frame, WEIGHTS)
    out = np.zeros((40, 2))
    family.score(weighed, block, out)
    assert_allclose(out, once @ WEIGHTS, rtol=1e-12)
    assert_allclose(family.contributions(weighed, block), once * WEIGHTS, rtol=1e-12)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_without_weights_the_parameters_are_as_estimated(name):
    family, statistics, frame, _ = counted(name)
    assert family.parameters(statistics, frame, None).weights is None


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_what_is_described_and_drawn_stays(name):
    family, statistics, frame, _ = counted(name)
    plain, weighed = family.estimate(statistics, frame), family.parameters(statistics, frame, WEIGHTS)
    for one, other in zip(family.describe(plain, frame), family.describe(weighed, frame), strict=True):
        assert_allclose(one.values, other.values)
    y = np.zeros(9, np.int32)
    drawn = (family.sample(parameters, y, np.random.default_rng(1)) for parameters in (plain, weighed))
    np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("name", ["bernoulli", "categorical", "poisson"])
def test_the_line_is_that_of_the_score(name):
    family, statistics, frame, block = counted(name)
    block = block[:5]
    line = family.linear(family.parameters(statistics, frame, WEIGHTS), frame)
    cells = [block[:, j] == cell if name == "categorical" else block[:, j] for j, cell in line.features]
    features = np.stack(cells, axis=1)
    out = np.zeros((5, 2))
    family.score(family.parameters(statistics, frame, WEIGHTS), block, out)
    apart = (features @ line.weights.T + line.bias) - out
    assert_allclose(apart[:, 0], apart[:, 1], atol=1e-12)  # but for log x!, the same for both


@pytest.mark.parametrize("family", [Bernoulli(MaximumLikelihood()), Poisson(MaximumLikelihood())])
def test_what_counts_nothing_makes_nothing_impossible(family):
    block, y, frame = np.array([[0.0, 0.0], [0.0, 1.0]]), np.zeros(2, np.int32), Frame(range(2))
    statistics = family.count(block, y, 1, None, frame)
    out = np.zeros((1, 1))
    family.score(family.parameters(statistics, frame, np.array([0.0, 1.0])), np.array([[1.0, 1.0]]), out)
    assert np.isfinite(out).all()
