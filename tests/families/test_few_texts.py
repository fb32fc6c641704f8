"""A model just loaded scores a few texts by their own words alone, to the bit as it does by all."""

from dataclasses import replace

import numpy as np
import pytest

from likely.families import Text
from likely.families.few_texts import TIMES, FewTexts
from likely.families.word_scores import WordScores
from likely.statistics import Vocabulary
from likely.text import Texts, Tokens

from .texts import FRAME, NEW, WEIGHT, X, Y

FAMILIES = [
    Text(),
    Text(tokens=Tokens((1, 2), minimum=2, sublinear=True)),
    Text("multinomial"),
    Text("multinomial", vocabulary=("good", "day", "nowhere")),
    Text("complement"),
]


def loaded(statistics):
    """As from a file: the words are bytes, without a table."""
    return replace(statistics, words=Vocabulary.of_buffers(*statistics.words.buffers))


def scored(family, parameters, texts):
    out = np.zeros((len(texts), 3))
    family.score(parameters, Texts.of(texts), out)
    return out


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_a_few_texts_have_the_scores_that_they_have_among_many(family):
    statistics = family.count(Texts.of(X), Y.astype(np.int32), 3, WEIGHT, FRAME)
    few = family.estimate(loaded(statistics), FRAME)
    whole = family.estimate(statistics, FRAME)
    assert isinstance(few, FewTexts)
    assert isinstance(whole, WordScores)
    for text in NEW[:TIMES]:
        np.testing.assert_array_equal(scored(family, few, [text]), scored(family, whole, [text]))
    assert not few.tallies.words.tabled
    np.testing.assert_array_equal(scored(family, few, NEW), scored(family, whole, NEW))  # once too often
    assert few.tallies.words.tabled


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_reasons_and_unseen_words_are_those_of_all(family):
    statistics = family.count(Texts.of(X), Y.astype(np.int32), 3, None, FRAME)
    few, whole = family.estimate(loaded(statistics), FRAME), family.estimate(statistics, FRAME)
    text = Texts.of(["good day zebra"])
    assert family.unseen(few, text) == family.unseen(whole, text)
    for mine, theirs in zip(family.reasons(few, text), family.reasons(whole, text), strict=True):
        assert mine[:2] == theirs[:2]
        np.testing.assert_array_equal(mine[2], theirs[2])


def test_bernoulli_needs_all_words_for_any():
    family = Text("bernoulli")
    statistics = family.count(Texts.of(X), Y.astype(np.int32), 3, None, FRAME)
    assert isinstance(family.estimate(loaded(statistics), FRAME), WordScores)


def test_what_is_told_of_the_model_is_told_of_all_words():
    family = Text("multinomial")
    statistics = family.count(Texts.of(X), Y.astype(np.int32), 3, None, FRAME)
    few, whole = family.estimate(loaded(statistics), FRAME), family.estimate(statistics, FRAME)
    told = [[(line.name, line.values.tolist()) for line in family.describe(of, FRAME)] for of in (few, whole)]
    assert told[0] == told[1]
    np.testing.assert_array_equal(family.linear(few, FRAME).weights, family.linear(whole, FRAME).weights)
    y = np.zeros(3, np.int32)
    drawn = [family.sample(of, y, np.random.default_rng(0)).tolist() for of in (few, whole)]
    assert drawn[0] == drawn[1]
