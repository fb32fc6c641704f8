"""Features by hand and by scikit-learn's encoders, what is missing, and units."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from likely.data import read
from likely.families import Gaussian, Histogram, MultivariateGaussian, TextMultinomial
from likely.models.logistic.regression import LogisticModel
from likely.text import Tokens

from ...samples import sample_of


def learned(x, y, **options):
    return LogisticModel(**options).learn(sample_of(x, y))


def matrix(model, x):
    """All features, standardised."""
    table = read(x)
    found, means, scales = model.design.matrix(table, slice(0, table.rows))
    found = found.toarray() if sp.issparse(found) else np.asarray(found, float)
    return found if means is None else (found - means) / scales


RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 60)
FRAME = pd.DataFrame(
    {
        "size": RNG.normal(50, 9, 60),
        "count": RNG.poisson(3, 60),
        "kind": RNG.choice(["a", "b", "c"], 60),
        "open": RNG.random(60) < 0.4,
    }
)


def test_numbers_are_standardised_and_categories_are_indicators():
    model = learned(FRAME, Y)
    found = dict(zip(model.design.features, matrix(model, FRAME).T, strict=True))
    numbers = StandardScaler().fit_transform(FRAME[["size", "count", "open"]].astype(float))
    for column, name in zip(numbers.T, ("size", "count", "open"), strict=True):
        assert_allclose(found[name, None], column, atol=1e-9)
    one_hot = OneHotEncoder(sparse_output=False).fit_transform(FRAME[["kind"]])
    for column, value in zip(one_hot.T, "abc", strict=True):
        assert_allclose(found["kind", value], column)
    assert len(found) == 6


def test_a_family_says_what_the_features_are():
    families = {"size": Gaussian(), "count": Histogram(bins=(-0.5, 1.5, 3.5, 20.0)), "open": "bernoulli"}
    model = learned(FRAME, Y, families=families)
    found = dict(zip(model.design.features, matrix(model, FRAME).T, strict=True))
    z = StandardScaler().fit_transform(FRAME[["size"]])[:, 0]
    assert_allclose(found["size", None], z)
    assert_allclose(found["size", "squared"], z**2)
    count = FRAME["count"].to_numpy()
    for low, high in ((-0.5, 1.5), (1.5, 3.5), (3.5, 20.0)):
        assert_allclose(found["count", (low, high)], (count > low) & (count < high))
    assert_allclose(found["open", None], FRAME["open"])


def test_words_are_counted():
    texts = ["red fish", "blue fish fish", "red red bird", "", "blue bird"]
    model = learned(texts, [0, 1, 0, 1, 1], families=TextMultinomial(Tokens()))
    counter = CountVectorizer(token_pattern=r"\w\w+").fit(texts)
    expected = counter.transform(texts).toarray()
    found = matrix(model, texts)
    for j, (_, word) in enumerate(model.design.features):
        assert_allclose(found[:, j], expected[:, counter.vocabulary_[word]])


@pytest.mark.parametrize("options", [{}, {"shrink_to": "naive_bayes"}], ids=["alone", "from naive Bayes"])
def test_what_is_missing_is_the_mean_and_has_an_indicator(options):
    holes = FRAME.copy()
    holes.loc[3, "size"] = np.nan
    holes.loc[5, "kind"] = None
    model = learned(holes, Y, **options)
    found = dict(zip(model.design.features, matrix(model, holes).T, strict=True))
    assert found["size missing", None].nonzero()[0].tolist() == [3]
    assert found["kind missing", None].nonzero()[0].tolist() == [5]
    assert ("count missing", None) not in found
    for name, column in found.items():
        if name[0] == "size" and name[1] != "missing":
            assert column[3] == 0
        if name[0] == "kind" and name[1] != "missing":
            assert column[5] == 0


def test_what_is_missing_later_is_the_mean():
    model = learned(FRAME, Y)
    later = FRAME.head(2).copy()
    later.loc[0, "size"] = np.nan
    later.loc[1, "kind"] = "never seen"
    found = dict(zip(model.design.features, matrix(model, later).T, strict=True))
    assert found["size", None][0] == 0
    assert [found["kind", value][1] for value in "abc"] == [0, 0, 0]


def test_missing_cells_can_be_refused():
    holes = FRAME.copy()
    holes.loc[7, "kind"] = None
    with pytest.raises(ValueError, match="column 'kind' has missing cells"):
        learned(holes, Y, missing="refuse")
    learned(FRAME, Y, missing="refuse")


def test_columns_that_vary_together_are_refused():
    with pytest.raises(ValueError, match="reads columns one by one"):
        learned(FRAME[["size", "count"]], Y, families=MultivariateGaussian())


def test_dense_and_sparse_features_are_the_same(monkeypatch):
    from likely.models.logistic import design

    dense = learned(FRAME, Y, families="auto")
    monkeypatch.setattr(design, "MOST_CELLS", 0)
    sparse = learned(FRAME, Y, families="auto")
    assert dense.design.dense
    assert not sparse.design.dense
    assert_allclose(matrix(sparse, FRAME), matrix(dense, FRAME))


@pytest.mark.parametrize("squares", [False, True])
def test_weights_in_the_columns_own_units_give_the_same_scores(squares):
    families = {"size": Gaussian()} if squares else None
    model = learned(FRAME, Y, families=families)
    weights, bias = model.weights
    columns = [
        FRAME[name].astype(float) ** (2 if value == "squared" else 1)
        if value in (None, "squared")
        else FRAME[name] == value
        for name, value in model.design.features
    ]
    scores = np.column_stack(columns).astype(float) @ weights[0] + bias[0]
    assert_allclose(scores, model.score(read(FRAME))[:, 1], atol=1e-9)


@pytest.mark.parametrize("part", [1, 200, 1 << 20])
def test_compact_rows_are_the_same_in_half_the_bytes(part, monkeypatch):
    monkeypatch.setattr("likely.models.logistic.design.PART", part)
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{word}" for word in rng.integers(0, 50, size)) for size in rng.integers(0, 40, 60)]
    model = LogisticModel(None, shrink_to="naive_bayes").learn(sample_of(texts, np.arange(60) % 3))
    table = read(texts)
    found, expected = model.design.compact(table), model.design.matrix(table, slice(0, 60))[0]
    assert (found.data.dtype, found.indices.dtype, found.indptr.dtype) == (np.float32, np.int32, np.int32)
    assert_allclose(found.toarray(), expected.toarray(), rtol=1e-6)
