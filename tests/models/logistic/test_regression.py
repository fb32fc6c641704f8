"""From naive Bayes to maximum conditional likelihood, over tables of every kind."""

import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer

from likely import LogisticRegression, NaiveBayes
from likely.data import read
from likely.families import Gaussian, Histogram, Multinomial, Poisson, Text, TextMultinomial
from likely.limits import Between
from likely.models.logistic.regression import LogisticModel
from likely.models.logistic.strength import neg_log_prior
from likely.priors import MaximumLikelihood

from ...samples import sample_of

N = 240
RNG = np.random.default_rng(3)
Y = RNG.integers(0, 3, N)
TABLE = pd.DataFrame(
    {
        "size": np.where(RNG.random(N) < 0.05, np.nan, RNG.normal(50 + 4 * Y, 9)),
        "skewed": RNG.lognormal(Y / 3, 1.0),
        "visits": RNG.poisson(2 + Y),
        "kind": RNG.choice(["a", "b", "c"], N),
        "open": RNG.random(N) < 0.3 + 0.1 * Y,
    }
)
WORDS = np.array(["red", "blue", "fish", "bird", "tree", "house", "sea", "hill"])
TEXTS = [" ".join(RNG.choice(WORDS[k : k + 6], RNG.integers(3, 12))) for k in Y]
INPUTS = {
    "mixed": (TABLE, None),
    "families": (TABLE, {"size": Gaussian(), "skewed": Histogram(bins=4), "visits": Poisson()}),
    "texts": (TEXTS, None),
    "multinomial texts": (TEXTS, TextMultinomial()),
    "a text column": (TABLE.assign(note=TEXTS), {"note": Text()}),
    "sparse": (csr_array(RNG.poisson(0.3 + Y[:, None] * [0.1, 0, 0.2, 0])), Multinomial()),
}
inputs = pytest.mark.parametrize("name", INPUTS)
two_or_three = pytest.mark.parametrize("classes", [2, 3])


@inputs
@two_or_three
def test_with_little_strength_it_is_naive_bayes(name, classes):
    x, families = INPUTS[name]
    y = np.minimum(Y, classes - 1)
    nb = NaiveBayes("auto" if families is None else families).fit(x, y)
    near = LogisticRegression(1e-9, shrink_to="naive_bayes", families=families).fit(x, y)
    assert_allclose(near.predict_proba(x), nb.predict_proba(x), atol=1e-5)


@inputs
@two_or_three
def test_the_objective_is_no_higher_than_that_of_naive_bayes_and_its_gap_is_small(name, classes):
    x, families = INPUTS[name]
    y = np.minimum(Y, classes - 1)
    model = LogisticRegression(2.0, shrink_to="naive_bayes", families=families).fit(x, y)
    logs = NaiveBayes("auto" if families is None else families).fit(x, y).predict_log_proba(x)
    assert model.objective_ <= -2.0 * logs[np.arange(N), y].sum()
    assert 0 <= model.gap_ <= 1e-6 * max(model.objective_, 2e-3 * N)


@two_or_three
def test_without_a_penalty_where_it_begins_makes_no_difference(classes):
    """Maximum conditional likelihood of x and x^2, by statsmodels."""
    x, y = TABLE[["skewed"]].to_numpy(), np.minimum(Y, classes - 1)
    model = LogisticRegression(np.inf, shrink_to="naive_bayes", families=Gaussian(), tol=1e-10).fit(x, y)
    z = (x - x.mean()) / x.std()
    peer = sm.MNLogit(y, sm.add_constant(np.hstack([z, z**2]))).fit(disp=0, tol=1e-12, maxiter=200)
    assert_allclose(model.predict_proba(x), peer.predict(), atol=1e-4)
    assert_allclose(model.objective_, -peer.llf, rtol=1e-8)


