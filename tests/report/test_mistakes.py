"""Mistakes worth reading: the most confident first, and why."""

import numpy as np
import pandas as pd

from likely import NaiveBayes
from likely.families import Text
from likely.report.classifiers import found_in
from likely.report.mistakes import LISTED, _word, mistakes


def test_they_are_the_wrong_predictions_of_the_highest_confidence():
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "high"], 300)
    x = pd.DataFrame({"size": rng.normal(np.where(y == "low", 0, 2)), "noise": rng.normal(size=600)})
    found = found_in(NaiveBayes().fit(x, y), x, y)
    listed = mistakes(found)
    wrong = ~found.result.right
    confidence = np.sort(found.result.confidence[wrong])[::-1]
    assert [one.confidence for one in listed] == confidence[:LISTED].tolist()
    for one in listed:
        assert y[one.row] == one.label != one.predicted
        assert one.why.startswith("size ")


def test_where_all_is_right_there_are_none():
    x = pd.DataFrame({"size": [0.0, 0.1, 0.2, 9.0, 9.1, 9.2]})
    y = list("aaabbb")
    assert mistakes(found_in(NaiveBayes().fit(x, y), x, y)) == []


def test_a_class_that_was_never_learned_has_no_reasons():
    x = pd.DataFrame({"size": [0.0, 0.1, 9.0, 9.1]})
    model = NaiveBayes().fit(x, list("aabb"))
    assert {one.why for one in mistakes(found_in(model, x, list("aacc"), learned=False))} == {""}


def test_long_values_are_cut_where_one_sees_it():
    role = np.tile(["a" * 50, "b"], 30)
    y = np.where(np.arange(60) % 2, "yes", "no")
    y[0] = "yes"
    x = pd.DataFrame({"role": role})
    assert f"role {'a' * 39}…" in [one.why for one in mistakes(found_in(NaiveBayes().fit(x, y), x, y))]


def test_words_of_texts_are_shown_without_the_column_and_once():
    assert _word("marks: from:a@b.c", 1, ["text", "marks"]) == "from:a@b.c"
    assert _word("text: tap", 4, ["text", "marks"]) == "tap × 4"
    assert _word("text: class prior by text length", "", ["text"]) == "class prior by text length"
    assert _word("size: cm", 4, ["text"]) == ""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["lion", "roar"] if k % 2 else ["mouse", "squeak"], 6)) for k in range(60)]
    x = pd.DataFrame({"text": texts, "size": rng.normal(size=60)})
    y = np.where(np.arange(60) % 2, "big", "small")
    y[0] = "big"
    first = mistakes(found_in(NaiveBayes(families={"text": Text()}).fit(x, y), x, y))[0]
    assert {*first.why.replace(" × 3", "").replace(" × 2", "").split(", ")} & {"mouse", "squeak"}
    assert "text:" not in first.why
