"""Scores of texts left out, against a recount without each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import softmax

from likely.data import read
from likely.families import Text
from likely.priors import Laplace, MaximumLikelihood
from likely.statistics import Frame, Vocabulary
from likely.text import Texts, Tokens

from .texts import FRAME, OF_COUNTS, WEIGHT, X, Y, at, each_event, each_variant, every_event, fitted, left_out

pytestmark = pytest.mark.usefixtures("fixed_dials")


def recounted(family, x, y, weight, classes):
    """The scores of each text under the parameters of all others."""
    scores = np.zeros((len(x), classes))
    for i in range(len(x)):
        others = np.arange(len(x)) != i
        part = None if weight is None else weight[others]
        tallies = family.count(Texts.of(at(x, others)), y[others], classes, part, FRAME)
        family.score(family.estimate(tallies, FRAME), Texts.of([x[i]]), scores[i : i + 1])
    return scores


@each_variant
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["rows", "weights"])
def test_left_out_is_a_recount_without_the_text(family, weight):
    codes = Y.astype(np.int32)
    expected = recounted(family, X, codes, weight, 4)
    found = left_out(family, X, codes, weight, 4)
    assert not np.isnan(found).any()
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert_allclose(left_out(family, X, codes, weight, 4, -1.5) + 1.5, expected, rtol=1e-9, atol=1e-9)


some_texts = st.lists(
    st.tuples(
        st.none() | st.lists(st.sampled_from(["aa", "bb", "cc", "AA", "good", "x"]), max_size=6).map(" ".join),
        st.integers(0, 2),
        st.sampled_from([0.0, 0.1, 0.2, 0.7, 1.0, 3.0]),
    ),
    min_size=2,
    max_size=7,
)


@each_variant
@settings(max_examples=15)
@given(rows=some_texts, weighted=st.booleans())
def test_left_out_of_few_texts_is_a_recount(family, rows, weighted):
    x, y, weight = [text for text, _, _ in rows], np.array([k for _, k, _ in rows], np.int32), [w for *_, w in rows]
    weight = np.array(weight) if weighted else None
    expected = recounted(family, x, y, weight, 3)
    assert not np.isnan(expected).any()
    assert_allclose(left_out(family, x, y, weight, 3), expected, rtol=1e-9, atol=1e-9)


@every_event
def test_what_is_left_by_rounding_reaches_the_minimum_as_a_recount_does(event):
    """1 + 1 + 0.3 - 0.3 is 2.2e-16 less than 2."""
    family, x = Text(event, Tokens(minimum=2), Laplace()), ["good", "good", "good", "day"]
    part = np.array([0, 1, 0, 1], np.int32), np.array([1, 1, 0.3, 1]), 2
    assert_allclose(left_out(family, x, *part), recounted(family, x, *part), rtol=1e-9)


@each_variant
def test_left_out_of_the_model_is_a_fit_without_the_row(family):
    """The class prior changes too."""
    found = fitted(family, weight=WEIGHT + 1).model_.score_left_out(read(X), Y.astype(np.int32), WEIGHT + 1)
    for i in range(0, 40, 3):
        others = np.arange(40) != i
        model = fitted(family, at(X, others), Y[others], WEIGHT[others] + 1)
        expected = model.predict_joint_log_proba([X[i], "more"])[0]
        assert_allclose(found[i], expected, rtol=1e-9, atol=1e-9)


@each_variant
def test_a_class_of_one_text_is_gone_with_it(family):
    """It is impossible then, as by every family, and the others are as they would be without it."""
    x, y = [*X, "good day night"], np.append(Y, 3)
    found = fitted(family, x, y).model_.score_left_out(read(x), y.astype(np.int32))
    assert found[-1, 3] == -np.inf
    assert_allclose(softmax(found[-1, :3]), fitted(family).predict_proba(x)[-1], rtol=1e-9)


@each_variant
def test_left_out_of_the_own_class_is_one_cell_of_a_text(family):
    codes = Y.astype(np.int32)
    for weight in (None, WEIGHT):
        cells = family.left_out(family.count(Texts.of(X), codes, 3, weight, FRAME), Texts.of(X), codes, weight, FRAME)
        assert cells.shape == (40, 1)
        assert cells[1, 0] == 0
        assert_allclose(cells[:, 0], left_out(family, X, codes, weight, 3)[np.arange(40), Y], rtol=1e-12)


@each_variant
def test_the_left_out_total_counts_a_weight_as_so_many_rows(family):
    times = np.arange(40) % 4
    rows, whole = np.repeat(np.arange(40), times), np.zeros(1, np.bool)
    x, y, codes = at(X, rows), Y[rows].astype(np.int32), Y.astype(np.int32)
    weight = times.astype(np.float64)
    tallies = family.count(Texts.of(X), codes, 3, weight, FRAME)
    found = family.left_out_total(tallies, Texts.of(X), codes, weight, FRAME, whole)
    assert_allclose(found, left_out(family, x, y, None, 3)[np.arange(len(y)), y].sum(), rtol=1e-9)


@each_event
def test_left_out_with_a_fixed_vocabulary_is_that_of_the_family_of_counts(event):
    words, codes = ("good", "day", "nowhere", "only5"), Y.astype(np.int32)
    x = [text or "" for text in X]
    counts = Tokens(binary=event == "bernoulli").matrix(x, Vocabulary.of(words))[0].toarray()
    family, frame, expected = OF_COUNTS[event](prior=Laplace(0.4)), Frame(range(4)), np.zeros((40, 3))
    family.score_left_out(family.count(counts, codes, 3, WEIGHT, frame), counts, codes, WEIGHT, frame, expected)
    found = left_out(Text(event, prior=Laplace(0.4), vocabulary=words), x, codes, WEIGHT, 3)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_word_of_no_other_text_tells_nothing_once_it_is_left_out():
    """Without the first text V is 2: good and day, of which class 0 has one each."""
    found = left_out(
        Text("multinomial"), ["good alone alone", "good day", "day"], np.array([0, 0, 1], np.int32), None, 2
    )
    assert_allclose(found[0], np.log([(1 + 1) / (2 + 2), (0 + 1) / (1 + 2)]))


@settings(max_examples=40)
@given(rows=some_texts, weighted=st.booleans(), given_words=st.booleans())
def test_left_out_of_complement_by_maximum_likelihood_is_a_recount(rows, weighted, given_words):
    """What no other class ever had speaks for a class without bounds."""
    family = Text("complement", prior=MaximumLikelihood(), vocabulary=("aa", "bb", "nowhere") if given_words else None)
    x, y, weight = [text for text, _, _ in rows], np.array([k for _, k, _ in rows], np.int32), [w for *_, w in rows]
    weight = np.array(weight) if weighted else None
    found = left_out(family, x, y, weight, 3)
    assert not np.isnan(found).any()
    assert_allclose(found, recounted(family, x, y, weight, 3), rtol=1e-9, atol=1e-9)
