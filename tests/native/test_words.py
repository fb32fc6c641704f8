"""The words of a text are `re.findall(r"\\w\\w+", text.lower())`, for every character there is."""

import re
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likely import _native


def plain(text, lower=True):
    return re.findall(r"\w\w+", text.lower() if lower else text)


def assert_as_python_sees_it(text):
    """In few words, as texts of a million lines fail too."""
    for lower in (True, False):
        expected, found = plain(text, lower), _native.tokenize(text, lower)
        if found != expected:
            at = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), None)
            some = slice(0, 3) if at is None else slice(at, at + 3)
            pytest.fail(f"word {at}, lower {lower}: {found[some]!a} is not {expected[some]!a}", pytrace=False)


# Sigmas, what is cased and ignorable at once, marks, ignorables, letters longer or shorter in lower case, digits of
# other scripts, numbers that are no digits, a surrogate.
ODD = "ΣσςAaʰªⅠ̈\u0345'’.:\u00ad\u200d\u2060İıẞßȺȾKÅΩǅ٣९𝟘½²Ⅷ_ \n\0\ud800\udc00𐐀𞤀Ჿ😀字"


@settings(max_examples=500)
@given(st.text(st.sampled_from(ODD) | st.characters(), max_size=30))
@example("")
@example("İİ")
@example("aİb")
@example("ΑΣ'Σ")
@example("\ud800ab\udfffcd")
def test_any_text(text):
    assert_as_python_sees_it(text)


@settings(max_examples=500)
@given(st.text(st.sampled_from("ΣAa1_ .'\u00ad̈ʰ\ud800"), max_size=12))
def test_any_place_of_a_sigma(text):
    assert_as_python_sees_it(text)


PLANES = {
    "ascii": range(0x80),
    "latin": range(0x100),
    "two bytes": range(0x10000),
    "four bytes": range(0x10000, 0x20000),
}
CONTEXTS = ["?", "??", "x?y", "A?Σ", "AΣ?", "AΣ?1b", "ΑΣ'?Σ1", "?İ?"]


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("plane", PLANES)
def test_every_character(plane, context):
    assert_as_python_sees_it("\n".join(context.replace("?", chr(code)) for code in PLANES[plane]))


def test_every_character_beyond():
    assert_as_python_sees_it("\n".join(f"x{chr(code)}yA{chr(code)}Σ1" for code in range(0x20000, sys.maxunicode + 1)))


@pytest.mark.parametrize("widest", ["z", "ÿ", "ŀ", "😀"])
@pytest.mark.parametrize("length", [1, 7, 8, 9, 15, 16, 17, 1000, 100_000])
def test_words_of_every_length_in_every_kind_of_str(widest, length):
    """A str has 1, 2 or 4 bytes a character, as its widest needs."""
    for word in ("a" * length, widest * length, "Ⱥ" * length):
        for text in (word, f"{word} {widest}", f"{widest} {word}.{word}", f"A{word} " * 3):
            assert_as_python_sees_it(text)


def test_letters_alone_need_the_most_room():
    for letter in "aÿ字𐐀Ⱥİ":
        assert_as_python_sees_it(f"{letter}{letter}." * 10_000)
        assert_as_python_sees_it(f"{letter}." * 10_000)


def test_a_long_way_to_the_letters_about_a_sigma():
    for text in ("A" + "'" * 100_000 + "Σ1", "AΣ" + "'" * 100_000 + "b", "AΣ" + "'" * 100_000, "A" + "'Σ1" * 50_000):
        assert_as_python_sees_it(text)


class Named(str):
    __slots__ = ()


def test_a_kind_of_str_is_one():
    assert _native.tokenize(Named("Ab cd"), True) == ["ab", "cd"]


def test_words_are_plain_str():
    assert [type(word) for word in _native.tokenize("ab éé 字字", True)] == [str] * 3


@pytest.mark.parametrize("wrong", [b"ab", None, 1, ["ab"]], ids=str)
def test_what_is_no_text(wrong):
    with pytest.raises(TypeError):
        _native.tokenize(wrong, True)


@pytest.mark.parametrize("wrong", [1, None, "yes"], ids=str)
def test_what_does_not_say_whether_to_lower(wrong):
    with pytest.raises(TypeError):
        _native.tokenize("ab", wrong)
