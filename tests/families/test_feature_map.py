"""What a family hands to logistic regression: features, their names, and the scores as lines in them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from likely.families import Bernoulli, Categorical, Exponential, Gaussian, Histogram, MultivariateGaussian, Poisson
from likely.families.cells import dense
from likely.statistics import Frame

from .blocks import counted, observed, scored

ROWS, CLASSES = 60, 3
Y = np.arange(ROWS) % CLASSES
RNG = np.random.default_rng(5)
NUMBERS = RNG.normal(size=(ROWS, 2)) * [1.0, 5.0] + Y[:, None]
COUNTS = RNG.poisson(2 + Y[:, None], (ROWS, 2)).astype(float)
BITS = (RNG.random((ROWS, 2)) < 0.2 + 0.2 * Y[:, None]).astype(float)
CODES = np.column_stack([RNG.permutation(np.arange(ROWS) % size) for size in (2, 4)]).astype(np.int32)
VALUES = (np.array(["no", "yes"]), np.array(["a", "b", "c", "d"]))

AS_THEY_ARE = [(Gaussian(), NUMBERS), (Poisson(), COUNTS), (Exponential(), COUNTS), (Bernoulli(), BITS)]
CELLS = [(Categorical(), CODES), (Histogram(), NUMBERS)]
ALL = pytest.mark.parametrize(("family", "cells"), AS_THEY_ARE + CELLS, ids=lambda of: str(type(of).__name__))


def learned(family, cells):
    seen = observed(cells, Y)
    return counted(family, seen, Frame(range(2), VALUES) if family.reads == "categories" else None)


def features_of(block, cells):
    found = block.family.features(block, cells)
    return found if isinstance(found, np.ndarray) else dense(found)


@ALL
def test_there_are_as_many_features_as_names_and_columns(family, cells):
    block = learned(family, cells)
    count = family.feature_count(block)
    assert count == len(family.feature_names(block)) == len(set(family.feature_names(block)))
    assert features_of(block, cells).shape == (ROWS, count)


@pytest.mark.parametrize(("family", "cells"), AS_THEY_ARE, ids=lambda of: str(type(of).__name__))
def test_features_are_the_cells_unless_a_family_says_otherwise(family, cells):
    block = learned(family, cells)
    assert family.features(block, cells) is cells
    assert family.feature_names(block) == [(0, None), (1, None)]


def test_sparse_cells_stay_sparse():
    block, cells = learned(Poisson(), COUNTS), sparse.csr_array(COUNTS)
    assert Poisson().features(block, cells) is cells


@pytest.mark.parametrize(("family", "cells"), CELLS, ids=lambda of: str(type(of).__name__))
def test_of_categories_and_bins_each_row_has_one_feature_a_column(family, cells):
    block = learned(family, cells)
    features, columns = features_of(block, cells), np.array([column for column, _ in family.feature_names(block)])
    for j in range(2):
        assert features[:, columns == j].sum(axis=1).tolist() == [1.0] * ROWS


@ALL
def test_scores_are_linear_in_the_features_up_to_what_all_classes_share(family, cells):
    block = learned(family, cells)
    line, features = family.natural(block.parameters, block.frame), features_of(block, cells)
    assert list(line.features)[: features.shape[1]] == list(family.feature_names(block))
    if family.squares:
        features = np.hstack([features, features**2])
    scores = scored(block, cells)
    left = scores - features @ line.weights.T - line.bias
    assert_allclose(left, left[:, :1].repeat(CLASSES, axis=1), atol=1e-9)
    assert np.ptp(scores, axis=1).max() > 1  # so that it is not nothing that the line tells


@ALL
def test_a_scale_is_the_mean_and_a_variance_of_each_feature(family, cells):
    block = learned(family, cells)
    scale = family.feature_scale(block)
    assert (scale is None) == (isinstance(family, Categorical | Histogram | Bernoulli))
    if scale is not None:
        assert_allclose(scale[0], features_of(block, cells).mean(axis=0))
        assert (scale[1] > 0).all()


def test_a_family_whose_scores_are_no_line_has_none():
    block = counted(MultivariateGaussian(), observed(NUMBERS, Y))
    assert block.family.natural(block.parameters, block.frame) is None


def test_only_squares_make_a_gaussian_a_line():
    block = learned(Gaussian(), NUMBERS)
    assert Gaussian.squares
    assert Gaussian().linear(block.parameters, block.frame) is None
    assert not any(family.squares for family, _ in AS_THEY_ARE[1:] + CELLS)
