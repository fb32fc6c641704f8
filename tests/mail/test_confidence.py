"""How sure a guess is: against scikit-learn's logistic regression, and what is promised against what comes."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from likely.mail.confidence import BEFORE, FIRST, STEP, WINDOW, Confidence, Guesses, foretold
from likely.mail.promise import WARM, filed, threshold


def drawn(count, seed=0, honest=1.0, levels_off=False):
    """Guesses whose log odds say too much, by that factor, and more so of folders that are hardly known."""
    rng = np.random.default_rng(seed)
    odds, seen = rng.normal(2, 2, count), rng.integers(0, 200, count)
    record, idle = rng.normal(1, 1, count), rng.integers(0, 50, count)
    claimed = np.sign(odds) * np.log1p(np.abs(odds)) if levels_off else odds
    truth = 1 / (1 + np.exp(-(honest * claimed + 0.3 * np.log1p(seen) - 1.2 + 0.5 * record)))
    return Guesses(odds, seen.astype(float), record, idle.astype(float), rng.random(count) < truth)


def alike(odds, seen, right):
    """Guesses of folders without any other known facts."""
    none = np.zeros(len(odds))
    return Guesses(odds, seen, none, none, right)


def test_it_is_the_logistic_regression_of_what_was_right():
    guesses = drawn(900, honest=0.6)
    peer = LogisticRegression(C=1.0).fit(guesses.features()[:, 1:], guesses.right)
    weights = Confidence.of(guesses).weights
    assert weights == pytest.approx([*peer.intercept_, *peer.coef_[0]], abs=0.1)
    assert weights[4] > 0.3


def test_it_can_level_off():
    guesses = drawn(WINDOW, levels_off=True)
    weights = Confidence.of(guesses).weights
    assert weights[2] > weights[1]


def test_without_guesses_a_chance_is_what_it_says():
    assert Confidence.of(Guesses.none()).weights.tolist() == BEFORE.tolist()
    two = alike(np.log([0.2 / 0.8, 0.9 / 0.1]), np.array([0.0, 5.0]), np.zeros(2, np.bool))
    assert Confidence.of(Guesses.none()).sure(two) == pytest.approx([0.2, 0.9])


def test_what_is_likelier_wrong_is_never_sure():
    odds, seen = np.full(500, np.log(99)), np.full(500, 50.0)
    confidence = Confidence.of(alike(odds, seen, np.ones(500, np.bool)))
    assert confidence.sure(alike(odds[:1], seen[:1], np.ones(1, np.bool)))[0] > 0.99
    assert confidence.sure(alike(np.log([3 / 7]), seen[:1], np.ones(1, np.bool)))[0] <= 0.3 + 1e-12


@pytest.mark.parametrize("honest", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("precision", [0.9, 0.97])
def test_the_precision_promised_is_the_one_that_comes(honest, precision):
    """Or a better one, where all that is likelier right than wrong is filed."""
    guesses = drawn(6000, seed=1, honest=honest)
    sure = foretold(guesses)
    moved = filed(sure, guesses.right, precision)
    realised = guesses.right[moved].mean()
    assert realised > precision - 0.01
    assert realised < precision + 0.025 or threshold(sure, guesses.right, precision) < 0.55
    assert moved.mean() > 0.05


@pytest.mark.parametrize("precision", [0.9, 0.95])
def test_after_a_change_the_promise_holds_again(precision):
    """Nearly so from the change on, and wholly once all that is looked back at came after it: of ten accounts together,
    since one alone files some 750 messages, whose share of right ones may by chance be a point lower or higher."""
    moved, right = [], []
    for seed in range(0, 20, 2):
        guesses = drawn(1500, seed=seed) + drawn(5000, seed=seed + 1, honest=0.5)
        moved.append(filed(foretold(guesses), guesses.right, precision)[1500:])
        right.append(guesses.right[1500:])
    assert np.concatenate(right)[np.concatenate(moved)].mean() > precision - 0.015
    later = [(own[WINDOW:], good[WINDOW:]) for own, good in zip(moved, right, strict=True)]
    kept = np.concatenate([good[own] for own, good in later])
    assert kept.mean() > precision - 0.01
    assert len(kept) > 2000


def test_what_is_always_right_is_all_filed_and_what_is_always_wrong_never():
    odds, seen = np.full(600, np.log(9)), np.arange(600.0)
    for right in (True, False):
        guesses = alike(odds, seen, np.full(600, right))
        moved = filed(foretold(guesses), guesses.right, 0.95)
        assert not moved[:WARM].any()
        assert (moved[WARM:] == right).all()


def test_the_last_are_foretold_as_among_all():
    guesses = drawn(WINDOW + 3 * STEP + 7)
    whole, last = foretold(guesses), foretold(guesses, WINDOW)
    assert (last[-WINDOW:] == whole[-WINDOW:]).all()


def test_each_is_judged_by_those_before_it():
    guesses = drawn(400)
    right = np.where(np.arange(400) < 250, guesses.right, ~guesses.right)
    upset = Guesses(*guesses.arrays[:-1], right)
    assert (foretold(guesses)[:250] == foretold(upset)[:250]).all()


def test_old_guesses_do_not_count():
    good, odds = drawn(WINDOW, honest=3.0), np.full(500, np.log(9))
    wrong, right = (alike(odds, np.full(500, 9.0), np.full(500, which)) for which in (False, True))
    assert Confidence.of(wrong + good).weights.tolist() == Confidence.of(right + good).weights.tolist()


def test_the_first_guesses_count_until_there_are_twice_as_many_others():
    """They were made before the scales of texts were chosen."""
    first, others = drawn(FIRST, honest=0.1), drawn(2 * FIRST, seed=1)
    better = drawn(FIRST, honest=3.0)
    few = others[: 2 * FIRST - 1]
    assert Confidence.of(first + few).weights.tolist() != Confidence.of(better + few).weights.tolist()
    assert Confidence.of(first + others).weights.tolist() == Confidence.of(better + others).weights.tolist()


def test_one_folder_is_no_reason_to_trust_it():
    certain = alike(np.full(2, np.inf), np.ones(2), np.zeros(2, np.bool))
    assert np.isfinite(certain.features()).all()
