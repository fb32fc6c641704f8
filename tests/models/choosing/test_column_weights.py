"""Weights of columns: those of the least left-out log loss, and scores that go by them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import logsumexp

import likely
from likely import NaiveBayes
from likely.data import Sample, read
from likely.families import Histogram
from likely.models.choosing import column_weights
from likely.models.explain import Explanation
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import MaximumLikelihood

from ...samples import sample_of


def mixed(rows, seed=0):
    """A table of all kinds of columns, some cells missing; the classes overlap."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)

    def column(values):
        return pa.array(values, mask=rng.random(rows) < 0.1)

    return pa.table(
        {
            "normal": column(rng.normal(y)),
            "skewed": column(rng.exponential(1 + y)),
            "count": column(rng.poisson(2 + y)),
            "word": column(np.array(["a", "b", "c", "d"], object)[(rng.integers(0, 3, rows) + y) % 4]),
            "bit": column(rng.random(rows) < 0.2 + 0.3 * y),
        }
    ), np.array(["x", "y", "z"])[y]


def learned(table, y, **options):
    return NaiveBayesModel(**options).learn(sample_of(table, y))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_weights_are_those_of_the_least_loss(weighted):
    """Against another minimiser on the loss written out; some weights are 0."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 80).astype(np.int32)
    evidence, prior = rng.normal(size=(80, 3, 6)), rng.normal(size=(80, 3))
    evidence[np.arange(80), y, :3] += 1
    evidence[np.arange(80), y, 5] -= 1
    weight = rng.random(80) if weighted else None
    times = np.ones(80) if weight is None else weight

    def loss(w):
        scores = prior + evidence @ w
        told = logsumexp(scores, axis=1) - scores[np.arange(80), y]
        return times @ told + 5 * ((w - w.mean()) ** 2).sum() + 0.5 * (w.mean() - 1) ** 2

    best = minimize(loss, np.ones(6), bounds=[(0, None)] * 6, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9})
    found = column_weights.best_weights(evidence, prior, Sample(None, y, np.arange(3), weight))
    assert (found == 0).any()
    assert loss(found) < best.fun + column_weights.ENOUGH
    assert_allclose(found, best.x, atol=5e-3)


def test_what_is_said_twice_counts_once():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 2000)
    x = rng.normal(y)[:, None]
    once, often = NaiveBayes().fit(x, y), NaiveBayes().fit(np.repeat(x, 5, axis=1), y)
    assert_allclose(sum(often.column_weights_.values()), once.column_weights_[0], rtol=0.02)
    assert_allclose(often.predict_proba(np.repeat(x, 5, axis=1)), once.predict_proba(x), atol=0.01)
    plain = NaiveBayes(column_weights=False).fit(np.repeat(x, 5, axis=1), y)
    assert np.abs(plain.predict_proba(np.repeat(x, 5, axis=1)) - once.predict_proba(x)).max() > 0.2


def test_what_tells_nothing_counts_little():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 1000)
    x = np.column_stack([rng.normal(2 * y), rng.normal(size=(1000, 20))])
    weights = list(NaiveBayes().fit(x, y).column_weights_.values())
    assert weights[0] > 0.8
    assert np.mean(weights[1:]) < 0.5


def test_where_there_are_weights():
    table, y = mixed(200)
    assert set(NaiveBayes().fit(table, y).column_weights_) == set(table.column_names)
    assert all(weight == 1 for weight in NaiveBayes(column_weights=False).fit(table, y).column_weights_.values())
    said = {"normal": "gaussian"}
    assert all(weight == 1 for weight in NaiveBayes(said).fit(table, y).column_weights_.values())
    assert any(weight != 1 for weight in NaiveBayes(said, column_weights=True).fit(table, y).column_weights_.values())
    with pytest.raises(ValueError, match=r"^column_weights is 'auto', True or False, not 'often'$"):
        NaiveBayes(column_weights="often").fit(table, y)


def test_without_weights_it_is_plain_naive_bayes():
    table, y = mixed(200)
    families = NaiveBayes().fit(table, y).families_
    plain, said = NaiveBayes(column_weights=False).fit(table, y), NaiveBayes(families).fit(table, y)
    assert_allclose(plain.predict_joint_log_proba(table), said.predict_joint_log_proba(table), rtol=1e-12)


def test_scores_are_sums_of_what_each_column_tells_so_many_times():
    table, y = mixed(300)
    model, plain = learned(table, y), learned(table, y, column_weights=False)
    data, weights = read(table), model.chosen_weights
    for i in range(5):
        once = {reason.column: reason.contributions for reason in Explanation(plain, data)[i].reasons}
        told = Explanation(model, data)[i]
        for reason in told.reasons:
            assert_allclose(reason.contributions, weights[reason.column] * once[reason.column], rtol=1e-9, atol=1e-12)
        assert_allclose(told.scores, model.score(data)[i], rtol=1e-9)


def test_the_line_goes_by_the_weights():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300)
    x = (rng.random((300, 4)) < 0.3 + 0.3 * y[:, None]).astype(bool)
    model = NaiveBayes().fit(x, y)
    line = model.linear()
    assert_allclose(x @ line.weights.T + line.bias, model.predict_joint_log_proba(x), rtol=1e-9)


def test_parameters_and_samples_do_not_go_by_the_weights():
    table, y = mixed(300)
    model, plain = NaiveBayes().fit(table, y), NaiveBayes(column_weights=False).fit(table, y)
    for (column, name, values), (*other, expected) in zip(model.describe().lines, plain.describe().lines, strict=True):
        assert [column, name] == other
        assert_allclose(values, expected, rtol=1e-12)
    one, other = (m.sample(50, random_state=0)[0] for m in (model, plain))
    assert one.equals(other)


@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_with_weights_is_a_count_without_the_row(weighted):
    table, y = mixed(120)
    weight = np.random.default_rng(0).choice([0.5, 1.0, 2.0], 120) if weighted else None
    families = {"normal": "gaussian", "count": "poisson", "skewed": Histogram(bins=(0.0, 0.5, 1.0, 2.0, 4.0, 20.0))}
    sample = sample_of(table, y, weight)
    model = NaiveBayesModel(families, column_weights=True).learn(sample)
    left_out = model.loo_scores(sample)
    of_column = {j: w for block in model.blocks for j, w in zip(block.columns, block.column_weights, strict=True)}
    for i in range(0, 120, 4):
        again = NaiveBayesModel(families).learn(sample.without(np.array([i])))
        blocks = [
            replace(block, column_weights=np.array([of_column[j] for j in block.columns])) for block in again.blocks
        ]
        again = replace(again, learned=replace(again.known, blocks=tuple(blocks)))
        assert_allclose(left_out[i], again.score(read(table.slice(i, 1)))[0], rtol=1e-9, atol=1e-9)


def test_many_columns_have_one_weight():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 120)
    x = rng.normal(y[:, None] * 0.2, size=(120, column_weights.MOST_COLUMNS + 1))
    weights = set(NaiveBayes().fit(x, y).column_weights_.values())
    assert len(weights) == 1
    assert weights != {1.0}


def many(kind, n, p, informative, seed=0):
    """Rows to learn and new ones, of columns of which few are informative or none."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n + 1000)
    x = rng.normal(size=(n + 1000, p))
    x[:, :informative] += 1.2 * y[:, None]
    if kind == "categories":
        x = pd.DataFrame(np.array(list("abcd"), object)[np.digitize(x, [-0.7, 0, 0.7])])
    else:
        x = pd.DataFrame(x)
    return x[:n], y[:n], x[n:], y[n:]


