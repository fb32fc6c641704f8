"""The loss of rows left out against fits without them, and which strength it chooses."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import log_softmax

from likely.models.logistic import rows_of, solve
from likely.models.logistic.solver import solve_rows
from likely.models.logistic.strength import GRID, TRUSTS, Doubtful, Left, Tried, chosen, downhill, log_losses, unlikely

from .problems import drawn


def refitted(x, y, classes, c):
    """The mean log loss of each row under a fit of all others."""
    losses = []
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        found = solve(x[rest], y[rest], classes, c, tol=1e-10)
        losses.append(log_losses((found.weights @ x[i] + found.bias)[None], y[i : i + 1])[0])
    return np.mean(losses)


def assert_leads_there(start, rows, c):
    """From there on the same is found as from nothing."""
    begun, anew = solve_rows(rows, c, start=start, tol=1e-8), solve_rows(rows, c, tol=1e-8)
    assert not begun.message
    assert begun.objective == pytest.approx(anew.objective, rel=1e-7)


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
    found, exact = Left(rows_of(x, y, classes)).by_steps(c, solution), refitted(x, y, classes, c)
    trained = log_losses(x @ solution.weights.T + solution.bias, y).mean()
    assert abs(found - exact) < 0.05 * (exact - trained)


def test_sparse_rows_are_held_out_in_parts():
    x, y = drawn(2, 200, 3, 3)
    solution = solve(x, y, 3, 1.0)
    by_parts = Left(rows_of(sp.csr_matrix(x), y, 3)).by_parts(1.0)
    each = Left(rows_of(x, y, 3)).by_steps(1.0, solution)
    assert abs(by_parts - each) < 0.02


@pytest.mark.parametrize("shape", [(60, 5, 2), (60, 5, 3), (30, 80, 2)], ids=["two", "three", "wide"])
def test_the_best_of_those_given(shape):
    x, y = drawn(4, *shape)
    some = (0.001, 0.1, 10.0)
    rows = rows_of(x, y, shape[2])
    best, start, tried = chosen(Left(rows), some)
    assert [trial.c for trial in tried] == list(some)
    assert best == min(tried, key=lambda trial: trial.log_loss)
    assert_leads_there(start, rows, best.c)


@pytest.mark.parametrize("shape", [(200, 5, 2), (200, 5, 3), (40, 90, 3)], ids=["two", "three", "wide"])
@pytest.mark.parametrize("told", [0.0, 1.0, 8.0], ids=["nothing", "all", "too much"])
def test_scores_given_are_trusted_as_far_as_they_tell(shape, told):
    """Scores that are noise, those that the classes were drawn by, and these made too sure."""
    rng = np.random.default_rng(6)
    number, columns, classes = shape
    x, scores = rng.normal(size=(number, columns)), 2 * rng.normal(size=(number, classes))
    y = np.argmax(scores + rng.gumbel(size=scores.shape), axis=1).astype(np.int32)
    given = (told or 8.0) * (scores if told else rng.normal(size=scores.shape))
    given = given[:, 1:] - given[:, :1] if classes == 2 else given - given.mean(axis=1, keepdims=True)
    rows = rows_of(x, y, classes, offset=given, held=True)
    best, start, tried = chosen(Left(rows), None, TRUSTS)
    assert best.trust == {0.0: 0.0, 1.0: 1.0, 8.0: 0.25}[told]
    assert best == min(tried, key=lambda trial: trial.log_loss + unlikely(trial.c) / number)
    assert_leads_there(start, replace(rows, offset=best.trust * given), best.c)


def test_a_share_of_what_is_given_is_given_to_the_others_too():
    x, y = drawn(3, 60, 2, 3)
    scores = np.random.default_rng(7).normal(size=(60, 3))
    whole = Left(rows_of(x, y, 3, offset=scores, held=True), lambda held: scores + held[:, None])
    half = whole.trusting(0.5)
    assert len(half.parts) == 5
    for held, path in half.parts:
        np.testing.assert_array_equal(path.rows.offset, (scores + held[:, None]) / 2)


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_in_order_are_judged_by_those_before_them(weighted):
    x, y = drawn(8, 50, 2, 2)
    y[45:] = 2  # of which nothing can be told before
    weight = np.random.default_rng(0).integers(0, 3, 50).astype(float) if weighted else np.ones(50)
    found = Left(rows_of(x, y, 3, weight), ordered=True).by_parts(1.0)
    losses, counted = [], []
    for start in (20, 30, 40):
        before, now = slice(0, start), slice(start, min(start + 10, 45))
        past = solve(x[before], y[before], 3, 1.0, weight=weight[before], tol=1e-3)
        losses.append(log_losses(x[now] @ past.weights.T + past.bias, y[now]))
        counted.append(weight[now])
    assert found == pytest.approx(np.average(np.concatenate(losses), weights=np.concatenate(counted)), rel=0.02)


def test_what_drifts_is_trusted_less_in_order_than_at_random():
    """A column whose meaning turns round half way, beside one whose meaning stays."""
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 400).astype(np.int32)
    turns = np.repeat([1.0, -1.0, 1.0, -1.0, 1.0], 80)
    x = np.column_stack([(2 * y - 1) * turns + rng.normal(size=400), 2 * y - 1 + 2 * rng.normal(size=400)])
    blocks = np.eye(5)[np.arange(400) // 80] * x[:, :1]  # what each time had of its own
    rows = rows_of(np.column_stack([x[:, 1], blocks]), y, 2)
    at_random, in_order = (chosen(Left(rows, ordered=ordered), None)[0] for ordered in (False, True))
    assert in_order.c < at_random.c


@pytest.mark.parametrize("ordered", [False, True])
def test_a_class_that_parts_do_not_know_is_learned_all_the_same(ordered):
    """Their weights, with a bias that has no end, are no start: from there on no solver came back. In order, none of
    the parts knows it."""
    rng = np.random.default_rng(0)
    x, y = sp.random_array((100, 2000), density=0.02, rng=rng, format="csr"), rng.integers(0, 3, 100).astype(np.int32)
    x.data = np.ceil(3 * x.data)
    first = np.random.default_rng(0).permutation(100) % 5 == 0
    y[np.arange(100) >= 85 if ordered else first] = 3
    rows = rows_of(x, y, 4)
    best, start, _ = chosen(Left(rows, ordered=ordered), None)
    assert (start is None) == ordered
    assert_leads_there(start, rows, best.c)


def in_order(seed, tells, times=1.0, weight=None):
    """300 rows of two columns that tell the same of the class, beside scores that tell some of it, too loudly."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 2))
    y = (rng.logistic(size=300) < x.sum(axis=1)).astype(np.int32)
    given = times * (x[:, :1] + tells * x[:, 1:])
    return Left(rows_of(x, y, 2, weight, offset=given, held=True), lambda hidden: given, ordered=True)


