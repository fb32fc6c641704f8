"""What tells nothing: texts that are missing, and words and classes that were never seen."""

import pickle
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely import NaiveBayes
from likely.families import TextComplement, TextMultinomial
from likely.priors import MaximumLikelihood

from .texts import VARIANTS, WEIGHT, Y, each_kind, each_variant, fitted, frames, same

pytestmark = pytest.mark.usefixtures("untuned")


@each_variant
def test_a_missing_text_gets_the_class_prior(family):
    model = fitted(family, weight=WEIGHT)
    prior = np.bincount(Y, WEIGHT) / WEIGHT.sum()
    assert_allclose(model.predict_proba([None, "good", np.nan])[[0, 2]], [prior, prior])


def test_nothing_but_missing_texts_get_the_class_prior():
    """A batch may have no text at all."""
    assert_allclose(
        fitted(TextMultinomial(), ["good", "bad", "bad"], [0, 1, 1]).predict_proba([None]), [[1 / 3, 2 / 3]]
    )


@frames
def test_a_column_of_nothing_but_missing_texts_gets_the_class_prior(make):
    model = fitted({"t": TextMultinomial()}, make({"t": ["good", "bad", "bad"]}), [0, 1, 1])
    assert_allclose(model.predict_proba(make({"t": [None, None]})), [[1 / 3, 2 / 3]] * 2)


@pytest.mark.parametrize("name", [name for name in VARIANTS if "hashing" not in name and "characters" not in name])
def test_words_never_seen_tell_nothing(name):
    """Parts of a word may be known, and so may its bucket."""
    family = VARIANTS[name]
    found = fitted(family).predict_joint_log_proba(["good", "zebra zebra", "zebra good yak", ""])
    if family.reading.ngrams != (2, 2):
        assert not np.allclose(found[0], found[3])
    assert_array_equal(found[1], found[3])
    assert_array_equal(found[2], found[0])


@each_kind
def test_a_class_that_is_yet_to_come_has_scores_without_nan(kind):
    model = NaiveBayes(kind(), class_prior="uniform").partial_fit(["good day", "night"], [0, 1], classes=[0, 1, 2])
    found = model.predict_joint_log_proba(["good night", "", "zebra"])
    assert np.isfinite(found).all()
    same(model.partial_fit(["new words"], [2]), fitted(kind(), ["good day", "night", "new words"], [0, 1, 2]))


@pytest.mark.parametrize("kind", [TextMultinomial, TextComplement])
@pytest.mark.parametrize("vocabulary", [None, ("good", "nowhere")], ids=["words found", "words given"])
@pytest.mark.parametrize(
    "x",
    [["good day", "bad day", "good"], ["good day", "", None], ["good", "good", "good"], ["", "", "good"]],
    ids=["words", "a class without words", "one word", "one text"],
)
def test_maximum_likelihood_gives_infinities_and_never_nan(kind, vocabulary, x):
    family, y = kind(prior=MaximumLikelihood(), vocabulary=vocabulary), [0, 1, 1]
    model = fitted(family, x, y, class_prior="uniform")
    new = ["good", "bad", "good bad day", "nowhere", "nowhere good", "", None, "zebra"]
    assert not np.isnan(model.predict_joint_log_proba(new)).any()
    probabilities = model.predict_proba(new)
    assert_allclose(probabilities.sum(axis=1), 1)
    assert_allclose(probabilities[-3:], 0.5)
    assert not np.isnan(model.loo_scores(x, y)).any()
    assert "nan" not in str(model.explain(new))
    assert "nan" not in str(model.describe())


@pytest.mark.parametrize(
    "x", ["ab\ud800cd", "x\0yz ab", "\U0010ffff ab", "ａｂ é e\u0301e", "İİ ﬀﬀ", "١٢٣ Ⅻx"], ids=ascii
)
def test_strange_texts_are_learned_pickled_and_told(x):
    model = pickle.loads(pickle.dumps(fitted(TextMultinomial(), [x, "other words"], [0, 1])))
    found = [word for _, word in model.linear().features]
    assert sorted(found) == sorted({*re.findall(r"\w\w+", x.lower()), "other", "words"})
    assert model.predict([x]).tolist() == [0]
    assert [reason.column for reason in model.explain([x])[0].reasons] == list(
        dict.fromkeys(re.findall(r"\w\w+", x.lower()))
    )
