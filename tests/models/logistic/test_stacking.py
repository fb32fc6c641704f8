"""Texts by margins and naive Bayes: calibration, choices, and all that a model of them must answer."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import LogisticRegression, NaiveBayes, load
from likely.engines.steps import announced_to
from likely.families import Text
from likely.models.logistic import stacking
from likely.models.logistic.stacking import USUAL, calibrate, reads_margins
from likely.text import Tokens
from likely.validation import leave_one_out

WORDS = 60


def corpus(texts, classes, seed=0, length=12):
    """Each class has a few words of its own, and all share the others."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(texts) % classes)
    own = 3 * y[:, None] + rng.integers(0, 3, (texts, length))
    words = np.where(rng.random((texts, length)) < 0.25, own, rng.integers(0, WORDS, (texts, length)))
    return [" ".join(f"w{word}" for word in row) for row in words], np.array([f"class {k}" for k in y])


def blend(**options):
    return LogisticRegression("auto", shrink_to="naive_bayes", **options)


@pytest.mark.parametrize("outputs", [1, 3])
def test_scales_and_biases_are_those_of_the_least_log_loss(outputs):
    rng = np.random.default_rng(0)
    margins, nb = rng.normal(size=(2, 20_000, outputs))
    bias = np.linspace(-0.5, 0.5, outputs) if outputs > 1 else np.array([0.5])
    scores = 2 * margins + 0.4 * nb + bias
    all_ = np.column_stack([np.zeros(20_000), scores]) if outputs == 1 else scores
    y = (all_ + rng.gumbel(size=all_.shape)).argmax(axis=1).astype(np.int32)
    found = calibrate(margins, nb, y, np.ones(len(y)))
    assert found.margin_scale == pytest.approx(2, abs=0.1)
    assert found.nb_scale == pytest.approx(0.4, abs=0.05)
    assert_allclose(found.bias, bias, atol=0.1)
    assert not calibrate(margins, nb, y, np.ones(len(y)), biased=False).bias.any()


def test_scales_keep_their_bounds():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 500).astype(np.int32)
    right = np.eye(3)[y]
    assert calibrate(-right, right, y, np.ones(500))[:2] == (0.0, 1.0)
    none = calibrate(np.zeros((0, 3)), np.zeros((0, 3)), y[:0], np.ones(0))
    assert none.margin_scale == USUAL
    assert np.isnan(none.log_loss)


@pytest.mark.parametrize("classes", [2, 6])
def test_texts_are_learned_by_margins_and_predicted_with_calibrated_probabilities(classes):
    texts, y = corpus(1500, classes)
    model = blend().fit(texts[:1000], y[:1000])
    assert not model.model_.curved
    log_p = model.predict_log_proba(texts[1000:])
    at = np.searchsorted(model.classes_, y[1000:])
    loss = -log_p[np.arange(500), at].mean()
    plain = NaiveBayes("text_multinomial").fit(texts[:1000], y[:1000]).predict_log_proba(texts[1000:])
    assert loss < -plain[np.arange(500), at].mean() + 0.02
    confidence, right = np.exp(log_p.max(axis=1)), log_p.argmax(axis=1) == at
    assert abs(confidence.mean() - right.mean()) < 3 * np.sqrt(0.25 / 500)
    assert model.gap_ < 0.1 * model.objective_
    assert model.C_ in {trial.c for trial in model.tried_}


@pytest.mark.parametrize("classes", [2, 4])
def test_reasons_sum_to_the_scores_and_weights_have_names(classes):
    texts, y = corpus(200, classes)
    model = blend().fit(texts, y)
    scores = model.model_.score(model._read(texts[:5]))
    for reasons, row in zip(model.explain(texts[:5]), scores, strict=True):
        assert_allclose(reasons.scores, row, atol=1e-10)
    assert model.coef_.shape == (1 if classes == 2 else classes, len(model.features_))
    assert {"w0", "w1"} <= {name for _, name in model.features_}


