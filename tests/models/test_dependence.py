"""The evidence that a column depends on the class."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely import NaiveBayes
from likely.families import Histogram
from likely.models.dependence import ALIKE, _log_factors, log_factors
from likely.validation import relevance


def integral(times, x, y):
    """The same by numbers: p(x | y) of bits, with each class's probability drawn about that of all."""
    from scipy import integrate, stats

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
    """And with rows imagined without end, the two hypotheses are one."""
    rng, y = np.random.default_rng(1), np.arange(600) % 2
    noise = {"gaussian": rng.normal(size=(600, 30)), "histogram": rng.normal(size=(600, 30))}.get(
        family, rng.integers(2 if family == "bernoulli" else 5, size=(600, 30))
    )
    told = NaiveBayes(family).fit(np.column_stack([noise, noise[:, 0] * 0 + y]), y).model_.known.blocks[0]
    factors = log_factors(told)
    assert (factors[:-1] > 0).mean() < 0.1
    assert factors[-1] > 100
    if family != "histogram":
        # At 1e10 rows the logarithms of gamma functions are some 1e11, and their rounding leaves 2e-4.
        assert_allclose(_log_factors(told.family, told.statistics, told.frame, 1e10), 0, atol=1e-3)


def test_fine_bins_are_also_looked_at_merged():
    y = np.arange(400) % 2
    x = np.random.default_rng(0).normal(0.35 * y, 1)[:, None]
    coarse, fine = (log_factors(NaiveBayes(Histogram(bins=n)).fit(x, y).model_.known.blocks[0])[0] for n in (2, 64))
    assert fine > 0
    assert fine > coarse - 3
