"""Words and their numbers: a sequence without repetition, and a value."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.statistics import Vocabulary

words = st.lists(st.text("abé字\0", max_size=12), unique=True)
A_FEW = ["the", "a", "", "été"]


@given(words)
def test_it_is_a_sequence(given):
    made = Vocabulary.of(given)
    assert list(made) == given
    assert len(made) == len(given)
    assert [made[at] for at in range(-len(given), len(given))] == given + given
    assert list(reversed(made)) == given[::-1]
    assert [made.number(word) for word in given] == list(range(len(given)))


@given(words, st.slices(12))
def test_slices_are_lists(given, part):
    assert Vocabulary.of(given)[part] == given[part]


@pytest.mark.parametrize("at", [4, -5, 2**40])
def test_a_number_that_no_word_has(at):
    with pytest.raises(IndexError, match=rf"^there are 4 words, and no number {at}$"):
        Vocabulary.of(A_FEW)[at]


def test_words_that_are_in_it_and_not():
    made = Vocabulary.of(A_FEW)
    assert all(word in made for word in A_FEW)
    assert not any(other in made for other in ("th", "thee", "The", "\0", None, 1, b"the"))
    assert (made.number("thee"), made.index("a"), made.count("a"), made.count("b")) == (-1, 1, 1, 0)


@pytest.mark.parametrize("word", ["", "twice", "é" * 20])
def test_a_word_that_is_there_twice(word):
    with pytest.raises(ValueError, match=rf"^the words of a vocabulary must differ, but '{word}' is there twice$"):
        Vocabulary.of(["one", word, "two", word])


def test_lone_surrogates_are_words_like_others():
    """They come from names that Python could not decode; here as stop words, or as a vocabulary."""
    made = Vocabulary.of(["ab", "c\ud800", "\udfff"])
    assert [made.number(word) for word in ("c\ud800", "\udfff", "\ud800")] == [1, 2, -1]
    assert list(made) == ["ab", "c\ud800", "\udfff"]


def test_a_lone_surrogate_that_is_there_twice():
    with pytest.raises(ValueError, match=r"^the words of a vocabulary must differ, but '\\udfff' is there twice$"):
        Vocabulary.of(["\udfff", "\udfff"])


@given(words, words)
def test_equal_are_those_with_the_same_words_in_the_same_order(one, other):
    assert (Vocabulary.of(one) == Vocabulary.of(other)) == (one == other)
    assert Vocabulary.of(one) == Vocabulary.of(list(one))


@pytest.mark.parametrize("other", [["ab", "c"], ["a", "bc", ""], ["c", "ab"], ["ab"], []], ids=str)
def test_the_same_letters_are_not_the_same_words(other):
    assert Vocabulary.of(["a", "bc"]) != Vocabulary.of(other)


def test_it_is_no_list_and_has_no_hash():
    assert Vocabulary.of(["a"]) != ["a"]
    with pytest.raises(TypeError, match="unhashable"):
        hash(Vocabulary.of(["a"]))


@given(words, words)
def test_joined(one, other):
    """These keep their numbers, what is new comes behind, and both stay as they were."""
    first, second = Vocabulary.of(one), Vocabulary.of(other)
    both, at = first.joined(second)
    assert list(both) == list(dict.fromkeys([*one, *other]))
    assert [both[number] for number in at] == other
    assert (list(first), list(second)) == (one, other)


def test_joined_with_nothing_new_is_the_same():
    some = Vocabulary.of(A_FEW)
    for other in (some, Vocabulary.of(A_FEW[::-1]), Vocabulary.of(())):
        both, at = some.joined(other)
        assert both is some
        assert [some[number] for number in at] == list(other)


@given(words, st.data())
def test_chosen(given, data):
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(given), max_size=len(given))), np.bool)
    some = Vocabulary.of(given)
    assert list(some.chosen(kept)) == [word for word, there in zip(given, kept, strict=True) if there]
    assert list(some) == given


def test_chosen_entirely_is_the_same():
    some = Vocabulary.of(A_FEW)
    assert some.chosen(np.ones(4, np.bool)) is some


def test_buffers():
    ends, letters = Vocabulary.of(A_FEW).buffers
    assert (ends.tolist(), letters.tobytes().decode()) == ([3, 4, 4, 9], "theaété")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ([], "Vocabulary of 0 words: "),
        (["it's", "b"], "Vocabulary of 2 words: \"it's\", 'b'"),
        ("abcde", "Vocabulary of 5 words: 'a', 'b', 'c', 'd', 'e'"),
        ("abcdef", "Vocabulary of 6 words: 'a', 'b', 'c', 'd', 'e', ..."),
    ],
)
def test_how_it_is_shown(given, shown):
    assert repr(Vocabulary.of(given)) == shown


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda words: pickle.loads(pickle.dumps(words))], ids=["copy", "pickle"]
)
def test_it_can_be_copied(copied):
    assert copied(Vocabulary.of(A_FEW)) == Vocabulary.of(A_FEW)


def test_of_bytes_the_table_is_made_when_it_is_needed():
    words = Vocabulary.of(["to", "be", "or"])
    loaded = Vocabulary.of_buffers(*words.buffers)
    assert len(loaded) == 3
    assert loaded.numbers(Vocabulary.of(["or", "not", "to"])).tolist() == [2, -1, 0]
    assert loaded == words
    assert not loaded.tabled
    assert loaded.number("be") == 1
    assert loaded.tabled
    assert pickle.loads(pickle.dumps(words)) == words
