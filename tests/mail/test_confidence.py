"""How sure a guess is: against scikit-learn's logistic regression, and what is promised against what comes."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from likely.mail.confidence import (
    BEFORE,
    MIDDLE,
    NEVER,
    PULL,
    STEP,
    WARM,
    WINDOW,
    Confidence,
    Guesses,
    filed,
    foretold,
    threshold,
)


def drawn(count, seed=0, honest=1.0, product=0.0):
    """Guesses whose log odds say too much, by that factor, and more so of folders that are hardly known."""
    rng = np.random.default_rng(seed)
    odds, seen = rng.normal(2, 2, count), rng.integers(0, 200, count)
    known = np.log1p(seen)
    truth = 1 / (1 + np.exp(-(honest * odds + 0.3 * known - 0.7 + product * odds * (known - MIDDLE))))
    return Guesses(1 / (1 + np.exp(-odds)), seen.astype(float), rng.random(count) < truth)


def test_it_is_the_logistic_regression_of_what_was_right():
    guesses = drawn(900, honest=0.6, product=0.2)
    odds, known = np.log(guesses.chance / (1 - guesses.chance)), np.log1p(guesses.seen)
    held = np.sqrt(PULL[3])
    x = np.column_stack([odds, known, odds * (known - MIDDLE) / held])
    peer = LogisticRegression(C=1.0).fit(x, guesses.right)
    weights = Confidence.of(guesses).weights
    assert weights == pytest.approx([*peer.intercept_, *peer.coef_[0] / [1, 1, held]], abs=0.03)
    assert weights[3] > 0.05


def test_without_guesses_a_chance_is_what_it_says():
    assert Confidence.of(Guesses.none()).weights.tolist() == BEFORE.tolist()
    sure = Confidence.of(Guesses.none()).sure(np.array([0.2, 0.9]), np.array([0.0, 5.0]))
    assert sure == pytest.approx([0.2, 0.9])


def test_what_is_likelier_wrong_is_never_sure():
    always_right = Guesses(np.full(500, 0.99), np.full(500, 50.0), np.ones(500, np.bool))
    confidence = Confidence.of(always_right)
    assert confidence.sure(np.array([0.99]), np.array([50.0]))[0] > 0.99
    assert confidence.sure(np.array([0.3]), np.array([50.0]))[0] <= 0.3
    assert threshold(np.full(500, 0.999), 0.9) >= 0.5


@pytest.mark.parametrize("honest", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("precision", [0.9, 0.97])
def test_the_precision_promised_is_the_one_that_comes(honest, precision):
    """Or a better one, where all that is likelier right than wrong is filed."""
    guesses = drawn(6000, seed=1, honest=honest)
    sure = foretold(guesses)
    moved = filed(sure, precision)
    realised = guesses.right[moved].mean()
    assert realised > precision - 0.01
    assert realised < precision + 0.01 or threshold(sure, precision) < 0.55
    assert moved.mean() > 0.05


@pytest.mark.parametrize("precision", [0.9, 0.95])
def test_after_a_change_the_promise_holds_again(precision):
    """Once all that is looked back at came after it."""
    guesses = drawn(1500) + drawn(5000, seed=1, honest=0.5)
    moved = filed(foretold(guesses), precision)
    moved[: 1500 + WINDOW] = False
    assert guesses.right[moved].mean() == pytest.approx(precision, abs=0.015)


def test_what_is_always_right_is_all_filed_and_what_is_always_wrong_never():
    chance, seen = np.full(600, 0.9), np.arange(600.0)
    for right in (True, False):
        moved = filed(foretold(Guesses(chance, seen, np.full(600, right))), 0.95)
        assert not moved[:WARM].any()
        assert (moved[WARM:] == right).all()


def test_the_last_are_foretold_as_among_all():
    guesses = drawn(WINDOW + 3 * STEP + 7)
    whole, last = foretold(guesses), foretold(guesses, WINDOW)
    assert (last[-WINDOW:] == whole[-WINDOW:]).all()
    assert threshold(last, 0.95) == threshold(whole, 0.95)


def test_each_is_judged_by_those_before_it():
    guesses = drawn(400)
    upset = Guesses(guesses.chance, guesses.seen, np.where(np.arange(400) < 250, guesses.right, ~guesses.right))
    assert (foretold(guesses)[:250] == foretold(upset)[:250]).all()
    assert (filed(foretold(guesses), 0.9)[:250] == filed(foretold(upset), 0.9)[:250]).all()


def test_nothing_is_filed_before_enough_is_known():
    assert threshold(np.full(WARM - 1, 0.99), 0.9) == NEVER
    assert not filed(np.full(500, 0.99), 0.9)[:WARM].any()
    assert filed(np.full(500, 0.99), 0.9)[WARM:].all()
    assert threshold(np.full(500, 0.6), 0.9) == NEVER


def test_old_guesses_do_not_count():
    good, bad = drawn(WINDOW, honest=3.0), Guesses(np.full(500, 0.9), np.full(500, 9.0), np.zeros(500, np.bool))
    assert Confidence.of(bad + good).weights.tolist() == Confidence.of(good).weights.tolist()
