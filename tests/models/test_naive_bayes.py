"""The model: what it learns adds and subtracts, and what it answers follows from Bayes' rule."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely.data import read
from likely.engines import threads
from likely.errors import EmptyColumns
from likely.families import Bernoulli, Gaussian
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Beta, MaximumLikelihood

from ..samples import readable, sample_of
from .tables import OF_CELLS, RNG, SAID, learned, mixed, same, statistics

# Learning


def test_learning_in_parts_is_learning_at_once():
    table, y = mixed(60)
    whole = learned(table, y, families=SAID)
    parts = learned(table.slice(0, 20), y[:20], families=SAID).learn(sample_of(table.slice(20), y[20:]))
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
    rest = learned(table, y, families=SAID).forget(sample_of(table.slice(20), y[20:]))
    assert same(rest, learned(table.slice(0, 20), y[:20], families=SAID))


def test_merging_is_learning_both():
    table, y = mixed(60)
    one, other = learned(table.slice(0, 30), y[:30], families=SAID), learned(table.slice(30), y[30:], families=SAID)
    assert same(one.merge(other), learned(table, y, families=SAID))


def test_classes_and_categories_may_arrive_later():
    model = learned([["x"]], ["b"], families="categorical").learn(sample_of([["a"], ["z"]], ["a", "c"]))
    assert model.classes.tolist() == ["a", "b", "c"]
    assert same(model, learned([["x"], ["a"], ["z"]], ["b", "a", "c"], families="categorical"))


def test_decay_scales_all_that_is_known():
    x, y = np.array([[1.0], [3.0], [4.0], [8.0]]), [0, 0, 1, 1]
    model = learned(x, y, families="poisson").decay(0.25)
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
            model.forget(sample_of(np.array(x), np.array(y, object)))
    assert all(np.array_equal(a, b) for a, b in zip(before, statistics(model), strict=True))


def test_a_class_forgotten_altogether_leaves_no_trace_in_the_answers():
    x, y = RNG.normal(size=(30, 2)), np.repeat(["a", "b", "c"], 10)
    model = learned(x, y, families="gaussian").forget(sample_of(x[:10], y[:10]))
    expected = learned(x[10:], y[10:], families="gaussian").predict_proba(read(x))
    assert_allclose(model.predict_proba(read(x))[:, 1:], expected, rtol=1e-9, atol=1e-12)
    assert (model.predict_proba(read(x))[:, 0] == 0).all()


def test_nothing_is_known_before_learning():
    with pytest.raises(ValueError, match=r"^nothing has been learned yet$"):
        NaiveBayesModel().score(read([[1.0]]))


def test_another_number_of_columns():
    model = learned([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    sentence = "the table has 3 columns, the model was learned from 2"
    for work in (model.score, model.predict, lambda table: model.learn(sample_of(table, [0]))):
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


# A value


def test_learning_gives_another_model_and_leaves_this_one_as_it_was():
    table, y = mixed(60)
    unlearned = NaiveBayesModel(SAID)
    model = unlearned.learn(sample_of(table, y))
    before, arrays = model.learned, [array.copy() for array in statistics(model)]
    more = sample_of(table.slice(0, 20), y[:20])
    for changed in (model.learn(more), model.forget(more), model.decay(0.5), model.merge(model), model.retuned(more)):
        assert changed is not model
        assert model.learned is before
        assert all(np.array_equal(a, b) for a, b in zip(arrays, statistics(model), strict=True))
    assert unlearned.learned is None
    with pytest.raises(AttributeError):
        model.learned = None


def test_the_same_model_before_it_has_learned_anything():
    table, y = mixed(60)
    model = learned(table, y, families=SAID, class_prior="uniform", missing="value")
    fresh = model.unlearned
    assert fresh.learned is None
    assert (fresh.families, fresh.class_prior, fresh.missing) == (SAID, "uniform", "value")
    assert same(fresh.learn(sample_of(table, y)), model)


def test_a_fit_forgets_what_was_learned_before():
    table, y = mixed(60)
    model = learned(table, y, families=SAID)
    part = sample_of(table.slice(0, 20), y[:20])
    assert same(model.fit(part), learned(table.slice(0, 20), y[:20], families=SAID))
    assert model.class_counts.sum() == 60


def test_a_fit_warns_of_an_empty_column():
    x = np.array([[1.0, np.nan], [2.0, np.nan], [4.0, np.nan]])
    with pytest.warns(EmptyColumns, match=r"^column 1 has no value present"):
        NaiveBayesModel("gaussian").fit(sample_of(x, [0, 1, 1]))
    assert NaiveBayesModel("gaussian").learn(sample_of(x, [0, 1, 1])).class_counts.tolist() == [1, 2]


def test_a_fit_refuses_parameters_that_do_not_exist_which_may_come_later():
    x, family = np.array([[1.0], [2.0], [4.0]]), Gaussian(MaximumLikelihood())
    with pytest.raises(ValueError, match=r"for column 0 in class 'a'; "):
        NaiveBayesModel(family).fit(sample_of(x, ["a", "b", "b"]))
    later = NaiveBayesModel(family).learn(sample_of(x, ["a", "b", "b"])).learn(sample_of([[3.0]], ["a"]))
    assert np.isfinite(later.score(read(x))).all()


def test_the_block_of_a_column_and_its_place_there():
    table, y = mixed(60)
    model = learned(table, y, families=SAID, missing="value")
    for name in table.column_names:
        block, at = model.block_of(name)
        assert block.frame.columns[at] == name
        assert not block.family.marks_missing
    block, at = model.block_of("flag missing")
    assert block.family.marks_missing
    assert model.names[block.columns[at]] == "flag"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"column_weights": "often"}, "column_weights is 'auto', True or False, not 'often'"),
        ({"select": "some"}, "select is 'auto' or None, not 'some'"),
    ],
)
def test_options_that_are_none(options, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        NaiveBayesModel(**options)


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
    assert_allclose(model.predict_proba(read(x)), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)
    assert_allclose(np.exp(model.predict_proba(read(x), log=True)), model.predict_proba(read(x)), rtol=1e-12)
    assert model.predict(read(x)).tolist() == joint.argmax(axis=1).tolist()


@pytest.mark.parametrize("family", [name for name in OF_CELLS if name != "missing"])
@pytest.mark.parametrize("prior", ["frequencies", "uniform", (0.2, 0.3, 0.5)])
def test_a_row_of_holes_gets_the_class_prior(family, prior):
    x, y = readable(family, RNG.integers(0, 2, (30, 4)).astype(float)), np.repeat([0, 1, 2], [15, 10, 5])
    model = learned(x, y, families=family, class_prior=prior)
    expected = {"frequencies": [1 / 2, 1 / 3, 1 / 6], "uniform": [1 / 3] * 3}.get(prior, prior)
    assert_allclose(model.predict_proba(read(np.full((1, 4), np.nan))), [expected], rtol=1e-12)


@pytest.mark.parametrize("hole", [None, np.nan])
def test_a_row_of_holes_in_a_table_of_text_gets_the_class_prior(hole):
    frame = pd.DataFrame({"word": ["x", "y", "x"], "number": [1.0, 2.0, 4.0]})
    model = learned(frame, ["a", "b", "b"])
    empty = pd.DataFrame({"word": [hole], "number": [hole]})
    assert_allclose(model.predict_proba(read(empty)), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_a_row_of_objects_that_are_none_gets_the_class_prior():
    model = learned(np.array([["x", 1.0], ["y", 2.0], ["x", 4.0]], object), ["a", "b", "b"])
    assert_allclose(model.predict_proba(read(np.array([[None, None]], object))), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_a_missing_cell_is_a_column_that_is_not_there():
    x, y = RNG.normal(size=(40, 3)), RNG.integers(0, 2, 40)
    without = learned(x[:, :2], y, families="gaussian").score(read(x[:, :2]))
    holes = x.copy()
    holes[:, 2] = np.nan
    assert_allclose(learned(x, y, families="gaussian").score(read(holes)), without, rtol=1e-12)


# Missing cells as a value


def test_absence_counts_for_the_class_in_which_it_is_frequent():
    x = np.array([[1.0], [2.0], [np.nan], [np.nan], [np.nan], [1.5]])
    y = ["a", "a", "a", "b", "b", "b"]
    model = learned(x, y, families="gaussian", missing="value")
    assert_allclose(model.predict_proba(read([[np.nan]])), [[(2 / 5) / (5 / 5), (3 / 5) / (5 / 5)]], rtol=1e-12)
    ignoring = learned(x, y, families="gaussian")
    assert_allclose(ignoring.predict_proba(read([[np.nan]])), [[0.5, 0.5]], rtol=1e-12)


def test_presence_counts_too():
    x, y = np.array([[1.0], [np.nan], [1.0], [1.0]]), [0, 0, 1, 1]
    difference = learned(x, y, families="poisson", missing="value").score(read([[1.0]])) - learned(
        x, y, families="poisson"
    ).score(read([[1.0]]))
    assert_allclose(difference, np.log([[2 / 4, 3 / 4]]), rtol=1e-12)


# Posteriors of parameters


def test_the_posterior_of_a_column():
    model = learned([[1], [1], [0], [0]], ["a", "a", "a", "b"], families=Bernoulli(Beta(2.0, 3.0)))
    posterior = model.parameter_posterior(0)
    assert isinstance(posterior, Beta)
    assert posterior.a.tolist() == [4, 2]
    assert posterior.b.tolist() == [4, 4]


def test_the_posterior_of_a_column_that_is_not_there():
    with pytest.raises(ValueError, match=r"^there is no column 'z'$"):
        learned([[1], [0]], [0, 1]).parameter_posterior("z")