@pytest.mark.parametrize("name", ["mixed", "families", "multinomial texts", "sparse"])
@two_or_three
def test_weights_in_own_units_give_the_log_odds(name, classes):
    """But for the odds of texts, which have a term that is no weight of a word."""
    x, families = INPUTS[name]
    y = np.minimum(Y, classes - 1)
    model = LogisticRegression(1.0, shrink_to="naive_bayes", families=families).fit(x, y)
    line = model.linear()
    table = model._read(x)
    raw = np.zeros((N, len(line.features)))
    own, means, _ = model.model_.design.matrix(table, slice(0, N))
    assert means is None
    standard = own.toarray() if not isinstance(own, np.ndarray) else own
    at = 0
    for piece in model.model_.design.pieces:
        part = standard[:, at : at + piece.size].copy()
        if piece.standard is not None:
            means, scales = piece.standard
            numbers = part[:, : len(means)] * scales + means
            part = np.hstack([numbers, numbers**2]) if piece.squares else numbers
        raw[:, at : at + piece.size] = part
        at += piece.size
    whole = ~np.asarray(pd.isna(x).any(axis=1)) if isinstance(x, pd.DataFrame) else np.ones(N, bool)
    found = raw @ line.weights.T + line.bias
    scores = model.model_.score(table)
    assert_allclose((found - found[:, :1])[whole], (scores - scores[:, :1])[whole], atol=1e-7)


def test_rows_left_out_lose_what_naive_bayes_knew_of_them_too():
    y = np.minimum(Y, 1)
    x = TABLE[["size", "skewed"]].fillna(50)
    families = {"size": Gaussian(), "skewed": Histogram(bins=(0.0, 0.5, 1.0, 2.0, 50.0))}
    options = {"C": 0.5, "shrink_to": "naive_bayes", "families": families, "tol": 1e-10}
    model = LogisticRegression(**options).fit(x, y)
    told = model.loo_scores(x, y)
    for row in range(0, N, 40):
        others = np.arange(N) != row
        refit = LogisticRegression(**options).fit(x[others], y[others]).decision_function(x[row : row + 1])[0]
        before = model.decision_function(x[row : row + 1])[0]
        found = told[row, 1] - told[row, 0]
        assert abs(found - refit) <= 0.2 * abs(before - refit) + 2e-3


def test_a_row_that_one_step_does_not_tell_is_fitted_again():
    x = np.append(np.linspace(-1, 1, 30), 25.0)[:, None]
    y = (x[:, 0] > 0).astype(int)
    y[-1] = 0
    model = LogisticRegression(100.0, tol=1e-12).fit(x, y)
    doubtful = model.information(x, y).loo().doubtful
    assert doubtful[-1]
    exact = model.loo_scores(x, y, exact=True)[-1, 1]
    refit = LogisticRegression(100.0, tol=1e-12).fit(x[:-1], y[:-1]).decision_function(x[-1:])[0]
    rough = model.loo_scores(x, y)[-1, 1]
    assert_allclose(exact, refit, rtol=1e-9)
    assert abs(rough - refit) > 0.1 * abs(refit)


def test_strength_is_chosen_by_rows_left_out():
    x, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression("auto", shrink_to="naive_bayes").fit(x, y)
    least = min(model.tried_, key=lambda trial: trial.log_loss + neg_log_prior(trial.c) / len(y))
    assert least.c == model.C_
    some = LogisticRegression((0.01, 1.0)).fit(x, y)
    assert some.C_ in (0.01, 1.0)
    assert len(some.tried_) == 2


