"""Which strength the honest loss chooses."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from likely.models.logistic.honest_loss import FoldLoss, LooLoss
from likely.models.logistic.strength import GRID, NB_SCALES, Tried, _or_naive_bayes, choose, least, neg_log_prior
from likely.optimize.softmax import rows_of
from likely.optimize.softmax import solve as solve_rows

from ...optimize.softmax.problems import drawn


def assert_leads_there(start, rows, c):
    """From there on the same is found as from nothing."""
    begun, anew = solve_rows(rows, c, start=start, tol=1e-8), solve_rows(rows, c, tol=1e-8)
    assert not begun.message
    assert begun.objective == pytest.approx(anew.objective, rel=1e-7)


def test_sparse_rows_are_held_out_in_folds():
    x, y = drawn(2, 200, 3, 3)
    rows = rows_of(sp.csr_matrix(x), y, 3)
    in_folds = FoldLoss.of(rows).loss(1.0)
    assert choose(rows, (1.0,))[0].log_loss == in_folds
    assert abs(in_folds - LooLoss(rows_of(x, y, 3)).loss(1.0)) < 0.02


@pytest.mark.parametrize("shape", [(60, 5, 2), (60, 5, 3), (30, 80, 2)], ids=["two", "three", "wide"])
def test_the_best_of_those_given(shape):
    x, y = drawn(4, *shape)
    some = (0.001, 0.1, 10.0)
    rows = rows_of(x, y, shape[2])
    best, start, tried = choose(rows, some)
    assert [trial.c for trial in tried] == list(some)
    assert best == min(tried, key=lambda trial: trial.log_loss)
    assert_leads_there(start, rows, best.c)


@pytest.mark.parametrize("shape", [(200, 5, 2), (200, 5, 3), (40, 90, 3)], ids=["two", "three", "wide"])
@pytest.mark.parametrize("informative", [0.0, 1.0, 8.0], ids=["nothing", "all", "too much"])
def test_log_odds_are_scaled_as_far_as_they_are_informative(shape, informative):
    """Scores that are noise, those that the classes were drawn by, and these made too sure."""
    rng = np.random.default_rng(6)
    number, columns, classes = shape
    x, scores = rng.normal(size=(number, columns)), 2 * rng.normal(size=(number, classes))
    y = np.argmax(scores + rng.gumbel(size=scores.shape), axis=1).astype(np.int32)
    odds = (informative or 8.0) * (scores if informative else rng.normal(size=scores.shape))
    odds = odds[:, 1:] - odds[:, :1] if classes == 2 else odds - odds.mean(axis=1, keepdims=True)
    rows = rows_of(x, y, classes, offset=odds, penalise_bias=True)
    best, start, tried = choose(rows, None, NB_SCALES)
    assert best.nb_scale == {0.0: 0.0, 1.0: 1.0, 8.0: 0.25}[informative]
    assert best == min(tried, key=lambda trial: trial.log_loss + neg_log_prior(trial.c) / number)
    assert_leads_there(start, replace(rows, offset=best.nb_scale * odds), best.c)


def test_what_drifts_has_a_lower_strength_by_time_than_at_random():
    """A column whose meaning turns round half way, beside one whose meaning stays."""
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 400).astype(np.int32)
    turns = np.repeat([1.0, -1.0, 1.0, -1.0, 1.0], 80)
    x = np.column_stack([(2 * y - 1) * turns + rng.normal(size=400), 2 * y - 1 + 2 * rng.normal(size=400)])
    blocks = np.eye(5)[np.arange(400) // 80] * x[:, :1]  # what each time had of its own
    rows = rows_of(np.column_stack([x[:, 1], blocks]), y, 2)
    at_random, by_time = (choose(rows, time_ordered=time_ordered)[0] for time_ordered in (False, True))
    assert by_time.c < at_random.c


@pytest.mark.parametrize("time_ordered", [False, True])
def test_a_class_that_folds_do_not_know_is_learned_all_the_same(time_ordered):
    """Their weights, with a bias that has no end, are no start: from there on no solver came back. In order, none of
    the parts knows it."""
    rng = np.random.default_rng(0)
    x, y = sp.random_array((100, 2000), density=0.02, rng=rng, format="csr"), rng.integers(0, 3, 100).astype(np.int32)
    x.data = np.ceil(3 * x.data)
    first = np.random.default_rng(0).permutation(100) % 5 == 0
    y[np.arange(100) >= 85 if time_ordered else first] = 3
    rows = rows_of(x, y, 4)
    best, start, _ = choose(rows, time_ordered=time_ordered)
    assert (start is None) == time_ordered
    assert_leads_there(start, rows, best.c)


def by_time(seed, informative, times=1.0, weight=None):
    """300 rows of two columns that say the same of the class, with log-odds that say some of it, too loudly: the rows,
    and the log-odds of folds."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 2))
    y = (rng.logistic(size=300) < x.sum(axis=1)).astype(np.int32)
    odds = times * (x[:, :1] + informative * x[:, 1:])
    return rows_of(x, y, 2, weight, offset=odds, penalise_bias=True), lambda hidden: odds


def chosen_by_time(rows, without):
    return choose(rows, None, NB_SCALES, without, time_ordered=True)


