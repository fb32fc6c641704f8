"""Learning curves."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from likely import LogisticRegression, NaiveBayes
from likely.validation import learning_curve

RNG = np.random.default_rng(0)
Y = np.where(RNG.random(400) < 0.3, "rare", "usual")
X = RNG.normal(size=(400, 4)) + 0.8 * (Y == "rare")[:, None]


def test_more_rows_are_better_and_models_see_the_same():
    curve = learning_curve({"a": GaussianNB(), "b": GaussianNB(), "ours": NaiveBayes("gaussian")}, X, Y, repeats=6)
    assert curve.sizes[0] == 10
    assert curve.sizes[-1] == 300
    assert (curve.errors["a"] == curve.errors["b"]).all()
    assert (curve.log_losses["a"] == curve.log_losses["b"]).all()
    for name in curve.errors:
        assert curve.errors[name].shape == (len(curve.sizes), 6)
        assert curve.mean[name][-1] < curve.mean[name][0]
        assert curve.log_losses[name][-1].mean() < curve.log_losses[name][0].mean()


def test_the_largest_size_is_a_holdout():
    curve = learning_curve(GaussianNB(), X, Y, sizes=[300], repeats=4)
    from likely.validation import holdout

    spread = [holdout(GaussianNB(), X, Y, seed=seed).error for seed in range(20)]
    assert min(spread) <= curve.mean["GaussianNB"][0] <= max(spread)


def test_standard_errors_by_hand():
    curve = learning_curve(NaiveBayes("gaussian"), X, Y, sizes=[20, 50], repeats=5)
    assert curve.standard_error["NaiveBayes"] == pytest.approx(
        [errors.std(ddof=1) / np.sqrt(5) for errors in curve.errors["NaiveBayes"]]
    )


def test_every_class_is_in_the_smallest_part():
    y = np.where(np.arange(400) % 40 == 0, "few", Y)
    curve = learning_curve(LogisticRegression(), X, y, sizes=[3], repeats=5)
    assert np.isfinite(curve.errors["LogisticRegression"]).all()


def test_names_and_print():
    curve = learning_curve([GaussianNB(), GaussianNB(), LinearSVC()], X, Y, sizes=[30, 60], repeats=2)
    assert list(curve.errors) == ["GaussianNB 0", "GaussianNB 1", "LinearSVC"]
    assert np.isnan(curve.log_losses["LinearSVC"]).all()
    assert str(curve).startswith("error, mean of 2 repeats\nrows learned")
    assert " ± " in str(curve)


@pytest.mark.parametrize(
    ("models", "sizes", "said"),
    [
        (GaussianNB(), [1], "sizes are from 2 "),
        (GaussianNB(), [301], "to 300"),
        ([], None, "there are no models"),
    ],
)
def test_refusals(models, sizes, said):
    with pytest.raises(ValueError, match=said):
        learning_curve(models, X, Y, sizes=sizes)
