import numpy as np
import pytest

from likely import NaiveBayes
from likely.families import TextBernoulli, TextComplement, TextMultinomial
from likely.report.words import WORDS, draw_words, informative_words, words_like

TEXTS = [
    "cheap pills now",
    "cheap watches now",
    "win cheap pills",
    "lunch at noon",
    "noon meeting notes",
    "meeting at lunch",
]
LABELS = ["spam"] * 3 + ["ham"] * 3


@pytest.fixture(scope="module")
def model():
    return NaiveBayes().fit(TEXTS, LABELS)


def test_the_odds_are_what_a_word_adds(model):
    found = informative_words(model.model_, 0, 1)
    reasons = {str(reason.column): reason for reason in model.explain(["cheap"])[0].reasons}
    adds = reasons["cheap"].contributions
    cheap = next(word for word in found if word.word == "cheap")
    assert cheap.odds == pytest.approx(float(adds[1] - adds[0]))


def test_the_words_are_those_of_the_class_the_weightiest_first(model):
    spam, ham = ([word.word for word in informative_words(model.model_, 0, k)] for k in (1, 0))
    assert spam[0] == "cheap"
    assert set(spam) <= set(" ".join(TEXTS[:3]).split())
    assert set(ham) <= set(" ".join(TEXTS[3:]).split())
    worth = [word.times * word.odds for word in informative_words(model.model_, 0, 1)]
    assert worth == sorted(worth, reverse=True)
    assert len(worth) <= WORDS


def test_the_bars_are_the_odds(model):
    picture = draw_words(model.model_, 0, 1, 1)
    axes = picture.figure.axes[0]
    found = informative_words(model.model_, 0, 1)
    np.testing.assert_allclose([bar.get_width() for bar in axes.patches], [word.odds for word in found])
    assert "Words that are evidence for spam" in picture.says


def test_one_class_has_no_words_that_tell():
    only = NaiveBayes().fit(["a b", "b c"], ["x", "x"])
    assert informative_words(only.model_, 0, 0) == []
    assert draw_words(only.model_, 0, 0).says.endswith("none")


@pytest.mark.parametrize("family", [TextMultinomial, TextBernoulli, TextComplement])
def test_every_family_of_texts(family):
    model = NaiveBayes(family()).fit(TEXTS, LABELS)
    assert informative_words(model.model_, 0, 1)[0].word == "cheap"


def test_words_are_found_by_their_letters(model):
    assert [word.word for word in words_like(model.model_, 0, 1, "CHEA")] == ["cheap"]
    assert words_like(model.model_, 0, 1) == informative_words(model.model_, 0, 1)
    known = next(word for word in informative_words(model.model_, 0, 1) if word.word == "cheap")
    (found,) = words_like(model.model_, 0, 1, "cheap")
    assert (found.times, found.odds) == (known.times, pytest.approx(known.odds))
    assert words_like(model.model_, 0, 1, "lunch") == []  # it is in no text of the class
