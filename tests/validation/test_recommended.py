from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from likely.validation import Curve, Result
from likely.validation.recommended import intervals, outlook, recommended

NAMES = ["simple", "middle", "complex"]
NOISE = np.random.default_rng(0).normal(size=400)  # of the rows, which all models share


def results(*means, apart=0.005, weight=None):
    """Models of these log losses, which differ from row to row by `apart`."""
    rng = np.random.default_rng(1)
    found = {}
    for name, mean in zip(NAMES, means, strict=True):
        own = np.exp(-np.clip(mean + 0.05 * NOISE + apart * rng.normal(size=400), 0.01, None))
        p = np.column_stack([own, 1 - own])
        y = np.zeros(400, np.int32)
        found[name] = Result("held out", np.array(["a", "b"]), np.arange(400), y, y, np.log(p), weight)
    return found


def curve(before=0.0):
    losses = 0.3 + 0.1 * np.random.default_rng(0).normal(size=8) + np.array([[before], [0.0]])
    losses[1] += 0.001 * np.random.default_rng(1).normal(size=8)
    return Curve(np.array([50, 200]), {"simple": losses}, {"simple": losses})


def test_the_interval_is_that_of_nadeau_and_bengio():
    values = np.random.default_rng(2).normal(size=(3, 10))
    mean, half = intervals(Curve(np.arange(3), {}, {}, test=0.2), values)
    np.testing.assert_allclose(mean, values.mean(axis=1))
    spread = np.sqrt((1 / 10 + 0.2 / 0.8) * values.var(axis=1, ddof=1))
    np.testing.assert_allclose(half, stats.t(9).ppf(0.975) * spread)
    assert np.isnan(intervals(Curve(np.arange(3), {}, {}), values[:, :1])[1]).all()


def test_intervals_hold_what_they_promise():
    """The mean over draws of one set of rows, of rows drawn anew many times: within the interval about as often."""
    hits = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        wrong = rng.random(80) < 0.3
        held = [rng.permutation(80)[:20] for _ in range(8)]
        mean, half = intervals(Curve(np.array([60]), {}, {}), np.array([[wrong[rows].mean() for rows in held]]))
        hits += abs(mean[0] - 0.3) <= half[0]
    assert hits / 300 >= 0.9


def test_the_simplest_if_it_is_best():
    best = recommended(results(0.3, 0.4, 0.5))
    assert best.model == "simple"
    assert best.reason.startswith("Its log loss, 0.2978, is the lowest")


def test_the_simplest_if_none_is_better_by_more_than_chance():
    best = recommended(results(0.304, 0.3041, 0.299, apart=0.05))
    assert best.model == "simple"
    assert "which may be chance" in best.reason


def test_what_is_better_by_more_than_chance_though_rows_vary():
    found = results(0.30, 0.31, 0.28)
    best = recommended(found)
    by = found["complex"].log_p[:, 0] - found["simple"].log_p[:, 0]
    half = stats.ttest_1samp(by, 0).confidence_interval().high - by.mean()
    assert best.model == "complex"
    assert f"lower than that of simpler models: simple by {by.mean():.4f} ± {half:.4f}" in best.reason
    assert recommended(results(0.30, 0.28, 0.28)).model == "middle"


def test_one_that_is_worse_is_not_taken_because_it_is_less_certain():
    assert recommended(results(0.30, 0.35, 0.28) | {"middle": results(0.3, 0.35, 0.3, apart=0.3)["middle"]}).model == (
        "complex"
    )


def test_a_difference_is_chance_as_often_as_its_interval_says():
    """Two models that are as good as each other, many times: the less simple one is taken in 2.5 % of them."""
    rng, taken = np.random.default_rng(2), 0
    y = np.zeros(50, np.int32)
    for _ in range(1000):
        loss = 0.5 + 0.1 * rng.random((2, 50))
        found = {
            name: Result(
                "", np.array(["a", "b"]), np.arange(50), y, y, np.column_stack([-own, np.log1p(-np.exp(-own))])
            )
            for name, own in zip("ab", loss, strict=True)
        }
        taken += recommended(found).model == "b"
    low, high = stats.binomtest(taken, 1000).proportion_ci(0.99)
    assert low <= 0.025 <= high


def test_weights_count_as_rows():
    twice = np.where(np.arange(400) < 200, 2.0, 0.0)
    first = recommended(results(0.30, 0.31, 0.28, weight=twice))
    half = {
        name: Result("", one.classes, one.rows[:200], one.y[:200], one.answers[:200], one.log_p[:200])
        for name, one in results(0.30, 0.31, 0.28).items()
    }
    assert first == recommended(half)


def test_results_of_other_rows_are_not_compared():
    found = results(0.3, 0.31, 0.28)
    found["middle"] = replace(found["middle"], rows=np.arange(1, 401))
    with pytest.raises(ValueError, match="the same rows"):
        recommended(found)


@pytest.mark.parametrize(
    ("before", "said"), [(0.1, "More rows should help: from 50 to 200"), (0.0, "no more than chance")]
)
def test_whether_more_rows_would_help(before, said):
    assert said in outlook(curve(before), "simple")


def test_of_one_size_nothing_is_said_of_more_rows():
    losses = {"simple": curve().log_losses["simple"][-1:]}
    assert outlook(Curve(np.array([200]), losses, losses), "simple") == ""


def test_a_sample_does_not_say_what_all_rows_would_change():
    assert outlook(curve(), "simple").endswith("more rows may not help much.")
    assert outlook(curve(), "simple", more_rows=True).endswith("the effect of all rows is not known.")
