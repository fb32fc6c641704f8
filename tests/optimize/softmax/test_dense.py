"""Passes over dense rows, beside formulas over all of them at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import log_softmax

from likely.engines import threads
from likely.optimize.softmax import dense
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.rows import padded

from .problems import drawn

in_pieces = pytest.mark.parametrize("piece", [64, 8 << 20])
two_or_five = pytest.mark.parametrize("classes", [2, 5])


def rows(classes, columns=9, standardised=True):
    x, y = drawn(1, 200, columns, classes)
    rest = (np.linspace(-1, 1, columns), np.linspace(0.5, 2, columns)) if standardised else (None, None)
    return DenseRows(x, y, classes, np.linspace(0, 2, 200), *rest)


def with_ones(some):
    """Rows as the weights see them: standardised, and a column of ones."""
    x = some.x if some.means is None else (some.x - some.means) / some.scales
    return np.column_stack([x, np.ones(some.number)])


def loss_of(some, theta):
    """Of weights and bias, one below the other: (columns + 1) x outputs."""
    scores = with_ones(some) @ theta
    scores = np.column_stack([np.zeros(some.number), scores]) if some.outputs == 1 else scores
    return -(some.weight * log_softmax(scores, axis=1)[np.arange(some.number), some.y]).sum()


def slopes(function, at, step=1e-5):
    """Central differences along each coordinate."""
    found = []
    for j in range(at.size):
        move = np.zeros(at.size)
        move[j] = step
        found.append((function(at + move.reshape(at.shape)) - function(at - move.reshape(at.shape))) / (2 * step))
    return np.array(found)


@in_pieces
@two_or_five
def test_a_pass_is_the_loss_and_its_slope(classes, piece, monkeypatch):
    monkeypatch.setattr(threads, "PIECE", piece)
    some = rows(classes)
    theta = np.random.default_rng(0).normal(size=(10, some.outputs))
    loss, gradient, by_bias = some.passed(theta[:-1], theta[-1])
    assert_allclose(loss, loss_of(some, theta), rtol=1e-12)
    found = np.vstack([gradient, by_bias]).ravel()
    assert_allclose(found, slopes(lambda at: loss_of(some, at), theta), rtol=1e-6, atol=1e-6)


@in_pieces
@two_or_five
def test_the_curvature_is_the_slope_of_the_slope(classes, piece, monkeypatch):
    monkeypatch.setattr(threads, "PIECE", piece)
    some = rows(classes, 4)
    theta = np.random.default_rng(0).normal(size=(5, some.outputs))
    residuals = some.residuals(some.scores(padded(theta[:-1], some.width), theta[-1]))[1]

    def slope(at):
        _, gradient, by_bias = some.passed(at[:-1], at[-1].copy())
        return np.vstack([gradient, by_bias]).T.ravel()  # class by class

    expected = slopes(lambda at: slope(at.reshape(some.outputs, 5).T), theta.T.ravel())
    assert_allclose(some.curvature(residuals).reshape(expected.shape), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("zeros", [False, True], ids=["full", "mostly zero"])
@pytest.mark.parametrize("wide", [1, 256], ids=["by BLAS", "by pieces"])
def test_products_are_those_of_all_rows_at_once(wide, zeros, standardised, monkeypatch):
    monkeypatch.setattr(dense, "WIDE", wide)
    some = rows(2, 9, standardised)
    if zeros:
        some.x[np.abs(some.x) < 1.5] = 0.0
    z, weight = with_ones(some), np.random.default_rng(1).random(200)
    assert_allclose(some.products(weight), z.T @ (weight[:, None] * z), atol=1e-11)


def test_rows_that_are_taken_are_standardised_and_keep_their_weights():
    some = rows(3)
    few = some.taken(np.array([5, 199, 5]))
    assert_allclose(few.x, with_ones(some)[[5, 199, 5], :-1], rtol=1e-15)
    assert few.means is None
    assert few.y.tolist() == some.y[[5, 199, 5]].tolist()
    assert few.weight.tolist() == some.weight[[5, 199, 5]].tolist()


def test_a_number_that_is_none_is_named_by_its_row():
    some = rows(2, standardised=False)
    some.x[17, 3] = np.nan
    with pytest.raises(ValueError, match=r"^logistic regression needs finite numbers, up to 1e150; row 17, "):
        some.passed(np.ones((9, 1)), np.zeros(1))
