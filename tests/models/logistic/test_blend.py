"""The blend finds how numbers are read, and pairs of columns that act together."""

import numpy as np
import pandas as pd
import pytest

import likely
from likely.data import Sample, read
from likely.models.choosing.pairs import PairEvidence
from likely.models.logistic.blend import _more_and_more
from likely.models.logistic.grid import axes_of
from likely.validation import relevance


def together(rows=600, seed=0):
    """Classes by the product of two numbers, and a category that is noise."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=rows), "b": rng.normal(size=rows), "c": rng.choice(["p", "q"], rows)})
    return frame, np.where(frame["a"] * frame["b"] + 0.1 * rng.normal(size=rows) > 0, "same", "other")


def by_squares(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=rows), "b": rng.exponential(size=rows)})
    return frame, frame["a"] ** 2 + frame["b"] ** 2 + 0.1 * rng.normal(size=rows) > 1.5


def blend(**options):
    return likely.LogisticRegression("auto", shrink_to="naive_bayes", **options)


@pytest.fixture(scope="module")
def model():
    return blend().fit(*together())


def test_a_pair_that_acts_together_has_a_term_of_its_own(model):
    x, y = together(seed=1)
    assert model.pairs_[0] == ("a", "b")
    assert np.mean(model.predict(x) != y) < 0.12
    assert np.mean(blend(interactions=0).fit(*together()).predict(x) != y) > 0.4


def test_pairs_that_are_named():
    x, y = together()
    found = blend(interactions=[("c", "a"), (0, 1)]).fit(x, y)
    assert found.pairs_ == [("c", "a"), ("a", "b")]
    plain = likely.LogisticRegression(1.0, interactions=[("a", "b")]).fit(x, y)
    assert np.mean(plain.predict(x) != y) < 0.12


@pytest.mark.parametrize(
    ("interactions", "says"),
    [
        ("all", "interactions is 'auto', 0, or a list of pairs"),
        (2, "interactions is 'auto', 0, or a list of pairs"),
        ([("a", "b", "c")], "interactions is 'auto', 0, or a list of pairs"),
        ([("a", "d")], "interactions names a column 'd', but the columns are 'a', 'b', 'c'"),
        ([("a", "a")], "interactions pairs column 'a' with itself"),
    ],
)
def test_pairs_that_there_are_not(interactions, says):
    with pytest.raises(ValueError, match=says):
        blend(interactions=interactions).fit(*together(60))


def test_columns_that_act_one_by_one_are_not_paired():
    rng = np.random.default_rng(2)
    x = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    y = rng.random(400) < 1 / (1 + np.exp(-2 * x["a"] + x["b"]))
    assert blend().fit(x, y).pairs_ == []


def one_by_one_as_naive_bayes_has_it(rows=1500, seed=2):
    """Six columns for which naive Bayes is right, and two whose signs agree in one class and differ in the other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=rows)
    x = rng.normal(size=(rows, 8)) + np.r_[0, 0, [0.5] * 6] * (2 * y[:, None] - 1)
    agree = np.where(rng.random(rows) < 0.85, 2 * y - 1, 1 - 2 * y)
    x[:, 1] = np.abs(x[:, 1]) * np.sign(x[:, 0]) * agree
    return pd.DataFrame(x, columns=list("abcdefgh")), y


def test_pairs_have_a_penalty_of_their_need_where_naive_bayes_is_all_that_columns_need():
    """Weights held at naive Bayes by a small C left a pair too little: .098 of these rows were wrong."""
    found = blend().fit(*one_by_one_as_naive_bayes_has_it())
    tried = found.model_.known.tried
    alone = min((trial for trial in tried if not trial.pairs), key=lambda trial: trial.log_loss)
    assert found.pairs_ == [("a", "b")]
    assert alone.c < 0.1 < found.C_
    x, y = one_by_one_as_naive_bayes_has_it(3000, seed=9)
    assert np.mean(found.predict(x) != y) < 0.09


def gaussians(rows=800, seed=4):
    """Twenty classes that differ in the covariance of eight numbers alone."""
    rng = np.random.default_rng(5)
    turns = np.linalg.qr(rng.normal(size=(20, 8, 8)))[0] * np.geomspace(2, 0.2, 8)
    rng = np.random.default_rng(seed)
    y = rng.integers(20, size=rows)
    return pd.DataFrame(np.einsum("nij,nj->ni", turns[y], rng.normal(size=(rows, 8))), columns=list("abcdefgh")), y