def loss_of(model, x, y):
    p = model.predict_proba(x)
    return -np.log(p[np.arange(len(y)), y]).mean()


@pytest.mark.parametrize("kind", ["numbers", "categories"])
@pytest.mark.parametrize(("n", "p"), [(60, 10), (60, 400), (120, 50), (120, 200), (120, 400)])
def test_of_columns_without_information_it_is_not_sure(kind, n, p):
    x, y, new, of_new = many(kind, n, p, 0)
    assert loss_of(NaiveBayes().fit(x, y), new, of_new) < 0.693 + 0.07


@pytest.mark.parametrize("kind", ["numbers", "categories"])
@pytest.mark.parametrize(("n", "p", "most"), [(60, 10, 0.45), (60, 50, 0.6), (120, 50, 0.45), (500, 400, 0.55)])
def test_among_many_columns_informative_ones_count(kind, n, p, most):
    x, y, new, of_new = many(kind, n, p, 5)
    assert loss_of(NaiveBayes().fit(x, y), new, of_new) < most


def test_copies_of_a_column_count_once_where_rows_are_few():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1060)
    x = np.repeat(rng.normal(1.5 * y)[:, None], 50, axis=1)
    model = NaiveBayes().fit(x[:60], y[:60])
    assert len(set(model.column_weights_.values())) == 1
    assert_allclose(sum(model.column_weights_.values()), 1, atol=0.6)
    assert loss_of(model, x[60:], y[60:]) < 0.55


def test_where_rows_are_few_no_column_counts_more_than_once_or_never():
    for seed in range(5):
        x, y, *_ = many("numbers", 30, 4, seed)
        weight = NaiveBayes().fit(x, y).column_weights_[0]
        assert 0 < weight <= 1


