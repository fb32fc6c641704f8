"""Texts by their words: one left out is scored as by a model that never saw it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.families import Text
from likely.families.words_left_out import odds_left_out, words_left_out
from likely.priors import Laplace
from likely.statistics import Frame
from likely.text import Bags, Texts, Tokens

TEXTS = ["aa bb", "aa cc aa", None, "bb cc dd", "", "dd dd aa", "ee bb", "zz"]
Y = np.array([0, 0, 0, 1, 1, 2, 2, 2], np.int32)
EVENTS = {"multinomial": (1.0, 0.0, 0.5), "complement": (0.0, 1.0, 0.5)}


every_reading = pytest.mark.parametrize(
    "how", [Tokens(), Tokens(sublinear=True, root=True), Tokens(minimum=2), Tokens(hashing=3)], ids=str
)
every_weight = pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0])])


@every_reading
@pytest.mark.parametrize("event", EVENTS)
@every_weight
def test_each_text_is_scored_by_a_count_of_the_others(how, event, weight):
    family, frame = Text(event, how, Laplace(0.5)), Frame(("text",))
    least = 0.0 if how.minimum == 1 else how.minimum * (1 - 1e-9)
    counted = family.count(Texts.of(TEXTS), Y, 3, weight, frame)
    found = np.zeros((len(Y), 3))
    words_left_out(counted, how, least, EVENTS[event], Texts.of(TEXTS), Y, weight, found)
    for i in range(len(Y)):
        rest = np.delete(np.arange(len(Y)), i)
        part = None if weight is None else weight[rest]
        others = family.count(Texts.of([TEXTS[j] for j in rest]), Y[rest], 3, part, frame)
        expected = np.zeros((1, 3))
        family.score(family.estimate(others, frame), Texts.of(TEXTS[i : i + 1]), expected)
        assert_allclose(found[i], expected[0], rtol=1e-10, atol=1e-12)


@every_reading
@every_weight
def test_odds_of_texts_read_before_are_those_of_texts_read_now(how, weight):
    texts, which = Texts.of(TEXTS), np.array([7, 0, 1, 2, 3, 5])
    counted = Text(tokens=how).count(texts, Y, 3, weight, Frame(("text",)))
    least = 0.0 if how.minimum == 1 else how.minimum * (1 - 1e-9)
    imagined, read = np.array([0.01, 0.3, 2.0]), Bags.of(texts, how, counted.words)
    part = None if weight is None else weight[which]
    found, lengths = odds_left_out(counted, how, least, imagined, read, which, Y[which], part)
    for at, count in enumerate(imagined):
        expected = np.zeros((len(Y), 3))
        every = words_left_out(counted, how, least, (1.0, 1.0, count), texts, Y, weight, expected)
        assert_allclose(found[:, at], expected[which], rtol=1e-10, atol=1e-12)
        assert_allclose(lengths, every[which], rtol=1e-15)
