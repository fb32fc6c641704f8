"""How text is read: options, and what is refused."""

import copy
import pickle
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.text import Tokens


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda tokens: pickle.loads(pickle.dumps(tokens))], ids=["copy", "pickle"]
)
def test_options_can_be_copied_before_use_and_after(copied):
    tokens = Tokens(stop={"the"})
    assert copied(tokens) == tokens
    assert tokens.of("the end") == ["end"]
    assert copied(tokens).of("the end") == ["end"]


@pytest.mark.parametrize("ngrams", [(0, 1), (2, 1), (1, 101), (-1, -1)], ids=str)
def test_ngrams_that_are_none(ngrams):
    message = f"ngrams is (shortest, longest), of 1 to 100 tokens, not {ngrams}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Tokens(ngrams=ngrams)


@pytest.mark.parametrize("ngrams", [(1.0, 2.0), (1, 2.5), (1.5, 2), ("1", "2"), (None, 1)], ids=str)
def test_ngrams_that_are_no_whole_numbers(ngrams):
    message = f"ngrams is (shortest, longest), of 1 to 100 tokens, not {ngrams}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Tokens(ngrams=ngrams)


@pytest.mark.parametrize("minimum", [0, 0.5, -1, float("nan"), float("inf")])
def test_a_minimum_that_is_none(minimum):
    with pytest.raises(ValueError, match=r"^minimum is how .* 1 or more, not "):
        Tokens(minimum=minimum)


def test_stop_words_are_lowered_where_words_are():
    assert Tokens(stop={"The", "OF"}) == Tokens(stop={"the", "of"})
    assert Tokens(stop={"The", "OF"}).of("THE end of The world") == ["end", "world"]
    assert Tokens(stop={"The"}, lower=False).of("the The end") == ["the", "end"]
    assert Tokens(stop={"ΣΟΦΟΣ"}).of("ΣΟΦΟΣ, end") == ["end"]


@pytest.mark.parametrize("hashing", [0, -1, 2**31])
def test_a_number_of_buckets_that_is_none(hashing):
    with pytest.raises(ValueError, match=rf"^hashing is a number of buckets from 1 to 2\^31 - 1, not {hashing}$"):
        Tokens(hashing=hashing)


def test_stop_words_are_a_set_however_given():
    assert Tokens(stop=["a", "b", "a"]) == Tokens(stop=frozenset("ab"))
    assert hash(Tokens(stop=["a"])) == hash(Tokens(stop={"a"}))
    assert Tokens(stop=()).of("ab cd") == ["ab", "cd"]


@pytest.mark.parametrize("wrong", [1, b"ab", 2.5, ["ab"]], ids=str)
def test_what_is_no_text(wrong):
    for texts in ([wrong], ["ab", wrong]):
        with pytest.raises((ValueError, TypeError)):
            Tokens().matrix(texts)
        with pytest.raises((ValueError, TypeError)):
            Tokens().tally(texts, np.zeros(len(texts), np.int32), 1)


@pytest.mark.parametrize("code", [-1, 2])
def test_classes_that_are_not_there(code):
    with pytest.raises(ValueError, match=r"^a class code is out of range$"):
        Tokens().tally(["ab", "cd"], np.array([0, code], np.int32), 2)


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_codes_and_weights_for_other_texts(rows):
    with pytest.raises(ValueError, match=rf"^there are 2 texts, and {rows} classes or weights for them$"):
        Tokens().tally(["ab", "cd"], np.zeros(rows, np.int32), 1)
    with pytest.raises(ValueError, match=rf"^there are 2 texts, and {rows} classes or weights for them$"):
        Tokens().tally(["ab", "cd"], np.zeros(2, np.int32), 1, np.ones(rows))


@given(st.text())
def test_whole_words_are_what_stands_between_white_space(text):
    text = re.sub("[\ud800-\udfff]", " ", text)
    assert Tokens(whole=True).of(text) == list(dict.fromkeys(text.lower().split()))
    assert Tokens(whole=True, lower=False).of(text) == list(dict.fromkeys(text.split()))


def test_white_space_is_what_python_says():
    for first in range(0, sys.maxunicode, 4096):
        text = "".join(f"a{chr(code)}b{code} " for code in range(first, first + 4096) if not 0xD800 <= code < 0xE000)
        assert Tokens(whole=True, lower=False).of(text) == list(dict.fromkeys(text.split()))
