"""What cannot be read as text, and options that cannot be."""

import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from likely import NaiveBayes
from likely.errors import EmptyColumns
from likely.families import Text, TextBernoulli, TextMultinomial
from likely.priors import Dirichlet, Gamma, MaximumLikelihood, MEstimate
from likely.text import Tokens

from .texts import NEW, X, every_kind, fitted


@pytest.mark.parametrize("prior", [MEstimate(2), Gamma(1, 1), Dirichlet((1.0, 2.0))], ids=["m", "gamma", "numbers"])
@every_kind
def test_a_prior_that_is_none_for_words_is_refused(kind, prior):
    model = NaiveBayes(kind(prior=prior))
    with pytest.raises(TypeError, match=r" is no prior for the words of a text; MaximumLikelihood and Laplace are$"):
        model.fit(["good", "bad"], [0, 1])
    assert not hasattr(model, "model_")


@pytest.mark.parametrize("prior", [MaximumLikelihood(), Dirichlet(1.0, estimate="mode")], ids=repr)
@pytest.mark.parametrize("kind", [Text, TextBernoulli])
def test_odds_and_bernoulli_need_a_prior(kind, prior):
    with pytest.raises(
        ValueError, match=rf"^without a prior, a word that is in every text .*: give {kind.__name__} a Laplace$"
    ):
        fitted(kind(prior=prior))


def test_numbers_where_texts_were_learned():
    with pytest.raises(ValueError, match=r"^column 0 holds numbers, and its family reads text$"):
        fitted(TextMultinomial()).predict([[1.0]])
    model = fitted({"t": TextMultinomial()}, pa.table({"t": X}))
    with pytest.raises(ValueError, match=r"^column 't' holds numbers, and its family reads text$"):
        model.partial_fit(pa.table({"t": [1, 2]}), [0, 1])
    with pytest.raises(ValueError, match=r"^column 'n' holds numbers, and its family reads text$"):
        fitted("text", pa.table({"n": [1.5, 2.5]}), [0, 1])


@pytest.mark.parametrize("families", ["gaussian", "categorical", "poisson", "histogram"])
def test_texts_where_a_family_reads_numbers_or_categories(families):
    with pytest.raises(ValueError, match=r"^texts are read as words: their family is Text, Multinomial, Bernoulli or "):
        fitted(families)


def test_texts_where_numbers_were_learned():
    with pytest.raises(ValueError, match=r"^texts are read as words"):
        NaiveBayes("gaussian").fit([[1.0], [2.0], [3.0], [5.0]], [0, 0, 1, 1]).predict(["good"])


def test_what_is_no_text_changes_nothing():
    model = fitted(TextMultinomial())
    before = model.predict_joint_log_proba(NEW)
    with pytest.raises(TypeError, match=r"^row 1 has 7, which is no text, as the others are$"):
        model.partial_fit(["good", 7], [0, 1])
    assert_array_equal(model.predict_joint_log_proba(NEW), before)


def test_a_word_that_is_twice_in_a_vocabulary():
    with pytest.raises(ValueError, match=r"^the words of a vocabulary must differ, but 'day' is there twice$"):
        fitted(TextMultinomial(vocabulary=("day", "good", "day")))


@every_kind
def test_a_vocabulary_and_buckets(kind):
    with pytest.raises(ValueError, match=r"^a vocabulary is of words, and hashing keeps none: give one or the other$"):
        kind(Tokens(hashing=8), vocabulary=("good",))


def test_a_vocabulary_is_no_single_string():
    """As with stop words: its letters are hardly what was meant."""
    with pytest.raises((TypeError, ValueError)):
        fitted(TextMultinomial(vocabulary="day"))


def test_a_string_column_without_a_single_text():
    alone = pa.table({"t": pa.nulls(2, pa.string())})
    with pytest.raises(ValueError, match=r"^no column has a value present"):
        fitted(TextMultinomial(), alone, [0, 1])
    with pytest.warns(EmptyColumns, match=r"^column 't' has no value present"):
        NaiveBayes({"t": TextMultinomial()}).fit(alone.append_column("x", pa.array([1.0, 2.0])), [0, 1])
