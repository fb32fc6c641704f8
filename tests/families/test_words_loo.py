"""Scores of texts left out, against a recount without each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import softmax

from likely.families import TextBernoulli
from likely.priors import Laplace
from likely.statistics import Vocabulary
from likely.text import Texts, Tokens

from .blocks import counted, loo_scored, observed, scored
from .texts import OF_COUNTS, WEIGHT, X, Y, at, each_kind, each_variant, every_kind, fitted, loo, read_as

pytestmark = pytest.mark.usefixtures("untuned")


def recounted(family, x, y, weight, classes):
    """The scores of each text under the parameters of all others."""
    scores = np.zeros((len(x), classes))
    for i in range(len(x)):
        others = np.arange(len(x)) != i
        part = None if weight is None else weight[others]
        block = counted(family, read_as(at(x, others), y[others], classes, part))
        scores[i] = scored(block, Texts.of([x[i]]))[0]
    return scores


@each_variant
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["rows", "weights"])
def test_leave_one_out_is_a_recount_without_the_text(family, weight):
    codes = Y.astype(np.int32)
    expected = recounted(family, X, codes, weight, 4)
    found = loo(family, X, codes, weight, 4)
    assert not np.isnan(found).any()
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert_allclose(loo(family, X, codes, weight, 4, -1.5) + 1.5, expected, rtol=1e-9, atol=1e-9)


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
def test_leave_one_out_of_few_texts_is_a_recount(family, rows, weighted):
    x, y, weight = [text for text, _, _ in rows], np.array([k for _, k, _ in rows], np.int32), [w for *_, w in rows]
    weight = np.array(weight) if weighted else None
    expected = recounted(family, x, y, weight, 3)
    assert not np.isnan(expected).any()
    assert_allclose(loo(family, x, y, weight, 3), expected, rtol=1e-9, atol=1e-9)


@every_kind
def test_what_is_left_by_rounding_reaches_the_minimum_as_a_recount_does(kind):
    """1 + 1 + 0.3 - 0.3 is 2.2e-16 less than 2."""
    family, x = kind(Tokens(minimum=2), Laplace()), ["good", "good", "good", "day"]
    part = np.array([0, 1, 0, 1], np.int32), np.array([1, 1, 0.3, 1]), 2
    assert_allclose(loo(family, x, *part), recounted(family, x, *part), rtol=1e-9)


@each_variant
def test_leave_one_out_of_the_model_is_a_fit_without_the_row(family):
    """The class prior changes too."""
    found = fitted(family, weight=WEIGHT + 1).loo_scores(X, Y, WEIGHT + 1)
    for i in range(0, 40, 3):
        others = np.arange(40) != i
        model = fitted(family, at(X, others), Y[others], WEIGHT[others] + 1)
        expected = model.predict_joint_log_proba([X[i], "more"])[0]
        assert_allclose(found[i], expected, rtol=1e-9, atol=1e-9)


@each_variant
def test_a_class_of_one_text_is_gone_with_it(family):
    """It is impossible then, as by every family, and the others are as they would be without it."""
    x, y = [*X, "good day night"], np.append(Y, 3)
    found = fitted(family, x, y).loo_scores(x, y)
    assert found[-1, 3] == -np.inf
    assert_allclose(softmax(found[-1, :3]), fitted(family).predict_proba(x)[-1], rtol=1e-9)


@each_variant
def test_leave_one_out_of_the_own_class_is_one_cell_of_a_text(family):
    codes = Y.astype(np.int32)
    for weight in (None, WEIGHT):
        seen = read_as(X, Y, 3, weight)
        cells = family.loo(counted(family, seen), seen)
        assert cells.shape == (40, 1)
        assert cells[1, 0] == 0
        assert_allclose(cells[:, 0], loo(family, X, codes, weight, 3)[np.arange(40), Y], rtol=1e-12)


@each_variant
def test_the_leave_one_out_total_counts_a_weight_as_so_many_rows(family):
    times = np.arange(40) % 4
    rows = np.repeat(np.arange(40), times)
    x, y, seen = at(X, rows), Y[rows], read_as(X, Y, 3, times)
    found = family.loo_total(counted(family, seen), seen)
    assert_allclose(found, loo(family, x, y, None, 3)[np.arange(len(y)), y].sum(), rtol=1e-9)


@each_kind
def test_leave_one_out_with_a_fixed_vocabulary_is_that_of_the_family_of_counts(kind):
    words = ("good", "day", "nowhere", "only5")
    x = [text or "" for text in X]
    counts = Tokens(binary=kind is TextBernoulli).matrix(x, Vocabulary.of(words))[0].toarray()
    seen = observed(counts, Y, 3, WEIGHT)
    expected = loo_scored(counted(OF_COUNTS[kind](prior=Laplace(0.4)), seen), seen)
    found = loo(kind(prior=Laplace(0.4), vocabulary=words), x, Y, WEIGHT, 3)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