@pytest.mark.parametrize(("tells", "times", "gained"), [(0, 1, True), (1, 1, False), (1, 4, False)])
def test_in_order_weights_are_learned_only_where_they_gain_enough(tells, times, gained):
    left = in_order(10, tells, times)
    best, start, tried = chosen(left, None, TRUSTS)
    assert (best.c >= GRID[0]) == gained
    assert best in tried
    assert best.log_loss == left.trusting(best.trust).by_parts(best.c)
    assert start is not None
    assert (np.abs(start[0]).max() > 0.1) == gained
    if not gained:
        assert best.trust == 1 / times


def test_a_gain_that_may_be_chance_is_none():
    """Weights seem to gain something beside what is given, which is all that there is to know."""
    seemed = 0
    for seed in range(20):
        best, _, tried = chosen(in_order(seed, 1.0), None, TRUSTS)
        beside = [trial for trial in tried if trial.c >= GRID[0]]
        with_weights = min(beside, key=lambda trial: trial.log_loss + unlikely(trial.c) / 300)
        seemed += best not in beside and with_weights.log_loss < best.log_loss
    assert seemed > 2


def test_the_standard_error_is_of_the_weight_there_is():
    alike = np.random.default_rng(12).random(300) < 0.2
    few, faint = (in_order(12, 0.5, weight=np.where(alike, 1.0, rest)) for rest in (0.0, 1e-12))
    for left in (few, faint):
        gain = left.losses(1e-9) - left.losses(1.0)
        kept = alike[left.judged]
        mean = gain[kept].mean()
        assert left.standard_error(gain) == pytest.approx(gain[kept].std() / kept.sum() ** 0.5, rel=1e-6)
        assert left.mean(gain) == pytest.approx(mean)
    assert chosen(few, None, TRUSTS)[0][::2] == pytest.approx(chosen(faint, None, TRUSTS)[0][::2])


