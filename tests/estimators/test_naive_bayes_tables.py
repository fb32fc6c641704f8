"""NaiveBayes on tables, labels and weights of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from likely import NaiveBayes
from likely.families import Categorical, Gaussian

from ..samples import readable
from .cases import COUNTS, OF_CELLS, SAID, X, Y, mixed, same_scores

# Tables of every kind


SOURCES = {
    "pandas": lambda frame: frame,
    "pandas with an index": lambda frame: frame.set_index(np.arange(len(frame))[::-1]),
    "pandas categories": lambda frame: frame.astype({"word": "category"}),
    "pandas nullable": lambda frame: frame.convert_dtypes(),
    "polars": pl.from_pandas,
    "polars categories": lambda frame: pl.from_pandas(frame).with_columns(pl.col("word").cast(pl.Categorical)),
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "pyarrow chunks": lambda frame: pa.concat_tables(
        [pa.Table.from_pandas(part, preserve_index=False) for part in (frame[:7], frame[7:])]
    ),
}


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_table_from_anywhere(source):
    table = SOURCES[source](mixed())
    nb = NaiveBayes(SAID).fit(table, Y)
    assert nb.feature_names_in_.tolist() == ["word", "number", "count", "flag"]
    assert nb.n_features_in_ == 4
    same_scores(nb, NaiveBayes(SAID).fit(mixed(), Y), table, rtol=0)


def test_a_category_that_no_row_has_changes_nothing():
    words = mixed()[["word"]]
    categories = pd.DataFrame({"word": pd.Categorical(words["word"], categories=["x", "y", "z", "never"])})
    one, other = NaiveBayes().fit(words, Y), NaiveBayes().fit(categories, Y)
    assert_allclose(other.predict_joint_log_proba(categories), one.predict_joint_log_proba(words), rtol=1e-12)


def test_a_list_of_rows():
    rows = [["x", 1.5], ["y", 2.5], ["x", 0.5]]
    nb = NaiveBayes({1: "gaussian"}).fit(rows, [0, 1, 1])
    assert nb.families_ == {0: Categorical(), 1: Gaussian()}
    assert nb.predict(rows).shape == (3,)
    assert not hasattr(nb, "feature_names_in_")


@pytest.mark.parametrize("family", ["multinomial", "bernoulli", "complement", "gaussian", "poisson", "categorical"])
@pytest.mark.parametrize("format_", [scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_array])
def test_sparse_is_dense_with_zeros_left_out(family, format_):
    dense = (COUNTS > 2).astype(float) if family == "bernoulli" else COUNTS.astype(float)
    sparse = format_(dense)
    nb = NaiveBayes(family).fit(sparse, Y)
    reference = NaiveBayes(family).fit(dense, Y)
    assert_allclose(nb.predict_joint_log_proba(sparse), reference.predict_joint_log_proba(dense), rtol=1e-12)
    assert_allclose(nb.predict_joint_log_proba(dense), reference.predict_joint_log_proba(dense), rtol=1e-12)
    assert nb.predict(sparse).tolist() == reference.predict(dense).tolist()


def test_a_sparse_matrix_out_of_order_is_left_alone():
    data, indices, indptr = np.array([1.0, 3.0, 3.0, 4.0]), np.array([1, 0, 1, 1]), np.array([0, 2, 4])
    matrix = scipy.sparse.csr_matrix((data, indices, indptr), shape=(2, 2))
    nb = NaiveBayes().fit(matrix, [0, 1])
    assert matrix.data.tolist() == [1, 3, 3, 4]
    assert matrix.indices.tolist() == [1, 0, 1, 1]
    same_scores(nb, NaiveBayes("multinomial").fit(np.array([[3.0, 1.0], [0.0, 7.0]]), [0, 1]), np.eye(2))


def test_float32_is_read_as_exactly_as_float64():
    single = X.astype(np.float32)
    for family in ("gaussian", "histogram", "auto"):
        one, other = NaiveBayes(family).fit(single, Y), NaiveBayes(family).fit(single.astype(np.float64), Y)
        assert np.array_equal(one.predict_joint_log_proba(single), other.predict_joint_log_proba(single))
        assert one.predict_proba(single).dtype == np.float64


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda x: np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2],
        lambda x: np.ascontiguousarray(x[::-1])[::-1],
        lambda x: x.astype(">f8"),
        lambda x: np.array(x, object),
    ],
    ids=["columns", "strided", "backwards", "big-endian", "objects"],
)
@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram", "categorical"])
def test_layout_does_not_matter(layout, family):
    one, other = NaiveBayes(family).fit(layout(X), Y), NaiveBayes(family).fit(X, Y)
    assert np.array_equal(one.predict_joint_log_proba(layout(X)), other.predict_joint_log_proba(X))


def test_memory_maps_and_read_only_arrays(tmp_path, rng):
    weight = rng.uniform(0.5, 2, 60)
    mapped = []
    for name, array in (("x", X), ("y", np.arange(60) % 3), ("w", weight)):
        np.save(tmp_path / f"{name}.npy", array)
        mapped.append(np.load(tmp_path / f"{name}.npy", mmap_mode="r"))
    nb = NaiveBayes().fit(*mapped)
    reference = NaiveBayes().fit(X, np.arange(60) % 3, weight)
    assert np.array_equal(nb.predict_joint_log_proba(mapped[0]), reference.predict_joint_log_proba(X))


# Labels


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (["b", "a", "b"], str),
        (np.array(["b", "a", "b"], object), str),
        (np.array(["b", "a", "b"], np.dtypes.StringDType()), str),
        (pd.Series(["b", "a", "b"], dtype="category"), str),
        (pl.Series(["b", "a", "b"]), str),
        (pa.array(["b", "a", "b"]), str),
        (pa.chunked_array([["b"], ["a", "b"]]), str),
        ([7, 3, 7], int),
        (np.array([7, 3, 7], np.uint8), int),
        (pa.array([7, 3, 7]), int),
        ([7.0, 3.0, 7.0], float),
        ([True, False, True], bool),
        (pa.array([True, False, True]), bool),
    ],
    ids=lambda v: type(v).__name__,
)
def test_labels_come_back_as_they_were(y, kind):
    nb = NaiveBayes("gaussian").fit([[5.0], [-5.0], [6.0]], y)
    expected = y.to_pylist() if isinstance(y, (pa.Array, pa.ChunkedArray)) else list(y)
    assert nb.classes_.tolist() == sorted(set(expected))
    assert nb.predict([[5.5], [-5.0]]).tolist() == [expected[0], expected[1]]
    assert all(isinstance(label, kind) for label in nb.predict([[5.5]]).tolist())


def test_labels_longer_than_those_before():
    nb = NaiveBayes("gaussian").partial_fit([[0.0], [0.5]], np.array(["a", "a"]))
    nb.partial_fit([[9.0], [9.5]], np.array(["a much longer label"] * 2))
    assert nb.predict([[9.2], [0.2]]).tolist() == ["a much longer label", "a"]


# Weights


@pytest.mark.parametrize("family", OF_CELLS)
def test_weight_two_is_the_row_twice(family, rng):
    x = (COUNTS > 2).astype(int) if family == "bernoulli" else readable(family, COUNTS)
    weight = rng.integers(1, 4, 60)
    once = NaiveBayes(family).fit(x, Y, sample_weight=weight)
    repeated = NaiveBayes(family).fit(np.repeat(x, weight, axis=0), np.repeat(Y, weight))
    same_scores(once, repeated, x, rtol=1e-9)


@pytest.mark.parametrize("family", OF_CELLS)
def test_a_row_that_weighs_nothing_is_not_there(family):
    x = (COUNTS > 2).astype(int) if family == "bernoulli" else readable(family, COUNTS).copy()
    x[0] = 1 if family == "bernoulli" else 99
    weight = np.ones(60)
    weight[0] = 0
    same_scores(NaiveBayes(family).fit(x, Y, weight), NaiveBayes(family).fit(x[1:], Y[1:]), x[1:], rtol=1e-9)


def test_one_weight_for_all_rows():
    nb = NaiveBayes("gaussian").fit(X, Y, sample_weight=2)
    assert nb.class_count_.tolist() == [40, 40, 40]


def test_weights_in_any_container(rng):
    weight = rng.uniform(0.5, 2, 60)
    reference = NaiveBayes("gaussian").fit(X, Y, weight)
    for container in (list, pd.Series, pl.Series, lambda w: w.astype(">f8"), lambda w: np.repeat(w, 2)[::2]):
        same_scores(NaiveBayes("gaussian").fit(X, Y, container(weight)), reference, X, rtol=0)
