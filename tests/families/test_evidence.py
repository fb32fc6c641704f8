"""Evidence, against integrals over the parameters and against the rows foretold one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from likely.data import encode_target, read
from likely.families import (
    Bernoulli,
    Categorical,
    Complement,
    Gaussian,
    Histogram,
    Multinomial,
    MultivariateGaussian,
    Poisson,
    Text,
)
from likely.families.evidence import log_evidence
from likely.models.naive_bayes import NaiveBayes
from likely.priors import Beta, Gamma, Laplace, MaximumLikelihood, MEstimate, NormalInverseGamma

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], [7, 5])


def learned(x, family, y=Y):
    model = NaiveBayes(family)
    model.learn(read(x), *encode_target(y))
    (block,) = model.known.blocks
    return block


def evidence(x, family):
    block = learned(x, family)
    return log_evidence(block.family, block.statistics, block.frame)


@pytest.mark.parametrize(
    ("prior", "a", "b"), [(Laplace(), 1, 1), (Beta(2.0, 0.5), 2.0, 0.5), (MaximumLikelihood(), 0.5, 0.5)]
)
def test_bernoulli_is_an_integral(prior, a, b):
    x = RNG.random((12, 2)) < 0.4
    found = evidence(x, Bernoulli(prior))
    for k in (0, 1):
        for j in (0, 1):
            own = x[k == Y, j]
            of_p = lambda p, own=own: stats.bernoulli.pmf(own, p).prod() * stats.beta.pdf(p, a, b)  # noqa: E731
            assert_allclose(found[k, j], np.log(integrate.quad(of_p, 0, 1)[0]), rtol=1e-6)


@pytest.mark.parametrize(
    ("prior", "a", "b"), [(Gamma(0.5, 0.5), 0.5, 0.5), (Gamma(3.0, 2.0), 3.0, 2.0), (MaximumLikelihood(), 0.5, 0.5)]
)
def test_poisson_is_an_integral_but_for_factorials(prior, a, b):
    x = RNG.poisson(2, (12, 1))
    found = evidence(x, Poisson(prior))
    for k in (0, 1):
        own = x[k == Y, 0]
        of_rate = lambda r, own=own: np.exp((own * np.log(r) - r).sum()) * stats.gamma.pdf(r, a, scale=1 / b)  # noqa: E731
        assert_allclose(found[k, 0], np.log(integrate.quad(of_rate, 0, 40)[0]), rtol=1e-6)


@pytest.mark.parametrize("prior", [Laplace(), Laplace(0.3), MEstimate(2.0)], ids=str)
@pytest.mark.parametrize("unseen", [True, False])
def test_categories_are_foretold_one_by_one(prior, unseen):
    x = np.array(list("abcaabcbbadb"), object)[:, None]
    found = evidence(x, Categorical(prior, unseen))
    each = prior.dirichlet(4 + unseen).alpha
    for k in (0, 1):
        counts, logs = each.copy(), 0.0
        for value in x[k == Y, 0]:
            at = "abcd".index(value)
            logs += np.log(counts[at] / counts.sum())
            counts[at] += 1
        assert_allclose(found[k, 0], logs, rtol=1e-12)


def test_bins_have_widths():
    x = RNG.random((12, 1))
    family = Histogram(bins=(0.0, 0.2, 0.5, 1.0))
    cells = np.digitize(x, [0.2, 0.5]).astype(int)
    widths = np.array([0.2, 0.3, 0.5])[cells[:, 0]]
    block = learned(cells, Categorical(unseen=False))
    counts = log_evidence(block.family, block.statistics, block.frame)
    expected = counts[:, 0] - [np.log(widths[k == Y]).sum() for k in (0, 1)]
    assert_allclose(evidence(x, family)[:, 0], expected, rtol=1e-12)


@pytest.mark.parametrize(
    "prior",
    [NormalInverseGamma(0.5, 2.0, 1.5, 3.0), NormalInverseGamma(), MaximumLikelihood()],
    ids=["given", "default", "none"],
)
def test_normals_are_foretold_one_by_one(prior):
    """Each by Student's t of the posterior of those before. What is not given is that of all rows, worth one row."""
    x = RNG.normal(3, 2, (12, 1))
    x[3, 0] = np.nan
    found = evidence(x, Gaussian(prior))
    given = prior.normal()
    there = x[~np.isnan(x)]
    start = (
        there.mean() if given.mean is None else given.mean,
        given.mean_rows or 1.0,
        1 + (given.variance_rows or 1.0) / 2,
        (given.variance_rows or 1.0) * (there.var() if given.variance is None else given.variance) / 2,
    )
    for k in (0, 1):
        (mean, kappa, alpha, beta), logs = start, 0.0
        for value in x[k == Y, 0]:
            if np.isnan(value):
                continue
            logs += stats.t.logpdf(value, 2 * alpha, mean, np.sqrt(beta * (kappa + 1) / (alpha * kappa)))
            beta += kappa * (value - mean) ** 2 / (2 * (kappa + 1))
            mean, kappa, alpha = (kappa * mean + value) / (kappa + 1), kappa + 1, alpha + 0.5
        assert_allclose(found[k, 0], logs, rtol=1e-9)


def test_columns_that_vary_together_are_weighed_one_by_one():
    x = RNG.normal(size=(12, 2))
    assert_allclose(evidence(x, MultivariateGaussian("full", 0.1)), evidence(x, Gaussian()))


@pytest.mark.parametrize("family", [Multinomial(), Complement()], ids=repr)
def test_a_token_is_weighed_against_all_others(family):
    x = RNG.poisson(1.0, (12, 3))
    x[:, 2] += 1
    found = evidence(x, family)
    for k in (0, 1):
        of_class = x[k == Y].sum(axis=0)
        bits = np.concatenate([np.zeros(of_class.sum() - of_class[0]), np.ones(of_class[0])])[:, None]
        block = learned(bits, Bernoulli(Beta(1.0, 2.0)), np.zeros(len(bits), int))
        assert_allclose(found[k, 0], log_evidence(block.family, block.statistics, block.frame)[0, 0])


def test_words_of_texts_are_foretold_one_by_one():
    texts = ["ham egg ham", "egg", "tea ham"] * 4
    found = evidence(texts, Text("multinomial", prior=Laplace(0.5)))
    for k in (0, 1):
        counts, logs = dict.fromkeys(("ham", "egg", "tea"), 0.5), 0.0
        for text, of in zip(texts, Y, strict=True):
            for word in text.split() if of == k else ():
                logs += np.log(counts[word] / sum(counts.values()))
                counts[word] += 1
        assert_allclose(found[k, 0], logs)