def test_in_order_what_is_given_to_choose_from_is_chosen_from_and_nothing_given_is_no_choice():
    left = in_order(10, 1.0)
    assert chosen(left, (0.1, 1.0))[0].c in (0.1, 1.0)
    noise = Left(rows_of(left.rows.x, np.random.default_rng(0).integers(0, 2, 300).astype(np.int32), 2), ordered=True)
    assert chosen(noise, None)[0].c >= GRID[0]


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_no_weight_count_for_nothing_beforehand(seed):
    x, y = drawn(seed, 440, 3, 2)
    weight = (np.arange(440) < 40).astype(float)
    best, _, tried = chosen(Left(rows_of(x, y, 2, weight)), None)
    assert best == min(tried, key=lambda trial: trial.log_loss + unlikely(trial.c) / 40)


def test_rows_of_no_weight_are_not_judged():
    x, y = drawn(13, 50, 3, 2)
    left = Left(rows_of(x, y, 2, (np.arange(50) < 20).astype(float)), ordered=True)
    assert np.isnan(left.by_parts(1.0))
    assert chosen(left, None)[0].c == 1


@pytest.mark.parametrize("ordered", [False, True])
def test_where_nothing_can_be_held_out_the_usual_is_taken(ordered):
    x, y = np.array([[0.0], [1.0]]), np.array([0, 1], np.int32)
    left = Left(rows_of(x, y, 2, offset=x, held=True), lambda hidden: x, ordered)
    best, _, tried = chosen(left, None, TRUSTS)
    assert (best.c, best.trust) == (1.0, 1.0)
    assert all(np.isnan(trial.log_loss) for trial in tried)


def test_nothing_to_learn_asks_for_little_and_much_for_more():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 8))
    noise = rng.integers(0, 2, 300)
    told = (x[:, 0] + 0.3 * rng.normal(size=300) > 0).astype(int)
    few, many = (chosen(Left(rows_of(x, y, 2)), None)[0].c for y in (noise, told))
    assert few < 0.1 < 1 < many


def test_of_few_rows_a_usual_strength_is_chosen_and_of_those_given_the_best():
    x = np.linspace(-1, 1, 10)[:, None]
    y = (x[:, 0] > 0).astype(np.int32)
    rows = rows_of(x, y, 2)
    few = chosen(Left(rows), None)[0]
    assert few.c < max(trial.c for trial in chosen(Left(rows), GRID)[2] if trial.log_loss < few.log_loss)
    many = chosen(Left(rows_of(np.tile(x, (200, 1)), np.tile(y, 200), 2)), None)[0]
    assert many.c > few.c
    assert chosen(Left(rows), (1.0, 1e4))[0].c == 1e4


def test_downhill_ends_at_the_least_of_its_neighbours():
    for least in GRID:
        assert downhill(lambda c, least=least: abs(np.log(c / least))) == least


def test_where_one_step_does_not_tell_rows_are_held_out():
    x = np.append(np.linspace(-1, 1, 40), 25.0)[:, None]
    y = np.append(x[:-1, 0] > 0, False).astype(np.int32)
    left = Left(rows_of(x, y, 2))
    with pytest.raises(Doubtful):
        left.by_steps(1e3, solve(x, y, 2, 1e3))
    with pytest.raises(Doubtful):
        Left(rows_of(sp.csr_matrix(x), y, 2)).by_steps(1.0, solve(x, y, 2))
    with pytest.raises(Doubtful):
        Left(rows_of(x, y, 2, offset=x, held=True), lambda held: x).by_steps(1.0)
    *_, tried = chosen(left, (1.0, 1e3))
    again = Left(left.rows)
    assert tried == [Tried(c, again.by_parts(c)) for c in (1.0, 1e3)]
