"""Texts: beside scikit-learn, and as it asks."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from likely import NaiveBayes
from likely.families import Text, TextBernoulli, TextComplement, TextMultinomial
from likely.priors import Laplace, MaximumLikelihood
from likely.text import Tokens

from .texts import FULL, NEW, OF_COUNTS, WEIGHT, X, Y, as_said, each_kind, fitted, same, texts_of

PEERS = {TextMultinomial: MultinomialNB, TextBernoulli: BernoulliNB, TextComplement: ComplementNB}

READINGS = {
    "words": Tokens(),
    "pairs": Tokens(ngrams=(1, 2)),
    "characters": Tokens(ngrams=(3, 4), characters=True),
    "binary": Tokens(binary=True),
    "cased, without some": Tokens(lower=False, stop=frozenset(["the", "day"])),
}


def spaced(text):
    """What runs of characters are taken over: scikit-learn would take what stands between the words too."""
    return " ".join(["", *re.findall(r"\w+", text.lower()), ""])


def against_peer(kind, alpha, tokens, x, y, weight, new):
    vectorizer = CountVectorizer(
        lowercase=tokens.lower,
        preprocessor=spaced if tokens.characters else None,
        ngram_range=tokens.ngrams,
        analyzer="char" if tokens.characters else "word",
        binary=tokens.binary,
        stop_words=None if tokens.stop is None else sorted(tokens.stop),
    )
    counts = vectorizer.fit_transform(x)
    peer = PEERS[kind](alpha=alpha, fit_prior=kind is TextComplement).fit(counts, y, sample_weight=weight)
    model = fitted(kind(tokens, Laplace(alpha)), x, y, weight, class_prior="uniform")
    prior = np.log(len(peer.classes_)) if kind is TextComplement else 0.0  # of which it takes no notice
    expected = peer.predict_joint_log_proba(vectorizer.transform(new))
    assert_allclose(model.predict_joint_log_proba(new) + prior, expected, rtol=1e-10, atol=1e-10)


@each_kind
@pytest.mark.parametrize("alpha", [1e-3, 0.5, 1.0, 7.0])
@pytest.mark.parametrize("tokens", [pytest.param(tokens, id=name) for name, tokens in READINGS.items()])
@pytest.mark.parametrize("weight", [None, WEIGHT + 0.25], ids=["rows", "weights"])
def test_scores_are_those_of_scikit_learn(kind, alpha, tokens, weight):
    against_peer(kind, alpha, tokens, FULL, Y, weight, [text for text in [*FULL, *NEW] if text is not None])


@each_kind
def test_scores_of_fifty_classes_are_those_of_scikit_learn(kind):
    x, y = texts_of(np.random.default_rng(5), 400, holes=False), np.arange(400) % 50
    against_peer(kind, 1.0, Tokens(ngrams=(1, 2)), x, y, None, x[:60])


@each_kind
@given(st.lists(st.text(max_size=30), min_size=1, max_size=8), st.lists(st.text(max_size=30), min_size=1, max_size=3))
def test_scores_of_any_unicode_are_those_of_scikit_learn(kind, x, new):
    x = ["one word", *x]
    against_peer(kind, 1.0, Tokens(), x, np.arange(len(x)) % 2, None, [*x, *new])


@pytest.mark.parametrize(
    ("kind", "prior"),
    [
        *((kind, prior) for kind in PEERS for prior in (Laplace(), Laplace(0.2))),
        (TextMultinomial, MaximumLikelihood()),
        (TextComplement, MaximumLikelihood()),
    ],
    ids=str,
)
@pytest.mark.parametrize("y", [Y, np.array([2 if text else 0 for text in X])], ids=["mixed", "a class without words"])
def test_scores_are_those_of_the_family_of_counts_on_the_matrix_of_the_words(kind, prior, y):
    """Of sublinear counts and buckets too, which scikit-learn reads otherwise."""
    for tokens in (Tokens(), Tokens(sublinear=True, ngrams=(1, 2)), Tokens(hashing=32)):
        x = [text or "" for text in X]
        counts, words = tokens.matrix(x)
        new, _ = tokens.matrix([text or "" for text in NEW], words)
        if kind is TextBernoulli:
            counts, new = (counts > 0).astype(float), (new > 0).astype(float)
        expected = fitted(OF_COUNTS[kind](prior=prior), counts.toarray(), y).predict_joint_log_proba(new.toarray())
        found = fitted(kind(tokens, prior), x, y).predict_joint_log_proba([text or "" for text in NEW])
        assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


@each_kind
def test_a_family_of_tokens_is_on_texts_that_of_their_words(kind):
    name = OF_COUNTS[kind].__name__
    for families in (name, OF_COUNTS[kind], OF_COUNTS[kind](prior=Laplace(0.3)), {0: name}):
        model = fitted(families)
        prior = Laplace(0.3) if isinstance(families, OF_COUNTS[kind]) else OF_COUNTS[kind]().prior
        assert model.families_ == {0: kind(prior=prior)}
        same(model, fitted(kind(prior=prior)))


def test_texts_are_read_as_text_unless_something_is_said():
    same(fitted("auto"), fitted(Text()))
    assert as_said(fitted("auto", smoothing=Laplace(0.1)).families_[0]) == Text(prior=Laplace(0.1))


# As scikit-learn asks

LISTS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "numpy objects": lambda x: np.array(x, object),
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow": pa.array,
}


@pytest.mark.parametrize("container", LISTS)
def test_texts_in_every_container_are_learned_alike(container):
    x, new = LISTS[container](FULL), LISTS[container](["good day", "night of rain"])
    model = NaiveBayes().fit(x, Y)
    expected = fitted(Text(), FULL).predict_joint_log_proba(["good day", "night of rain"])
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-12)
    assert_allclose(NaiveBayes().partial_fit(x, Y).predict_joint_log_proba(new), expected, rtol=1e-12)


@pytest.mark.parametrize("container", LISTS)
def test_texts_are_one_feature(container):
    assert NaiveBayes().fit(LISTS[container](FULL), Y).n_features_in_ == 1


@pytest.mark.parametrize("container", ["list", "numpy", "pandas"])
def test_options_of_text_can_be_searched(container):
    """Only pairs tell these classes apart."""
    x, y = ["not good", "good not"] * 12, ["a", "b"] * 12
    options = [
        TextMultinomial(),
        TextBernoulli(),
        TextMultinomial(tokens=Tokens(ngrams=(1, 2))),
        TextComplement(),
    ]
    search = GridSearchCV(NaiveBayes(), {"families": options}, cv=3, error_score="raise").fit(LISTS[container](x), y)
    assert search.best_params_ == {"families": options[2]}
    assert search.best_score_ == 1


def test_a_family_of_text_is_a_value():
    assert TextMultinomial(vocabulary=["good", "day"]) == TextMultinomial(vocabulary=("good", "day"))
    assert len({Text(), Text(None, None), TextMultinomial(), TextBernoulli(), TextComplement()}) == 4
    family = TextMultinomial(vocabulary=("good",))
    fitted(family)
    assert pickle.loads(pickle.dumps(family)) == family
    assert repr(TextBernoulli(prior=Laplace(2))) == "TextBernoulli(prior=Laplace(strength=2))"


def test_what_is_meant_unless_said_may_be_said():
    """Models of the two count alike, and so they merge."""
    assert TextMultinomial() == TextMultinomial(Tokens(), Laplace())
    fitted("multinomial").merge(fitted(TextMultinomial()))


def test_of_more_texts_than_are_looked_at_in_choosing_all_are_learned():
    """10,000 are looked at, evenly spaced."""
    model = NaiveBayes(missing="auto").fit(X * 600, np.tile(Y, 600))
    assert as_said(model.families_[0]) == Text()
    assert model.class_count_.sum() == 24_000
    assert model.describe().lines[0][2].sum() == 24_000 - 600  # one is missing
    model = NaiveBayes("multinomial", missing="auto").fit(X * 600, np.tile(Y, 600))
    expected = fitted(TextMultinomial(), weight=np.full(40, 600.0))
    assert_allclose(model.predict_joint_log_proba(FULL)[:, 0], expected.predict_joint_log_proba(FULL)[:, 0], atol=0.1)
