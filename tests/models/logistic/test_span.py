"""Weights that rows span: products, values and slopes are those of the weights themselves."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.models.logistic.rows import Sparse
from likely.models.logistic.span import Space, Vector


def space_of(classes: int, held: bool) -> Space:
    rng = np.random.default_rng(classes)
    x = sp.random(20, 50, 0.2, format="csr", random_state=1)
    outputs = 1 if classes == 2 else classes
    rows = Sparse(x, rng.integers(0, classes, 20).astype(np.int32), classes, rng.random(20), held=held)
    beyond, offset = np.zeros((50, rows.width)), np.zeros((20, rows.width))
    beyond[:, :outputs], offset[:, :outputs] = rng.normal(size=(50, outputs)), rng.normal(size=(20, outputs))
    return Space(rows, 0.3, beyond, offset)


def vector_of(space: Space, seed: int) -> Vector:
    rng = np.random.default_rng(seed)
    table = np.zeros((20, space.rows.width))
    table[:, : space.rows.outputs] = rng.normal(size=(20, space.rows.outputs))
    span = float(rng.normal())
    reach = space.reach(table) + span * space.beyond_reach
    return Vector(table, reach, span, rng.normal(size=space.rows.outputs))


every = pytest.mark.parametrize(("classes", "held"), [(2, False), (2, True), (5, False), (5, True)])


@every
def test_products_and_scores_are_those_of_the_weights(classes, held):
    space = space_of(classes, held)
    a, b = vector_of(space, 1), vector_of(space, 2)
    both = a.plus(-0.7, b)
    weights = space.weights(a) - 0.7 * space.weights(b)
    assert_allclose(space.weights(both), weights, atol=1e-12)
    assert_allclose(both.reach, space.rows.x @ weights, atol=1e-12)
    dot = np.sum(space.weights(a) * space.weights(b)) + a.bias @ b.bias
    assert_allclose([space.dot(a, b), space.dot(b, a)], dot, rtol=1e-12)
    assert_allclose(space.square(a), np.sum(space.weights(a) ** 2), rtol=1e-12)


@every
def test_the_gradient_is_that_of_the_value(classes, held):
    space = space_of(classes, held)
    at, along = vector_of(space, 1), vector_of(space, 2)
    here = space.point(at, *space.value(at, space.square(at)))
    assert_allclose(here.gradient.reach, space.rows.x @ space.weights(here.gradient), atol=1e-12)
    step = 1e-5
    ahead, behind = (
        space.value(moved, space.square(moved))[0] for moved in (at.plus(step, along), at.plus(-step, along))
    )
    assert_allclose(space.dot(here.gradient, along), (ahead - behind) / (2 * step), rtol=1e-7)