def test_a_model_file_answers_alike(tmp_path):
    texts, y = corpus(200, 3)
    model = blend().fit(texts, y)
    model.save(tmp_path / "m.likely")
    again = load(tmp_path / "m.likely")
    assert_allclose(again.predict_proba(texts), model.predict_proba(texts), atol=0)
    assert again.model_.known.margin_scale == model.model_.known.margin_scale
    assert_allclose(again.loo_scores(texts, y), model.loo_scores(texts, y), atol=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
def test_held_out_scores_know_nothing_of_the_row(classes):
    """Labels that are noise are predicted by chance, where weights know them by heart."""
    texts, _ = corpus(400, classes)
    y = np.random.default_rng(2).integers(0, classes, 400)
    model = blend().fit(texts, y)
    learned = np.mean(model.classes_[model.loo_scores(texts, y).argmax(axis=1)] == y)
    assert abs(learned - 1 / classes) < 0.1
    result = leave_one_out(blend(), texts, y)
    assert result.error == pytest.approx(1 - learned)
    assert "margins by five folds" in result.how


def test_the_same_again_with_all_that_was_chosen():
    texts, y = corpus(300, 3)
    model = blend().fit(texts, y)
    table = model._read(texts)
    sample = model.sample_of(texts, y, None)
    assert_allclose(model.model_.fixed.learn(sample).score(table), model.model_.score(table), atol=0.05)


def test_margins_have_no_standard_errors():
    texts, y = corpus(100, 2)
    model = blend().fit(texts, y)
    with pytest.raises(ValueError, match="were learned by margins"):
        model.odds_ratios(texts, y)


def test_weights_of_a_c_that_is_given_are_learned_by_log_loss():
    texts, y = corpus(100, 2)
    for model in (LogisticRegression(1.0, shrink_to="naive_bayes"), LogisticRegression("auto")):
        assert model.fit(texts, y).model_.curved


def test_texts_with_other_columns_are_learned_by_log_loss():
    texts, y = corpus(100, 2)
    table = pd.DataFrame({"text": texts, "length": np.arange(100.0)})
    model = blend().fit(table, y)
    assert model.model_.curved
    assert not reads_margins(model.model_.generative)
    assert not reads_margins(None)


def test_two_texts_a_row_and_missing_ones():
    texts, y = corpus(300, 3)
    half = len(texts[0]) // 2
    first, second = [text[:half] for text in texts], [text[half:] for text in texts]
    second[4] = None
    table = pd.DataFrame({"first": first, "second": second})
    model = blend(families="text").fit(table, y)
    assert not model.model_.curved
    assert np.isfinite(model.predict_proba(table)).all()
    scores = model.model_.score(model._read(table[4:5]))
    assert_allclose(next(iter(model.explain(table[4:5]))).scores, scores[0], atol=1e-10)


def test_few_texts_and_classes_of_one():
    texts, y = ["one word", "two words", "three words more"], ["a", "b", "c"]
    model = blend().fit(texts, y)
    assert np.isfinite(model.predict_log_proba(texts)).all()
    assert np.isfinite(model.loo_scores(texts, y)).all()


def test_texts_without_weight_have_no_part():
    """But in which fold others are."""
    texts, y = corpus(400, 2)
    wrong = np.where(y == "class 0", "class 1", "class 0")
    model = blend().fit(texts + texts, np.append(y, wrong), sample_weight=np.repeat([1.0, 0.0], 400))
    other, _ = corpus(200, 2, seed=9)
    both = [np.log(each.predict_proba(other)) for each in (model, blend().fit(texts, y))]
    assert np.corrcoef(both[0][:, 0], both[1][:, 0])[0, 1] > 0.98


def test_c_of_a_few_is_the_best_of_them():
    texts, y = corpus(400, 3)
    model = blend().fit(texts, y)
    sample, nb = model.sample_of(texts, y, None), model.model_.generative
    found = stacking.stacked(sample, nb, (0.01, 1.0), "indicate", None)
    losses = {trial.c: trial.log_loss for trial in found.tried}
    assert set(losses) == {0.01, 1.0}
    assert found.c == min(losses, key=losses.__getitem__)


@pytest.mark.parametrize("ordered", [True, False])
def test_pairs_are_read_where_they_lower_the_loss(monkeypatch, ordered):
    """Naive Bayes, which has chosen them, is silenced: with it there is nothing left to learn."""
    rng = np.random.default_rng(3)
    first = rng.integers(0, 2, 1500)
    texts = [f"{('good bad', 'bad good')[a]} filler{rng.integers(9)}" for a in first]
    noise = rng.random(1500) < 0.3
    y = first if ordered else np.array(["filler0" in text for text in texts]) ^ noise
    model = blend(families=Text(Tokens(ngrams=(1, 2)))).fit(texts, y)
    monkeypatch.setattr(stacking, "log_odds", np.zeros_like)
    monkeypatch.setattr(stacking, "left_out_scores", lambda nb, sample: np.zeros((len(sample), 1)))
    found = stacking.stacked(model.sample_of(texts, y, None), model.model_.generative, None, "indicate", None)
    assert found.design.blocks[0].family.tokens.ngrams == ((1, 2) if ordered else (1, 1))


def test_a_fit_announces_its_steps():
    shown = []
    with announced_to(shown.append):
        blend().fit(*corpus(1200, 2))
    assert shown[0] == "Blend: texts left out of naive Bayes"
    assert "Blend: held-out texts with C = 1" in shown
    assert shown[-2:] == ["Blend: held-out texts, 4 of 5 folds, to be calibrated by", ""]
