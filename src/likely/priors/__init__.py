"""Priors: what is assumed before any row is seen.

A conjugate prior is pseudo-counts: its parameters are counts of the same kind as the statistics, so its posterior is
the prior with the rows seen added to the pseudo-counts. Each family needs one of four shapes of prior, and each prior
says in which it can serve:

- proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram): pseudo-counts per cell;
- a rate (Poisson): pseudo-events, and the rows they came in;
- a normal (Gaussian): a prior mean and variance, and the rows each is worth;
- a covariance (MultivariateGaussian): a prior covariance, and the rows it is worth. The prior of its mean vector is a
separate Normal.

An estimate is the posterior's mean (EAP) unless `estimate="mode"` asks for its mode (MAP).
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
