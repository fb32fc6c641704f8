"""The log odds of a class by the words of a text, against plain Python that goes by raw counts."""

import re
from collections import Counter
from itertools import pairwise
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from likely import NaiveBayes
from likely.families import Gaussian, Text, TextMultinomial
from likely.families.text import TextTuning
from likely.priors import Dirichlet, Laplace
from likely.text import Texts, Tokens

from .blocks import counted, scored
from .texts import NEW, RARE, SOME, TUNING, WEIGHT, X, Y, fitted, odds, read_as

pytestmark = pytest.mark.usefixtures("untuned")

# What the answer is


def words_of(text):
    return re.findall(r"\w\w+", text.lower())


def tokens_in(text, tokens_of, known=None):
    """How often each token counts, and the length of the text: with 1 + log n for n of a token, in all m."""
    times = Counter(token for token in tokens_of(text or "") if known is None or token in known)
    counts = {token: 1 + log(n) for token, n in times.items()}
    return counts, sum(counts.values())


def plain(x, y, classes, new, weight=None, tokens_of=words_of, known=None, tuning=TUNING, of=1, minimum=0):
    """What each text adds to the class prior, from raw counts."""
    a, s, idf = tuning
    n, total, of_class = np.zeros(classes), Counter(), np.zeros(classes)
    for text, k, w in zip(x, y, np.ones(len(x)) if weight is None else weight, strict=True):
        if text is None:
            continue
        n[k] += w
        counts, m = tokens_in(text, tokens_of, known)
        for token, count in counts.items():
            if w:
                total[token, k] += w * count / sqrt(m)
                of_class[k] += w * count / sqrt(m)
    in_all = Counter()
    for (token, _), count in total.items():
        in_all[token] += count
    size = len(in_all) if known is None else len(known)
    told = {token for token, count in in_all.items() if count >= minimum} if known is None else set(known)
    added = np.zeros((len(new), classes))
    for row, text in enumerate(new):
        counts, m = tokens_in(text, tokens_of, told)
        length = sqrt(m)
        if idf:
            had = {token: min(n.sum(), in_all[token] * of_class.sum() / n.sum()) for token in counts}
            counts = {token: x * (1 + log((1 + n.sum()) / (1 + had[token]))) for token, x in counts.items()}
            length = sqrt(sum(z**2 for z in counts.values()))
        for k in range(classes) if m else ():
            score = log((n[k] + 0.5) / (n.sum() - n[k] + 0.5))
            for token, count in counts.items():
                own, others = total[token, k], in_all[token] - total[token, k]
                score += count * log((own + a) / (of_class[k] + a * size))
                score -= count * log((max(others, 0) + a) / (of_class.sum() - of_class[k] + a * size))
            added[row, k] = s / length * score - log((n[k] + 0.5) / (n.sum() + 0.5 * classes)) / of
    return added


def added(family, x, y, classes, new, weight=None):
    """The same, as the family says."""
    return scored(counted(family, read_as(x, y, classes, weight)), Texts.of(new))


def close(found, expected):
    assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


# Scores


