"""Words taken out of what was learned: the model is as if they had never been there."""

from collections import Counter

import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely import NaiveBayes
from likely.families import Text, TextBernoulli, TextComplement, TextMultinomial
from likely.text import Tokens

TEXTS = ["cat dog cat", "cat bird", "stone cat", "stone stone sand", "sand cat"]
Y = ["pet", "pet", "pet", "rock", "rock"]


def without(*words):
    return [" ".join(word for word in text.split() if word not in words) for text in TEXTS]


OF_COUNTS = (TextMultinomial, TextBernoulli, TextComplement)


def rare(family, minimum=1, most=None):
    """The words that must go; for Bernoulli a word counts once in a text."""
    texts = [dict.fromkeys(text.split()) if family is TextBernoulli else text.split() for text in TEXTS]
    words = [word for text in texts for word in text]
    counts = Counter(words)
    return counts.keys() - [word for word, count in counts.most_common(most) if count >= minimum]


@pytest.mark.parametrize(
    "options", [{"minimum": 2}, {"minimum": 3}, {"most": 2}, {"minimum": 2, "most": 1}, {"minimum": 3, "most": 5}]
)
@pytest.mark.parametrize("family", OF_COUNTS)
def test_as_if_the_words_had_never_been_there(options, family):
    pruned = NaiveBayes(family()).fit(TEXTS, Y)
    pruned.prune(**options)
    expected = NaiveBayes(family()).fit(without(*rare(family, **options)), Y)
    assert pruned.predict_joint_log_proba(TEXTS).tolist() == expected.predict_joint_log_proba(TEXTS).tolist()


def test_of_odds_as_if_the_words_had_never_been_there(monkeypatch):
    """Where whole texts go. Of others, what is left was counted at the length that they had."""
    monkeypatch.setattr(Text, "tuned", lambda self, *_: self)
    family = Text(tokens=Tokens(sublinear=True, root=True))
    x, y = ["cat dog", "dog cat cat", "bird", "stone sand", "sand stone", "moss"], [0, 0, 0, 1, 1, 1]
    pruned = NaiveBayes(family).fit(x, y)
    (told,) = pruned.prune(minimum=1.2)  # a text of one word counts as 1
    assert (told.words, told.words_left) == (6, 4)
    expected = NaiveBayes(family).fit(["" if text in ("bird", "moss") else text for text in x], y)
    assert_allclose(pruned.predict_joint_log_proba(x), expected.predict_joint_log_proba(x), rtol=1e-12)


@pytest.mark.parametrize("family", [Text, *OF_COUNTS])
def test_without_any_word_the_class_prior_is_left(family):
    model = NaiveBayes(family(tokens=Tokens())).fit(TEXTS, Y)
    (told,) = model.prune(most=0)
    assert (told.words, told.words_left, told.tokens_left) == (5, 0, 0)
    assert_allclose(model.predict_proba([*TEXTS, None]), [[3 / 5, 2 / 5]] * 6)


@pytest.mark.parametrize("family", [Text, *OF_COUNTS])
def test_by_itself_it_takes_nothing(family):
    """Though of a long text each word may count less than once."""
    model = NaiveBayes(family()).fit(TEXTS, Y)
    before = model.predict_joint_log_proba(TEXTS)
    (told,) = model.prune()
    assert told.words_left == told.words
    assert_array_equal(model.predict_joint_log_proba(TEXTS), before)


def test_what_is_told():
    model = NaiveBayes(TextMultinomial()).fit(TEXTS, Y)
    (told,) = model.prune(minimum=2)
    assert (told.words, told.words_left, told.tokens, told.tokens_left) == (5, 3, 12, 10)
    assert str(told) == "0: 3 of 5 words left, with 83.3 % of the tokens"


def test_ties_stay_in_the_order_in_which_they_came():
    model = NaiveBayes(TextMultinomial()).fit(["aa bb", "cc dd"], [0, 1])
    model.prune(most=2)
    assert [reason.value for reason in model.explain(["aa bb cc dd"])[0].reasons if reason.value] == [1, 1, "cc, dd"]


def test_learning_goes_on():
    model = NaiveBayes(TextMultinomial()).fit(TEXTS, Y)
    model.prune(minimum=2)
    model.partial_fit(["bird"], ["pet"])
    expected = NaiveBayes(TextMultinomial()).fit([*without("dog", "bird"), "bird"], [*Y, "pet"])
    assert model.predict_joint_log_proba(TEXTS).tolist() == expected.predict_joint_log_proba(TEXTS).tolist()


def test_an_error_changes_nothing():
    model = NaiveBayes().fit(TEXTS, Y)
    before = model.predict_joint_log_proba(TEXTS).tolist()
    with pytest.raises(ValueError, match="most is how many words may stay"):
        model.prune(most=-1)
    assert model.predict_joint_log_proba(TEXTS).tolist() == before


@pytest.mark.parametrize("family", [Text(vocabulary=("cat", "stone")), Text(tokens=Tokens(hashing=8))])
def test_words_that_were_given_stay(family):
    with pytest.raises(ValueError, match="column 0 counts a fixed vocabulary or buckets"):
        NaiveBayes(family).fit(TEXTS, Y).prune(minimum=2)


def test_no_texts():
    with pytest.raises(ValueError, match="no column was learned as text"):
        NaiveBayes().fit([[1.0], [2.0]], [0, 1]).prune(minimum=2)
