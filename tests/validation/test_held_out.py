"""Held-out and training errors, against fits by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.naive_bayes import GaussianNB

from likely import NaiveBayes
from likely.validation import holdout, training_error

from .tables import mixed

X, Y = mixed(200)
NUMBERS = np.random.default_rng(1).normal(size=(200, 3)) + (Y == "red")[:, None]


@pytest.mark.parametrize("options", [{}, {"stratify": True}, {"time": -np.arange(200)}, {"group": np.arange(200) // 5}])
@pytest.mark.parametrize(
    ("model", "x"), [(NaiveBayes(), X.to_pandas()), (GaussianNB(), NUMBERS)], ids=["ours", "theirs"]
)
def test_held_out_rows_are_answered_by_a_model_of_the_others(model, x, options):
    result = holdout(model, x, Y, 0.2, **options)
    others = np.setdiff1d(np.arange(200), result.rows)
    part = getattr(x, "iloc", x)
    fitted = model.fit(part[others], Y[others])
    assert len(result.rows) == pytest.approx(40, abs=2)
    assert_allclose(result.probabilities, fitted.predict_proba(part[result.rows]), rtol=1e-9, atol=1e-12)
    assert result.error == np.mean(fitted.predict(part[result.rows]) != Y[result.rows])
    if "time" in options:
        assert result.rows.tolist() == list(range(40))
    if "group" in options:
        assert not set(result.rows // 5) & set(others // 5)


def test_the_seed_decides():
    rows = [holdout(GaussianNB(), NUMBERS, Y, seed=seed).rows.tolist() for seed in (0, 0, 1)]
    assert rows[0] == rows[1] != rows[2]


def test_the_final_model_has_learned_all():
    assert holdout(NaiveBayes(), X, Y).model.class_count_.sum() == 200


def test_training_error():
    result = training_error(GaussianNB(), NUMBERS, Y)
    assert result.error == np.mean(GaussianNB().fit(NUMBERS, Y).predict(NUMBERS) != Y)
    with pytest.raises(ValueError, match="has no interval: it is no estimate for new rows"):
        _ = result.interval
    assert "of rows that were learned" in str(result)


@pytest.mark.parametrize(
    ("options", "said"),
    [({}, "at random"), ({"stratify": True}, "of each class"), ({"time": np.arange(200)}, "by time")],
)
def test_it_says_how_rows_were_held_out(options, said):
    assert f"50 rows held out {said}, 150 learned" in holdout(GaussianNB(), NUMBERS, Y, **options).how
