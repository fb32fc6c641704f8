"""The loss of rows left out against fits without them."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import log_softmax

from likely.models.logistic.honest_loss import FoldLoss, LooLoss, Path, log_losses
from likely.optimize.softmax import rows_of

from ...optimize.softmax.problems import drawn, solve


def refitted(x, y, classes, c):
    """The mean log loss of each row under a fit of all others."""
    losses = []
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        found = solve(x[rest], y[rest], classes, c, tol=1e-10)
        losses.append(log_losses((found.weights @ x[i] + found.bias)[None], y[i : i + 1])[0])
    return np.mean(losses)


def test_losses_of_one_score_and_of_many():
    rng = np.random.default_rng(0)
    many, y = rng.normal(size=(20, 4)), rng.integers(0, 4, 20)
    np.testing.assert_allclose(log_losses(many, y), -log_softmax(many, axis=1)[np.arange(20), y])
    two, y = rng.normal(size=(20, 1)), rng.integers(0, 2, 20)
    np.testing.assert_allclose(log_losses(two, y), np.log1p(np.exp(np.where(y == 1, -1, 1) * two[:, 0])))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("c", [0.01, 1.0])
def test_the_loss_of_rows_left_out_is_that_of_refits(classes, c):
    x, y = drawn(1, 80, 3, classes)
    solution = solve(x, y, classes, c, tol=1e-10)
    honest = LooLoss(rows_of(x, y, classes))
    honest.path.fits[c] = solution
    found, exact = honest.loss(c), refitted(x, y, classes, c)
    trained = log_losses(x @ solution.weights.T + solution.bias, y).mean()
    assert abs(found - exact) < 0.05 * (exact - trained)


def test_log_odds_are_scaled_in_all_folds():
    x, y = drawn(3, 60, 2, 3)
    scores = np.random.default_rng(7).normal(size=(60, 3))
    rows = rows_of(x, y, 3, offset=scores, penalise_bias=True)
    half = FoldLoss.of(rows, lambda hidden: scores + hidden[:, None]).scaled(0.5)
    assert len(half.parts) == 5
    for judged, held, path in half.parts:
        np.testing.assert_array_equal(path.rows.offset, scores[~judged] / 2)
        np.testing.assert_array_equal(held.offset, (scores[judged] + 1) / 2)


@pytest.mark.parametrize("weighted", [False, True])
def test_time_ordered_rows_are_judged_by_those_before_them(weighted):
    x, y = drawn(8, 50, 2, 2)
    y[45:] = 2  # of which nothing can be told before
    weight = np.random.default_rng(0).integers(0, 3, 50).astype(float) if weighted else np.ones(50)
    found = FoldLoss.of(rows_of(x, y, 3, weight), time_ordered=True).loss(1.0)
    losses, counted = [], []
    for start in (20, 30, 40):
        before, now = slice(0, start), slice(start, min(start + 10, 45))
        past = solve(x[before], y[before], 3, 1.0, weight=weight[before], tol=1e-3)
        losses.append(log_losses(x[now] @ past.weights.T + past.bias, y[now]))
        counted.append(weight[now])
    assert found == pytest.approx(np.average(np.concatenate(losses), weights=np.concatenate(counted)), rel=0.02)


def test_a_fit_starts_from_that_of_fewer_columns():
    x, y = drawn(5, 400, 6, 3)
    few = FoldLoss.of(rows_of(sp.csr_matrix(x[:, :4]), y, 3))
    few.loss(1.0)
    anew, begun = (FoldLoss.of(rows_of(sp.csr_matrix(x), y, 3), begin=begin) for begin in (None, few))
    assert begun.loss(1.0) == pytest.approx(anew.loss(1.0), rel=2e-3)
    for (_, _, path), (_, _, before) in zip(begun.parts, few.parts, strict=True):
        start = Path(path.rows, before).start(1.0)
        assert start.weights.shape == (3, 6)
        np.testing.assert_array_equal(start.weights[:, :4], before.fits[1.0].weights)
        assert not start.weights[:, 4:].any()


def test_a_scale_starts_from_the_one_before():
    x, y = drawn(6, 300, 3, 3)
    rows = rows_of(x, y, 3, offset=np.random.default_rng(0).normal(size=(300, 3)), penalise_bias=True)
    folds = FoldLoss.of(rows)
    folds.scaled(1.0).loss(1.0)
    for (_, _, path), (_, _, whole) in zip(folds.scaled(0.5).parts, folds.scaled(1.0).parts, strict=True):
        np.testing.assert_array_equal(path.start(1.0).weights, whole.fits[1.0].weights)


def test_the_first_fold_alone_has_the_losses_of_its_rows_and_the_same_fits():
    x, y = drawn(6, 300, 3, 3)
    folds = FoldLoss.of(rows_of(x, y, 3))
    losses, first = folds.losses(1.0), folds.first()
    np.testing.assert_array_equal(first.losses(1.0), losses[folds.parts[0].judged[folds.judged]])
    assert first.parts[0].path is folds.parts[0].path


@pytest.mark.parametrize(("rows", "folds"), [(100, 5), (1200, 4), (2400, 2), (4000, 1), (9000, 1)])
def test_about_a_thousand_rows_are_judged(rows, folds):
    x, y = drawn(7, rows, 1, 2)
    assert len(FoldLoss.of(rows_of(x, y, 2)).parts) == folds
