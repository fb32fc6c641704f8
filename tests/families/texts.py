"""Texts to learn, and a family for every way in which texts are read and scored."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely import NaiveBayes
from likely.families import (
    Bernoulli,
    Complement,
    Multinomial,
    Text,
    TextBernoulli,
    TextComplement,
    TextMultinomial,
)
from likely.families.text import TextTuning
from likely.priors import Dirichlet, Laplace, MaximumLikelihood
from likely.text import Texts, Tokens

from .blocks import counted, loo_scored, observed

KINDS = (Text, TextMultinomial, TextBernoulli, TextComplement)
OF_COUNTS = {TextMultinomial: Multinomial, TextBernoulli: Bernoulli, TextComplement: Complement}
"""Of a family of words, that of tokens that are counted already."""
SOME = ("good", "day", "nowhere", "only5")
WORDS = [
    "the",
    "Good",
    "good",
    "day",
    "night",
    "RAIN",
    "sun",
    "über",
    "ΣΟΦΟΣ",
    "дом",
    "日本",
    "x1",
    "_a",
    "🙂🙂",
    "it's",
]

frames = pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])


def texts_of(rng, rows, holes=True):
    """Texts of 0 to 8 words; every fifth has a word that is in no other; some are missing, some have no word."""
    found = [" ".join(rng.choice(WORDS, rng.integers(0, 9))) for _ in range(rows)]
    found = [f"{text} only{i} only{i}" if i % 5 == 0 else text for i, text in enumerate(found)]
    if holes:
        found[1], found[2], found[3] = None, "", "a ! -"
    return found


_RNG = np.random.default_rng(11)
X = texts_of(_RNG, 40)
FULL = texts_of(_RNG, 40, holes=False)
Y = np.concatenate([[0, 1, 2], _RNG.integers(0, 3, 37)])
WEIGHT = np.concatenate([[0.5, 2.0, 3.0, 0.0], _RNG.choice([0.25, 1.0, 1.5, 3.0], 36)])
NEW = [*texts_of(_RNG, 10), "never seen", "good good zebra", "ONLY0 only1 only5"]

TUNING = TextTuning(0.03, 0.7)
RARE = TextTuning(0.03, 0.7, idf=True)
USUAL = Tokens(sublinear=True, root=True)


def odds(tokens=USUAL, prior=None, tuned_to=TUNING, **options):
    """With nothing left open."""
    return Text(tokens, prior, tuned_to=tuned_to, **options)


VARIANTS = {
    "multinomial": TextMultinomial(),
    "bernoulli": TextBernoulli(),
    "complement": TextComplement(),
    "maximum likelihood": TextMultinomial(prior=MaximumLikelihood()),
    "a weak prior": TextMultinomial(prior=Laplace(1e-3)),
    "bernoulli with a strong prior": TextBernoulli(prior=Dirichlet(2.5)),
    "binary": TextMultinomial(Tokens(binary=True)),
    "sublinear": TextMultinomial(Tokens(sublinear=True)),
    "the root of a text": TextMultinomial(Tokens(sublinear=True, root=True)),
    "maximum likelihood of roots": TextMultinomial(Tokens(root=True), MaximumLikelihood()),
    "complement of pairs, sublinear": TextComplement(Tokens(ngrams=(1, 2), sublinear=True), Laplace(0.3)),
    "complement of roots": TextComplement(Tokens(root=True), Laplace(0.3)),
    "pairs": TextMultinomial(Tokens(ngrams=(1, 2))),
    "bernoulli of pairs": TextBernoulli(Tokens(ngrams=(2, 2))),
    "characters": TextMultinomial(Tokens(ngrams=(2, 3), characters=True)),
    "cased, without some": TextMultinomial(Tokens(lower=False, stop=frozenset(["the", "day"]))),
    "hashing": TextMultinomial(Tokens(hashing=16)),
    "bernoulli hashing": TextBernoulli(Tokens(hashing=8)),
    "complement hashing": TextComplement(Tokens(hashing=16)),
    "vocabulary": TextMultinomial(vocabulary=SOME),
    "bernoulli vocabulary": TextBernoulli(vocabulary=SOME),
    "complement vocabulary": TextComplement(vocabulary=SOME),
    "odds": odds(),
    "odds with idf": odds(tuned_to=RARE),
    "odds of pairs with idf": odds(Tokens(ngrams=(1, 2), sublinear=True, root=True), tuned_to=RARE),
    "odds hashing with idf": odds(Tokens(hashing=16, sublinear=True, root=True), tuned_to=RARE),
    "odds vocabulary with idf": odds(vocabulary=SOME, tuned_to=RARE),
    "odds of roots with idf, twice at least": odds(Tokens(minimum=2, sublinear=True, root=True), tuned_to=RARE),
    "odds with a prior": odds(prior=Laplace(0.5)),
    "odds of counts": odds(Tokens()),
    "odds of pairs": odds(Tokens(ngrams=(1, 2), sublinear=True, root=True)),
    "odds of characters": odds(Tokens(ngrams=(2, 3), characters=True, root=True)),
    "odds between white space, without some": odds(Tokens(whole=True, stop=frozenset(["the", "Day"]), root=True)),
    "odds hashing": odds(Tokens(hashing=16, sublinear=True, root=True)),
    "odds vocabulary": odds(vocabulary=SOME),
    "odds, twice at least": odds(Tokens(minimum=2)),
    "odds, three times at least": odds(Tokens(minimum=3)),
    **{f"{kind.__name__}, twice at least": kind(Tokens(minimum=2)) for kind in OF_COUNTS},
    **{f"{kind.__name__}, three times at least": kind(Tokens(minimum=3)) for kind in OF_COUNTS},
    "odds of roots, twice at least": odds(Tokens(minimum=2, sublinear=True, root=True)),
    "multinomial vocabulary, twice at least": TextMultinomial(Tokens(minimum=2), vocabulary=SOME),
    "bernoulli hashing, twice at least": TextBernoulli(Tokens(minimum=2, hashing=16)),
    "odds hashing, twice at least": odds(Tokens(minimum=2, hashing=16, root=True)),
}

each_kind = pytest.mark.parametrize("kind", OF_COUNTS)
every_kind = pytest.mark.parametrize("kind", KINDS)
each_variant = pytest.mark.parametrize("family", [pytest.param(family, id=name) for name, family in VARIANTS.items()])


def fitted(family, x=X, y=Y, weight=None, **options):
    return NaiveBayes(family, **options).fit(x, y, sample_weight=weight)


def same(one, other, rtol=1e-10):
    """The two have learned the same, as far as any text can tell."""
    assert_array_equal(one.classes_, other.classes_)
    for x in (X, NEW):
        found = one.predict_joint_log_proba(x)
        assert not np.isnan(found).any()
        assert_allclose(found, other.predict_joint_log_proba(x), rtol=rtol, atol=rtol)


def as_said(family):
    """Without the tokens that were chosen."""
    return replace(family, tokens=None)


def at(x, rows):
    return [x[i] for i in np.arange(len(x))[rows]]


def read_as(x, y, classes, weight=None):
    """Texts as a family observes them."""
    return observed(Texts.of(x), y, classes, weight)


def loo(family, x, y, weight, classes, start=0.0):
    seen = read_as(x, y, classes, weight)
    return loo_scored(counted(family, seen), seen, start)
