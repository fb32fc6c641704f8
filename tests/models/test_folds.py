"""Folds counted once are as good as models fitted again without each of them."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from likely.data import Sample, encode_target, read
from likely.families import FAMILIES, Histogram, MultivariateGaussian, TextMultinomial
from likely.models.folds import score_folds
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Dirichlet

from ..samples import readable, sample_of

EDGES = Histogram(bins=(0.0, 0.5, 1.0, 2.0, 4.0, 30.0))
SAID = {"normal": "gaussian", "skewed": EDGES, "count": "poisson", "word": "categorical", "bit": "bernoulli"}


def mixed(rows=120, seed=0):
    """All kinds of columns with missing cells, a word that only one row has, and a fold that has all of a class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    fold = rng.permutation(rows) % 5
    y[y == 2] = np.where(rng.random((y == 2).sum()) < 0.5, 2, 1)
    fold[y == 2] = 3

    def column(values):
        return pa.array(values, mask=rng.random(rows) < 0.1)

    words = np.array(["a", "b", "c", "d"], object)[(rng.integers(0, 3, rows) + y) % 4]
    words[7] = "alone"
    return (
        pa.table(
            {
                "normal": column(rng.normal(y)),
                "skewed": column(rng.exponential(1 + y)),
                "count": column(rng.poisson(2 + y)),
                "word": pa.array(words),
                "bit": column(rng.random(rows) < 0.2 + 0.3 * y),
            }
        ),
        np.array(["x", "y", "z"])[y],
        fold,
    )


def refitted(take, table, y, fold, weight=None, **options):
    """Scores by a model fitted on the rows of all other folds, with the classes of all."""
    classes, codes = encode_target(y)
    scores = np.empty((len(y), len(classes)))
    for f in np.unique(fold):
        rest, own = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
        part = None if weight is None else np.ascontiguousarray(weight[rest])
        sample = Sample(read(take(table, rest)), np.ascontiguousarray(codes[rest]), classes, part)
        model = NaiveBayesModel(**options).learn(sample)
        scores[own] = model.score(read(take(table, own)))
    return scores


def by_folds(table, y, fold, weight=None, **options):
    return score_folds(NaiveBayesModel(**options), sample_of(table, y, weight), fold)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_prior", ["frequencies", Dirichlet(2.0), "uniform"], ids=repr)
def test_folds_are_refits(weighted, class_prior):
    table, y, fold = mixed()
    weight = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 2.0], len(y)) if weighted else None
    _, scores = by_folds(table, y, fold, weight, families=SAID, class_prior=class_prior)
    expected = refitted(lambda t, rows: t.take(rows), table, y, fold, weight, families=SAID, class_prior=class_prior)
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


def test_the_model_has_learned_all_rows():
    table, y, fold = mixed()
    model, _ = by_folds(table, y, fold, families=SAID)
    whole = NaiveBayesModel(SAID).learn(sample_of(table, y))
    assert_allclose(model.score(read(table)), whole.score(read(table)), rtol=1e-12)


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.reads == "numbers"])
def test_every_family_of_numbers(name):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 90)
    x = readable(name, (rng.random((90, 3)) < 0.2 + 0.2 * y[:, None]).astype(np.float64))
    family = {"histogram": Histogram(bins=(0.0, 0.5, 1.0))}.get(name, FAMILIES[name]())
    family = MultivariateGaussian(shrinkage=(0.1, 0.1)) if name == "multivariate_gaussian" else family
    fold = rng.permutation(90) % 4
    _, scores = by_folds(x, y, fold, families=family)
    assert_allclose(scores, refitted(lambda t, rows: t[rows], x, y, fold, families=family), rtol=1e-9, atol=1e-9)


def test_sparse_rows():
    rng = np.random.default_rng(3)
    y, fold = rng.integers(0, 2, 60), rng.permutation(60) % 3
    x = scipy.sparse.csr_array(rng.poisson(0.5 + y[:, None], (60, 8)))
    _, scores = by_folds(x, y, fold)
    assert_allclose(scores, refitted(lambda t, rows: t[rows], x, y, fold), rtol=1e-9)


def test_texts_know_only_the_words_of_other_folds():
    rng = np.random.default_rng(4)
    y, fold = rng.integers(0, 2, 60), rng.permutation(60) % 3
    words = [f"{'red' if k else 'blue'} {rng.integers(9)} only{i}" for i, k in enumerate(y)]
    table, family = pa.table({"text": words}), TextMultinomial()
    _, scores = by_folds(table, y, fold, families=family)
    assert_allclose(scores, refitted(lambda t, rows: t.take(rows), table, y, fold, families=family), rtol=1e-9)


@pytest.mark.parametrize(
    "fold", [np.zeros(120, int), np.full(120, -1), np.arange(120) - 1], ids=["one", "none", "below"]
)
def test_folds_that_are_none(fold):
    table, y, _ = mixed()
    with pytest.raises(ValueError, match=r"^two folds at least, numbered from 0, are needed, not \["):
        by_folds(table, y, fold, families=SAID)
