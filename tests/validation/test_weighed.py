"""Hypotheses weighed: families, priors and whole models."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.naive_bayes import GaussianNB

from likely import GaussianClassifier, NaiveBayes
from likely.families import Bernoulli, Categorical, Gaussian, Histogram, Multinomial, Poisson, TextMultinomial
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Beta, Dirichlet, Gamma, Laplace
from likely.validation import weigh

from .tables import FAMILIES, mixed

RNG = np.random.default_rng(0)


def test_two_coins_by_hand():
    """The evidence of 3 heads of 4 under a believed fair and an unknown coin, and of classes all alike."""
    x, y = np.array([[1], [1], [1], [0]]), np.zeros(4, int)
    unknown = NaiveBayes("bernoulli")
    fair = NaiveBayes(Bernoulli(Beta(1e6, 1e6)))
    found = weigh({"unknown": unknown, "fair": fair}, x, y)
    assert_allclose(found.log_evidence["unknown"], np.log(1 / 20), rtol=1e-9)
    assert_allclose(found.log_evidence["fair"], np.log(1 / 16), rtol=1e-5)
    assert_allclose(found.probability["fair"], (1 / 16) / (1 / 16 + 1 / 20), rtol=1e-5)
    assert found.map == "fair"
    assert found.ml == "unknown"
    biased = weigh({"unknown": unknown, "fair": fair}, x, y, prior={"unknown": 3, "fair": 1})
    assert biased.map == "unknown"
    assert_allclose(biased.probability["unknown"], (3 / 20) / (3 / 20 + 1 / 16), rtol=1e-5)


@pytest.mark.parametrize(
    ("made", "best"), [(lambda y: RNG.normal(y, 1), "normal"), (lambda y: RNG.exponential(1 + 3 * y) ** 2, "bins")]
)
def test_the_family_that_made_the_rows_is_found(made, best):
    y = np.arange(500) % 2
    models = {"normal": NaiveBayes(Gaussian()), "bins": NaiveBayes(Histogram(bins=16))}
    found = weigh(models, made(y)[:, None], y)
    assert found.map == best
    assert found.probability[best] > 0.99


def test_counts_are_poisson_with_their_factorials():
    y = np.arange(300) % 2
    x = RNG.poisson(1 + 2 * y)[:, None]
    prior = Gamma(2.0, 1.0)
    found = weigh({"rate": NaiveBayesModel(Poisson(prior), class_prior="uniform")}, x, y)
    logs = 300 * np.log(0.5)
    for k in (0, 1):
        a, b = 2.0, 1.0
        for value in x[y == k, 0]:
            logs += stats.nbinom.logpmf(value, a, b / (b + 1))
            a, b = a + value, b + 1
    assert_allclose(found.log_evidence["rate"], logs, rtol=1e-9)


def test_priors_are_weighed():
    """Proportions that are nearly even ask for a strong prior; none is as good as the weakest at its best."""
    y = np.arange(600) % 3
    x = RNG.choice(list("abcdefgh"), (600, 4)).astype(object)
    strengths = {"weak": 0.05, "one": 1.0, "strong": 50.0}
    models = {name: NaiveBayes(Categorical(Laplace(a), unseen=False)) for name, a in strengths.items()}
    found = weigh(models, x, y)
    assert found.map == "strong"
    assert found.ml == "weak"
    lines = str(found).split("\n")
    assert lines[0].split() == ["hypothesis", "probability", "log", "evidence", "log", "likelihood"]
    assert lines[1].startswith("strong")


def test_evidence_is_more_than_one_of_columns():
    """A whole model is the sum of its columns and its classes; weights count as rows."""
    x, y = mixed(100)
    times = RNG.integers(1, 3, 100)
    again = np.repeat(np.arange(100), times)
    once = weigh({"a": NaiveBayesModel(FAMILIES, class_prior=Dirichlet(2.0))}, x.take(again), y[again])
    weighed = weigh(
        {"a": NaiveBayesModel(FAMILIES, class_prior=Dirichlet(2.0))}, x, y, sample_weight=times.astype(float)
    )
    assert_allclose(once.log_evidence["a"], weighed.log_evidence["a"], rtol=1e-9)
    assert_allclose(once.log_likelihood["a"], weighed.log_likelihood["a"], rtol=1e-9)


@pytest.mark.parametrize(
    ("models", "options", "error", "said"),
    [
        ({"g": GaussianNB()}, {}, TypeError, "g has no evidence in closed form: only naive Bayes has"),
        ({"g": GaussianClassifier()}, {}, TypeError, "which has no evidence in closed form"),
        (
            {"g": NaiveBayes(Gaussian())},
            {"prior": {"h": 1.0}},
            ValueError,
            "prior is a number of 0 or more for each of g",
        ),
        ({"g": NaiveBayes(Gaussian())}, {"prior": {"g": 0.0}}, ValueError, "not all of them 0"),
    ],
)
def test_refusals(models, options, error, said):
    with pytest.raises(error, match=said):
        weigh(models, RNG.normal(size=(20, 2)), np.arange(20) % 2, **options)


def test_texts_are_weighed_where_they_are_drawn():
    y = np.arange(40) % 2
    texts = [("ham tea" if label else "spam tea") for label in y]
    found = weigh({"words": NaiveBayes(TextMultinomial()), "same": NaiveBayes(Multinomial())}, texts, y)
    assert_allclose(found.log_evidence["words"], found.log_evidence["same"])
    with pytest.raises(TypeError, match="no evidence in closed form"):
        weigh([NaiveBayes()], texts, y)
