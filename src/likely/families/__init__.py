"""Likelihoods p(x | y). Each family is one file; to add one, write its file and list it in `FAMILIES`."""

from likely.errors import BadCell
from likely.families.bernoulli import Bernoulli
from likely.families.block import Block, Plan
from likely.families.categorical import Categorical
from likely.families.complement import Complement
from likely.families.exponential import Exponential
from likely.families.family import Family
from likely.families.gaussian import Gaussian
from likely.families.histogram import Histogram
from likely.families.log_normal import LogNormal
from likely.families.missing import Missing
from likely.families.multinomial import Multinomial
from likely.families.multivariate_gaussian import MultivariateGaussian
from likely.families.network import Network
from likely.families.number import Number, SparseNumber
from likely.families.poisson import Poisson
from likely.families.text import Text
from likely.families.text_bernoulli import TextBernoulli
from likely.families.text_complement import TextComplement
from likely.families.text_multinomial import TextMultinomial
from likely.families.tf_idf import TfIdf
from likely.families.von_mises import VonMises

FAMILIES: dict[str, type[Family]] = {
    "bernoulli": Bernoulli,
    "categorical": Categorical,
    "multinomial": Multinomial,
    "complement": Complement,
    "poisson": Poisson,
    "gaussian": Gaussian,
    "log_normal": LogNormal,
    "exponential": Exponential,
    "von_mises": VonMises,
    "histogram": Histogram,
    "multivariate_gaussian": MultivariateGaussian,
    "missing": Missing,
    "text": Text,
    "text_multinomial": TextMultinomial,
    "text_bernoulli": TextBernoulli,
    "text_complement": TextComplement,
}

__all__ = [
    "FAMILIES",
    "BadCell",
    "Bernoulli",
    "Block",
    "Categorical",
    "Complement",
    "Exponential",
    "Family",
    "Gaussian",
    "Histogram",
    "LogNormal",
    "Missing",
    "Multinomial",
    "MultivariateGaussian",
    "Network",
    "Number",
    "Plan",
    "Poisson",
    "SparseNumber",
    "Text",
    "TextBernoulli",
    "TextComplement",
    "TextMultinomial",
    "TfIdf",
    "VonMises",
]
