"""Texts by their words: one left out is scored as by a model that never saw it; one replayed, as by a model of
those before it.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.data import Sample, read
from likely.families import Plan, Text, TextComplement, TextMultinomial
from likely.families.text import TextTuning
from likely.families.word_loo import OddsReplay, odds_loo, words_loo
from likely.models.learned import count
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Laplace
from likely.statistics import Frame
from likely.text import Bags, Texts, Tokens

from .blocks import counted, observed, scored
from .texts import at, read_as

TEXTS = ["aa bb", "aa cc aa", None, "bb cc dd", "", "dd dd aa", "ee bb", "zz"]
Y = np.array([0, 0, 0, 1, 1, 2, 2, 2], np.int32)
SHARES = {TextMultinomial: (1.0, 0.0, 0.5), TextComplement: (0.0, 1.0, 0.5)}
"""By how much the words of the own class and those of all others count, and the pseudo-count."""


every_reading = pytest.mark.parametrize(
    "reading", [Tokens(), Tokens(sublinear=True, root=True), Tokens(minimum=2), Tokens(hashing=3)], ids=str
)
every_weight = pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0])])


@every_reading
@pytest.mark.parametrize("kind", SHARES)
@every_weight
def test_each_text_is_scored_by_a_count_of_the_others(reading, kind, weight):
    family, seen, found = kind(reading, Laplace(0.5)), read_as(TEXTS, Y, 3, weight), np.zeros((len(Y), 3))
    tallies = counted(family, seen).statistics
    words_loo(tallies, reading, family.least(tallies), SHARES[kind], seen, found)
    for i in range(len(Y)):
        rest = np.delete(np.arange(len(Y)), i)
        part = None if weight is None else weight[rest]
        others = counted(family, read_as(at(TEXTS, rest), Y[rest], 3, part))
        assert_allclose(found[i], scored(others, Texts.of(TEXTS[i : i + 1]))[0], rtol=1e-10, atol=1e-12)


@every_reading
@every_weight
def test_odds_of_texts_read_before_are_those_of_texts_read_now(reading, weight):
    texts, which = Texts.of(TEXTS), np.array([7, 0, 1, 2, 3, 5])
    family, seen = Text(tokens=reading), observed(texts, Y, 3, weight)
    tallies = counted(family, seen).statistics
    pseudocounts, bags, least = (
        np.array([0.01, 0.3, 2.0]),
        Bags.of(texts, reading, tallies.words),
        family.least(tallies),
    )
    judged = observed(None, Y[which], 3, None if weight is None else weight[which])
    found, lengths = odds_loo(tallies, reading.root, least, pseudocounts, bags, which, judged)
    for place, pseudocount in enumerate(pseudocounts):
        expected = np.zeros((len(Y), 3))
        every = words_loo(tallies, reading, least, (1.0, 1.0, pseudocount), seen, expected)
        assert_allclose(found[:, place], expected[which], rtol=1e-10, atol=1e-12)
        assert_allclose(lengths, every[which], rtol=1e-15)


# Texts replayed, against a naive Bayes that learns them one by one

REPLAYED = [
    "the cat sat",
    "a dog barked at the cat",
    "stocks fell",
    "the bank raised rates",
    "cats and dogs",
    "rates fell",
]
OF_REPLAYED = np.array([1, 1, 0, 0, 1, 0], np.int32)
CLASSES = np.array(["money", "pets"], object)
PLAN = Plan(Text(tokens=Tokens(sublinear=True, root=True), tuned_to=TextTuning(0.01, 1.0, idf=True)), [0], Frame((0,)))


def replayed(texts, y, growth=None):
    return OddsReplay(Tokens(sublinear=True), 2, 0.01).next(Texts.of(texts), y, growth)


@pytest.mark.parametrize("fading", [1.0, 0.5])
def test_it_is_what_learning_one_by_one_gives(fading):
    growth = fading ** -np.arange(len(REPLAYED))
    scores, lengths = replayed(REPLAYED, OF_REPLAYED, growth)
    model = NaiveBayesModel(class_prior="uniform")
    for row, text in enumerate(REPLAYED):
        if 0 < np.isfinite(scores[row]).sum() == 2 and lengths[row] > 0:
            texts = model.known.blocks[0].statistics.texts[:, 0]
            share = np.log(texts + 0.5) - np.log(texts.sum() + 1)  # what Text takes off again for the class prior
            expected = model.score(read([text]))[0] - np.log(0.5) + share
            np.testing.assert_allclose(scores[row], expected, rtol=1e-9)
        learned = count([PLAN], Sample(read([text]), OF_REPLAYED[row : row + 1], CLASSES))
        known = learned if model.learned is None else model.learned + learned
        model = replace(model, learned=known * fading)
    assert np.isfinite(scores[3:]).all()


def test_a_class_without_a_text_is_not_known():
    scores, lengths = replayed(["a cat", "a cat", "a dog"], OF_REPLAYED[[0, 1, 2]])
    assert np.isneginf(scores[0]).all()
    assert np.isneginf(scores[:, 0]).all()
    assert np.isfinite(scores[1:, 1]).all()
    assert lengths.tolist() == [0, 1, 0]


def test_texts_may_come_some_at_a_time():
    growth = 1.5 ** np.arange(len(REPLAYED))
    replay = OddsReplay(Tokens(sublinear=True), 2, 0.01)
    parts = [slice(0, 1), slice(1, 1), slice(1, 4), slice(4, 6)]
    pieces = [replay.next(Texts.of(REPLAYED[part]), OF_REPLAYED[part], growth[part]) for part in parts]
    for whole, some in zip(replayed(REPLAYED, OF_REPLAYED, growth), zip(*pieces, strict=True), strict=True):
        np.testing.assert_array_equal(whole, np.concatenate(some))
