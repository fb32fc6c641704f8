"""Thresholds: what they find, miss and cost, against counting by hand."""

import numpy as np
import pytest

from likely.models.log_odds import logs
from likely.validation import Result, choose_threshold, thresholds

CLASSES = np.array(["no", "yes"])


def result(p, y, weight=None):
    both = np.column_stack([1 - np.asarray(p), p])
    y = np.asarray(y, np.int32)
    return Result("made", CLASSES, np.arange(len(y)), y, both.argmax(axis=1).astype(np.int32), logs(both), weight)


def noisy(rows, seed=0, rate=0.1):
    """Calibrated probabilities: a row is "yes" as often as it says."""
    rng = np.random.default_rng(seed)
    p = rng.beta(rate * 3, (1 - rate) * 3, rows)
    return result(p, rng.random(rows) < p)


def test_by_hand():
    found = thresholds(result([0.9, 0.8, 0.8, 0.3, 0.1], [1, 1, 0, 1, 0]), costs="yes as no: 10")
    assert found.of_class == "yes"
    assert found.rate == pytest.approx(0.6)
    assert found.threshold.tolist() == np.exp(np.log([0.9, 0.8, 0.3, 0.1])).tolist()  # rows alike are flagged together
    assert found.flagged.tolist() == [0.2, 0.6, 0.8, 1.0]
    assert found.recall.tolist() == pytest.approx([1 / 3, 2 / 3, 1, 1])
    assert found.precision.tolist() == pytest.approx([1, 2 / 3, 3 / 4, 3 / 5])
    assert found.cost.tolist() == pytest.approx([20 / 5, 11 / 5, 1 / 5, 2 / 5])
    assert found[1].lift == pytest.approx((2 / 3) / 0.6)
    assert found.at(0.5) == found[1]._replace(threshold=0.5)
    assert found.at_recall(0.9).threshold == 0.3
    assert found.at_precision(0.7).threshold == 0.3
    assert found.at_precision(1.0).threshold == 0.9
    assert thresholds(result([0.9, 0.1], [0, 1])).at_precision(0.8) is None


def test_figures_agree_with_scikit_learn():
    from sklearn.metrics import average_precision_score, precision_recall_curve

    made = noisy(500)
    found = thresholds(made)
    precision, recall, at = precision_recall_curve(made.y, made.probabilities[:, 1])
    there = recall[:-1] > 0
    np.testing.assert_allclose(found.precision[::-1][-there.sum() :], precision[:-1][there])
    np.testing.assert_allclose(found.threshold[::-1][-there.sum() :], at[there])
    assert found.average_precision == pytest.approx(average_precision_score(made.y, made.probabilities[:, 1]))


def test_rows_whose_probability_rounds_are_ranked_but_flagged_together():
    for log_p, same in (([-800.0, -900.0], 0.0), ([-1e-40, -1e-50], 1.0)):
        both = np.column_stack([np.log(-np.expm1(log_p)), log_p])
        found = thresholds(Result("made", CLASSES, np.arange(2), np.array([0, 1], np.int32), np.ones(2, int), both))
        swapped = thresholds(Result("made", CLASSES, np.arange(2), np.array([1, 0], np.int32), np.ones(2, int), both))
        assert found.threshold.tolist() == [same, same]
        assert {found.average_precision, swapped.average_precision} == {0.5, 1.0}
        for one in (found, swapped):
            assert one.at(same) == one.at_recall(0.5) == one.at_precision(0.5) == one[1]
            assert one.at_precision(0.8) is None


def test_a_threshold_flags_the_rows_that_have_just_this_probability():
    """Of 99 trees or neighbours, some of the shares are a little less after their log was taken."""
    shares = np.arange(1, 99) / 99
    made = result(shares, np.tile([0, 1], 49))
    assert (made.probabilities[:, 1] < shares).any()
    for share, rows in zip(shares.tolist(), range(98, 0, -1), strict=True):
        assert thresholds(made).at(share).flagged == pytest.approx(rows / 98)
        sure = made.confidence >= share * (1 - 1e-12)
        assert made.risk.at_threshold(share).coverage == pytest.approx(sure.mean())


def test_weights_count_as_rows():
    made = noisy(200)
    times = np.random.default_rng(1).integers(0, 3, 200)
    repeated = result(np.repeat(made.probabilities[:, 1], times), np.repeat(made.y, times))
    weighted = result(made.probabilities[:, 1], made.y, times.astype(float))
    many, few = thresholds(repeated, costs="yes as no: 5"), thresholds(weighted, costs="yes as no: 5")
    for threshold in (0.05, 0.2, 0.4):
        assert many.at(threshold) == pytest.approx(few.at(threshold))


def test_of_many_classes_what_is_not_flagged_gets_the_best_of_the_others():
    p = np.array([[0.5, 0.2, 0.3], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]])
    made = Result(
        "made", np.array(["a", "b", "c"]), np.arange(3), np.array([0, 2, 2], np.int32), p.argmax(axis=1), np.log(p)
    )
    found = thresholds(made, "c")
    assert found.threshold.tolist() == [0.7, 0.3]
    assert found.cost.tolist() == pytest.approx([1 / 3, 1 / 3])  # the second is predicted "b"; then the first "c"


def test_the_chosen_threshold_is_the_one_that_theory_has():
    # calibrated probabilities, and "yes" missed costs 9: flag from 1/10 on
    chosen = choose_threshold(noisy(40_000), "yes as no: 9")
    assert chosen.threshold == pytest.approx(0.1, abs=0.03)
    assert chosen.interval[0] > 0
    assert chosen.gain == pytest.approx(chosen.default_cost - chosen.cost)
    assert str(chosen).startswith(f"threshold {chosen.threshold:.3f}: cost")


def test_where_nothing_is_to_be_gained_the_interval_holds_zero():
    inside = 0
    for seed in range(40):  # probabilities that say nothing: any gain is by chance
        rng = np.random.default_rng(seed)
        low, high = choose_threshold(result(rng.random(300), rng.random(300) < 0.5)).interval
        inside += low <= 0.02 and high >= 0  # 0 or what always predicting the more frequent class gains
    assert inside >= 30


def test_rows_do_not_choose_the_threshold_that_judges_them():
    chosen = [choose_threshold(noisy(100, seed, 0.3), "yes as no: 3") for seed in range(300)]
    in_view = [thresholds(noisy(100, seed, 0.3), costs="yes as no: 3").cost.min() for seed in range(300)]
    assert np.mean([one.cost for one in chosen]) > np.mean(in_view)  # what is chosen in view looks too good
    fresh = noisy(200_000, 1000, 0.3)
    curve = thresholds(fresh, costs="yes as no: 3")
    later = np.mean([curve.at(min(one.threshold, curve.threshold[0])).cost for one in chosen])
    assert np.mean([one.cost for one in chosen]) == pytest.approx(later, rel=0.04)


def test_in_print():
    shown = str(thresholds(noisy(1000)))
    assert shown.startswith("yes: 9.6 % of the rows\n")
    assert shown.split("\n")[1].split() == ["threshold", "flagged", "recall", "precision", "lift", "cost"]


def test_what_is_not_there_is_said():
    with pytest.raises(ValueError, match="no class 'maybe'"):
        thresholds(noisy(100), "maybe")
    with pytest.raises(ValueError, match="no row has a probability of 1 or more"):
        thresholds(noisy(100)).at(1.0)
    with pytest.raises(ValueError, match="no row is of class 'yes'"):
        thresholds(result([0.2, 0.3], [0, 0]))
