"""Gaussian scores of each row as if it had never been counted, with covariances shrunk towards their diagonal."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely import _native

from .kernels import (
    LAYOUTS,
    ROWS,
    block,
    codes_for,
    drawn_rows,
    problems_of_matrices,
    random_covariances,
    weights_for,
)

BEFORE = 7.0
"""What the scores hold before, as the kernel adds to them."""
PRIOR_ROWS = 2.5
"""Pseudo-rows of the prior: with them, every covariance exists."""


def summed(x, y, weight, classes):
    """The weight, mean and scatter of each class."""
    n, mean, scatter = np.zeros(classes), np.zeros((classes, x.shape[1])), np.zeros((classes, *[x.shape[1]] * 2))
    for k in range(classes):
        rows = (y == k) & (weight > 0)
        if rows.any():
            n[k], mean[k] = weight[rows].sum(), np.average(x[rows], axis=0, weights=weight[rows])
            away = x[rows] - mean[k]
            scatter[k] = (away.T * weight[rows]) @ away
    return n, mean, scatter


def blended(n, scatter, tied, prior_scatter):
    """The rows and squares that each class is estimated by."""
    rows = (1 - tied) * n + tied * n.sum() + PRIOR_ROWS
    return rows, (1 - tied) * scatter + tied * scatter.sum(axis=0) + prior_scatter


class Problem:
    """Rows, and what is counted of them: those with missing cells are not."""

    def __init__(self, x, y, weight, classes, tied, kept, prior_scatter):
        self.x, self.y, self.weight, self.classes, self.tied, self.kept = x, y, weight, classes, tied, kept
        self.prior_scatter = prior_scatter
        self.cells = np.asarray(x, float)
        self.missing = np.isnan(self.cells).any(axis=1)
        self.counts = np.where(self.missing, 0.0, 1.0 if weight is None else weight)
        self.n, self.mean, scatter = summed(self.cells, y, self.counts, classes)
        self.rows, self.squares = blended(self.n, scatter, tied, prior_scatter)

    def scores(self, own, rows=slice(None)):
        """By the kernel: the scores of those rows, and which were left alone."""
        x, y, weight = self.x[rows], self.y[rows], None if self.weight is None else self.weight[rows]
        out, rest = np.full((len(x), self.classes), BEFORE), np.full(len(x), 9, np.uint8)
        sums = self.n, self.mean, self.squares, self.rows
        assert _native.left_out_factored(x, y, weight, *sums, self.tied, self.kept, own, out, rest) == -1
        return out, rest

    def refitted(self, row, own):
        """The scores of a row, all that was counted being counted again without it."""
        counts = self.counts.copy()
        counts[row] = 0
        n, mean, scatter = summed(self.cells, self.y, counts, self.classes)
        rows, squares = blended(n, scatter, self.tied, self.prior_scatter)
        covariance = squares / rows[:, None, None]
        covariance = self.kept * covariance + (1 - self.kept) * covariance * np.eye(len(self.cells[row]))
        away = self.cells[row] - mean
        distance = (away * np.linalg.solve(covariance, away[:, :, None])[:, :, 0]).sum(axis=1)
        scores = -0.5 * (np.linalg.slogdet(2 * np.pi * covariance)[1] + distance)
        return np.where(own & (np.arange(self.classes) != self.y[row]), 0.0, scores)

    def last(self):
        """Rows without which nothing is left of their class."""
        return self.n[self.y] - self.counts <= 0

    def assert_refits(self, own, rtol=1e-9, most=24):
        out, rest = self.scores(own)
        assert np.array_equal(rest, self.missing | self.last())
        left_alone = rest == 1
        assert (out[left_alone] == BEFORE).all()
        assert np.isfinite(out).all()
        good = np.flatnonzero(~left_alone)
        for row in {*np.random.default_rng(0).permutation(good)[:most], *good[-1:]}:
            assert_allclose(out[row] - BEFORE, self.refitted(row, own), rtol=rtol, atol=rtol * 10, err_msg=f"row {row}")


def problem_of(rows, columns, classes, tied=0.5, kept=0.5, weighted=False, holes=0.0, dtype="f8", layout="rows"):
    x, y = block(rows, rows, columns, dtype, layout, holes=holes), codes_for(rows, rows, classes)
    prior_scatter = 100 * random_covariances(rows, 1, columns)[0]
    return Problem(x, y, weights_for(rows, rows) if weighted else None, classes, tied, kept, prior_scatter)


dials = st.sampled_from([0.0, 0.25, 1.0]) | st.floats(0, 1)


@given(problems_of_matrices, dials, dials, st.booleans())
def test_left_out_factored(problem, tied, kept, own):
    seed, rows, columns, dtype, layout, classes, weighted = problem
    rows = max(1, min(rows, 2_000_000 // (classes * columns**2)))  # as columns^3 are many under sanitizers
    x, y, classes, weight = drawn_rows((seed, rows, columns, dtype, layout, classes, weighted))
    prior_scatter = 100 * random_covariances(seed, 1, columns)[0]
    Problem(x, y, weight, classes, tied, kept, prior_scatter).assert_refits(own)


@pytest.mark.parametrize("columns", range(1, 71))
@pytest.mark.parametrize("tied", [0.0, 1.0])
def test_left_out_of_every_number_of_columns(columns, tied):
    problem_of(15, columns, 2, tied).assert_refits(own=False)


@pytest.mark.parametrize("classes", range(1, 31))
@pytest.mark.parametrize("tied", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("own", [False, True])
def test_left_out_of_every_number_of_classes(classes, tied, own):
    problem_of(65, 3, classes, tied).assert_refits(own)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("columns", [2, 13])
def test_left_out_of_any_number_of_rows(rows, columns):
    problem_of(rows, columns, 2, weighted=True, holes=0.1 / columns).assert_refits(own=False)


@pytest.mark.parametrize("tied", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("kept", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("own", [False, True])
def test_left_out_at_the_ends_of_both_dials(tied, kept, own):
    problem_of(80, 6, 3, tied, kept, weighted=True, holes=0.01).assert_refits(own)


@pytest.mark.parametrize("tied", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_left_out_far_from_zero(tied, layout):
    x, y = LAYOUTS[layout](1e8 + block(0, 60, 4, "f8", holes=0)), codes_for(0, 60, 3)
    Problem(x, y, None, 3, tied, 0.5, 100 * np.eye(4)).assert_refits(own=False, rtol=1e-7)


@pytest.mark.parametrize("missing", list(product([False, True], repeat=4)), ids=str)
@pytest.mark.parametrize("rows", [5, 6, 7, 8])
@pytest.mark.parametrize("tied", [0.0, 1.0])
def test_a_row_is_left_out_as_if_alone(missing, rows, tied):
    """Whichever of its neighbours are left alone."""
    x = block(1, 8, 5, "f8", holes=0)
    x[np.flatnonzero(missing), [0, 2, 3, 4][: sum(missing)]] = np.nan
    problem = Problem(x, np.array([0, 1, 1, 0, 1, 0, 0, 2], np.int32), None, 3, tied, 0.5, 100 * np.eye(5))
    out, rest = problem.scores(False, slice(0, rows))
    assert np.array_equal(rest, (problem.missing | problem.last())[:rows])
    for i in range(rows):
        alone, rest_alone = problem.scores(False, slice(i, i + 1))
        assert rest_alone[0] == rest[i]
        assert np.array_equal(alone[0], out[i])


def without_prior(x, y, classes, tied=0.0, kept=1.0):
    """Without a prior, so that what is left may be singular."""
    problem = Problem(x, y, None, classes, tied, kept, np.zeros((x.shape[1], x.shape[1])))
    problem.rows = problem.rows - PRIOR_ROWS
    return problem


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("at", range(9))
def test_a_row_with_all_of_a_columns_spread_is_left_alone(own, at):
    x = np.random.default_rng(0).normal(size=(9, 3))
    x[:, 1] = 0.25
    x[at, 1] = 9.0
    out, rest = without_prior(x, np.zeros(9, np.int32), 1, kept=0.5).scores(own)
    assert np.flatnonzero(rest).tolist() == [at]
    assert (out[at] == BEFORE).all()
    assert (np.delete(out, at, axis=0) != BEFORE).all()


@pytest.mark.parametrize(("kept", "left_alone"), [(1.0, [5]), (0.999, []), (0.0, [])])
def test_a_row_that_alone_keeps_columns_apart_is_left_alone(kept, left_alone):
    x = np.random.default_rng(0).normal(size=(9, 4))
    x[:, 3] = x[:, 0] - 2 * x[:, 1]
    x[5, 3] += 3
    out, rest = without_prior(x, np.zeros(9, np.int32), 1, kept=kept).scores(own=False)
    assert np.flatnonzero(rest).tolist() == left_alone
    assert np.flatnonzero(out[:, 0] == BEFORE).tolist() == left_alone


@pytest.mark.parametrize("singular", [0, 1])
def test_another_class_that_is_singular_matters_only_to_scores_of_every_class(singular):
    x, y = np.random.default_rng(0).normal(size=(20, 3)), np.repeat([0, 1], 10).astype(np.int32)
    x[y == singular, 2] = x[y == singular, 0]
    problem = without_prior(x, y, 2)
    out, rest = problem.scores(own=False)
    assert rest.all()
    assert (out == BEFORE).all()
    out, rest = problem.scores(own=True)
    assert np.array_equal(rest, y == singular)
    assert np.array_equal(out != BEFORE, (y[:, None] == [0, 1]) & (y != singular)[:, None])


@pytest.mark.parametrize("tied", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("own", [False, True])
def test_rows_that_are_the_last_of_their_class_are_left_alone(tied, own):
    x, y = block(0, 7, 2, "f8", holes=0), np.array([2, 0, 0, 1, 1, 3, 4], np.int32)
    weight = np.array([3.0, 1.0, 0.0, 2.0, 0.5, 0.0, 1e9])
    problem = Problem(x, y, weight, 6, tied, 0.5, 100 * np.eye(2))
    assert problem.scores(own)[1].tolist() == [1, 1, 0, 0, 0, 1, 1]
    problem.assert_refits(own)


def test_rows_that_weigh_more_than_their_class_are_left_alone():
    problem = problem_of(6, 2, 1)
    problem.weight = np.array([1.0, 6.0, 7.0, 100.0, np.inf, 1.0])
    out, rest = problem.scores(own=False)
    assert rest.tolist() == [0, 1, 1, 1, 1, 0]
    assert np.array_equal(out[:, 0] == BEFORE, rest == 1)
