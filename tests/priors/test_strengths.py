"""Priors that serve in most shapes: what they add to counts."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.families import Bernoulli
from likely.priors import Auto, Dirichlet, InverseWishart, Laplace, MaximumLikelihood, MEstimate, NormalInverseGamma


def test_maximum_likelihood_imagines_nothing():
    assert MaximumLikelihood().proportions(3).tolist() == [0, 0, 0]
    assert MaximumLikelihood().rate() == (0, 0)
    assert MaximumLikelihood().normal().variance_rows == 0
    assert MaximumLikelihood().wishart(2) == InverseWishart(np.zeros((2, 2)), 0.0)


@pytest.mark.parametrize("values", [2, 3, 10])
def test_laplace_is_the_m_estimate_with_m_values_and_even_p(values):
    """m = v and p = 1 / v: one of each."""
    laplace = Laplace().proportions(values)
    np.testing.assert_allclose(laplace, np.ones(values))
    np.testing.assert_allclose(laplace, MEstimate(values).proportions(values))
    np.testing.assert_allclose(laplace, MEstimate(values, (1 / values,) * values).proportions(values))
    np.testing.assert_allclose(laplace, Dirichlet(1).proportions(values))


def test_laplace_of_any_strength():
    assert Laplace(0.25).proportions(3).tolist() == [0.25] * 3
    assert Laplace(0.25).rate() == (0.25, 0.25)


def test_an_m_estimate_adds_m_rows_in_the_proportion_p():
    """(count + m p) / (rows + m), for a one of two values and for each of several."""
    np.testing.assert_allclose(MEstimate(5, 0.3).proportions(2), [3.5, 1.5])
    np.testing.assert_allclose(MEstimate(5, (0.5, 0.2, 0.3)).proportions(3), [2.5, 1.0, 1.5])
    ones, rows, m, p = 7, 10, 5, 0.3
    model = NaiveBayes(Bernoulli(prior=MEstimate(m, p))).fit([[1]] * ones + [[0]] * (rows - ones), [0] * rows)
    assert np.exp(model.predict_joint_log_proba([[1]])).item() == pytest.approx((ones + m * p) / (rows + m))


def test_an_m_estimate_of_a_rate():
    assert MEstimate(4).rate() == (4, 4)
    assert MEstimate(4, 2.5).rate() == (10, 4)


def test_an_m_estimate_of_nought_rows_is_maximum_likelihood():
    assert MEstimate(0).proportions(4).tolist() == [0] * 4


@pytest.mark.parametrize("use", [MEstimate.rate, MEstimate.normal])
def test_one_number_is_needed_where_there_is_one(use):
    with pytest.raises(TypeError, match=r"^one number is needed as p here, not 2$"):
        use(MEstimate(2, (0.5, 0.5)))


def test_auto_is_laplace_of_its_strength():
    assert Auto(0.3).proportions(3).tolist() == Laplace(0.3).proportions(3).tolist()
    assert Auto(0.3).rate() == Laplace(0.3).rate()
    assert Auto(0.3).normal() == NormalInverseGamma(variance_rows=0.3)


def test_auto_is_one_whatever_was_chosen():
    """So that models can be merged that chose differently."""
    assert Auto(0.3) == Auto(10.0, ((10.0, -3.0),))
    assert hash(Auto(0.3)) == hash(Auto())
    assert Auto() != Laplace()
