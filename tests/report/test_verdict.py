import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.report.classifiers import found_in
from likely.report.verdict import verdict


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def told(x, y, **options):
    frame = pd.DataFrame(x)
    return verdict(found_in(NaiveBayes(**options).fit(frame, y), frame, y))


def test_a_good_model(found):
    said = verdict(found)
    assert said.headline == "It is right about 91 times in 100; always predicting “hyena” would be right 38 times."
    low, high = found.result.interval
    assert f"between {100 * (1 - high):.0f} and {100 * (1 - low):.0f} in 100" in said.sentences[0]
    assert "Its most common mistake: 6 of 42 rows of “lion” are predicted as “hyena”." in said.sentences
    assert "The most informative column is “sightings”, then “has_fur”." in said.sentences
    assert "No label looks wrong." in said.sentences


def test_noise_is_no_better_than_no_model(rng):
    said = told({"a": rng.normal(size=200), "b": rng.normal(size=200)}, rng.choice(["x", "x", "y"], 200))
    assert said.headline.startswith("It is not shown to be better than no model")
    assert "No column shows that it depends on the class." in said.sentences


def test_a_model_that_has_it_the_wrong_way_round(rng):
    x, y = pd.DataFrame({"a": np.repeat([0.0, 1.0], 25) + rng.normal(size=50) / 9}), np.repeat(["x", "y"], 25)
    model = NaiveBayes().fit(x, y)
    said = verdict(found_in(model, x, y[::-1]))
    assert said.headline.startswith("It is worse than no model: right about 0 times in 100")
    assert any(sentence.startswith("It is over-confident: ") for sentence in said.sentences)


def test_rows_of_one_class_tell_little(rng):
    said = told({"a": rng.normal(size=50)}, ["only"] * 50)
    assert "but all rows are of the class “only”" in said.headline


def test_few_rows():
    said = told({"a": [0.0, 1.0, 0.1, 1.1]}, ["x", "y", "x", "y"])
    assert said.sentences[0].startswith("There are too few rows to know it well.")


def test_columns_that_go_together_make_it_too_sure(rng):
    y = rng.choice(["x", "y"], 400)
    one = rng.normal(np.where(y == "x", 0.0, 1.0))
    said = told({f"copy {j}": one for j in range(8)}, y, column_weights=False)
    (sure,) = [sentence for sentence in said.sentences if sentence.startswith("It is over-confident: ")]
    assert "Calibration would bring the gap from " in sure
