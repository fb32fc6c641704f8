"""Columns that count more or less than once."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.families import FAMILIES, Bernoulli, Poisson
from likely.priors import MaximumLikelihood
from likely.statistics import Frame

from ..samples import readable
from .blocks import counted, observed, scored

WEIGHTS = np.array([0.0, 0.25, 3.0])
OF_COLUMNS = [name for name, family in FAMILIES.items() if family.independent and not family.marks_missing]


def weighed(name):
    """Some rows of three columns, counted: with weights and without; and the rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40).astype(np.int32)
    family, block = FAMILIES[name](), rng.integers(0, 2, (40, 3)) + (y[:, None] if name != "bernoulli" else 0)
    block = readable(name, block)
    if family.reads == "categories":
        block, frame = block.astype(np.int32), Frame(range(3), cells=(np.arange(3),) * 3)
    else:
        block = block.astype(np.float64)
        block[5, 1] = np.nan
        frame = None
    plain = counted(family, observed(block, y), frame)
    return plain, replace(plain, column_weights=WEIGHTS), block


def test_which_they_are():
    assert {"bernoulli", "categorical", "poisson", "gaussian", "histogram"} <= set(OF_COLUMNS)
    assert not {"multinomial", "multivariate_gaussian", "missing", "text"} & set(OF_COLUMNS)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_the_score_is_the_sum_of_each_column_so_many_times(name):
    plain, block, cells = weighed(name)
    once = plain.family.contributions(plain.parameters, cells)
    assert_allclose(scored(block, cells), once @ WEIGHTS, rtol=1e-12)
    assert_allclose(plain.family.contributions(block.parameters, cells), once * WEIGHTS, rtol=1e-12)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_without_weights_the_parameters_are_as_estimated(name):
    plain, block, cells = weighed(name)
    assert plain.parameters.column_weights is None
    assert block.family.estimate(block).column_weights is None
    assert_allclose(scored(block, cells, block.family.estimate(block)), scored(plain, cells), rtol=1e-12)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_what_is_described_and_sampled_stays(name):
    plain, block, _ = weighed(name)
    family, frame = plain.family, plain.frame
    lines = family.describe(plain.parameters, frame), family.describe(block.parameters, frame)
    for one, other in zip(*lines, strict=True):
        assert_allclose(one.values, other.values)
    y = np.zeros(9, np.int32)
    sampled = (family.sample(of.parameters, y, np.random.default_rng(1)) for of in (plain, block))
    np.testing.assert_array_equal(*sampled)


@pytest.mark.parametrize("name", ["bernoulli", "categorical", "poisson"])
def test_the_line_is_that_of_the_score(name):
    _, block, cells = weighed(name)
    cells = cells[:5]
    line = block.family.linear(block.parameters, block.frame)
    features = [cells[:, j] == cell if name == "categorical" else cells[:, j] for j, cell in line.features]
    apart = (np.stack(features, axis=1) @ line.weights.T + line.bias) - scored(block, cells)
    assert_allclose(apart[:, 0], apart[:, 1], atol=1e-12)  # but for log x!, the same for both


@pytest.mark.parametrize("family", [Bernoulli(MaximumLikelihood()), Poisson(MaximumLikelihood())])
def test_what_counts_nothing_makes_nothing_impossible(family):
    seen = observed(np.array([[0.0, 0.0], [0.0, 1.0]]), [0, 0])
    block = counted(family, seen, column_weights=np.array([0.0, 1.0]))
    assert np.isfinite(scored(block, np.array([[1.0, 1.0]]))).all()