def test_where_rows_are_few_their_order_makes_no_difference_and_twice_is_weight_two():
    table, y = mixed(60)
    turned = np.random.default_rng(1).permutation(60)
    weights = list(NaiveBayes().fit(table, y).column_weights_.values())
    assert 0 < weights[0] < 1
    again = NaiveBayes().fit(table.take(turned), y[turned]).column_weights_
    assert_allclose(list(again.values()), weights, rtol=1e-6)
    few, of_few = table.slice(0, 30), y[:30]
    twice = NaiveBayes().fit(pa.concat_tables([few, few]), np.concatenate([of_few, of_few])).column_weights_
    heavy = NaiveBayes().fit(few, of_few, sample_weight=np.full(30, 2.0)).column_weights_
    assert_allclose(list(heavy.values()), list(twice.values()), rtol=1e-6)


@pytest.mark.parametrize("rows", [2, 3, 4, 6])
def test_next_to_no_rows(rows):
    x = many("numbers", rows, 3, 2, seed=3)[0]
    assert np.isfinite(list(NaiveBayes().fit(x, np.arange(rows) % 2).column_weights_.values())).all()


def test_columns_that_other_folds_cannot_read():
    """One number below 0 makes a column no LogNormal: the folds without it may choose that."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 60)
    x = pd.DataFrame(rng.lognormal(y[:, None], 1.0, (60, 3)))
    x.iloc[7, 0], x.iloc[8, 1], x.iloc[9:50, 2] = -1.0, 0.0, np.nan
    x[3] = None
    with pytest.warns(match="3"):
        weights = NaiveBayes(missing="auto", select="auto").fit(x, y).column_weights_
    assert all(0 < weight <= 1 for weight in weights.values())


def test_the_first_rows_choose_and_later_ones_leave_the_choice_alone():
    table, y = mixed(400)
    model = NaiveBayes().partial_fit(table.slice(0, 100), y[:100])
    first = model.column_weights_
    assert any(weight != 1 for weight in first.values())
    assert model.partial_fit(table.slice(100, 50), y[100:150]).column_weights_ == first
    assert model.partial_fit(table.slice(150), y[150:]).column_weights_ == first


def test_retuned_by_all_rows_the_weights_are_those_of_one_fit():
    """Of families that were given: those of the first rows stay."""
    table, y = mixed(400)
    said = {"normal": "gaussian", "skewed": Histogram(bins=(0.0, 0.5, 1.0, 2.0, 4.0, 40.0)), "count": "poisson"}
    whole = NaiveBayes(said, column_weights=True).fit(table, y)
    model = NaiveBayes(said, column_weights=True).partial_fit(table.slice(0, 100), y[:100])
    model.partial_fit(table.slice(100), y[100:])
    assert model.column_weights_ != whole.column_weights_
    retuned = model.retune(table, y).column_weights_
    assert retuned.keys() == whole.column_weights_.keys()
    assert_allclose(list(retuned.values()), list(whole.column_weights_.values()), rtol=1e-9)


def test_of_merged_models_the_first_has_its_weights():
    table, y = mixed(300)
    numbers = table.select(["normal", "word", "bit"])
    one, other = (
        NaiveBayes({"normal": "gaussian"}, column_weights=True).fit(numbers.slice(at, 150), y[at : at + 150])
        for at in (0, 150)
    )
    assert one.column_weights_ != other.column_weights_
    assert likely.merge([one, other]).column_weights_ == one.column_weights_


def test_weights_are_in_no_way_of_the_laws():
    table, y = mixed(300)
    model = NaiveBayes().fit(table, y)
    before = model.predict_joint_log_proba(table)
    model.forget(table.slice(0, 40), y[:40]).partial_fit(table.slice(0, 40), y[:40])
    assert_allclose(model.predict_joint_log_proba(table), before, rtol=1e-9)


@pytest.mark.parametrize("smoothing", [None, MaximumLikelihood()])
@pytest.mark.parametrize(
    "labels",
    [np.zeros(120), np.arange(120) // 60, np.arange(120), np.arange(120) == 7, np.arange(120) // 119],
    ids=["one class", "halves", "a class each", "one row", "the last row"],
)
def test_next_to_nothing_to_choose_by(labels, smoothing):
    x = np.random.default_rng(9).random((120, 3)) < [0.5, 0.01, 2]
    weights = NaiveBayes(smoothing=smoothing).fit(x, labels.astype(int)).column_weights_
    assert all(np.isfinite(weight) and weight >= 0 for weight in weights.values())


def test_texts_count_once():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 200)
    words = np.array(["red green blue one", "red yellow black two"])[y]
    table = pa.table({"text": [f"{word} {i} {i + 1}" for i, word in enumerate(words)], "number": rng.normal(y)})
    weights = NaiveBayes().fit(table, y).column_weights_
    assert weights["text"] == 1
    assert weights["number"] != 1