@pytest.mark.parametrize("classes", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_the_formula(classes, weighted):
    """Of a class without any text, too: of twelve some have none."""
    y, weight = Y * 31 % classes, WEIGHT if weighted else None
    close(added(odds(), X, y, classes, NEW, weight), plain(X, y, classes, NEW, weight))
    close(added(odds(tuned_to=RARE), X, y, classes, NEW, weight), plain(X, y, classes, NEW, weight, tuning=RARE))


@given(
    rows=st.lists(
        st.tuples(
            st.none() | st.lists(st.sampled_from(["aa", "bb", "AA", "cc", "x"]), max_size=6).map(" ".join),
            st.integers(0, 4),
            st.sampled_from([0.0, 0.1, 1.0, 3.0]),
        ),
        min_size=1,
        max_size=7,
    ),
    count=st.sampled_from([1e-3, 0.01, 1.0]),
    scale=st.sampled_from([0.1, 1.0, 3.0]),
    weighted=st.booleans(),
    idf=st.booleans(),
)
def test_scores_of_few_texts_are_those_of_the_formula(rows, count, scale, weighted, idf):
    x, y, weight = zip(*rows, strict=True)
    weight, tuning = np.array(weight) if weighted else None, TextTuning(count, scale, idf)
    new = [*x, "aa aa bb zebra", "zebra", "cc"]
    found = added(odds(tuned_to=tuning), x, y, 5, new, weight)
    assert np.isfinite(found).all()
    close(found, plain(x, y, 5, new, weight, tuning=tuning))


def test_two_texts_by_hand():
    """Of V = 3 words with a pseudo-count of 1, each text counts as the root of 2, each of its words as half of that."""
    h = 1 / sqrt(2)
    found = added(
        Text(prior=Laplace(), tuned_to=TextTuning(9.0, 0.5)), ["good day", "bad day"], [0, 1], 2, ["good zebra"]
    )
    expected = 0.5 * log((h + 1) / (0 + 1)) - log(1 / 2)
    close(found, [[expected, -0.5 * log((h + 1) / (0 + 1)) - log(1 / 2)]])


def pairs_of(text):
    words = words_of(text)
    return words + [f"{a} {b}" for a, b in pairwise(words)]


def without_some(text):
    return [word for word in words_of(text) if word not in ("the", "day")]


USUAL = {"sublinear": True, "root": True}
READINGS = {
    "pairs": (Tokens(ngrams=(1, 2), **USUAL), pairs_of),
    "stop words": (Tokens(stop=frozenset(["The", "DAY"]), **USUAL), without_some),
    "between white space": (Tokens(whole=True, **USUAL), lambda text: text.lower().split()),
    "as they are": (Tokens(lower=False, **USUAL), lambda text: re.findall(r"\w\w+", text)),
}


@pytest.mark.parametrize(("tokens", "tokens_of"), READINGS.values(), ids=READINGS)
def test_scores_of_other_tokens_are_those_of_the_formula(tokens, tokens_of):
    found = added(odds(tokens), X, Y, 3, NEW, WEIGHT)
    close(found, plain(X, Y, 3, NEW, WEIGHT, tokens_of))


def test_scores_with_a_fixed_vocabulary_are_those_of_the_formula():
    """A text has the length of what it has of these words, and V counts the one that is nowhere."""
    close(added(odds(vocabulary=SOME), X, Y, 3, NEW, WEIGHT), plain(X, Y, 3, NEW, WEIGHT, known=SOME))


def test_scores_of_buckets_are_those_of_the_formula():
    tokens = Tokens(hashing=16, **USUAL)
    bucket = {word: int(tokens.matrix([word])[0].indices[0]) for text in [*X, *NEW] for word in words_of(text or "")}
    expected = plain(X, Y, 3, NEW, WEIGHT, lambda text: [bucket[word] for word in words_of(text)], range(16))
    close(added(odds(tokens), X, Y, 3, NEW, WEIGHT), expected)


@pytest.mark.parametrize("minimum", [1.5, 2, 3])
def test_words_counted_less_than_the_minimum_have_a_share_but_no_score(minimum):
    found = added(odds(Tokens(minimum=minimum, **USUAL)), X, Y, 3, NEW, WEIGHT)
    expected = plain(X, Y, 3, NEW, WEIGHT, minimum=minimum)
    assert not np.allclose(expected, plain(X, Y, 3, NEW, WEIGHT))
    close(found, expected)


# The class prior


@pytest.mark.parametrize(
    ("given", "prior"),
    [
        ("frequencies", np.bincount(Y, WEIGHT) / WEIGHT.sum()),
        ("uniform", np.full(3, 1 / 3)),
        ((0.2, 0.5, 0.3), [0.2, 0.5, 0.3]),
        ({0: 0.2, 1: 0.5, 2: 0.3}, [0.2, 0.5, 0.3]),
        (Dirichlet(2.0), (np.bincount(Y, WEIGHT) + 2) / (WEIGHT.sum() + 6)),
    ],
    ids=["frequencies", "uniform", "numbers", "by name", "Dirichlet"],
)
def test_a_text_adds_to_any_class_prior(given, prior):
    model = fitted(odds(), weight=WEIGHT, class_prior=given)
    close(model.predict_joint_log_proba(NEW), np.log(prior) + plain(X, Y, 3, NEW, WEIGHT))
    nothing = model.predict_proba(["zebra yak", "", None, "a ! -"])
    assert_allclose(nothing, np.tile(prior, (4, 1)), rtol=1e-12)


def test_words_that_are_not_known_do_not_count_for_the_length():
    found = fitted(odds()).predict_joint_log_proba(["good day", "good zebra day yak yak"])
    assert_array_equal(found[0], found[1])


# Several texts

HEAD, BODY = (
    [f"head {text}" if text else None for text in X],
    [None if i % 4 == 0 else x for i, x in enumerate(X[::-1])],
)
TABLE = pd.DataFrame({"head": HEAD, "body": BODY}, dtype=object)


@pytest.mark.parametrize("given", ["frequencies", (0.2, 0.5, 0.3)], ids=["frequencies", "numbers"])
@pytest.mark.parametrize("families", [odds(), {"head": odds(), "body": odds()}], ids=["one family", "by name"])
def test_of_several_texts_each_takes_its_part_of_the_log_share_out(families, given):
    model = fitted(families, TABLE, class_prior=given)
    prior = np.log(np.bincount(Y) / 40 if given == "frequencies" else given)
    expected = prior + plain(HEAD, Y, 3, HEAD, of=2) + plain(BODY, Y, 3, BODY, of=2)
    close(model.predict_joint_log_proba(TABLE), expected)
    nothing = pd.DataFrame({"head": [None, "zebra", "good"], "body": [None, None, None]}, dtype=object)
    found = model.predict_joint_log_proba(nothing)
    close(found[:2], [prior, prior])
    close(found[2:], prior + plain(HEAD, Y, 3, ["good"], of=2))


def test_only_texts_that_take_the_log_share_out_are_so_many():
    """What a multinomial text adds, or numbers do, has no class prior in it."""
    numbers = np.random.default_rng(4).normal(size=40)
    x = TABLE.assign(number=numbers)
    families = {"head": odds(), "body": TextMultinomial(), "number": Gaussian()}
    others = fitted({name: families[name] for name in ("body", "number")}, x[["body", "number"]])
    expected = others.predict_joint_log_proba(x[["body", "number"]]) + plain(HEAD, Y, 3, HEAD)
    close(fitted(families, x).predict_joint_log_proba(x), expected)


def test_a_model_of_several_texts_learns_on_and_forgets():
    model = fitted(odds(), TABLE)
    expected = model.predict_joint_log_proba(TABLE)
    model.partial_fit(TABLE[:9], Y[:9]).forget(TABLE[:9], Y[:9])
    close(model.predict_joint_log_proba(TABLE), expected)
    halves = NaiveBayes(odds()).partial_fit(TABLE[:20], Y[:20]).partial_fit(TABLE[20:], Y[20:])
    close(halves.predict_joint_log_proba(TABLE), expected)
