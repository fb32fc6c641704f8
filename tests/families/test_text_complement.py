"""A text judged by how badly it fits all other classes together. Beside scikit-learn it is in test_words.py."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from likely.families import Complement, TextComplement
from likely.families.text_complement import against_others
from likely.priors import MaximumLikelihood
from likely.text import Tokens

from .blocks import counted
from .test_words_loo import recounted, some_texts
from .texts import WEIGHT, X, Y, fitted, loo, read_as


def test_three_texts_by_hand():
    """Outside class 0 are bad, night and day once each; V = 4, and each has a pseudo-count of 1."""
    model = fitted(TextComplement(), ["good day", "bad night", "day"], [0, 1, 2], class_prior="uniform")
    found = model.predict_joint_log_proba(["good day zebra"])
    expected = [-np.log(1 / 7 * 2 / 7), -np.log(2 / 7 * 3 / 7), -np.log(2 / 8 * 2 / 8)]
    assert_allclose(found, [np.log(1 / 3) + np.array(expected)])


@pytest.mark.parametrize("pseudocount", [0.1, 2.0])
def test_what_lies_outside_a_class_is_all_less_its_own(pseudocount):
    tallies = counted(TextComplement(), read_as(X, Y, 3, WEIGHT)).statistics
    size, totals = len(tallies.words), tallies.of_classes()
    each, common, extra = against_others(tallies, size, totals, pseudocount)
    table = np.zeros((size, 3))
    word = np.repeat(np.arange(size), np.diff(tallies.starts))
    table[word, tallies.at] = tallies.totals
    others = table.sum(axis=1, keepdims=True) - table + pseudocount
    found = each + common[:, None] + np.zeros((size, 3))
    found[word, tallies.at] += extra
    assert_allclose(found, -np.log(others / others.sum(axis=0)), rtol=1e-10, atol=1e-12)


@settings(max_examples=40)
@given(rows=some_texts, weighted=st.booleans(), given_words=st.booleans())
def test_leave_one_out_of_complement_by_maximum_likelihood_is_a_recount(rows, weighted, given_words):
    """What no other class ever had speaks for a class without bounds."""
    family = TextComplement(prior=MaximumLikelihood(), vocabulary=("aa", "bb", "nowhere") if given_words else None)
    x, y, weight = [text for text, _, _ in rows], np.array([k for _, k, _ in rows], np.int32), [w for *_, w in rows]
    weight = np.array(weight) if weighted else None
    found = loo(family, x, y, weight, 3)
    assert not np.isnan(found).any()
    assert_allclose(found, recounted(family, x, y, weight, 3), rtol=1e-9, atol=1e-9)


def test_the_normalised_weights_of_complement_are_not_passed_over_in_silence():
    """Refused, or as those of the matrix of the words."""
    x, y = ["good day", "bad bad night", "day night sun"], [0, 1, 2]
    counts, _ = Tokens().matrix(x)
    expected = fitted(Complement(normalise=True), counts.toarray(), y).predict_joint_log_proba(counts.toarray())
    try:
        model = fitted(Complement(normalise=True), x, y)
    except (TypeError, ValueError):
        return
    assert_allclose(model.predict_joint_log_proba(x), expected)
