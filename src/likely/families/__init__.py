"""Likelihoods p(x | y). One family is one file; to add one, write it and name it here."""

from likely.families.bernoulli import Bernoulli
from likely.families.categorical import Categorical
from likely.families.complement import Complement
from likely.families.family import BadCell, Family
from likely.families.gaussian import Gaussian
from likely.families.histogram import Histogram
from likely.families.multinomial import Multinomial
from likely.families.multivariate_gaussian import MultivariateGaussian
from likely.families.poisson import Poisson
from likely.families.text import Text

FAMILIES: dict[str, type[Family]] = {
    "bernoulli": Bernoulli,
    "categorical": Categorical,
    "multinomial": Multinomial,
    "complement": Complement,
    "poisson": Poisson,
    "gaussian": Gaussian,
    "histogram": Histogram,
    "multivariate_gaussian": MultivariateGaussian,
    "text": Text,
}

__all__ = [
    "FAMILIES",
    "BadCell",
    "Bernoulli",
    "Categorical",
    "Complement",
    "Family",
    "Gaussian",
    "Histogram",
    "Multinomial",
    "MultivariateGaussian",
    "Poisson",
    "Text",
]
