"""What words add to the scores of a text: one token, all tokens, and whole texts, against a table with every pair.
A model just loaded scores a few texts by their own words alone, to the bit as it does by all.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from likely.families import Text, TextBernoulli, TextComplement, TextMultinomial
from likely.families.word_scores import TIMES, FewTexts, WordScores
from likely.statistics import Tallies, Vocabulary
from likely.text import Texts, Tokens

from .blocks import counted, scored
from .texts import NEW, WEIGHT, X, Y, read_as

WORDS = ["aa", "bb", "cc", "dd"]


def drawn(seed, classes, shared, strict, by_length):
    """Scores of whole numbers; and the same as classes x tokens."""
    rng = np.random.default_rng(seed)
    seen = rng.random((len(WORDS), classes)) < 0.6
    starts, at = np.concatenate([[0], np.cumsum(seen.sum(axis=1))]), np.nonzero(seen)[1].astype(np.int32)
    tallies = Tallies(Vocabulary.of(WORDS), starts, at, np.ones(len(at)), np.ones((classes, 1)))
    constant, each, prior, common, extra = (
        rng.integers(-9, 9, n).astype(float) for n in (classes, classes, classes, len(WORDS), len(at))
    )
    scores = WordScores(
        tallies, constant, each, common if shared else None, extra, prior if by_length else None, strict
    )
    table = np.zeros((len(WORDS), classes))
    table[seen] = extra
    table += each + (common[:, None] if shared else 0.0)
    if strict:
        table[~seen] = -np.inf
    return scores, table


options = pytest.mark.parametrize("shared", [False, True])
seeds = given(st.integers(0, 2**32), st.integers(1, 5), st.booleans(), st.booleans())


@options
@seeds
def test_of_one_token_and_of_all(shared, seed, classes, strict, by_length):
    scores, table = drawn(seed, classes, shared, strict, by_length)
    for number in range(len(WORDS)):
        assert_array_equal(scores.of(number), table[number])
    assert_array_equal(scores.dense, table.T)
    assert_array_equal(scores.each, drawn(seed, classes, shared, strict, by_length)[0].each)  # nothing is changed


@options
@pytest.mark.parametrize("reading", [Tokens(), Tokens(sublinear=True, root=True)], ids=["counts", "roots"])
@seeds
def test_a_text_adds_what_its_tokens_do(shared, reading, seed, classes, strict, by_length):
    scores, table = drawn(seed, classes, shared, strict, by_length)
    texts = ["aa", "aa aa bb zz", "", None, "zz", "dd cc bb aa dd"]
    out = np.full((len(texts), classes), 2.0)
    scores.add(reading, Texts.of(texts), out)
    counts = reading.matrix(texts, Vocabulary.of(WORDS))[0].toarray()
    for text, row, found in zip(texts, counts, out, strict=True):
        expected = np.full(classes, 2.0)
        if text is not None and (row.any() or not by_length):
            expected += scores.constant + sum((n * table[at] for at, n in enumerate(row) if n), np.zeros(classes))
        if row.any() and by_length:
            expected += scores.prior / row.sum()
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_of_no_words():
    tallies = Tallies(Vocabulary.of(()), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0), np.ones((2, 1)))
    scores = WordScores(tallies, np.ones(2), np.ones(2), None, np.zeros(0))
    assert scores.dense.shape == (2, 0)
    out = np.zeros((2, 2))
    scores.add(Tokens(), Texts.of(["good day", None]), out)
    assert_array_equal(out, [[1, 1], [0, 0]])


# A few texts

FEW = [
    Text(),
    Text(tokens=Tokens((1, 2), minimum=2, sublinear=True)),
    TextMultinomial(),
    TextMultinomial(vocabulary=("good", "day", "nowhere")),
    TextComplement(),
]


def loaded(block):
    """As from a file: the words are bytes, without a table."""
    words = Vocabulary.of_buffers(*block.statistics.words.buffers)
    return replace(block, statistics=replace(block.statistics, words=words))


@pytest.mark.parametrize("family", FEW, ids=repr)
def test_a_few_texts_have_the_scores_that_they_have_among_many(family):
    block = counted(family, read_as(X, Y, 3, WEIGHT))
    few, whole = loaded(block).parameters, block.parameters.of_all
    assert isinstance(few, FewTexts)
    assert isinstance(whole, WordScores)
    for text in NEW[:TIMES]:
        assert_array_equal(scored(block, Texts.of([text]), few), scored(block, Texts.of([text]), whole))
    assert not few.tallies.words.tabled
    assert_array_equal(scored(block, Texts.of(NEW), few), scored(block, Texts.of(NEW), whole))  # once too often
    assert few.tallies.words.tabled


@pytest.mark.parametrize("family", FEW, ids=repr)
def test_reasons_and_unseen_words_are_those_of_all(family):
    block = counted(family, read_as(X, Y, 3, None))
    few, whole = loaded(block).parameters, block.parameters.of_all
    text = Texts.of(["good day zebra"])
    reasons = [list(family.effects(of, text, block.frame).reasons()) for of in (few, whole)]
    assert "zebra" in reasons[0][-1].value
    for mine, theirs in zip(*reasons, strict=True):
        assert mine[:2] == theirs[:2]
        assert_array_equal(mine.contributions, theirs.contributions)


def test_scores_of_words_are_worked_out_when_a_text_is_scored():
    block = counted(Text(), read_as(X, Y, 3, None))
    parameters = block.parameters
    assert "of_all" not in vars(parameters)
    scored(block, Texts.of(["good day"]), parameters)
    assert "of_all" in vars(parameters)


def test_bernoulli_needs_all_words_for_any():
    family = TextBernoulli()
    block = counted(family, read_as(X, Y, 3, None))
    assert isinstance(loaded(block).parameters, WordScores)


def test_what_is_told_of_the_model_is_told_of_all_words():
    family = TextMultinomial()
    block = counted(family, read_as(X, Y, 3, None))
    few, whole = loaded(block).parameters, block.parameters
    told = [[(line.name, line.values.tolist()) for line in family.describe(of, block.frame)] for of in (few, whole)]
    assert told[0] == told[1]
    assert_array_equal(family.linear(few, block.frame).weights, family.linear(whole, block.frame).weights)
    y = np.zeros(3, np.int32)
    sampled = [family.sample(of, y, np.random.default_rng(0)).tolist() for of in (few, whole)]
    assert sampled[0] == sampled[1]
