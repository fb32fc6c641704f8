"""The model: what it learns adds and subtracts, and what it answers follows from Bayes' rule."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from likely.data import encode_target, read
from likely.engines import threads
from likely.families import FAMILIES, Bernoulli, Categorical, Gaussian, Histogram, Multinomial, Poisson
from likely.models.naive_bayes import NaiveBayes
from likely.priors import Beta, MaximumLikelihood

RNG = np.random.default_rng(0)

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def learned(x, y, weight=None, **options):
    model = NaiveBayes(**options)
    model.learn(read(x), *encode_target(y), weight)
    return model


def statistics(model):
    """Everything that is known, as plain arrays."""
    known = model.learned
    arrays = [known.classes, known.rows.table]
    for block in known.blocks:
        arrays += list(block.statistics.arrays().values())
        arrays += list(block.frame.cells or ())
    return arrays


def same(one, other):
    pairs = list(zip(statistics(one), statistics(other), strict=True))
    return all(a.shape == b.shape and (a == b).all() for a, b in pairs)


def mixed(n, seed=0):
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "word": pa.array(rng.choice(["x", "y", "z", None], n).tolist(), pa.string()),
            "count": pa.array([None if v > 5 else int(v) for v in rng.poisson(2, n)], pa.int64()),
            "flag": pa.array(rng.choice([True, False, None], n).tolist(), pa.bool_()),
        }
    )
    return table, rng.choice(["a", "b"], n)


SAID = {"count": "poisson"}


# Learning


def test_learning_in_parts_is_learning_at_once():
    table, y = mixed(60)
    whole = learned(table, y, families=SAID)
    parts = learned(table.slice(0, 20), y[:20], families=SAID)
    parts.learn(read(table.slice(20)), *encode_target(y[20:]))
    assert same(whole, parts)


def test_pieces_do_not_change_the_sums(monkeypatch):
    table, y = mixed(60)
    whole = learned(table, y, families=SAID)
    scores = whole.score(read(table))
    monkeypatch.setattr(threads, "PIECE", 100)
    monkeypatch.setattr(threads, "count", lambda: 2)
    pieces = learned(table, y, families=SAID)
    assert len(threads.pieces(60, read(table).row_bytes)) > 5
    assert same(whole, pieces)
    assert np.array_equal(pieces.score(read(table)), scores)
    assert pieces.predict(read(table)).tolist() == whole.predict(read(table)).tolist()


def test_forgetting_is_the_inverse_of_learning():
    table, y = mixed(60)
    whole = learned(table, y, families=SAID)
    whole.forget(read(table.slice(20)), *encode_target(y[20:]))
    assert same(whole, learned(table.slice(0, 20), y[:20], families=SAID))


def test_merging_is_learning_both():
    table, y = mixed(60)
    one = learned(table.slice(0, 30), y[:30], families=SAID)
    one.merge(learned(table.slice(30), y[30:], families=SAID))
    assert same(one, learned(table, y, families=SAID))


def test_classes_and_categories_may_arrive_later():
    model = learned([["x"]], ["b"], families="categorical")
    model.learn(read([["a"], ["z"]]), *encode_target(["a", "c"]))
    assert model.classes.tolist() == ["a", "b", "c"]
    assert same(model, learned([["x"], ["a"], ["z"]], ["b", "a", "c"], families="categorical"))


def test_decay_scales_all_that_is_known():
    x, y = np.array([[1.0], [3.0], [4.0], [8.0]]), [0, 0, 1, 1]
    model = learned(x, y, families="poisson")
    model.decay(0.25)
    assert same(model, learned(x, y, np.full(4, 0.25), families="poisson"))


def test_what_was_never_learned_cannot_be_forgotten():
    model = learned(np.array([[1.0], [0.0]]), ["a", "b"], families="bernoulli")
    before = [array.copy() for array in statistics(model)]
    for x, y, sentence in (
        ([[0.0], [1.0]], ["a", "a"], "class 'a'"),
        ([[1.0]], ["c"], "class 'c'"),
        ([[1.0]], ["b"], "column 0, class 'b'"),
    ):
        whole = (
            f"some of these rows were never learned: {sentence} would be left with less than nothing; "
            "nothing was forgotten"
        )
        with pytest.raises(ValueError, match=f"^{re.escape(whole)}$"):
            model.forget(read(np.array(x)), *encode_target(np.array(y, object)))
    assert all(np.array_equal(a, b) for a, b in zip(before, statistics(model), strict=True))


def test_a_class_forgotten_altogether_leaves_no_trace_in_the_answers():
    x, y = RNG.normal(size=(30, 2)), np.repeat(["a", "b", "c"], 10)
    model = learned(x, y, families="gaussian")
    model.forget(read(x[:10]), *encode_target(y[:10]))
    expected = learned(x[10:], y[10:], families="gaussian").posterior(read(x))
    assert_allclose(model.posterior(read(x))[:, 1:], expected, rtol=1e-9, atol=1e-12)
    assert (model.posterior(read(x))[:, 0] == 0).all()


def test_nothing_is_known_before_learning():
    with pytest.raises(ValueError, match=r"^nothing has been learned yet$"):
        NaiveBayes().score(read([[1.0]]))


def test_another_number_of_columns():
    model = learned([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    sentence = "the table has 3 columns, the model was learned from 2"
    for work in (model.score, model.predict, lambda table: model.learn(table, *encode_target([0]))):
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            work(read([[1.0, 2.0, 3.0]]))


def test_models_that_read_their_columns_differently_do_not_merge():
    one, other = learned([[1], [2]], [0, 1], families="poisson"), learned([[1, 2], [2, 3]], [0, 1], families="poisson")
    with pytest.raises(ValueError, match=r"^the models read their columns differently; give both the same families$"):
        one.merge(other)


def test_classes_of_text_and_numbers_do_not_merge():
    one, other = learned([[1], [2]], ["a", "b"], families="poisson"), learned([[1], [2]], [0, 1], families="poisson")
    with pytest.raises(ValueError, match=r"^classes: text and numbers do not mix: 'a', 'b' and 0, 1$"):
        one.merge(other)


@pytest.mark.parametrize("factor", [0, -1, 1.5, float("nan"), float("inf")])
def test_decay_by_an_impossible_factor(factor):
    model = learned([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match=f"^{re.escape(f'the factor must be above 0 and at most 1, not {factor}')}$"):
        model.decay(factor)


# Scores


def bernoulli_by_hand(row, alpha=1.0):
    """log p(x, y) of the table below by loops."""
    rows = {"a": [[1, 0], [1, 1], [0, 1]], "b": [[0, 0]]}
    scores = []
    for label in ("a", "b"):
        total = np.log(len(rows[label]) / 4)
        for j, cell in enumerate(row):
            if cell is None:
                continue
            ones = sum(other[j] for other in rows[label])
            p = (ones + alpha) / (len(rows[label]) + 2 * alpha)
            total += np.log(p if cell else 1 - p)
        scores.append(total)
    return scores


@pytest.mark.parametrize("row", [[0, 0], [0, 1], [1, 0], [1, 1], [None, 1], [0, None], [None, None]])
def test_scores_by_hand(row):
    model = learned(np.array([[1, 0], [1, 1], [0, 1], [0, 0]]), ["a", "a", "a", "b"], families="bernoulli")
    cells = np.array([[np.nan if cell is None else cell for cell in row]], float)
    assert_allclose(model.score(read(cells))[0], bernoulli_by_hand(row), rtol=1e-14)


def test_the_posterior_is_the_score_over_all_classes():
    x, y = RNG.normal(size=(50, 3)), RNG.integers(0, 4, 50)
    model = learned(x, y)
    joint = np.exp(model.score(read(x)))
    assert_allclose(model.posterior(read(x)), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)
    assert_allclose(np.exp(model.posterior(read(x), log=True)), model.posterior(read(x)), rtol=1e-12)
    assert model.predict(read(x)).tolist() == joint.argmax(axis=1).tolist()


@pytest.mark.parametrize("family", OF_CELLS)
@pytest.mark.parametrize("prior", ["frequencies", "uniform", (0.2, 0.3, 0.5)])
def test_a_row_of_holes_gets_the_class_prior(family, prior):
    x, y = RNG.integers(0, 2, (30, 4)).astype(float), np.repeat([0, 1, 2], [15, 10, 5])
    model = learned(x, y, families=family, class_prior=prior)
    expected = {"frequencies": [1 / 2, 1 / 3, 1 / 6], "uniform": [1 / 3] * 3}.get(prior, prior)
    assert_allclose(model.posterior(read(np.full((1, 4), np.nan))), [expected], rtol=1e-12)


@pytest.mark.parametrize("hole", [None, np.nan])
def test_a_row_of_holes_in_a_table_of_text_gets_the_class_prior(hole):
    frame = pd.DataFrame({"word": ["x", "y", "x"], "number": [1.0, 2.0, 4.0]})
    model = learned(frame, ["a", "b", "b"])
    empty = pd.DataFrame({"word": [hole], "number": [hole]})
    assert_allclose(model.posterior(read(empty)), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_a_row_of_objects_that_are_none_gets_the_class_prior():
    model = learned(np.array([["x", 1.0], ["y", 2.0], ["x", 4.0]], object), ["a", "b", "b"])
    assert_allclose(model.posterior(read(np.array([[None, None]], object))), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_a_missing_cell_is_a_column_that_is_not_there():
    x, y = RNG.normal(size=(40, 3)), RNG.integers(0, 2, 40)
    without = learned(x[:, :2], y, families="gaussian").score(read(x[:, :2]))
    holes = x.copy()
    holes[:, 2] = np.nan
    assert_allclose(learned(x, y, families="gaussian").score(read(holes)), without, rtol=1e-12)


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
    assert_allclose(model.posterior(read(row)), [[1 / 3, 2 / 3]], rtol=1e-12)
    assert_allclose(model.posterior(read(row), log=True), np.log([[1 / 3, 2 / 3]]), rtol=1e-12)
    assert model.predict(read(row)).tolist() == ["b"]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_row_that_is_impossible_in_one_class(name):
    family, x, _ = IMPOSSIBLE[name]
    model = learned(x, ["a", "b", "b"], families=family)
    scores = model.score(read([x[0]]))
    assert np.isfinite(scores[0, 0])
    assert scores[0, 1] == -np.inf
    assert model.posterior(read([x[0]])).tolist() == [[1, 0]]


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
    assert model.posterior(read([[1.0]])).tolist() == [[0, 1]]


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
    left_out = model.score_left_out(read(x), Y12.astype(np.int32))
    for i in range(12):
        others = np.delete(np.arange(12), i)
        without = learned(x[others], Y12[others], families=family)
        assert_allclose(left_out[i], without.score(read(x[[i]]))[0], rtol=1e-9, atol=1e-9)


def test_scores_left_out_of_one_row_are_no_nan():
    model = learned([[1.0, 2.0]], ["a"], families="gaussian")
    assert not np.isnan(model.score_left_out(read([[1.0, 2.0]]), np.zeros(1, np.int32))).any()


def test_scores_left_out_of_a_mixed_table():
    table = pa.table({"n": [1, 0, 3, 2, 5, 1], "t": ["x", "y", "x", "y", "y", "x"], "b": [True, None, False] * 2})
    y = np.array([0, 0, 0, 1, 1, 1])
    model = learned(table, y, families={"n": "poisson"})
    left_out = model.score_left_out(read(table), y.astype(np.int32))
    for i in range(6):
        others = np.delete(np.arange(6), i)
        without = learned(table.take(others), y[others], families={"n": "poisson"})
        assert_allclose(left_out[i], without.score(read(table.slice(i, 1)))[0], rtol=1e-12)


def test_pieces_do_not_change_left_out_scores(monkeypatch):
    x, y = RNG.normal(size=(200, 3)), RNG.integers(0, 2, 200).astype(np.int32)
    model = learned(x, y)
    whole = model.score_left_out(read(x), y)
    monkeypatch.setattr(threads, "PIECE", 1000)
    monkeypatch.setattr(threads, "count", lambda: 2)
    assert_allclose(model.score_left_out(read(x), y), whole, rtol=1e-14)


# Missing cells as a value


def test_absence_counts_for_the_class_in_which_it_is_frequent():
    x = np.array([[1.0], [2.0], [np.nan], [np.nan], [np.nan], [1.5]])
    y = ["a", "a", "a", "b", "b", "b"]
    model = learned(x, y, families="gaussian", missing="value")
    assert_allclose(model.posterior(read([[np.nan]])), [[(2 / 5) / (5 / 5), (3 / 5) / (5 / 5)]], rtol=1e-12)
    ignoring = learned(x, y, families="gaussian")
    assert_allclose(ignoring.posterior(read([[np.nan]])), [[0.5, 0.5]], rtol=1e-12)


def test_presence_counts_too():
    x, y = np.array([[1.0], [np.nan], [1.0], [1.0]]), [0, 0, 1, 1]
    difference = learned(x, y, families="poisson", missing="value").score(read([[1.0]])) - learned(
        x, y, families="poisson"
    ).score(read([[1.0]]))
    assert_allclose(difference, np.log([[2 / 4, 3 / 4]]), rtol=1e-12)


# The generative model


def test_a_sample_has_the_kinds_of_the_table():
    frame = pd.DataFrame(
        {"n": [1.5, 2.5, 0.5, 3.5], "w": [3, 1, 0, 2], "b": [True, False, True, True], "t": ["x", "y", "x", "z"]}
    )
    model = learned(frame, list("aabb"), families={"w": "poisson", "n": "gaussian"})
    columns, y = model.sample(500, np.random.default_rng(0))
    assert list(columns) == ["n", "w", "b", "t"]
    assert all(len(values) == 500 for values in columns.values())
    assert columns["n"].dtype.kind == "f"
    assert columns["w"].dtype.kind == "i"
    assert columns["w"].min() >= 0
    assert columns["b"].dtype.kind == "b"
    assert set(columns["t"]) == {"x", "y", "z"}
    assert set(y.tolist()) == {0, 1}


@pytest.mark.parametrize("name", [name for name in OF_CELLS if name != "complement"])
@pytest.mark.parametrize("rows", [0, 1, 7])
def test_a_sample_of_so_many_rows(name, rows):
    model = learned(RNG.integers(0, 2, (20, 3)), np.arange(20) % 2, families=name)
    columns, y = model.sample(rows, np.random.default_rng(0))
    assert [len(values) for values in columns.values()] == [rows] * 3
    assert y.shape == (rows,)


def test_a_sample_has_the_class_prior():
    model = learned([[1.0], [2.0], [3.0]], [0, 1, 1], class_prior=(0.9, 0.1))
    _, y = model.sample(10_000, np.random.default_rng(0))
    assert abs((y == 0).mean() - 0.9) < 5 * np.sqrt(0.9 * 0.1 / 10_000)


def test_a_sample_has_the_parameters_of_its_class():
    model = learned([[True], [True], [False], [False]], [0, 0, 1, 1], families="bernoulli")
    columns, y = model.sample(10_000, np.random.default_rng(0))
    assert abs(columns[0][y == 0].mean() - 3 / 4) < 5 * np.sqrt(3 / 16 / 5000)
    assert abs(columns[0][y == 1].mean() - 1 / 4) < 5 * np.sqrt(3 / 16 / 5000)


def test_a_sample_has_holes_where_absence_is_counted():
    frame = pd.DataFrame({"n": [1.0, None, 2.0, None], "t": ["x", None, None, "y"]})
    columns, _ = learned(frame, [0, 1, 1, 0], missing="value").sample(200, np.random.default_rng(0))
    assert 0 < np.isnan(columns["n"]).sum() < 200
    assert 0 < sum(value is None for value in columns["t"]) < 200


def test_a_sample_is_the_same_for_the_same_seed():
    model = learned(RNG.normal(size=(20, 2)), np.arange(20) % 2)
    (one, y), (other, z) = (model.sample(50, np.random.default_rng(3)) for _ in range(2))
    assert y.tolist() == z.tolist()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_sample_of_a_class_of_which_a_column_is_unknown():
    x = np.array([["x"], ["y"], [None]], object)
    model = learned(x, [0, 0, 1], families=Categorical(MaximumLikelihood()))
    columns, _ = model.sample(50, np.random.default_rng(0))
    assert set(columns[0]) <= {"x", "y", None}


def test_complement_has_no_sample():
    model = learned([[1, 2], [2, 1]], [0, 1], families="complement")
    with pytest.raises(
        TypeError, match=r"^Complement compares classes and says nothing of rows to draw; use Multinomial$"
    ):
        model.sample(3, np.random.default_rng(0))


# Beliefs


def test_the_belief_of_a_column():
    model = learned([[1], [1], [0], [0]], ["a", "a", "a", "b"], families=Bernoulli(Beta(2.0, 3.0)))
    belief = model.belief(0)
    assert isinstance(belief, Beta)
    assert belief.a.tolist() == [4, 2]
    assert belief.b.tolist() == [4, 4]


def test_the_belief_of_a_column_that_is_not_there():
    with pytest.raises(ValueError, match=r"^there is no column 'z'$"):
        learned([[1], [0]], [0, 1]).belief("z")
