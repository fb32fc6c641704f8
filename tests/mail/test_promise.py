"""What is promised against what comes: of guesses made up, with confidence that is right, too high, or changes."""

import numpy as np
import pytest

from likely.mail.confidence import STEP, WINDOW
from likely.mail.promise import LEVELS, NEVER, SLACK, WARM, filed, looks, threshold


def made_up(count, seed=0, honest=1.0):
    """Confidence, and whether guesses were right: their log odds say too much, by that factor."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(2, 2, count)
    return 1 / (1 + np.exp(-odds)), rng.random(count) < 1 / (1 + np.exp(-honest * odds))


@pytest.mark.parametrize("precision", [0.9, 0.95, 0.97])
def test_what_is_promised_comes(precision):
    sure, right = made_up(6000, seed=1)
    moved = filed(sure, right, precision)
    assert precision - 0.01 < right[moved].mean() < precision + 0.02
    assert moved.mean() > 0.3


@pytest.mark.parametrize("precision", [0.9, 0.95, 0.97])
@pytest.mark.parametrize("honest", [0.3, 0.5])
def test_confidence_that_is_always_too_high_does_little_harm(honest, precision):
    """Nine levels with an allowance each, and none is used for long."""
    sure, right = made_up(6000, seed=1, honest=honest)
    moved, trusting = filed(sure, right, precision), sure >= precision
    too_many = [(~right[some]).sum() - (1 - precision) * some.sum() for some in (moved, trusting)]
    assert too_many[0] < 25
    assert too_many[1] > 3 * too_many[0]


def test_a_change_is_noticed_after_a_few_mistakes():
    before, after = made_up(2000), made_up(1000, seed=1, honest=0.2)
    sure, right = (np.concatenate(both) for both in zip(before, after, strict=True))
    trusting = sure[2000:] >= looks(*before, 0.95)[-1].thresholds[0]  # by confidence alone
    moved = filed(sure, right, 0.95)[2000:]
    assert (~right[2000:][trusting]).sum() > 150
    assert (~right[2000:][moved]).sum() < 40


@pytest.mark.parametrize("count", [0, 30, 2 * WINDOW + 1, 2 * WINDOW + STEP, 3 * WINDOW + 12])
@pytest.mark.parametrize("honest", [0.4, 1.0])
def test_the_next_threshold_goes_by_the_last_guesses_as_by_all(count, honest):
    sure, right = made_up(count, honest=honest)
    assert threshold(sure, right, 0.95) == looks(sure, right, 0.95)[-1].threshold


@pytest.mark.parametrize("honest", [0.4, 0.8])
def test_the_level_in_use_has_a_record_in_order(honest):
    """In no stretch of the last messages has it filed more wrongly than allowed, and one or half a hundredth of what it
    filed more: by brute force."""
    sure, right = made_up(900, honest=honest)
    found = looks(sure, right, 0.9)
    levels, most = {look.level for look in found}, 0
    assert len(levels) > 3
    for number, look in enumerate(found[:-1]):
        filed = np.zeros((number * STEP, len(LEVELS)))
        for block, past in enumerate(found[:number]):
            rows = slice(block * STEP, (block + 1) * STEP)
            filed[rows] = sure[rows, None] >= past.thresholds
        steps = filed * (~right[: len(filed), None] - 0.1)
        worst = [max([0.0, *(steps[start:, at].sum() for start in range(len(steps)))]) for at in range(len(LEVELS))]
        slack = np.maximum(1, SLACK * filed.sum(axis=0))
        in_order = np.flatnonzero(np.array(worst) <= slack + 1e-9)
        assert look.level == (in_order[0] if in_order.size else None)
        most = max(most, filed.sum(axis=0).max())
    assert most * SLACK > 1.5


def test_each_is_judged_by_those_before_it():
    sure, right = made_up(400)
    upset = np.where(np.arange(400) < 250, right, ~right)
    assert (filed(sure, right, 0.9)[:250] == filed(sure, upset, 0.9)[:250]).all()


def test_nothing_is_filed_before_enough_is_known():
    good = np.ones(500, np.bool)
    assert threshold(np.full(WARM - 1, 0.99), good[: WARM - 1], 0.9) == NEVER
    assert not filed(np.full(500, 0.99), good, 0.9)[:WARM].any()
    assert filed(np.full(500, 0.99), good, 0.9)[WARM:].all()
    assert threshold(np.full(500, 0.6), good, 0.9) == NEVER
    assert threshold(np.full(500, 0.999), good, 0.9) >= 0.5
    assert not filed(np.full(500, 0.99), ~good, 0.9)[WARM + STEP :].any()


def test_the_last_tell_as_much_as_all():
    sure, right = made_up(2 * WINDOW + 20 * STEP + 7, honest=0.6)
    last = 20 * STEP
    for precision in (0.9, 0.97):
        assert threshold(sure[last:], right[last:], precision) == threshold(sure, right, precision)


@pytest.mark.parametrize("precision", [0.9, 0.97])
def test_where_all_was_clear_what_is_clear_enough_is_filed_too(precision):
    """However much clearer all the others were; and nothing that is not, though all others were right."""
    sure = np.full(300, 0.999)
    assert threshold(sure, np.ones(300, np.bool), precision) == precision
    assert threshold(np.full(300, precision - 0.01), np.ones(300, np.bool), precision) == NEVER