def test_products_of_all_numbers_where_no_pair_has_enough_evidence():
    """Without them .80 of these rows are wrong."""
    found = blend().fit(*gaussians())
    assert found.model_.design.products
    assert found.pairs_ == []
    x, y = gaussians(seed=6)
    assert np.mean(found.predict(x) != y) < 0.5
    reasons, scores = found.explain(x[:3]), found.model_.score(read(x[:3]))
    np.testing.assert_allclose([each.scores for each in reasons], scores)
    assert "a × b" in {reason.column for reason in reasons[0].reasons}
    assert not blend(interactions=0).fit(*gaussians()).model_.design.products


def test_a_model_with_all_chosen_has_the_same_products():
    x, y = gaussians()
    found = blend(tol=1e-8).fit(x, y)
    sample = Sample(read(x), y.astype(np.int32), np.arange(20))
    again = found.model_.fixed.learn(sample)
    assert again.design.features == found.model_.design.features
    np.testing.assert_allclose(again.solution.objective, found.model_.solution.objective, rtol=1e-7)


def test_numbers_are_read_by_what_they_do_for_the_class():
    found = blend(interactions=0).fit(*by_squares())
    assert {trial.reading for trial in found.tried_} == {"curve", "knots", "family"}
    best = min(found.tried_, key=lambda trial: trial.log_loss)
    assert found.model_.known.reading == best.reading == "curve"
    named = blend(families={"a": "histogram", "b": "histogram"}).fit(*by_squares())
    assert {trial.reading for trial in named.tried_} == {"family"}


def test_reasons_sum_to_the_scores_with_pairs_as_pairs(model):
    x, _ = together()
    reasons, scores = model.explain(x[:5]), model.model_.score(read(x[:5]))
    for row in range(5):
        np.testing.assert_allclose(reasons[row].scores, scores[row])
        pair = next(reason for reason in reasons[row].reasons if reason.column == "a × b")
        assert pair.value == f"{x['a'][row]:.6g}, {x['b'][row]:.6g}"


def test_weights_are_of_the_features(model):
    assert model.coef_.shape == (1, len(model.features_))
    assert (("a", "b"), "product") in model.features_


def test_a_model_file_holds_pairs(model, tmp_path):
    x, _ = together()
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    np.testing.assert_array_equal(again.predict_proba(x), model.predict_proba(x))
    assert again.pairs_ == model.pairs_
    assert again.model_.known.evidence == model.model_.known.evidence
    assert relevance(again).pairs == relevance(model).pairs


def test_what_was_chosen_can_be_fitted_again():
    x, y = together()
    model = blend(tol=1e-8).fit(x, y)
    sample = model.sample_of(x, y, None)
    again = model.model_.fixed.fit(sample)
    assert again.design.pairs == model.pairs_
    np.testing.assert_allclose(again.score(sample.table), model.model_.score(sample.table), atol=0.05)


def test_leave_one_out_scores_and_calibration(model):
    x, y = together()
    loo = model.loo_scores(x, y)
    assert np.mean(model.classes_[loo.argmax(axis=1)] != y) < 0.12
    calibrated = blend(calibrate=True).fit(x, y)
    np.testing.assert_allclose(calibrated.predict_proba(x).sum(axis=1), 1)


def test_relevance_of_pairs(model):
    x, y = together()
    found = relevance(model)
    assert found.pairs[0][:2] == ("a", "b")
    assert "a × b" in str(found)
    assert relevance(likely.NaiveBayes().fit(x, y)).pairs == []
    assert relevance(likely.NaiveBayes().fit(x, y), x, y).pairs == found.pairs


def test_weights_are_as_near_as_candidates_are_compared_unless_you_say(model):
    x, y = together()
    assert 1e-6 < model.gap_ / model.objective_ <= 1e-3
    near = blend(tol=1e-6).fit(x, y)
    assert near.gap_ / near.objective_ <= 1e-6
    assert near.tried_ == model.tried_


def test_pairs_are_twice_as_many_each_time_within_what_a_fit_may_cost(monkeypatch):
    table = read(np.random.default_rng(0).normal(size=(50, 8)))
    sample = Sample(table, (np.arange(50) % 2).astype(np.int32), np.arange(2))
    axes = axes_of(sample, range(8), 6)
    evidence = [PairEvidence(a, b, 1.0) for a in range(8) for b in range(a)]
    assert [len(pairs) for pairs in _more_and_more(evidence, axes, sample)] == [4, 8, 16, 28]
    monkeypatch.setattr("likely.models.logistic.blend.MOST_PRODUCTS", 10 * 4 * 50 * 2)
    assert [len(pairs) for pairs in _more_and_more(evidence, axes, sample)] == [4, 8, 10]
    monkeypatch.setattr("likely.models.logistic.blend.MOST_WEIGHTS", 3 * 36 * 2)
    assert [len(pairs) for pairs in _more_and_more(evidence, axes, sample)] == [3]
    nothing = [pair._replace(log_factor=-1.0) for pair in evidence]
    assert _more_and_more(nothing, axes, sample) == []
