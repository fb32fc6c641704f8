"""Shares of classes in rows without labels."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.validation import class_shift
from likely.validation.class_shift import shift_of

CLASSES = np.array(["a", "b"])


def rows(n, share, seed):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return rng.normal(1.5 * y[:, None], 1.0, (n, 1)), CLASSES[y.astype(int)]


@pytest.fixture(scope="module")
def model():
    return NaiveBayes("gaussian").fit(*rows(20_000, 0.3, 0))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.8])
def test_the_new_share_is_found(model, share):
    found = shift_of(model, rows(5000, share, 1)[0])
    assert found.after[1] == pytest.approx(share, abs=0.03)
    assert found.after.sum() == pytest.approx(1)


def test_it_is_the_maximum_of_the_likelihood(model):
    p = model.predict_proba(rows(500, 0.6, 1)[0])
    found = class_shift(p, np.array([0.7, 0.3]), CLASSES)
    ratio = p / np.array([0.7, 0.3])
    shares = np.linspace(0.001, 0.999, 4999)
    likelihood = [np.log(ratio @ [1 - share, share]).sum() for share in shares]
    assert found.after[1] == pytest.approx(shares[int(np.argmax(likelihood))], abs=3e-4)
    assert found.log_ratio == pytest.approx(max(likelihood), abs=1e-4)


def test_false_alarms_are_as_rare_as_the_test_says(model):
    alarms = sum(shift_of(model, rows(400, 0.3, seed)[0]).moved for seed in range(1, 301))
    assert 4 <= alarms <= 30  # 15 of 300 expected


def test_few_learned_rows_vary_too():
    """A model of 400 rows, and 400 new ones: 10 of 200 alarms expected, and three times as many if only the new rows
    were thought to vary."""
    moved = np.array([0, 0])
    for seed in range(200):
        model = NaiveBayes("gaussian").fit(*rows(400, 0.3, seed))
        p = model.predict_proba(rows(400, 0.3, 1000 + seed)[0])
        before = model.class_count_ / 400
        moved += [class_shift(p, before, learned=400).moved, class_shift(p, before).moved]
    assert moved[0] <= 18
    assert moved[1] > 2 * moved[0]


def test_adjusted_probabilities_are_those_of_a_model_that_knew(model):
    new, truth = rows(5000, 0.8, 2)
    found = shift_of(model, new)
    knew = NaiveBayes("gaussian").fit(*rows(20_000, 0.8, 3))
    np.testing.assert_allclose(found.adjust(model.predict_proba(new)), knew.predict_proba(new), atol=0.06)
    before = (model.predict(new) != truth).mean()
    assert (CLASSES[found.adjust(model.predict_proba(new)).argmax(axis=1)] != truth).mean() < 0.8 * before


def test_a_class_that_never_came_stays_away():
    found = class_shift(np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]]), np.array([0.5, 0.5, 0.0]))
    assert found.after[2] == 0
    assert found.adjust(np.array([[0.5, 0.5, 0.0]]))[0, 2] == 0


def test_in_print(model):
    shown = str(shift_of(model, rows(5000, 0.8, 1)[0]))
    assert shown.startswith("Class shares, estimated without labels, moved (p < 0.0001).")
    shown = str(shift_of(model, rows(500, 0.3, 1)[0]))
    assert shown.startswith("Class shares, estimated without labels, did not move by more than chance (p = 0.")
    assert "b        29.2 %" in shown


def test_what_does_not_fit_is_said():
    with pytest.raises(ValueError, match=r"p has shape \(3,\)"):
        class_shift(np.ones(3), np.ones(3) / 3)
    with pytest.raises(ValueError, match="must be probabilities"):
        class_shift(np.ones((2, 2)) / 2, np.array([0.5, 0.9]))
