"""Naive Bayes: rows that are impossible in some class, and rows that are left out."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from likely.data import read
from likely.engines import threads
from likely.families import Bernoulli, Categorical, Gaussian, Histogram, Multinomial, Poisson
from likely.priors import MaximumLikelihood

from ..samples import sample_of
from .tables import RNG, learned

# Impossible rows


IMPOSSIBLE = {
    "categorical": (Categorical(MaximumLikelihood()), [["x"], ["y"], ["y"]], [["z"]]),
    "bernoulli": (Bernoulli(MaximumLikelihood()), [[1, 0], [0, 1], [0, 1]], [[1, 1]]),
    "poisson": (Poisson(MaximumLikelihood()), [[0, 1], [1, 0], [2, 0]], [[3, 3]]),
    "multinomial": (Multinomial(MaximumLikelihood()), [[0, 1], [1, 0], [2, 0]], [[3, 3]]),
    "histogram": (Histogram(MaximumLikelihood(), bins=(0, 1, 2, 3)), [[0.5], [2.5], [2.5]], [[1.5]]),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_row_that_is_impossible_in_every_class(name):
    family, x, row = IMPOSSIBLE[name]
    model = learned(x, ["a", "b", "b"], families=family)
    assert model.score(read(row)).tolist() == [[-np.inf, -np.inf]]
    assert_allclose(model.predict_proba(read(row)), [[1 / 3, 2 / 3]], rtol=1e-12)
    assert_allclose(model.predict_proba(read(row), log=True), np.log([[1 / 3, 2 / 3]]), rtol=1e-12)
    assert model.predict(read(row)).tolist() == ["b"]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_row_that_is_impossible_in_one_class(name):
    family, x, _ = IMPOSSIBLE[name]
    model = learned(x, ["a", "b", "b"], families=family)
    scores = model.score(read([x[0]]))
    assert np.isfinite(scores[0, 0])
    assert scores[0, 1] == -np.inf
    assert model.predict_proba(read([x[0]])).tolist() == [[1, 0]]


@pytest.mark.parametrize("family", [Bernoulli(MaximumLikelihood()), Multinomial(MaximumLikelihood())], ids=repr)
def test_impossible_rows_of_a_sparse_matrix_are_those_of_a_dense_one(family):
    x, y = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]), [0, 0, 1, 1]
    rows = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    dense = learned(x, y, families=family).score(read(rows))
    sparse = learned(scipy.sparse.csr_array(x), y, families=family).score(read(scipy.sparse.csr_array(rows)))
    assert np.isneginf(dense).any()
    assert_allclose(sparse, dense, rtol=1e-12)


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 1.5])
def test_a_threshold_means_the_same_for_a_sparse_matrix(threshold):
    x, y = RNG.integers(0, 4, (20, 3)), np.arange(20) % 2
    sparse, family = scipy.sparse.csr_array(x), Bernoulli(threshold=threshold)
    dense_scores = learned(x, y, families=family).score(read(x))
    assert_allclose(learned(sparse, y, families=family).score(read(sparse)), dense_scores, rtol=1e-12)


def test_a_class_prior_of_zero_rules_the_class_out():
    model = learned([[1.0], [2.0]], ["a", "b"], class_prior=(0.0, 1.0))
    assert model.predict_proba(read([[1.0]])).tolist() == [[0, 1]]


# Left out


LEFT_OUT = {
    "bernoulli": (Bernoulli(), RNG.integers(0, 2, (12, 3)).astype(float)),
    "poisson": (Poisson(), RNG.poisson(2, (12, 3)).astype(float)),
    "gaussian": (Gaussian(), RNG.normal(size=(12, 3))),
    "multinomial": (Multinomial(), RNG.poisson(2, (12, 3)).astype(float)),
    "histogram": (Histogram(bins=(-9.0, -0.5, 0.5, 9.0)), RNG.normal(size=(12, 3))),
    "sparse bernoulli": (Bernoulli(), scipy.sparse.csr_array(RNG.integers(0, 2, (12, 3)).astype(float))),
    "sparse multinomial": (Multinomial(), scipy.sparse.csr_array(RNG.poisson(1, (12, 3)).astype(float))),
}
Y12 = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])


@pytest.mark.parametrize("name", LEFT_OUT)
def test_scores_left_out_are_those_of_a_model_without_the_row(name):
    family, x = LEFT_OUT[name]
    model = learned(x, Y12, families=family)
    left_out = model.loo_scores(sample_of(x, Y12))
    for i in range(12):
        others = np.delete(np.arange(12), i)
        without = learned(x[others], Y12[others], families=family)
        assert_allclose(left_out[i], without.score(read(x[[i]]))[0], rtol=1e-9, atol=1e-9)


def test_scores_left_out_of_one_row_are_no_nan():
    model = learned([[1.0, 2.0]], ["a"], families="gaussian")
    assert not np.isnan(model.loo_scores(sample_of([[1.0, 2.0]], ["a"]))).any()


def test_scores_left_out_of_a_mixed_table():
    table = pa.table({"n": [1, 0, 3, 2, 5, 1], "t": ["x", "y", "x", "y", "y", "x"], "b": [True, None, False] * 2})
    y = np.array([0, 0, 0, 1, 1, 1])
    model = learned(table, y, families={"n": "poisson"})
    left_out = model.loo_scores(sample_of(table, y))
    for i in range(6):
        others = np.delete(np.arange(6), i)
        without = learned(table.take(others), y[others], families={"n": "poisson"})
        assert_allclose(left_out[i], without.score(read(table.slice(i, 1)))[0], rtol=1e-12)


def test_pieces_do_not_change_left_out_scores(monkeypatch):
    x, y = RNG.normal(size=(200, 3)), RNG.integers(0, 2, 200)
    model, sample = learned(x, y), sample_of(x, y)
    whole = model.loo_scores(sample)
    monkeypatch.setattr(threads, "PIECE", 1000)
    monkeypatch.setattr(threads, "count", lambda: 2)
    assert_allclose(model.loo_scores(sample), whole, rtol=1e-14)


# Categories that one row alone has


def test_without_categories_of_one_row_nothing_changes():
    x, y = np.array([["a", "p"], ["b", "q"]] * 30, object), np.arange(60) % 3
    model, scores = learned(x, y, families="categorical"), np.zeros((60, 3))
    assert model.unlearn_own_categories(sample_of(x, y), scores) == 0
    assert not scores.any()


def test_rows_with_a_category_of_their_own_are_counted_once():
    x, y = np.array([["a", "b"]] * 58 + [["x", "y"], ["a", "z"]], object), np.arange(60) % 3
    model, scores = learned(x, y, families="categorical"), np.zeros((60, 3))
    assert model.unlearn_own_categories(sample_of(x, y), scores) == 2
    assert np.flatnonzero(scores.any(axis=1)).tolist() == [58, 59]
