"""Words and their numbers, as a dictionary would give them."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from .kernels import numbered


def in_order(words):
    """The bytes of all words, by their numbers."""
    ends, letters = words.buffers()
    return [letters[a:b].tobytes() for a, b in pairwise([0, *ends.tolist()])]


def assert_holds(words, expected):
    assert len(words) == len(expected)
    assert in_order(words) == expected
    wrong = [word for at, word in enumerate(expected) if words.find(word) != at]
    assert not wrong


def shapes_of_words(length):
    """Words of a length that differ in one byte, at any place, or hold zeros; zeros alone are like no bytes at all."""
    yield b"\0" * length
    for at in range(length):
        for byte in (b"\0", b"x", b"\xff"):
            yield b"a" * at + byte + b"a" * (length - at - 1)


def test_words_of_every_length_that_differ_in_a_byte():
    words = list(dict.fromkeys(word for length in range(41) for word in shapes_of_words(length)))
    made = numbered(words)
    assert_holds(made, words)
    absent = {word + b"b" for word in words} | {b"b" + word for word in words}
    assert {made.find(word) for word in absent} == {-1}


def test_every_word_of_two_bytes():
    words = [b"", *(bytes([a]) for a in range(256)), *(bytes([a, b]) for a in range(256) for b in range(256))]
    assert_holds(numbered(words), words)


@pytest.mark.parametrize("prefix", [0, 1, 7, 8, 9, 15, 16, 17, 100])
def test_words_with_a_common_beginning(prefix):
    words = [b"p" * prefix + str(i).encode() for i in range(2000)]
    assert_holds(numbered(words), words)
    assert numbered(words[::2]).find(words[1]) == -1


def test_many_random_words():
    draw = random.Random(0)
    words = list(dict.fromkeys(bytes(draw.choices(b"ab\0\xe9", k=draw.randrange(28))) for _ in range(270_000)))
    assert len(words) > 200_000
    known, absent = words[:200_000], words[200_000:]
    made = numbered(known)
    assert_holds(made, known)
    assert {made.find(word) for word in absent} == {-1}


@pytest.mark.parametrize("size", [0, 1, 682, 683, 684, 1365, 1366, 1367, 2730, 2731, 2732])
def test_about_the_sizes_at_which_the_table_grows(size):
    words = [str(i).encode() for i in range(size)]
    assert_holds(numbered(words), words)
    assert numbered(words).find(b"none") == -1
    more, at = numbered(words).joined(numbered([b"none"]))
    assert_holds(more, [*words, b"none"])
    assert at.tolist() == [size]


lists_of_words = st.lists(st.text("ab\0é字", max_size=20).map(str.encode), unique=True)


@given(lists_of_words, lists_of_words)
def test_joined(first, second):
    one, other = numbered(first), numbered(second)
    both, at = one.joined(other)
    places = {word: number for number, word in enumerate(dict.fromkeys([*first, *second]))}
    assert_holds(both, list(places))
    assert at.dtype == np.int64
    assert at.tolist() == [places[word] for word in second]
    assert_holds(one, first)
    assert_holds(other, second)


def test_joined_with_itself():
    words = numbered(["a", "b"])
    both, at = words.joined(words)
    assert_holds(both, [b"a", b"b"])
    assert at.tolist() == [0, 1]


@given(lists_of_words, st.data())
def test_chosen(words, data):
    numbers = data.draw(st.lists(st.sampled_from(range(len(words))), unique=True) if words else st.just([]))
    some = numbered(words).chosen(np.array(numbers, np.int64))
    assert_holds(some, [words[at] for at in numbers])


@pytest.mark.parametrize("number", [-1, 2, 2**63 - 1, -(2**63)])
def test_words_that_are_not_there_cannot_be_chosen(number):
    with pytest.raises(ValueError, match=r"^there is no such word$"):
        numbered(["a", "b"]).chosen(np.array([0, number]))


@pytest.mark.parametrize("wrong", [np.array([0], np.int32), np.array([[0]]), np.array([0.0]), [0], "0"], ids=repr)
def test_what_are_no_numbers_of_words(wrong):
    with pytest.raises(TypeError):
        numbered(["a"]).chosen(wrong)


@given(lists_of_words)
def test_word_is_what_find_found(words):
    made = numbered(words)
    assert [made.word(at).encode() for at in range(len(words))] == words
    assert [made.find(made.word(at).encode()) for at in range(len(words))] == list(range(len(words)))


@pytest.mark.parametrize("at", [1, 2**31, 2**64 - 1])
def test_a_number_beyond_the_words(at):
    with pytest.raises(ValueError, match=r"^there is no such word$"):
        numbered(["a"]).word(at)


@pytest.mark.parametrize("wrong", [-1, 2**64, 0.5, "0", None], ids=repr)
def test_what_is_no_number_of_a_word(wrong):
    with pytest.raises(TypeError):
        numbered(["a"]).word(wrong)


@pytest.mark.parametrize("wrong", ["a", None, 1, bytearray(b"a")], ids=repr)
def test_what_cannot_be_found(wrong):
    with pytest.raises(TypeError):
        numbered(["a"]).find(wrong)


def test_buffers_are_copies():
    words = numbered(["ab", "c"])
    ends, letters = words.buffers()
    ends[:], letters[:] = 0, 0
    assert_holds(words, [b"ab", b"c"])


def test_buffers_outlive_their_words():
    ends, letters = numbered(["ab", "c" * 1000]).buffers()
    assert (ends.tolist(), letters.tobytes()) == ([2, 1002], b"ab" + b"c" * 1000)
    assert (ends.dtype, letters.dtype) == (np.int64, np.uint8)


@pytest.mark.parametrize("ends", [[1, 4], [2, 1], [-1, 1], [0, -1], [4], [2**63 - 1], [1, -(2**63)]], ids=str)
def test_words_that_do_not_fit_their_bytes(ends):
    with pytest.raises(ValueError, match=r"^the words do not fit their bytes$"):
        _native.words_of(np.array(ends), np.zeros(3, np.uint8))


@pytest.mark.parametrize("words", [["a", "a"], ["", "b", ""], ["x" * 20, "y", "x" * 20], [b"\0" * 9, b"\0" * 9]])
def test_words_that_are_there_twice(words):
    with pytest.raises(ValueError, match=r"^a word is there twice$"):
        numbered(words)


def test_words_are_made_of_others_alone():
    with pytest.raises(TypeError):
        _native.Words()


@given(st.lists(st.binary(max_size=20), unique=True), st.lists(st.binary(max_size=20), unique=True))
def test_the_numbers_of_some_words_among_bytes(words, asked):
    ends, letters = numbered(words).buffers()
    found = numbered(asked).among(ends, letters)
    assert found.tolist() == [words.index(word) if word in words else -1 for word in asked]


def test_words_among_bytes_that_do_not_fit():
    some = numbered([b"a"])
    letters = np.frombuffer(b"aba", np.uint8)
    for ends in ([2, 1], [-1, 2], [1, 4]):
        with pytest.raises(ValueError, match="the words do not fit their bytes"):
            some.among(np.array(ends), letters)
    with pytest.raises(ValueError, match="a word is there twice"):
        some.among(np.array([1, 2, 3]), letters)
