"""Priors are values, and say which shapes they can serve in."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from likely import NaiveBayes, priors
from likely.families import Bernoulli, Categorical, Gaussian, Histogram, Multinomial, MultivariateGaussian, Poisson
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


def said(value: object) -> str:
    """A name for an example: what it says, or nothing where it is a function."""
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    ("family", "prior", "said"),
    [
        (
            Bernoulli,
            Gamma(),
            r"^Gamma\(\) is no prior for proportions \(Bernoulli, .*\); Beta, Dirichlet, MaximumLikelihood, .* are$",
        ),
        (Categorical, NormalInverseGamma(), r"^NormalInverseGamma\(\) is no prior for proportions .* are$"),
        (Multinomial, Gamma(2, 3), r"^Gamma\(a=2, b=3\) is no prior for proportions .* are$"),
        (Histogram, NormalInverseGamma(), r"^NormalInverseGamma\(\) is no prior for proportions .* are$"),
        (
            Poisson,
            Beta(),
            r"^Beta\(\) is no prior for a rate \(Poisson\); Gamma, MaximumLikelihood, MEstimate, Laplace, Auto are$",
        ),
        (Poisson, Dirichlet(2), r"^Dirichlet\(alpha=2\) is no prior for a rate .* are$"),
        (
            Gaussian,
            Beta(2, 1),
            r"^Beta\(a=2\) is no prior for a mean and a variance \(Gaussian\); NormalInverseGamma, .* are$",
        ),
        (Gaussian, Gamma(), r"^Gamma\(\) is no prior for a mean and a variance .* are$"),
        (Gaussian, Normal(0, 1), r"^Normal\(mean=0, covariance=1\) is no prior for a mean and a variance .* are$"),
        (Gaussian, InverseWishart(1, 2), r"^InverseWishart\(.*\) is no prior for a mean and a variance .* are$"),
        (
            MultivariateGaussian,
            Laplace(),
            r"^Laplace\(\) is no prior for a covariance \(Multi.*\); InverseWishart, MaximumLikelihood are$",
        ),
        (MultivariateGaussian, Normal(0, 1), r"^Normal\(mean=0, covariance=1\) is no prior for a covariance .* are$"),
    ],
    ids=said,
)
def test_a_prior_of_the_wrong_shape_gives_one_clear_sentence(family, prior, said):
    with pytest.raises(TypeError, match=said):
        NaiveBayes(family(prior=prior)).fit(np.array([[0.0], [1.0], [1.0], [0.0]]), [0, 0, 1, 1])
