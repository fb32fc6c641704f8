"""A number as it is: counted as Gaussian, a feature of its own, and of a sparse matrix not standardised."""

import numpy as np
from scipy import sparse

from likely import LogisticRegression
from likely.families import FAMILIES, Gaussian, Number, SparseNumber

from .blocks import counted, observed, scored

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 60)
X = RNG.normal(Y[:, None], 1.0, (60, 3))


def test_it_counts_and_scores_as_gaussian():
    block, plain = counted(Number(), observed(X, Y)), counted(Gaussian(), observed(X, Y))
    np.testing.assert_array_equal(scored(block, X), scored(plain, X))


def test_its_square_is_no_feature():
    assert LogisticRegression(families=Number()).fit(X, Y).features_ == [(0, None), (1, None), (2, None)]
    assert len(LogisticRegression(families=Gaussian()).fit(X, Y).features_) == 6


def test_a_sparse_matrix_stays_as_it_is():
    x = np.where(X > 0.5, X, 0.0)
    dense = LogisticRegression(standardize=False).fit(x, Y)
    found = LogisticRegression().fit(sparse.csr_array(x), Y)
    np.testing.assert_allclose(found.coef_, dense.coef_, rtol=1e-4)
    assert SparseNumber().feature_scale(counted(Number(), observed(X, Y))) is None


def test_neither_is_one_that_a_model_names():
    assert not {Number, SparseNumber} & set(FAMILIES.values())
