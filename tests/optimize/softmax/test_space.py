"""Vectors of both spaces: products, scores, values and slopes are those of the weights themselves."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.optimize.softmax.rows import padded
from likely.optimize.softmax.space import ColumnSpace, RowSpace
from likely.optimize.softmax.sparse import SparseRows

every = pytest.mark.parametrize(
    ("kind", "classes", "penalise_bias"),
    [
        (kind, classes, penalised)
        for kind in (ColumnSpace, RowSpace)
        for classes in (2, 5)
        for penalised in (False, True)
    ],
)


def space_of(kind, classes, penalise_bias):
    rng = np.random.default_rng(classes)
    x = sp.random(20, 50, 0.2, format="csr", random_state=1)
    y, offset = rng.integers(0, classes, 20).astype(np.int32), rng.normal(size=(20, 1 if classes == 2 else classes))
    return kind(SparseRows(x, y, classes, rng.random(20), offset=offset, penalise_bias=penalise_bias), 0.3)


def vector_of(space, seed):
    rng, rows = np.random.default_rng(seed), space.rows
    unknowns = 50 if type(space) is ColumnSpace else 20
    table, bias = padded(rng.normal(size=(unknowns, rows.outputs)), rows.width), rng.normal(size=rows.outputs)
    found = space.made(table, bias, 0.0)
    space.reach(found)[:] = rows.product(space.weights(found))
    return found


@every
def test_products_and_scores_are_those_of_the_weights(kind, classes, penalise_bias):
    space = space_of(kind, classes, penalise_bias)
    a, b = vector_of(space, 1), vector_of(space, 2)
    both = a - 0.7 * b
    weights = space.weights(a) - 0.7 * space.weights(b)
    assert_allclose(space.weights(both), weights, atol=1e-12)
    assert_allclose(space.reach(both), space.rows.x @ weights, atol=1e-12)
    dot = np.sum(space.weights(a) * space.weights(b)) + space.bias(a) @ space.bias(b)
    assert_allclose([space.dot(a, b), space.dot(b, a)], dot, rtol=1e-12)
    table = padded(np.ones((20, space.rows.outputs)), space.rows.width)
    assert_allclose(space.weights(a, table), space.weights(a) + space.rows.transposed(table), atol=1e-12)


@every
def test_the_gradient_is_that_of_the_value(kind, classes, penalise_bias):
    space = space_of(kind, classes, penalise_bias)
    at, along = vector_of(space, 1), vector_of(space, 2)
    value = space.along(at, along)
    gradient = space.gradient(at, value(0.0)[1])
    assert_allclose(value(0.3)[0], space.along(at - 0.3 * along, along)(0.0)[0], rtol=1e-12)
    assert_allclose(space.dot(gradient, along), (value(-1e-5)[0] - value(1e-5)[0]) / 2e-5, rtol=1e-7)
    bent = space.bent(along, value(0.0)[1])
    before, after = (space.gradient(at + t * along, value(-t)[1]) for t in (-1e-5, 1e-5))
    assert_allclose(space.dot(bent, along), space.dot(after - before, along) / 2e-5, rtol=1e-6)
