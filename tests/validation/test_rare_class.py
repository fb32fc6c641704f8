"""The rare class: when it is one, what is said of it, and thresholds judged by rows that did not choose them."""

import numpy as np
import pytest

from likely.models.log_odds import logs
from likely.validation import Result
from likely.validation.rare_class import FEW, cross_fitted


def result(p, y, classes="ny", weight=None):
    p, y = np.asarray(p, float), np.asarray(y, np.int32)
    p = np.column_stack([1 - p, p]) if p.ndim == 1 else p
    return Result(
        "made", np.array([*classes]), np.arange(len(y)), y, p.argmax(axis=1).astype(np.int32), logs(p), weight
    )


def made(rows, rate, seed=0):
    """Calibrated: a row is of the class as often as its probability says."""
    rng = np.random.default_rng(seed)
    p = rng.beta(3 * rate, 3 * (1 - rate), rows)
    return result(p, rng.random(rows) < p)


def test_by_hand():
    p = [0.9] * 10 + [0.4] * 20 + [0.1] * 170
    y = [1] * 8 + [0] * 2 + [1] * 15 + [0] * 5 + [0] * 165 + [1] * 5
    found = result(p, y).rare
    assert (found.label, found.rate) == ("y", 28 / 200)
    assert found.recall == pytest.approx(8 / 28)
    assert found.precision == pytest.approx(8 / 10)
    assert found.threshold == pytest.approx(0.25)
    assert found.threshold_recall == pytest.approx(23 / 28)
    assert found.threshold_precision == pytest.approx(23 / 30)
    assert str(found) == (
        "“y” is 14.0 % of the rows: the model finds 28.6 % of it, and 80.0 % of those predictions are right. "
        "With threshold 0.25 it would find 82.1 % of “y” in new rows, and 76.7 % of those predictions would be right."
    )


def test_it_is_the_first_thing_said():
    assert str(made(2000, 0.1)).startswith("“y” is ")
    assert str(made(2000, 0.4)).startswith("made")


def test_no_class_is_rare_where_shares_are_alike_or_classes_many_or_rows_few():
    assert made(2000, 0.28).rare is not None
    assert made(2000, 0.35).rare is None
    y = np.repeat(np.arange(6), [400, 400, 400, 400, 400, 50])
    assert result(np.eye(6)[y], y, "abcdef").rare is None
    three = np.repeat([0, 1, 2], [400, 400, 100])
    assert result(np.eye(3)[three], three, "abc").rare.label == "c"
    few = np.repeat([0, 1], [400, FEW - 1])
    assert result(few * 0.9, few).rare is None
    assert result(np.r_[few, 1] * 0.9, np.r_[few, 1]).rare is not None


def test_a_class_that_is_never_predicted_has_no_precision():
    y = np.repeat([0, 1], [500, 50])
    found = result(0.1 + 0.2 * y, y).rare
    assert np.isnan(found.precision)
    assert "finds 0.0 % of it." in str(found)


def test_a_threshold_that_changes_little_is_not_advised():
    y = np.repeat([0, 1], [500, 50])
    assert str(result(0.05 + 0.9 * y, y).rare).endswith("No other threshold balances the two better.")


def test_a_threshold_whose_f1_is_no_higher_on_other_rows_is_not_advised():
    found = result(np.linspace(0, 1, 550), np.repeat([0, 1], [500, 50])).rare
    better = found._replace(recall=0.4, precision=0.7, threshold_recall=0.6, threshold_precision=0.6)
    assert better.advised
    assert not better._replace(threshold_precision=0.4).advised  # F1 0.48, and 0.51 today
    assert better._replace(recall=0.0, precision=float("nan")).advised


def test_weights_count_as_rows():
    one = made(600, 0.15)
    twice = np.tile(np.arange(600), 2)
    doubled = result(one.probabilities[twice, 1], one.y[twice]).rare
    weighted = result(one.probabilities[:, 1], one.y, weight=np.full(600, 2.0)).rare
    assert (weighted.recall, weighted.precision, weighted.threshold) == pytest.approx(
        (doubled.recall, doubled.precision, doubled.threshold)
    )


def test_no_row_is_judged_by_a_threshold_that_it_chose():
    one, chosen_by = made(200, 0.2), []

    def choose(rows):
        chosen_by.append(rows)
        return 0.5 + len(chosen_by) / 100

    flagged = cross_fitted(one.probabilities[:, 1], one.y, choose)
    assert len(chosen_by) == 10
    assert (np.sum(chosen_by, axis=0) == 9).all()  # each row is left out once
    for at, rows in enumerate(chosen_by, 1):
        np.testing.assert_array_equal(flagged[~rows], one.probabilities[~rows, 1] >= 0.5 + at / 100)


def test_the_figures_of_a_threshold_do_not_flatter():
    """Probabilities that say nothing: a threshold chosen on the same rows would find lift by chance."""
    excess = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        found = result(rng.random(300) * 0.4, rng.random(300) < 0.2).rare
        excess.append(found.threshold_precision - found.rate)
    assert abs(np.mean(excess)) < 3 * np.std(excess) / np.sqrt(40)
