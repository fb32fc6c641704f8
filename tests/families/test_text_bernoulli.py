"""Texts of words that are there or not: a text left out is scored as by a model that never saw it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.families import TextBernoulli
from likely.text import Texts, Tokens

from .blocks import counted, scored
from .texts import at, loo, read_as

TEXTS = ["aa bb", "aa cc", "bb cc dd", "", "dd dd aa", "ee bb"]
Y = np.array([0, 0, 1, 1, 2, 2], np.int32)


@pytest.mark.parametrize("minimum", [1, 2, 3])
@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])])
def test_each_text_is_scored_by_a_count_of_the_others(minimum, weight):
    family = TextBernoulli(Tokens(minimum=minimum))
    found = loo(family, TEXTS, Y, weight, 3)
    for i in range(len(Y)):
        rest = np.delete(np.arange(len(Y)), i)
        part = None if weight is None else weight[rest]
        others = counted(family, read_as(at(TEXTS, rest), Y[rest], 3, part))
        assert_allclose(found[i], scored(others, Texts.of(TEXTS[i : i + 1]))[0], rtol=1e-10, atol=1e-12)
