"""Texts of words that are there or not: a text left out is scored as by a model that never saw it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.families import Text
from likely.families.bits_left_out import bits_left_out
from likely.statistics import Frame
from likely.text import Texts, Tokens

TEXTS = ["aa bb", "aa cc", "bb cc dd", "", "dd dd aa", "ee bb"]
Y = np.array([0, 0, 1, 1, 2, 2], np.int32)


@pytest.mark.parametrize("minimum", [1, 2, 3])
@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])])
def test_each_text_is_scored_by_a_count_of_the_others(minimum, weight):
    family, frame = Text("bernoulli", Tokens(minimum=minimum)), Frame(("text",))
    least = 0.0 if minimum == 1 else minimum * (1 - 1e-9)
    found = np.zeros((len(Y), 3))
    counted = family.count(Texts.of(TEXTS), Y, 3, weight, frame)
    bits_left_out(counted, family.how, least, 1.0, Texts.of(TEXTS), Y, weight, found)
    for i in range(len(Y)):
        rest = np.delete(np.arange(len(Y)), i)
        part = None if weight is None else weight[rest]
        others = family.count(Texts.of([TEXTS[j] for j in rest]), Y[rest], 3, part, frame)
        expected = np.zeros((1, 3))
        family.score(family.estimate(others, frame), Texts.of(TEXTS[i : i + 1]), expected)
        assert_allclose(found[i], expected[0], rtol=1e-10, atol=1e-12)
