"""What is believed before any row is seen.

A conjugate prior is rows imagined: its parameters are counts of the same kind as the statistics, so its posterior is
the prior with the rows seen added to those imagined. Each family needs one of four shapes of prior, and each prior
says in which it can serve:

- proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram): imagined counts per cell;
- a rate (Poisson): imagined events, and the rows they came in;
- a normal (Gaussian): an imagined mean and variance, and the rows each is worth;
- a covariance (MultivariateGaussian): an imagined covariance, and the rows it is worth. What is believed of its mean
  vector is given beside it, as a Normal.

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
