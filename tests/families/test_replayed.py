"""Texts replayed against a naive Bayes that learns them one by one."""

import numpy as np
import pytest

from likely.data import read
from likely.families import Text
from likely.families.dials import Dials
from likely.families.replayed import odds_replayed
from likely.models.block import Plan
from likely.models.naive_bayes import NaiveBayes, count
from likely.statistics import Frame
from likely.text import Tokens

TEXTS = [
    "the cat sat",
    "a dog barked at the cat",
    "stocks fell",
    "the bank raised rates",
    "cats and dogs",
    "rates fell",
]
Y = np.array([1, 1, 0, 0, 1, 0], np.int32)
CLASSES = np.array(["money", "pets"], object)
PLAN = Plan(Text(tokens=Tokens(sublinear=True, root=True), tuned_to=Dials(0.01, 1.0)), [0], Frame((0,)))


@pytest.mark.parametrize("fading", [1.0, 0.5])
def test_it_is_what_learning_one_by_one_gives(fading):
    growth = fading ** -np.arange(len(TEXTS))
    scores, lengths = odds_replayed(Tokens(sublinear=True).matrix(TEXTS)[0], Y, 2, 0.01, growth)
    model = NaiveBayes(class_prior="uniform")
    model.names, model.kinds = range(1), ("text",)
    for row, text in enumerate(TEXTS):
        if 0 < np.isfinite(scores[row]).sum() == 2 and lengths[row] > 0:
            texts = model.known.blocks[0].statistics.texts[:, 0]
            share = np.log(texts + 0.5) - np.log(texts.sum() + 1)  # what Text takes off again for the class prior
            expected = model.score(read([text]))[0] - np.log(0.5) + share
            np.testing.assert_allclose(scores[row], expected, rtol=1e-9)
        learned = count([PLAN], read([text]), CLASSES, Y[row : row + 1], None)
        model.learned = learned if model.learned is None else (model.learned + learned)
        model.learned = model.learned * fading
    assert np.isfinite(scores[3:]).all()


def test_a_class_without_a_text_is_not_known():
    scores, lengths = odds_replayed(
        Tokens(sublinear=True).matrix(["a cat", "a cat", "a dog"])[0], Y[[0, 1, 2]], 2, 0.01
    )
    assert np.isneginf(scores[0]).all()
    assert np.isneginf(scores[:, 0]).all()
    assert np.isfinite(scores[1:, 1]).all()
    assert lengths.tolist() == [0, 1, 0]