def test_a_class_that_comes_later_takes_nothing_from_rows_before_it():
    """Naive Bayes of the past has it in none of its answers, nor do these."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500).astype(np.int32)
    y[420:] = np.where(rng.random(80) < 0.7, 2, y[420:])
    x = rng.normal(size=(500, 4)) + np.array([0, 1.2, 1.3])[y][:, None]
    model = LogisticRegression("auto", shrink_to="naive_bayes", families="gaussian", time_ordered=True).fit(x, y)
    losses = []
    for start in (200, 300, 400):
        now = slice(start, start + 100)
        known = y[now] < 2
        p = NaiveBayes("gaussian").fit(x[:start], y[:start]).predict_proba(x[now][known])
        losses += (-np.log(p[np.arange(len(p)), y[now][known]])).tolist()
    alone = next(trial for trial in model.tried_ if trial.c < 1e-6 and trial.nb_scale == 1)
    assert_allclose(alone.log_loss, np.mean(losses), rtol=1e-6)


def test_texts_without_a_word():
    """There is nothing but the bias to learn."""
    model = LogisticRegression("auto", families="text").fit(["a", "b", "c", "d"] * 5, [0, 1, 1, 1] * 5)
    assert_allclose(model.predict_proba(["a"])[0], [0.25, 0.75], atol=1e-3)


def test_no_penalty_may_be_among_the_strengths():
    x, y = load_breast_cancer(return_X_y=True)
    with warnings.catch_warnings(action="error", category=RuntimeWarning):
        assert LogisticRegression([0.1, 1, np.inf]).fit(x[:, :2], y).C_ in (0.1, 1, np.inf)


@pytest.mark.parametrize("classes", [2, 3])
def test_naive_bayes_that_counts_one_column_eight_times_has_a_smaller_scale(classes):
    """And all that the model reports is of the scaled log-odds."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, classes, 300)
    x = np.repeat(rng.normal(y[:, None], 1.5), 8, axis=1) + 0.01 * rng.normal(size=(300, 8))
    options = {"shrink_to": "naive_bayes", "families": "gaussian", "tol": 1e-10}
    model = LogisticRegression("auto", **options).fit(x, y)
    assert model.nb_scale_ < 1
    best = min(model.tried_, key=lambda trial: trial.log_loss + neg_log_prior(trial.c) / len(y))
    assert (best.c, best.nb_scale) == (model.C_, model.nb_scale_)
    bayes = NaiveBayes("gaussian").fit(x, y).model_.score(read(x))
    weights, bias = model.model_.design.original(model.model_.solution.weights, model.model_.solution.bias)
    features = np.hstack([x, x**2])[:, _order(model, 8)]
    beside = features @ weights.T + bias
    scores = model.model_.score(read(x))
    expected = model.nb_scale_ * bayes + (np.column_stack([np.zeros(300), beside]) if classes == 2 else beside)
    assert_allclose(scores, expected, atol=1e-6)
    told = features @ model.coef_.T + model.intercept_
    told = told[:, 0] if classes == 2 else told - told[:, :1]
    assert_allclose(told, scores[:, 1] - scores[:, 0] if classes == 2 else scores - scores[:, :1], atol=1e-6)
    explained = model.explain(x)[3].scores
    assert_allclose(explained - explained[0], scores[3] - scores[3, 0], atol=1e-6)
    assert LogisticRegression(model.C_, **options).fit(x, y).nb_scale_ == 1
    left_out, sample = model.loo_scores(x, y), sample_of(x, y)
    for row in range(0, 300, 60):
        without = model.model_.fixed.learn(sample.without(np.array([row])))
        refit, before = without.score(read(x[[row]]))[0], scores[row]
        moved = np.abs((before - before[0]) - (refit - refit[0])).max()
        assert np.abs((left_out[row] - left_out[row, 0]) - (refit - refit[0])).max() <= 0.2 * moved + 2e-3


def test_a_row_that_one_step_does_not_tell_is_fitted_again_with_the_same_scale():
    rng = np.random.default_rng(2)
    y = np.append(rng.integers(0, 2, 60), 0).astype(np.int32)
    x = np.repeat(np.append(rng.normal(y[:-1], 1.0), 8.0)[:, None], 3, axis=1) + 0.01 * rng.normal(size=(61, 3))
    model = LogisticRegression("auto", shrink_to="naive_bayes", families="gaussian", tol=1e-12).fit(x, y)
    assert 0 < model.nb_scale_ < 1
    assert model.information(x, y).loo().doubtful[-1]
    without = model.model_.fixed.learn(sample_of(x[:-1], y[:-1]))
    exact = model.loo_scores(x, y, exact=True)[-1]
    assert_allclose(exact[1] - exact[0], np.diff(without.score(read(x[-1:]))[0])[0], rtol=1e-6)


def test_constraints_hold_for_the_sum_with_naive_bayes():
    rng = np.random.default_rng(13)
    y = rng.integers(0, 2, 300)
    x = np.repeat(rng.poisson(2 + y)[:, None], 3, axis=1) + rng.integers(0, 2, (300, 3))
    options = {"shrink_to": "naive_bayes", "families": "poisson", "limits": [Between(0, high=0.01)], "tol": 1e-10}
    model = LogisticRegression("auto", **options).fit(x, y)
    assert 0 < model.nb_scale_ < 1
    assert_allclose(model.coef_[0, 0], 0.01)
    again = model.model_.fixed.learn(sample_of(x, y))
    assert_allclose(model.coef_, again.weights[0], rtol=1e-6)


def _order(model, columns):
    """Where each feature is among x and then its squares."""
    return [column + columns * (power == "squared") for column, power in model.features_]