@pytest.mark.parametrize(("informative", "times", "gained"), [(0, 1, True), (1, 1, False), (1, 4, False)])
def test_by_time_weights_are_learned_only_where_they_gain_enough(informative, times, gained):
    rows, without = by_time(10, informative, times)
    folds = FoldLoss.of(rows, without, time_ordered=True)
    best, start, tried = _or_naive_bayes(folds, *least(folds, None, NB_SCALES), NB_SCALES)
    assert chosen_by_time(rows, without)[::2] == (best, tried)
    assert (best.c >= GRID[0]) == gained
    assert best in tried
    assert best.log_loss == folds.scaled(best.nb_scale).loss(best.c)
    assert start is not None
    assert (np.abs(start.weights).max() > 0.1) == gained
    if not gained:
        assert best.nb_scale == 1 / times


def test_a_gain_that_may_be_chance_is_none():
    """Weights seem to gain something although the log-odds are already right."""
    seemed = 0
    for seed in range(20):
        best, _, tried = chosen_by_time(*by_time(seed, 1.0))
        learned = [trial for trial in tried if trial.c >= GRID[0]]
        with_weights = min(learned, key=lambda trial: trial.log_loss + neg_log_prior(trial.c) / 300)
        seemed += best not in learned and with_weights.log_loss < best.log_loss
    assert seemed > 2


def test_the_standard_error_is_of_the_weight_there_is():
    alike = np.random.default_rng(12).random(300) < 0.2
    few, faint = (by_time(12, 0.5, weight=np.where(alike, 1.0, rest)) for rest in (0.0, 1e-12))
    for rows, without in (few, faint):
        folds = FoldLoss.of(rows, without, time_ordered=True)
        gain = folds.losses(1e-9) - folds.losses(1.0)
        kept = alike[folds.judged]
        mean = gain[kept].mean()
        assert folds.standard_error(gain) == pytest.approx(gain[kept].std() / kept.sum() ** 0.5, rel=1e-6)
        assert folds.mean(gain) == pytest.approx(mean)
    assert chosen_by_time(*few)[0][::2] == pytest.approx(chosen_by_time(*faint)[0][::2])


def test_by_time_candidates_are_chosen_from_and_without_naive_bayes_it_is_no_choice():
    rows, without = by_time(10, 1.0)
    assert choose(rows, (0.1, 1.0), nb_without=without, time_ordered=True)[0].c in (0.1, 1.0)
    noise = rows_of(rows.x, np.random.default_rng(0).integers(0, 2, 300).astype(np.int32), 2)
    assert choose(noise, time_ordered=True)[0].c >= GRID[0]


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_no_weight_count_for_nothing_beforehand(seed):
    x, y = drawn(seed, 440, 3, 2)
    weight = (np.arange(440) < 40).astype(float)
    best, _, tried = choose(rows_of(x, y, 2, weight))
    assert best == min(tried, key=lambda trial: trial.log_loss + neg_log_prior(trial.c) / 40)


def test_rows_of_no_weight_are_not_judged():
    x, y = drawn(13, 50, 3, 2)
    rows = rows_of(x, y, 2, (np.arange(50) < 20).astype(float))
    assert np.isnan(FoldLoss.of(rows, time_ordered=True).loss(1.0))
    assert choose(rows, time_ordered=True)[0].c == 1


@pytest.mark.parametrize("time_ordered", [False, True])
def test_where_nothing_can_be_held_out_the_usual_is_taken(time_ordered):
    x, y = np.array([[0.0], [1.0]]), np.array([0, 1], np.int32)
    rows = rows_of(x, y, 2, offset=x, penalise_bias=True)
    best, _, tried = choose(rows, None, NB_SCALES, lambda hidden: x, time_ordered)
    assert (best.c, best.nb_scale) == (1.0, 1.0)
    assert all(np.isnan(trial.log_loss) for trial in tried)


def test_nothing_to_learn_asks_for_little_and_much_for_more():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 8))
    noise = rng.integers(0, 2, 300)
    informative = (x[:, 0] + 0.3 * rng.normal(size=300) > 0).astype(int)
    few, many = (choose(rows_of(x, y, 2))[0].c for y in (noise, informative))
    assert few < 0.1 < 1 < many


def test_of_few_rows_a_usual_strength_is_chosen_and_of_those_given_the_best():
    x = np.linspace(-1, 1, 10)[:, None]
    y = (x[:, 0] > 0).astype(np.int32)
    rows = rows_of(x, y, 2)
    few = choose(rows)[0]
    assert few.c < max(trial.c for trial in choose(rows, GRID)[2] if trial.log_loss < few.log_loss)
    many = choose(rows_of(np.tile(x, (200, 1)), np.tile(y, 200), 2))[0]
    assert many.c > few.c
    assert choose(rows, (1.0, 1e4))[0].c == 1e4


def test_where_one_step_is_unreliable_rows_are_held_out_in_folds():
    x = np.append(np.linspace(-1, 1, 40), 25.0)[:, None]
    y = np.append(x[:-1, 0] > 0, False).astype(np.int32)
    rows = rows_of(x, y, 2)
    assert LooLoss(rows).loss(1e3) == np.inf
    folds = FoldLoss.of(rows)
    assert choose(rows, (1.0, 1e3))[2] == [Tried(c, folds.loss(c)) for c in (1.0, 1e3)]


def test_what_naive_bayes_has_learned_is_held_out_in_folds():
    x, y = drawn(14, 60, 3, 2)
    rows = rows_of(x, y, 2, offset=x[:, :1].copy(), penalise_bias=True)
    without = FoldLoss.of(rows, lambda hidden: x[:, :1].copy()).loss(1.0)
    assert choose(rows, (1.0,), nb_without=lambda hidden: x[:, :1].copy())[0].log_loss == without
