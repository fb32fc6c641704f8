"""Texts as tf-idf, by hand and as scikit-learn has it; what one text alone has; counts that add and forget."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.feature_extraction.text import TfidfVectorizer

from likely.data.read import read
from likely.data.sample import Sample
from likely.families import Plan, Poisson, Text, TextBernoulli, TextMultinomial, TfIdf
from likely.statistics import Frame
from likely.text import Tokens

TEXTS = ["big red dog", "big dog dog dog", "red cat", "", "cat and bird", "bird"]


def block(texts, family=None, weight=None):
    y = (np.arange(len(texts)) % 2).astype(np.int32)
    sample = Sample(read(texts), y, np.array(["a", "b"]), weight)
    return Plan(family or TfIdf(), [0], Frame(["text"])).count(sample), sample


def features(counted, texts):
    found = counted.family.features(counted, counted.read(read(texts)))
    return found.shape, np.array(
        [
            np.bincount(found.indices[a:b], found.data[a:b], found.shape[1])
            for a, b in zip(found.indptr[:-1], found.indptr[1:], strict=True)
        ]
    )


def names(counted):
    return [name for _, name in counted.family.feature_names(counted)]


@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2)])
def test_as_scikit_learn_has_it(ngrams):
    counted, _ = block(TEXTS, TfIdf(Tokens(ngrams=ngrams)))
    peer = TfidfVectorizer(sublinear_tf=True, ngram_range=ngrams)
    theirs = peer.fit_transform(TEXTS).toarray()[:, [peer.vocabulary_[name] for name in names(counted)]]
    assert_allclose(features(counted, TEXTS)[1], theirs, atol=1e-12)


def test_unknown_words_and_missing_texts_add_nothing():
    counted, _ = block(TEXTS)
    shape, found = features(counted, ["elephant dog", None, ""])
    assert shape == (3, 6)
    assert_allclose(found[0], np.eye(6)[names(counted).index("dog")])
    assert not found[1:].any()


def test_document_frequencies_add_and_are_forgotten():
    whole, _ = block(TEXTS)
    first, more = block(TEXTS[:4])[0], block(TEXTS[4:])[0]
    both = first + more
    order = [names(both).index(name) for name in names(whole)]
    assert_allclose(features(both, TEXTS)[1][:, order], features(whole, TEXTS)[1], atol=1e-12)
    left = both - more
    order = [names(left).index(name) for name in names(first)]
    assert_allclose(features(left, TEXTS)[1][:, order], features(first, TEXTS)[1], atol=1e-12)


def test_words_of_one_text_alone_are_left_out():
    counted, _ = block(TEXTS)
    shared = counted.family.shared(counted)
    assert sorted(names(counted)) == ["and", "big", "bird", "cat", "dog", "red"]
    assert sorted(names(shared)) == ["big", "bird", "cat", "dog", "red"]
    assert_allclose(np.linalg.norm(features(shared, TEXTS)[1], axis=1), [1, 1, 1, 0, 1, 1])


def test_weighted_texts_and_given_words_are_kept():
    weighted, _ = block(TEXTS, weight=np.full(6, 0.25))
    assert weighted.family.shared(weighted) is weighted
    given, _ = block(TEXTS, TfIdf(vocabulary=("and", "dog")))
    assert names(given.family.shared(given)) == ["and", "dog"]


def test_what_texts_are_read_by_for_margins():
    assert Poisson().discriminative() == ()
    assert Poisson().shared(block(TEXTS)[0]).statistics is not None
    pairs = Text(tokens=Tokens(ngrams=(1, 2), sublinear=True, root=True, stop=frozenset(["and"]))).discriminative()
    assert [family.tokens.ngrams for family in pairs] == [(1, 1), (1, 2)]
    assert all(family.reading.stop == {"and"} and not family.tokens.root for family in pairs)
    assert len(TextMultinomial().discriminative()) == len(TextBernoulli().discriminative()) == 1
    characters = TextMultinomial(tokens=Tokens(characters=True, ngrams=(2, 3))).discriminative()
    assert [family.tokens.ngrams for family in characters] == [(2, 3)]
    assert TextMultinomial(vocabulary=("dog",)).discriminative()[0].vocabulary == ("dog",)
