"""Priors: what is assumed about parameters before any row is seen.

The parameters of a conjugate prior are pseudo-counts, of the same kind as the statistics: the posterior adds the counts
of the rows to them. Each family needs one of four shapes of prior, and a prior has a method for each shape that it can
take:

- proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram): pseudo-counts for each value;
- a rate (Poisson, Exponential): pseudo-counts of events and of rows;
- a normal (Gaussian): a prior mean and a prior variance, and the number of rows that each counts as;
- a covariance (MultivariateGaussian): a prior covariance, and the number of rows that it counts as. The prior of the
  mean vector is a separate Normal.

An estimate is the mean of the posterior (EAP), or its mode (MAP) with `estimate="mode"`.
"""

from likely.priors.normal import NormalInverseGamma
from likely.priors.prior import Estimate, Prior, short
from likely.priors.proportions import Beta, Dirichlet
from likely.priors.rate import Gamma
from likely.priors.strengths import Auto, Laplace, MaximumLikelihood, MEstimate
from likely.priors.vectors import InverseWishart, Normal

__all__ = [
    "Auto",
    "Beta",
    "Dirichlet",
    "Estimate",
    "Gamma",
    "InverseWishart",
    "Laplace",
    "MEstimate",
    "MaximumLikelihood",
    "Normal",
    "NormalInverseGamma",
    "Prior",
    "short",
]
