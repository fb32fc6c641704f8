"""Complement naive Bayes, by the formulas of Rennie, Shih, Teevan and Karger (2003)."""

import numpy as np
import pytest
from scipy import sparse

from likely import NaiveBayes
from likely.families import Complement
from likely.priors import Laplace, MaximumLikelihood

from .blocks import counted, loo_scored, observed

TOKENS = np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0], [0.0, 1.0, 4.0]])
LABELS = np.array([0, 0, 1, 2])
"""Outside class 0 there are 0, 4, 4 tokens; outside class 1 3, 2, 5; outside class 2 3, 4, 1."""
OUTSIDE = np.array([[1, 5, 5], [4, 3, 6], [4, 5, 2]])
"""One more of each, by Laplace."""
ROW = np.array([[2.0, 1.0, 0.0]])

WEIGHTS = -np.log(OUTSIDE / OUTSIDE.sum(axis=1, keepdims=True))


def scores(family: Complement, rows: object = ROW, tokens: object = TOKENS) -> np.ndarray:
    """Without the class prior."""
    model = NaiveBayes(family, class_prior="uniform").fit(tokens, LABELS)
    return model.predict_joint_log_proba(rows) + np.log(3)


def test_the_score_is_how_badly_a_row_fits_the_others():
    np.testing.assert_allclose(scores(Complement()), ROW @ WEIGHTS.T)


def test_normalised_weights_sum_to_one():
    normalised = WEIGHTS / WEIGHTS.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(scores(Complement(normalise=True)), ROW @ normalised.T)


def test_sparse_tables_score_alike():
    found = scores(Complement(normalise=True), sparse.csr_array(ROW), sparse.csr_array(TOKENS))
    np.testing.assert_allclose(found, scores(Complement(normalise=True)))


@pytest.mark.parametrize("normalise", [False, True])
def test_one_token_alone_tells_nothing(normalise):
    """Its share outside any class is 1, and its weight 0."""
    model = NaiveBayes(Complement(normalise=normalise)).fit(np.array([[3.0], [1.0], [2.0]]), [0, 0, 1])
    np.testing.assert_allclose(model.predict_proba([[5.0]]), [[2 / 3, 1 / 3]])


def test_a_class_that_is_alone_has_nothing_outside():
    """Only the pseudo-counts: the weights are even."""
    model = NaiveBayes(Complement()).fit(TOKENS, np.zeros(4))
    np.testing.assert_allclose(model.predict_joint_log_proba(ROW), [[3 * np.log(3)]])


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_a_token_that_no_other_class_has_decides_by_maximum_likelihood(layout):
    """The first is in class 0 alone: a row that has it fits the others infinitely badly, and NaN nowhere."""
    found = scores(Complement(prior=MaximumLikelihood()), layout(ROW), layout(TOKENS))
    assert found[0, 0] == np.inf
    np.testing.assert_allclose(found[0, 1:], [2 * np.log(10 / 3) + np.log(10 / 2), 2 * np.log(8 / 3) + np.log(8 / 4)])


@pytest.mark.parametrize("normalise", [False, True])
def test_such_a_token_makes_a_class_certain(normalise):
    model = NaiveBayes(Complement(prior=MaximumLikelihood(), normalise=normalise)).fit(TOKENS, LABELS)
    np.testing.assert_array_equal(model.predict_proba(ROW), [[1.0, 0.0, 0.0]])


def test_leave_one_out_changes_the_other_classes_only():
    """The second row, (1, 1, 0) of class 0, leaves 2, 1, 5 outside class 1 and 2, 3, 1 outside class 2."""
    seen = observed(TOKENS, LABELS)
    out = loo_scored(counted(Complement(), seen), seen)
    expected = [-np.log(1 / 11 * 5 / 11), -np.log(3 / 11 * 2 / 11), -np.log(3 / 9 * 4 / 9)]
    np.testing.assert_allclose(out[1], expected)


def test_leave_one_out_of_a_class_of_one_row():
    """Class 1 has the third row alone, and the score of that row for class 1 does not change."""
    for normalise in (False, True):
        family, seen = Complement(normalise=normalise), observed(TOKENS, LABELS)
        out = loo_scored(counted(family, seen), seen)
        np.testing.assert_allclose(out[2, 1], scores(family, TOKENS[[2]])[0, 1])


def test_smaller_classes_are_not_favoured():
    """The point of the paper: of two classes with the same shares, the larger is no better for it.

    Outside the larger lie the few tokens of the smaller, with the same shares up to the pseudo-counts.
    """
    tokens = np.vstack([np.tile([2.0, 1.0], (99, 1)), [[2.0, 1.0]]])
    labels = np.r_[np.zeros(99), 1]
    model = NaiveBayes(Complement(prior=Laplace(1e-9)), class_prior="uniform").fit(tokens, labels)
    np.testing.assert_allclose(model.predict_proba([[4.0, 1.0]]), [[0.5, 0.5]], atol=1e-7)


def test_it_describes_weights():
    lines = NaiveBayes(Complement()).fit(TOKENS, LABELS).describe().lines
    assert {name for _, name, _ in lines} == {"weight"}
    np.testing.assert_allclose([values for _, _, values in lines], WEIGHTS.T)


def test_it_samples_no_rows():
    with pytest.raises(TypeError, match="does not describe rows to sample; use Multinomial"):
        NaiveBayes(Complement()).fit(TOKENS, LABELS).sample(1)


def test_it_has_no_posterior():
    with pytest.raises(TypeError, match="weights, not probabilities with a posterior; use Multinomial"):
        NaiveBayes(Complement()).fit(TOKENS, LABELS).parameter_posterior(0)


def test_negative_numbers_are_refused():
    with pytest.raises(
        ValueError,
        match=r"no tokens: a bag needs numbers of 0 or more; column 1, row 0, has -1\.0",
    ):
        NaiveBayes(Complement()).fit(np.array([[1.0, -1.0]]), [0])
