"""Margins of all classes: their gap, their start, and a message where they fall short."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.optimize import margins
from likely.optimize.margins import margin_gap, score_held_out, solve_margins


def rows(classes, seed=0, n=60, d=30):
    rng = np.random.default_rng(seed)
    x = sp.csr_array(rng.random((n, d)) * (rng.random((n, d)) < 0.2))
    return x, (np.arange(n) % classes).astype(np.int32), rng.choice([0.5, 1.0, 2.0], n)


@pytest.mark.parametrize("classes", [2, 3, 5, 9])
def test_the_gap_bounds_how_far_the_objective_is_from_its_least(classes):
    x, y, weight = rows(classes)
    rough, near = (solve_margins(x, y, classes, weight, 4.0, tol=tol) for tol in (0.5, 1e-9))
    (high, gap), (least, none) = (margin_gap(fit, x, y, classes, weight, 4.0) for fit in (rough, near))
    assert none == pytest.approx(0, abs=1e-7 * least)
    assert least - 1e-9 <= high <= least + gap


@pytest.mark.parametrize("classes", [2, 3, 9])
def test_scores_are_rows_times_weights(classes):
    x, y, weight = rows(classes)
    fit = solve_margins(x, y, classes, weight)
    assert fit.weights.shape == (1 if classes == 2 else classes, x.shape[1])
    assert_allclose(fit.scores(x), x @ fit.weights.T + fit.bias, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 9])
def test_scores_of_rows_held_out_are_those_of_a_fit_without_them(classes):
    x, y, weight = rows(classes)
    held, first = np.arange(0, 60, 7), solve_margins(x, y, classes, weight)
    weight[held] = 0
    fit = solve_margins(x, y, classes, weight, 4.0, start=first.dual)
    dual, scores = score_held_out(x, y, classes, weight, 4.0, held, start=first.dual)
    assert_allclose(scores, fit.scores(x)[held], rtol=0, atol=0)
    assert_allclose(dual, fit.dual, rtol=0, atol=0)


def test_the_one_output_of_two_classes_is_that_of_the_second():
    _, y, _ = rows(2)
    both = np.column_stack([1 - y, y])
    fit = solve_margins(sp.csr_array(both.astype(float)), y, 2, c=100.0)
    assert fit.weights[0, 1] > 0 > fit.weights[0, 0]


def test_a_row_of_weight_two_is_two_rows():
    x, y, _ = rows(3)
    twice = solve_margins(x, y, 3, np.full(len(y), 2.0), tol=1e-9)
    stacked = solve_margins(sp.csr_array(sp.vstack([x, x])), np.append(y, y), 3, tol=1e-9)
    assert_allclose(twice.weights, stacked.weights, atol=1e-6)


def test_a_fit_starts_from_another_and_leaves_it_as_it_was():
    x, y, _ = rows(3)
    first = solve_margins(x, y, 3, tol=1e-9)
    before = first.dual.copy()
    again = solve_margins(x, y, 3, np.where(y == 0, 0.0, 1.0), start=first.dual, tol=1e-9)
    assert_allclose(first.dual, before, atol=0)
    assert_allclose(again.weights, solve_margins(x, y, 3, np.where(y == 0, 0.0, 1.0), tol=1e-9).weights, atol=1e-6)
    assert solve_margins(x, y, 3, start=first.dual).passes == 1


def test_passes_that_were_not_enough_have_a_message(monkeypatch):
    x, y, _ = rows(3)
    assert solve_margins(x, y, 3).message == ""
    monkeypatch.setattr(margins, "MOST_PASSES", 1)
    assert solve_margins(x, y, 3, tol=1e-9).message == "3 of 3 margins were not within 1e-09 after 1 passes"


def test_rows_of_many_values_have_fewer_passes(monkeypatch):
    x, y, _ = rows(3)
    monkeypatch.setattr(margins, "MOST_READ", 20 * x.nnz * 3)
    assert "after 20 passes" in solve_margins(x, y, 3, tol=1e-12).message
    monkeypatch.setattr(margins, "MOST_READ", 1)
    short = solve_margins(x, y, 3, tol=1e-12)
    assert short.passes == margins.FEWEST_PASSES
    assert margin_gap(short, x, y, 3, None, 1.0)[1] < margin_gap(solve_margins(x, y, 3, tol=9.0), x, y, 3, None, 1.0)[1]
