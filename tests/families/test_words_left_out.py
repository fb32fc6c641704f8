"""Texts by their words: one left out is scored as by a model that never saw it, read now or before."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely.families import Text
from likely.families.words_left_out import ReadTexts, words_left_out
from likely.priors import Laplace
from likely.statistics import Frame
from likely.text import Texts, Tokens

TEXTS = ["aa bb", "aa cc aa", None, "bb cc dd", "", "dd dd aa", "ee bb", "zz"]
Y = np.array([0, 0, 0, 1, 1, 2, 2, 2], np.int32)
EVENTS = {"multinomial": (1.0, 0.0, 0.5), "complement": (0.0, 1.0, 0.5)}


@pytest.mark.parametrize("how", [Tokens(), Tokens(sublinear=True, root=True), Tokens(minimum=2), Tokens(hashing=3)])
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0])])
def test_each_text_is_scored_by_a_count_of_the_others(how, event, weight):
    family, frame = Text(event, how, Laplace(0.5)), Frame(("text",))
    least = 0.0 if how.minimum == 1 else how.minimum * (1 - 1e-9)
    counted = family.count(Texts.of(TEXTS), Y, 3, weight, frame)
    found, again = np.zeros((2, len(Y), 3))
    lengths = words_left_out(counted, how, least, EVENTS[event], Texts.of(TEXTS), Y, weight, found)
    read = ReadTexts.of(Texts.of(TEXTS), how, counted)
    assert_array_equal(words_left_out(counted, how, least, EVENTS[event], read, Y, weight, again), lengths)
    assert_array_equal(again, found)
    assert_array_equal(read.there(), Texts.of(TEXTS).there())
    for i in range(len(Y)):
        rest = np.delete(np.arange(len(Y)), i)
        part = None if weight is None else weight[rest]
        others = family.count(Texts.of([TEXTS[j] for j in rest]), Y[rest], 3, part, frame)
        expected = np.zeros((1, 3))
        family.score(family.estimate(others, frame), Texts.of(TEXTS[i : i + 1]), expected)
        assert_allclose(found[i], expected[0], rtol=1e-10, atol=1e-12)
