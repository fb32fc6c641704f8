"""NaiveBayes as scikit-learn's users meet it."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import NaiveBayes, merge
from likely.families import FAMILIES, Bernoulli, Categorical, Gaussian, Histogram, Multinomial, Poisson
from likely.models.describe import Description, Linear
from likely.models.explain import Explanation
from likely.priors import Beta, Dirichlet, Laplace, MaximumLikelihood

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


@parametrize_with_checks(
    [
        NaiveBayes(),
        NaiveBayes("gaussian"),
        NaiveBayes("histogram"),
        NaiveBayes(Bernoulli(threshold=0.0)),
        NaiveBayes("categorical"),
        NaiveBayes("multinomial"),
        NaiveBayes("complement"),
        NaiveBayes(missing="value"),
        NaiveBayes(missing="auto", class_prior="uniform"),
    ]
)
def test_what_scikit_learn_asks_of_a_classifier(estimator, check):
    check(estimator)


RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) + np.arange(60)[:, None] % 3
Y = np.array(["a", "b", "c"])[np.arange(60) % 3]
COUNTS = RNG.poisson(2, (60, 3))


def mixed(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "word": rng.choice(["x", "y", "z"], n),
            "number": rng.normal(size=n),
            "count": rng.poisson(3, n),
            "flag": rng.random(n) < 0.5,
        }
    )


SAID = {"number": "gaussian", "count": "poisson"}


def same_scores(one, other, x, rtol=1e-12):
    assert one.classes_.tolist() == other.classes_.tolist()
    assert_allclose(one.predict_joint_log_proba(x), other.predict_joint_log_proba(x), rtol=rtol)


# Answers


def test_answers_agree_with_each_other():
    nb = NaiveBayes().fit(X, Y)
    joint = nb.predict_joint_log_proba(X)
    assert joint.shape == (60, 3)
    assert_allclose(nb.predict_proba(X), np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), rtol=1e-12)
    assert_allclose(nb.predict_log_proba(X), np.log(nb.predict_proba(X)), rtol=1e-12)
    assert nb.predict(X).tolist() == nb.classes_[joint.argmax(axis=1)].tolist()
    assert nb.score(X, Y) == np.mean(nb.predict(X) == Y)


def test_the_likelihood_of_a_data_set_is_the_sum_of_its_scores():
    nb = NaiveBayes().fit(X, Y)
    own = nb.predict_joint_log_proba(X)[np.arange(60), np.arange(60) % 3]
    weight = RNG.integers(0, 3, 60)
    assert_allclose(nb.log_likelihood(X, Y), own.sum(), rtol=1e-13)
    assert_allclose(nb.log_likelihood(X, Y, sample_weight=weight), own @ weight, rtol=1e-13)


def test_the_likelihood_of_an_impossible_row_that_weighs_nothing():
    nb = NaiveBayes(Categorical(MaximumLikelihood())).fit([["x"], ["y"]], [0, 1])
    assert nb.log_likelihood([["x"], ["z"]], [0, 1], sample_weight=[1, 0]) == np.log(0.5)
    assert nb.log_likelihood([["x"], ["z"]], [0, 1]) == -np.inf


def test_impossible_rows_get_the_prior():
    nb = NaiveBayes(Categorical(MaximumLikelihood())).fit([["x"], ["y"], ["y"]], ["a", "b", "b"])
    assert nb.predict_joint_log_proba([["z"]]).tolist() == [[-np.inf, -np.inf]]
    assert_allclose(nb.predict_proba([["z"]]), [[1 / 3, 2 / 3]], rtol=1e-12)
    assert nb.predict([["z"]]).tolist() == ["b"]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (NaiveBayes(Gaussian(MaximumLikelihood())), GaussianNB(var_smoothing=0)),
        (NaiveBayes(Bernoulli(threshold=1.5)), BernoulliNB(binarize=1.5)),
        (NaiveBayes(Multinomial()), MultinomialNB()),
    ],
    ids=lambda nb: type(nb).__name__,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_agreement_with_scikit_learn(mine, theirs, weighted):
    weight = RNG.uniform(0.5, 2, 60) if weighted else None
    mine.fit(COUNTS, Y, sample_weight=weight)
    theirs.fit(COUNTS, Y, sample_weight=weight)
    assert_allclose(mine.predict_joint_log_proba(COUNTS), theirs.predict_joint_log_proba(COUNTS), rtol=1e-10)
    assert mine.classes_.tolist() == theirs.classes_.tolist()
    assert_allclose(mine.class_count_, theirs.class_count_, rtol=1e-15)


def test_a_mixed_table_is_the_product_of_its_columns():
    frame, y = mixed(), Y
    nb = NaiveBayes(SAID).fit(frame, y)
    prior = np.log(nb.class_count_ / 60)
    total = prior + sum(
        NaiveBayes(family).fit(frame[[name]], y).predict_joint_log_proba(frame[[name]]) - prior
        for name, family in nb.families_.items()
    )
    assert_allclose(nb.predict_joint_log_proba(frame), total, rtol=1e-12)
    assert nb.families_ == {"word": Categorical(), "number": Gaussian(), "count": Poisson(), "flag": Bernoulli()}


def test_an_unseen_category_gets_the_mass_kept_for_it():
    nb = NaiveBayes().fit([["x"], ["x"], ["y"]], [0, 0, 1])
    expected = np.log([2 / 3, 1 / 3]) + np.log([1 / 5, 1 / 4])
    assert_allclose(nb.predict_joint_log_proba([["never"]]), [expected], rtol=1e-14)


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("frequencies", [0.75, 0.25]),
        ("uniform", [0.5, 0.5]),
        ([0.1, 0.9], [0.1, 0.9]),
        ({"b": 0.9, "a": 0.1}, [0.1, 0.9]),
        (Dirichlet(1.0), [4 / 6, 2 / 6]),
    ],
    ids=repr,
)
def test_class_priors(prior, expected):
    nb = NaiveBayes("gaussian", class_prior=prior).fit([[1.0], [2.0], [3.0], [2.0]], ["a", "a", "a", "b"])
    assert_allclose(nb.predict_proba([[np.nan]]), [expected], rtol=1e-12)


@pytest.mark.parametrize(("sentinel", "cell"), [("?", "?"), (-999, -999), (None, None)])
def test_a_sentinel_is_a_missing_cell(sentinel, cell):
    kind = "categorical" if sentinel == "?" else "gaussian"
    good = [["x"], ["y"], ["y"]] if kind == "categorical" else [[1.0], [2.0], [3.0]]
    nb = NaiveBayes(kind, missing_values=sentinel).fit([*good, [cell]], ["a", "b", "b", "b"])
    alone = NaiveBayes(kind, class_prior=[0.25, 0.75]).fit(good, ["a", "b", "b"])
    assert_allclose(nb.predict_joint_log_proba(good), alone.predict_joint_log_proba(good), rtol=1e-12)
    assert_allclose(nb.predict_proba([[cell], *good])[0], [0.25, 0.75], rtol=1e-12)


def test_a_row_of_holes_alone_gets_the_class_prior():
    nb = NaiveBayes(SAID).fit(mixed(), Y)
    row = pd.DataFrame({"word": [None], "number": [None], "count": [None], "flag": [None]})
    assert_allclose(nb.predict_proba(row), [[1 / 3, 1 / 3, 1 / 3]], rtol=1e-12)


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


def test_memory_maps_and_read_only_arrays(tmp_path):
    weight = RNG.uniform(0.5, 2, 60)
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
def test_weight_two_is_the_row_twice(family):
    x = (COUNTS > 2).astype(int) if family == "bernoulli" else COUNTS
    weight = RNG.integers(1, 4, 60)
    once = NaiveBayes(family).fit(x, Y, sample_weight=weight)
    repeated = NaiveBayes(family).fit(np.repeat(x, weight, axis=0), np.repeat(Y, weight))
    same_scores(once, repeated, x, rtol=1e-9)


@pytest.mark.parametrize("family", OF_CELLS)
def test_a_row_that_weighs_nothing_is_not_there(family):
    x = (COUNTS > 2).astype(int) if family == "bernoulli" else COUNTS.copy()
    x[0] = 1 if family == "bernoulli" else 99
    weight = np.ones(60)
    weight[0] = 0
    same_scores(NaiveBayes(family).fit(x, Y, weight), NaiveBayes(family).fit(x[1:], Y[1:]), x[1:], rtol=1e-9)


def test_one_weight_for_all_rows():
    nb = NaiveBayes("gaussian").fit(X, Y, sample_weight=2)
    assert nb.class_count_.tolist() == [40, 40, 40]


def test_weights_in_any_container():
    weight = RNG.uniform(0.5, 2, 60)
    reference = NaiveBayes("gaussian").fit(X, Y, weight)
    for container in (list, pd.Series, pl.Series, lambda w: w.astype(">f8"), lambda w: np.repeat(w, 2)[::2]):
        same_scores(NaiveBayes("gaussian").fit(X, Y, container(weight)), reference, X, rtol=0)


# Learning more and less


@pytest.mark.parametrize("family", [*(name for name in OF_CELLS if name != "histogram"), Histogram(bins=(0, 1, 2, 9))])
def test_partial_fit_in_parts_is_fit(family):
    x = (COUNTS > 2).astype(int) if family == "bernoulli" else COUNTS
    parts = NaiveBayes(family)
    for rows in (slice(0, 1), slice(1, 20), slice(20, 60)):
        assert parts.partial_fit(x[rows], Y[rows]) is parts
    same_scores(parts, NaiveBayes(family).fit(x, Y), x, rtol=1e-9)
    assert parts.class_count_.tolist() == [20, 20, 20]


def test_partial_fit_may_begin_with_one_class():
    nb = NaiveBayes("gaussian").partial_fit([[0.0], [1.0]], ["b", "b"])
    assert nb.predict_proba([[0.5]]).tolist() == [[1]]
    nb.partial_fit([[9.0], [10.0]], ["a", "a"])
    assert nb.classes_.tolist() == ["a", "b"]
    assert nb.predict([[0.5], [9.5]]).tolist() == ["b", "a"]


def test_partial_fit_may_name_classes_to_come():
    nb = NaiveBayes("gaussian").partial_fit([[0.0], [1.0]], [1, 1], classes=[2, 0, 1])
    assert nb.classes_.tolist() == [0, 1, 2]
    assert nb.class_count_.tolist() == [0, 2, 0]
    assert nb.predict([[0.5]]).tolist() == [1]
    assert nb.predict_proba([[0.5]]).tolist() == [[0, 1, 0]]


def test_partial_fit_takes_new_categories():
    nb = NaiveBayes().partial_fit([["x"], ["y"]], [0, 1]).partial_fit([["z"], [None]], [0, 1])
    same_scores(nb, NaiveBayes().fit([["x"], ["y"], ["z"], [None]], [0, 1, 0, 1]), [["x"], ["z"], ["w"]])


def test_partial_fit_of_text_that_is_missing_throughout():
    nb = NaiveBayes().partial_fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    nb.partial_fit(pd.DataFrame({"a": [None, None]}), [0, 1])
    assert nb.class_count_.tolist() == [2, 2]
    assert_allclose(nb.predict_proba(pd.DataFrame({"a": ["x"]})), [[2 / 3, 1 / 3]], rtol=1e-12)


def test_partial_fit_of_numbers_after_nothing_but_holes():
    nb = NaiveBayes("categorical").partial_fit(np.array([[None], [None]], object), [0, 1])
    nb.partial_fit([[1], [2]], [0, 1])
    assert_allclose(nb.predict_proba([[1], [2]]), [[2 / 3, 1 / 3], [1 / 3, 2 / 3]], rtol=1e-12)


def test_fit_forgets_what_was_there():
    nb = NaiveBayes("gaussian").fit(X, Y).fit(X[:, :2], np.arange(60) % 2)
    assert nb.n_features_in_ == 2
    assert nb.classes_.tolist() == [0, 1]
    same_scores(nb, NaiveBayes("gaussian").fit(X[:, :2], np.arange(60) % 2), X[:, :2], rtol=0)


def test_forget_is_the_inverse_of_partial_fit():
    frame = mixed()
    nb = NaiveBayes(SAID).fit(frame, Y)
    assert nb.forget(frame[20:], Y[20:]) is nb
    reference = NaiveBayes(SAID).fit(frame[:20], Y[:20])
    same_scores(nb, reference, frame, rtol=1e-9)
    assert nb.class_count_.tolist() == reference.class_count_.tolist()


def test_forget_takes_weights():
    weight = RNG.uniform(0.5, 2, 60)
    nb = NaiveBayes("gaussian").fit(X, Y, weight).forget(X[20:], Y[20:], weight[20:])
    same_scores(nb, NaiveBayes("gaussian").fit(X[:20], Y[:20], weight[:20]), X, rtol=1e-9)


def test_forgetting_a_category_takes_its_mass_back():
    rows, y = [["x"], ["y"], ["x"]], [0, 1, 1]
    nb = NaiveBayes().fit(rows, y).partial_fit([["z"]], [0]).forget([["z"]], [0])
    same_scores(nb, NaiveBayes().fit(rows, y), rows)


def test_forgetting_a_class():
    nb = NaiveBayes("gaussian").fit(X, Y).forget(X[Y == "a"], Y[Y == "a"])
    assert nb.class_count_.tolist() == [0, 20, 20]
    reference = NaiveBayes("gaussian").fit(X[Y != "a"], Y[Y != "a"])
    assert_allclose(nb.predict_proba(X)[:, 1:], reference.predict_proba(X), rtol=1e-9, atol=1e-15)
    assert "a" not in nb.predict(X)


@pytest.mark.parametrize("family", ["gaussian", "poisson", "bernoulli", "categorical", "multinomial", "histogram"])
def test_forgetting_everything_leaves_no_nan(family):
    x = (COUNTS > 2).astype(int)
    nb = NaiveBayes(family).fit(x, Y).forget(x, Y)
    assert nb.class_count_.tolist() == [0, 0, 0]
    try:
        assert not np.isnan(nb.predict_proba(x)).any()
    except ValueError as error:
        assert "learned" in str(error)  # noqa: PT017 - a sentence is as good as the even prior


def test_merge_is_learning_both():
    frame = mixed()
    one, other = NaiveBayes(SAID).fit(frame[:25], Y[:25]), NaiveBayes(SAID).fit(frame[25:], Y[25:])
    before = other.predict_joint_log_proba(frame)
    assert one.merge(other) is one
    same_scores(one, NaiveBayes(SAID).fit(frame, Y), frame, rtol=1e-9)
    assert np.array_equal(other.predict_joint_log_proba(frame), before)


def test_merge_takes_new_classes_and_categories():
    one = NaiveBayes().fit([["x"], ["y"]], ["b", "b"]).merge(NaiveBayes().fit([["w"], ["z"]], ["a", "c"]))
    reference = NaiveBayes().fit([["x"], ["y"], ["w"], ["z"]], ["b", "b", "a", "c"])
    same_scores(one, reference, [["x"], ["w"], ["q"]])


def test_merge_of_many_leaves_them_as_they_were():
    parts = [NaiveBayes("gaussian").fit(X[i::3], Y[i::3]) for i in range(3)]
    before = [part.predict_joint_log_proba(X) for part in parts]
    merged = merge(part for part in parts)
    same_scores(merged, NaiveBayes("gaussian").fit(X, Y), X, rtol=1e-9)
    for part, scores in zip(parts, before, strict=True):
        assert np.array_equal(part.predict_joint_log_proba(X), scores)


def test_merge_of_one_is_a_copy():
    nb = NaiveBayes("gaussian").fit(X, Y)
    merged = merge([nb])
    assert merged is not nb
    merged.forget(X[:5], Y[:5])
    assert nb.class_count_.tolist() == [20, 20, 20]


def test_decay_lets_old_rows_fade():
    nb = NaiveBayes("poisson").fit(COUNTS, Y)
    assert nb.decay(0.5) is nb
    assert nb.class_count_.tolist() == [10, 10, 10]
    same_scores(nb, NaiveBayes("poisson").fit(COUNTS, Y, sample_weight=0.5), COUNTS)


def test_decay_by_one_changes_nothing():
    nb, reference = NaiveBayes(SAID).fit(mixed(), Y).decay(1), NaiveBayes(SAID).fit(mixed(), Y)
    same_scores(nb, reference, mixed(), rtol=0)


def test_decay_then_learning_weighs_the_new_rows_more():
    nb = NaiveBayes("gaussian").fit(X[:30], Y[:30]).decay(0.25).partial_fit(X[30:], Y[30:])
    weight = np.repeat([0.25, 1.0], 30)
    same_scores(nb, NaiveBayes("gaussian").fit(X, Y, weight), X, rtol=1e-9)


# scikit-learn's conventions


def test_parameters():
    nb = NaiveBayes({"a": Poisson()}, smoothing=Laplace(), class_prior="uniform", missing="auto", missing_values="?")
    assert nb.get_params() == {
        "families": {"a": Poisson()},
        "smoothing": Laplace(),
        "class_prior": "uniform",
        "missing": "auto",
        "missing_values": "?",
    }
    assert nb.set_params(missing="value").missing == "value"
    assert repr(NaiveBayes("gaussian")) == "NaiveBayes(families='gaussian')"


def test_a_clone_has_the_parameters_and_nothing_learned():
    nb = NaiveBayes(Gaussian(Laplace()), class_prior=(0.2, 0.3, 0.5)).fit(X, Y)
    twin = clone(nb)
    assert twin.get_params() == nb.get_params()
    assert not hasattr(twin, "classes_")
    same_scores(twin.fit(X, Y), nb, X, rtol=0)


@pytest.mark.parametrize("duplicate", [lambda nb: pickle.loads(pickle.dumps(nb)), copy.deepcopy, copy.copy])
def test_a_copy_answers_alike_and_learns_apart(duplicate):
    frame = mixed()
    nb = NaiveBayes(SAID, missing="value").fit(frame, Y)
    before = nb.predict_joint_log_proba(frame)
    twin = duplicate(nb)
    assert np.array_equal(twin.predict_joint_log_proba(frame), before)
    assert twin.families_ == nb.families_
    twin.partial_fit(frame[:10], Y[:10])
    assert np.array_equal(nb.predict_joint_log_proba(frame), before)


@pytest.mark.parametrize(
    "call",
    [
        lambda nb: nb.predict(X),
        lambda nb: nb.predict_proba(X),
        lambda nb: nb.predict_log_proba(X),
        lambda nb: nb.predict_joint_log_proba(X),
        lambda nb: nb.log_likelihood(X, Y),
        lambda nb: nb.explain(X),
        lambda nb: nb.describe(),
        lambda nb: nb.linear(),
        lambda nb: nb.sample(3),
        lambda nb: nb.posterior(0),
        lambda nb: nb.forget(X, Y),
        lambda nb: nb.decay(0.5),
        lambda nb: nb.merge(NaiveBayes()),
        lambda nb: nb.families_,
        lambda nb: nb.class_count_,
    ],
)
def test_nothing_is_answered_before_fit(call):
    with pytest.raises(NotFittedError, match=r"^This NaiveBayes instance is not fitted yet"):
        call(NaiveBayes())


def test_in_the_company_of_scikit_learn():
    frame = mixed()
    assert len(cross_val_score(NaiveBayes(SAID), frame, Y, cv=3)) == 3
    search = GridSearchCV(NaiveBayes(), {"families": ["gaussian", "histogram"]}, cv=3).fit(X, Y)
    assert search.best_params_["families"] in ("gaussian", "histogram")
    pipeline = make_pipeline(FunctionTransformer(np.abs), NaiveBayes("gaussian")).fit(X, Y)
    assert np.array_equal(pipeline.predict(X), NaiveBayes("gaussian").fit(np.abs(X), Y).predict(np.abs(X)))


# The model itself


def test_the_faces_of_the_model():
    nb = NaiveBayes("bernoulli").fit(COUNTS > 2, Y)
    assert isinstance(nb.describe(), Description)
    assert isinstance(nb.linear(), Linear)
    assert isinstance(nb.explain(COUNTS > 2), Explanation)
    bits = (COUNTS > 2).astype(float)
    assert_allclose(bits @ nb.linear().weights.T + nb.linear().bias, nb.predict_joint_log_proba(COUNTS > 2), rtol=1e-12)
    assert_allclose(nb.explain(COUNTS > 2)[0].scores, nb.predict_joint_log_proba(COUNTS > 2)[0], rtol=1e-12)


def test_the_posterior_of_a_bit():
    nb = NaiveBayes(Bernoulli(Beta(2.0, 3.0))).fit(pd.DataFrame({"fur": [1, 1, 0, 0]}), ["l", "l", "l", "z"])
    belief = nb.posterior("fur")
    assert belief.a.tolist() == [4, 2]
    assert belief.b.tolist() == [4, 4]
    assert_allclose(belief.mean, [0.5, 1 / 3], rtol=1e-15)
    low, high = belief.interval(0.9)
    assert (low < belief.mean).all()
    assert (belief.mean < high).all()


def test_a_sample_of_a_model_of_an_array_is_an_array():
    rows, y = NaiveBayes("poisson").fit(COUNTS, Y).sample(50, random_state=0)
    assert isinstance(rows, np.ndarray)
    assert rows.shape == (50, 3)
    assert (rows == np.floor(rows)).all()
    assert rows.min() >= 0
    assert set(y) <= {"a", "b", "c"}


def test_a_sample_of_a_model_of_a_frame_is_a_table_that_it_can_read():
    nb = NaiveBayes(SAID).fit(mixed(), Y)
    table, y = nb.sample(50, random_state=0)
    assert isinstance(table, pa.Table)
    assert table.column_names == ["word", "number", "count", "flag"]
    assert table.num_rows == len(y) == 50
    assert set(table["word"].to_pylist()) <= {"x", "y", "z"}
    assert np.isfinite(nb.predict_joint_log_proba(table)).all()
    nb.partial_fit(table, y)
    assert nb.class_count_.sum() == 110


@pytest.mark.parametrize("seed", [3, np.random.RandomState, np.random.default_rng])
def test_a_sample_is_the_same_for_the_same_state(seed):
    nb = NaiveBayes().fit(X, Y)
    (one, y), (other, z) = (nb.sample(20, seed(3) if callable(seed) else seed) for _ in range(2))
    assert np.array_equal(one, other)
    assert np.array_equal(y, z)
    different, _ = nb.sample(20, 4)
    assert not np.array_equal(one, different)


def test_fitting_a_sample_finds_the_parameters():
    nb = NaiveBayes("gaussian").fit(X, Y)
    twin = NaiveBayes("gaussian").fit(*nb.sample(200_000, random_state=0))
    for (_, _, mine), (_, _, theirs) in zip(nb.describe().lines, twin.describe().lines, strict=True):
        assert_allclose(theirs, mine, rtol=0, atol=0.02)  # five standard errors