def test_what_naive_bayes_finds_impossible_is_told():
    table = pd.DataFrame({"kind": ["a", "b", "a", "b"]})
    with pytest.raises(ValueError, match="give the families a prior"):
        LogisticRegression(shrink_to="naive_bayes", smoothing=MaximumLikelihood()).fit(table, [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"C": "best"}, "C is a number above 0, several of them, or 'auto', not 'best'"),
        ({"C": (1.0, -1.0)}, "C must be above 0"),
        ({"shrink_to": "lasso"}, "shrink_to is None or 'naive_bayes', not 'lasso'"),
        ({"missing": "drop"}, "missing is 'indicate' or 'refuse', not 'drop'"),
    ],
)
def test_options_that_are_none(options, told):
    with pytest.raises(ValueError, match=told):
        LogisticRegression(**options).fit(TABLE, Y)


# A value


@pytest.mark.parametrize(
    ("c", "candidates"),
    [(2, (2.0,)), ([0.1, 1], (0.1, 1.0)), (np.array([3.0]), (3.0,)), ("auto", None), (None, None), (np.inf, (np.inf,))],
)
def test_c_is_a_number_several_or_left_to_be_chosen(c, candidates):
    assert LogisticModel(c).candidates == candidates


def test_learning_gives_another_model_of_these_rows_alone():
    x, y = TABLE[["skewed", "visits"]], np.minimum(Y, 1)
    unlearned = LogisticModel(1.0)
    first = unlearned.learn(sample_of(x[:100], y[:100]))
    again = first.learn(sample_of(x, y))
    assert unlearned.learned is None
    assert first.class_counts.sum() == 100
    assert again.class_counts.sum() == N
    assert_allclose(again.weights[0], unlearned.learn(sample_of(x, y)).weights[0], rtol=1e-12)
    assert again.unlearned.learned is None
    with pytest.raises(ValueError, match=r"^nothing has been learned yet$"):
        unlearned.score(read(x))


def test_fixed_it_learns_with_the_c_and_the_scale_that_were_chosen():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 200)
    sample = sample_of(np.repeat(rng.normal(y[:, None], 1.5), 8, axis=1) + 0.01 * rng.normal(size=(200, 8)), y)
    model = LogisticModel("auto", shrink_to="naive_bayes", families="gaussian", tol=1e-10).learn(sample)
    again = model.fixed.learn(sample)
    assert again.tried == []
    assert (again.c, again.known.nb_scale) == (model.c, model.known.nb_scale)
    assert model.known.nb_scale < 1
    assert_allclose(again.score(sample.table), model.score(sample.table), atol=1e-4)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match=r"^logistic regression needs rows of two classes or more; all"):
        LogisticModel().fit(sample_of([[1.0], [2.0]], [0, 1], np.array([1.0, 0.0])))


def topics(rows, seed):
    """Texts of five topics: a few words of their own, and many that are rare and mean nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 5, rows)
    own = np.where(rng.random((rows, 4)) < 0.6, y[:, None], rng.integers(0, 5, (rows, 4)))
    noise = rng.integers(0, 3000, (rows, 25))
    pairs = zip(own.tolist(), noise.tolist(), strict=True)
    return [" ".join([*(f"topic{k}" for k in some), *(f"rare{n}" for n in rest)]) for some, rest in pairs], y


def held_out_loss(model, x, y):
    return -np.log(model.predict_proba(x)[np.arange(len(y)), y]).mean()


@pytest.mark.parametrize("c", [1.0, 10.0])
def test_a_text_does_not_count_itself_among_those_it_is_judged_by(c, monkeypatch):
    """Naive Bayes knows each text by its rare words, and leaves no loss to learn from unless it is left out."""
    (x, y), later = topics(300, 0), topics(600, 1)
    left_out = held_out_loss(LogisticRegression(c, shrink_to="naive_bayes").fit(x, y), *later)
    monkeypatch.setattr("likely.models.logistic.shrinkage_target.knows_rows", lambda generative: False)
    counted = held_out_loss(LogisticRegression(c, shrink_to="naive_bayes").fit(x, y), *later)
    assert left_out < 0.95 * counted
    assert left_out < held_out_loss(NaiveBayes().fit(x, y), *later)


def test_a_topic_of_one_text_is_no_error():
    x, y = topics(60, 0)
    alone = np.where(np.arange(60) == 7, 9, y)
    for c in (1.0, "auto"):
        p = LogisticRegression(c, shrink_to="naive_bayes").fit(x, alone).predict_proba(x)
        assert np.isfinite(p).all()
        assert p[7].argmax() == 5
