import numpy as np
import pytest
from scipy import stats

from likely.validation import Curve
from likely.validation.recommended import intervals, recommended

NAMES = ["simple", "middle", "complex"]
NOISE = np.random.default_rng(0).normal(size=8)  # of the rows drawn, which all models share


def curve(*means, apart=0.001, before=0.0):
    """Models of these log losses at the last size, and of as much more at the one before."""
    rng = np.random.default_rng(1)
    losses = {
        name: np.array([mean + before + 0.1 * NOISE, mean + 0.1 * NOISE + apart * rng.normal(size=8)])
        for name, mean in zip(NAMES, means, strict=True)
    }
    return Curve(np.array([50, 200]), losses, losses)


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
    best = recommended(curve(0.3, 0.4, 0.5), NAMES)
    assert best.model == "simple"
    assert best.reason.startswith("Its log loss is the least, 0.")


def test_the_simplest_if_none_is_better_by_more_than_chance():
    best = recommended(curve(0.300, 0.3001, 0.2999, apart=0.05), NAMES)
    assert best.model == "simple"
    assert "which may be chance" in best.reason


def test_what_is_better_by_more_than_chance_though_rows_vary():
    found = curve(0.30, 0.31, 0.28)
    best = recommended(found, NAMES)
    by = (found.log_losses["simple"][-1] - found.log_losses["complex"][-1]).mean()
    assert best.model == "complex"
    assert f"below that of what is simpler: simple by {by:.4f}" in best.reason
    assert recommended(curve(0.30, 0.28, 0.28), NAMES).model == "middle"


def test_one_that_is_worse_is_not_taken_because_it_is_less_certain():
    found = curve(0.30, 0.35, 0.28)
    found.log_losses["middle"][-1] += 0.3 * np.random.default_rng(3).normal(size=8)
    assert recommended(found, NAMES).model == "complex"


@pytest.mark.parametrize(
    ("before", "said"), [(0.1, "More rows should help: from 50 to 200"), (0.0, "no more than chance")]
)
def test_whether_more_rows_would_help(before, said):
    assert said in recommended(curve(0.3, 0.4, 0.5, before=before), NAMES).outlook


def test_of_one_size_nothing_is_said_of_more_rows():
    found = curve(0.3, 0.4, 0.5)
    last = {name: losses[-1:] for name, losses in found.log_losses.items()}
    assert recommended(Curve(found.sizes[-1:], last, last), NAMES).outlook == ""
