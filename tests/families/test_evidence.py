"""Evidence, against integrals over the parameters and against the rows foretold one by one; and Bayes factors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from likely import NaiveBayes
from likely.data import Sample, encode_target, read
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
    TextBernoulli,
    TextComplement,
    TextMultinomial,
)
from likely.families.evidence import ALIKE, factor_of_bits, factor_of_cells, factor_of_counts, factor_of_numbers
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Beta, Gamma, Laplace, MaximumLikelihood, MEstimate, NormalInverseGamma
from likely.validation import relevance

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], [7, 5])


def learned(x, family, y=Y):
    classes, codes = encode_target(y)
    (block,) = NaiveBayesModel(family).learn(Sample(read(x), codes, classes)).known.blocks
    return block


def evidence(x, family):
    block = learned(x, family)
    return block.family.log_evidence(block)


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
    counts = block.family.log_evidence(block)
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


def test_a_token_is_weighed_against_all_others():
    x = RNG.poisson(1.0, (12, 3))
    x[:, 2] += 1
    found = evidence(x, Multinomial())
    for k in (0, 1):
        of_class = x[k == Y].sum(axis=0)
        bits = np.concatenate([np.zeros(of_class.sum() - of_class[0]), np.ones(of_class[0])])[:, None]
        block = learned(bits, Bernoulli(Beta(1.0, 2.0)), np.zeros(len(bits), int))
        assert_allclose(found[k, 0], block.family.log_evidence(block)[0, 0])


def test_words_of_texts_are_foretold_one_by_one():
    texts = ["ham egg ham", "egg", "tea ham"] * 4
    found = evidence(texts, TextMultinomial(prior=Laplace(0.5)))
    for k in (0, 1):
        counts, logs = dict.fromkeys(("ham", "egg", "tea"), 0.5), 0.0
        for text, of in zip(texts, Y, strict=True):
            for word in text.split() if of == k else ():
                logs += np.log(counts[word] / sum(counts.values()))
                counts[word] += 1
        assert_allclose(found[k, 0], logs)


@pytest.mark.parametrize("family", [Complement(), MultivariateGaussian(), Text(), TextBernoulli(), TextComplement()])
def test_what_has_no_evidence_in_closed_form_says_so(family):
    x = ["ham egg", "egg tea"] * 6 if family.reads == "text" else RNG.poisson(1.0, (12, 2))
    with pytest.raises(TypeError, match=rf"^{type(family).__name__}\(.*\), which has no evidence in closed form$"):
        evidence(x, family)


# Bayes factors


def integral(times, x, y):
    """The same by numbers: p(x | y) of bits, with each class's probability drawn about that of all."""
    share, apart = x.mean(), 1.0
    about = stats.beta(2 * times * share, 2 * times * (1 - share))
    for own in (x[y == k] for k in np.unique(y)):
        apart *= integrate.quad(lambda p, own=own: stats.bernoulli.pmf(own, p).prod() * about.pdf(p), 0, 1)[0]
    return apart / stats.bernoulli.pmf(x, share).prod()


def test_bits_are_integrals():
    x, y = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 1, 1, 1])
    found = relevance(NaiveBayes("bernoulli").fit(x[:, None], y))
    assert_allclose(found[0], np.log(np.mean([integral(times, x, y) for times in ALIKE])), rtol=1e-6)


@pytest.mark.parametrize("family", ["gaussian", "poisson", "categorical", "bernoulli", "histogram", "multinomial"])
def test_noise_has_evidence_against_and_a_copy_of_the_class_has_it_for(family):
    rng, y = np.random.default_rng(1), np.arange(600) % 2
    noise = {"gaussian": rng.normal(size=(600, 30)), "histogram": rng.normal(size=(600, 30))}.get(
        family, rng.integers(2 if family == "bernoulli" else 5, size=(600, 30))
    )
    (block,) = NaiveBayes(family).fit(np.column_stack([noise, noise[:, 0] * 0 + y]), y).model_.known.blocks
    factors = block.family.log_bayes_factor(block)
    assert (factors[:-1] > 0).mean() < 0.1
    assert factors[-1] > 100


def test_of_classes_that_are_expected_to_be_all_alike_the_two_hypotheses_are_one(monkeypatch):
    """At 1e10 rows the logarithms of gamma functions are some 1e11, and their rounding leaves 2e-4."""
    monkeypatch.setattr("likely.families.evidence.ALIKE", (1e10,))
    rng, y = np.random.default_rng(1), np.arange(600) % 2
    counts = np.stack([np.bincount(rng.integers(5, size=300), minlength=5) for _ in (0, 1)]).astype(float)
    assert_allclose(factor_of_cells(counts, np.array([5])), 0, atol=1e-3)
    assert_allclose(factor_of_bits(counts, np.full((2, 1), 300.0)), 0, atol=1e-3)
    assert_allclose(factor_of_counts(counts, np.full((2, 1), 300.0)), 0, atol=1e-3)
    assert_allclose(factor_of_numbers(learned(rng.normal(size=(600, 3)), Gaussian(), y).statistics), 0, atol=1e-3)


def test_fine_bins_are_also_looked_at_merged():
    y = np.arange(400) % 2
    x = np.random.default_rng(0).normal(0.35 * y, 1)[:, None]
    blocks = [learned(x, Histogram(bins=n), y) for n in (2, 64)]
    coarse, fine = (block.family.log_bayes_factor(block)[0] for block in blocks)
    assert fine > 0
    assert fine > coarse - 3
