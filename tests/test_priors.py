"""Priors: what they add to counts, and that they are values."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from likely import NaiveBayes, priors
from likely.families import (
    Bernoulli,
    MultivariateGaussian,
)
from likely.priors import (
    Auto,
    Beta,
    Dirichlet,
    Gamma,
    InverseWishart,
    Laplace,
    MaximumLikelihood,
    MEstimate,
    Normal,
    NormalInverseGamma,
)

EVERY = [
    MaximumLikelihood(),
    MEstimate(2),
    Laplace(),
    Auto(),
    Beta(),
    Dirichlet(),
    Gamma(),
    NormalInverseGamma(),
    Normal(0.0, 1.0),
    InverseWishart(1.0, 2.0),
]


# Imagined counts of proportions


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


def test_beta_imagines_zeros_then_ones():
    assert Beta(2, 5).proportions(2).tolist() == [5, 2]


def test_dirichlet_of_one_number_is_for_all():
    assert Dirichlet(0.5).proportions(3).tolist() == [0.5] * 3
    assert Dirichlet((1, 2, 3)).proportions(3).tolist() == [1, 2, 3]


@pytest.mark.parametrize(("prior", "expected"), [(Beta(2, 5, "mode"), [4, 1]), (Dirichlet((1, 3), "mode"), [0, 2])])
def test_for_a_mode_one_less_of_each_is_imagined(prior, expected):
    assert prior.proportions(2).tolist() == expected


def test_for_the_mode_of_a_rate_one_event_less_is_imagined():
    assert Gamma(3, 2, "mode").rate() == (2, 2)


# Values


@pytest.mark.parametrize("prior", EVERY, ids=repr)
def test_a_prior_is_a_value(prior):
    assert prior == type(prior)(**vars(prior))
    assert hash(prior) == hash(type(prior)(**vars(prior)))
    assert type(prior).__doc__
    with pytest.raises(FrozenInstanceError):
        prior.anything = 1


def test_a_prior_says_what_differs_from_its_defaults():
    assert [repr(prior) for prior in EVERY] == [
        "MaximumLikelihood()",
        "MEstimate(m=2)",
        "Laplace()",
        "Auto(1)",
        "Beta()",
        "Dirichlet()",
        "Gamma()",
        "NormalInverseGamma()",
        "Normal(mean=0.0, covariance=1.0)",
        "InverseWishart(covariance=1.0, rows=2.0)",
    ]
    assert repr(Beta(2, 1, "mode")) == "Beta(a=2, estimate='mode')"


@pytest.mark.parametrize("numbers", [[0.5, 0.3, 0.2], np.array([0.5, 0.3, 0.2])], ids=["list", "array"])
def test_numbers_per_value_may_come_as_a_list_or_an_array(numbers):
    """They stay values: equal and hashable."""
    assert MEstimate(2, numbers) == MEstimate(2, (0.5, 0.3, 0.2))
    assert hash(MEstimate(2, numbers)) == hash(MEstimate(2, (0.5, 0.3, 0.2)))
    assert Dirichlet(numbers) == Dirichlet((0.5, 0.3, 0.2))
    assert hash(Dirichlet(numbers)) == hash(Dirichlet((0.5, 0.3, 0.2)))
    assert Normal(numbers, numbers) == Normal((0.5, 0.3, 0.2), (0.5, 0.3, 0.2))
    assert hash(Normal(numbers, numbers)) == hash(Normal((0.5, 0.3, 0.2), (0.5, 0.3, 0.2)))


def test_priors_of_matrices_are_equal_by_their_numbers():
    assert InverseWishart(np.eye(2), 3) == InverseWishart([[1, 0], [0, 1]], 3)
    assert InverseWishart(np.eye(2), 3) != InverseWishart(np.eye(2), 4)
    assert InverseWishart(np.eye(2), 3) != InverseWishart(np.eye(3), 3)
    assert InverseWishart(1.0, 3) != InverseWishart(1.0, 3, "mode")
    assert Normal(0.0, 1.0) != Normal([0.0], 1.0)
    assert Normal(0.0, 1.0) != InverseWishart(0.0, 1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (InverseWishart(2, 3), InverseWishart(2.0, 3.0)),
        (InverseWishart(np.eye(2), 3), InverseWishart([[1, 0], [0, 1]], 3)),
        (Normal(0, 1), Normal(0.0, 1.0)),
        (Beta(1, 2), Beta(1.0, 2.0)),
    ],
    ids=repr,
)
def test_equal_priors_have_equal_hashes(one, other):
    assert one == other
    assert hash(one) == hash(other)


def test_every_prior_serves_somewhere():
    public = {value for value in vars(priors).values() if isinstance(value, type) and issubclass(value, priors.Prior)}
    assert public - {priors.Prior} == {type(prior) for prior in EVERY}
    for prior in EVERY:
        shapes = 0
        uses = (
            lambda p: p.proportions(2),
            lambda p: p.rate(),
            lambda p: p.normal(),
            lambda p: p.wishart(2),
            lambda p: MultivariateGaussian(mean_prior=p),
        )
        for use in uses:
            try:
                use(prior)
            except TypeError:
                continue
            shapes += 1
        assert shapes


# A strength that is chosen


def test_auto_is_laplace_of_its_strength():
    assert Auto(0.3).proportions(3).tolist() == Laplace(0.3).proportions(3).tolist()
    assert Auto(0.3).rate() == Laplace(0.3).rate()
    assert Auto(0.3).normal() == NormalInverseGamma(variance_rows=0.3)


def test_auto_is_one_whatever_was_chosen():
    """So that models can be merged that chose differently."""
    assert Auto(0.3) == Auto(10.0, ((10.0, -3.0),))
    assert hash(Auto(0.3)) == hash(Auto())
    assert Auto() != Laplace()
