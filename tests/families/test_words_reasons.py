"""The scores of texts explained: reasons, weights, descriptions; and texts that are sampled."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely.families import Gaussian, Text, TextBernoulli, TextComplement, TextMultinomial
from likely.priors import Laplace, MaximumLikelihood
from likely.statistics import Vocabulary
from likely.text import Tokens

from .texts import KINDS, NEW, VARIANTS, WEIGHT, each_kind, each_variant, every_kind, fitted, odds

pytestmark = pytest.mark.usefixtures("untuned")


@each_variant
def test_reasons_sum_to_the_scores(family):
    model = fitted(family, weight=WEIGHT)
    for reasons, scores in zip(model.explain(NEW), model.predict_joint_log_proba(NEW), strict=True):
        assert_allclose(reasons.scores, scores, rtol=1e-12)
        assert "nan" not in str(reasons)


def test_of_words_that_are_not_in_a_text_bernoulli_has_one_reason():
    row = fitted(TextBernoulli(), ["good good day", "bad day"], [0, 1]).explain(["good good"])[0]
    assert [reason.column for reason in row.reasons] == ["good", "all that is absent"]
    assert_allclose(row.reasons[0].contributions, np.log([(2 / 3) / (1 / 3), (1 / 3) / (2 / 3)]))
    assert_allclose(row.reasons[1].contributions, np.log([2 / 27, 2 / 27]))


def test_of_odds_the_class_prior_has_a_reason_of_its_own():
    """A text of 1 + log 2 + 1 tokens that are known has its root of them."""
    model = fitted(odds(prior=Laplace()), ["good day", "bad night", "bad"], ["ham", "spam", "spam"])
    (row,) = model.explain(["Night zebra good yak night"])
    assert [(reason.column, reason.value) for reason in row.reasons] == [
        ("night", 2),
        ("good", 1),
        ("class prior by text length", ""),
        ("not known", "zebra, yak"),
    ]
    h, m = 1 / np.sqrt(2), 2 + np.log(2)
    ham, spam = 2 * h + 4, 2 * h + 1 + 4
    night = 0.7 / np.sqrt(m) * (1 + np.log(2)) * np.log((1 / ham) / ((h + 1) / spam))
    good = 0.7 / np.sqrt(m) * np.log(((h + 1) / ham) / (1 / spam))
    assert_allclose(row.reasons[0].contributions, [night, -night])
    assert_allclose(row.reasons[1].contributions, [good, -good])
    prior = 0.7 / np.sqrt(m) * np.log(1.5 / 2.5)
    assert_allclose(row.reasons[2].contributions, [prior - np.log(1.5 / 4), -prior - np.log(2.5 / 4)])
    assert_allclose(row.scores, model.predict_joint_log_proba(["Night zebra good yak night"])[0])


def test_of_odds_a_text_without_a_known_word_has_no_reason_but_that():
    model = fitted(odds())
    assert [reason.column for reason in model.explain(["zebra yak"])[0].reasons] == ["not known"]
    assert model.explain([""])[0].reasons == []


@every_kind
def test_words_counted_less_than_the_minimum_are_not_known(kind):
    model = fitted(kind(Tokens(minimum=2), Laplace()), ["good day", "good night", "rain rain"], [0, 1, 1])
    (row,) = model.explain(["rain day good sun night"])
    assert row.reasons[-1].column == "not known"
    rare = "rain, day, sun, night" if kind is TextBernoulli else "day, sun, night"
    assert row.reasons[-1].value == rare
    assert "good" in [reason.column for reason in row.reasons]
    assert_allclose(row.scores, model.predict_joint_log_proba(["rain day good sun night"])[0])


def test_a_missing_text_has_no_reasons():
    for kind in KINDS:
        assert fitted(kind()).explain(["good", None])[1].reasons == []


def test_reasons_of_several_columns_name_them():
    x = pd.DataFrame({"head": ["good", "bad"], "body": ["good day", "bad night"], "n": [1.0, 2.5]})
    model = fitted({"head": TextMultinomial(), "body": TextMultinomial(), "n": Gaussian(prior=Laplace())}, x, [0, 1])
    named = [reason.column for reason in model.explain(x)[0].reasons]
    assert sorted(named) == ["body: day", "body: good", "head: good", "n"]


@each_variant
def test_weights_and_bias_give_the_scores(family):
    model = fitted(family, weight=WEIGHT)
    if family.reading.hashing or isinstance(family, Text):  # of a text's class prior, all of its words have a part
        with pytest.raises(ValueError, match="the boundary is not linear: column 0 is Text"):
            model.linear()
        return
    if isinstance(family.prior, MaximumLikelihood):
        with pytest.raises(ValueError, match="some weights are infinite"):
            model.linear()
        return
    line, new = model.linear(), [text or "" for text in NEW]
    words = Vocabulary.of([word for column, word in line.features if column == 0])
    counts, _ = family.reading.matrix(new, words)
    assert_allclose(counts @ line.weights.T + line.bias, model.predict_joint_log_proba(new), rtol=1e-10)


@each_kind
def test_texts_without_a_single_word_leave_the_class_prior(kind):
    model = fitted(kind(), ["a", "", None, "!"], [0, 1, 1, 1])
    assert_allclose(model.predict_proba(["a", "zebra", None, ""]), [[1 / 4, 3 / 4]] * 4)
    assert model.describe().free_parameters == 1
    assert model.explain(["zebra"])[0].reasons[0].value == "zebra"
    line = model.linear()
    assert (line.weights.shape, line.features) == ((2, 0), [])
    assert_allclose(line.bias, np.log([1 / 4, 3 / 4]))


@each_variant
def test_a_description_lists_ten_words_at_the_most(family):
    lines = fitted(family).describe().lines
    words = [name for _, name, _ in lines if name.startswith("weight of ")]
    assert [name for _, name, _ in lines[:2]] == ["texts", "tokens"]
    assert len(words) == len(lines) - 2 == (0 if family.reading.hashing else 4 if family.vocabulary else 10)


@pytest.mark.parametrize("name", ["bernoulli", "complement", "odds", "pairs", "characters", "hashing"])
def test_only_single_words_can_be_drawn(name):
    with pytest.raises(TypeError, match="only a multinomial text of single words can be sampled"):
        fitted(VARIANTS[name]).sample(2, random_state=0)


@pytest.mark.parametrize("kind", [Text, TextBernoulli, TextComplement])
def test_only_shares_have_a_posterior(kind):
    with pytest.raises(TypeError, match=f"have a posterior in TextMultinomial, not in {kind.__name__}"):
        fitted(kind()).parameter_posterior(0)
