"""What drives predictions, against the mean distance worked out row by row."""

import numpy as np
import pandas as pd
import pytest

from likely.data import read
from likely.models.explain import Explanation
from likely.models.naive_bayes import NaiveBayesModel
from likely.report.drivers import draw_drivers, drivers

from ..samples import sample_of


def explained(x, y, **options):
    return Explanation(NaiveBayesModel(**options).learn(sample_of(x, y)), read(x))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    return pd.DataFrame({"far": rng.normal(3.0 * y), "near": rng.normal(0.5 * y), "one": 1.0}), y


def test_the_mean_distance_by_hand(table, monkeypatch):
    x, y = table
    explanation = explained(x, y, families="gaussian", column_weights=False)
    odds = {"far": [], "near": []}
    for reasons in explanation:
        for reason in reasons.reasons:
            if reason.column in odds:
                odds[reason.column].append(reason.contributions[1] - reason.contributions[0])
    expected = {name: np.abs(values - np.mean(values)).mean() for name, values in odds.items()}
    for piece in (1 << 19, 100):
        monkeypatch.setattr("likely.models.explain.PIECE", piece)
        found = {one.name: one.moves for one in drivers(explanation, 1)}
        assert found["far"] == pytest.approx(expected["far"])
        assert found["near"] == pytest.approx(expected["near"])
    assert "one" not in found  # a constant moves nothing
    assert [one.name for one in drivers(explanation, None)] == ["far", "near"]


def test_the_words_of_a_text_count_together():
    texts = pd.DataFrame({"text": ["good day", "bad night", "good", "bad", "day day", "night"] * 5, "x": range(30)})
    found = drivers(explained(texts, [0, 1, 0, 1, 0, 1] * 5, families={"text": "text"}), 1, ["text"])
    assert {one.name for one in found} <= {"text", "x"}
    assert found[0].name == "text"


def test_it_is_drawn_on_a_linear_scale(table):
    found = drivers(explained(*table, families="gaussian", column_weights=False), 1)
    axes = draw_drivers(found).figure.axes[0]
    assert [bar.get_width() for bar in axes.patches] == [one.moves for one in found]
    assert axes.get_xscale() == "linear"
