"""Texts where they lie: those of Python and of Arrow are read alike."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.text import Texts, Tokens

lists_of_texts = st.lists(st.none() | st.text("ab é字Σ", max_size=9), max_size=20)


def read(texts):
    matrix, words = Tokens(ngrams=(1, 2)).matrix(texts)
    return matrix.toarray().tolist(), list(words), texts.there().tolist(), len(texts), texts.shape


@given(lists_of_texts, st.sampled_from([pa.string(), pa.large_string()]), st.data())
def test_texts_of_arrow_are_those_of_python(values, type_, data):
    start = data.draw(st.integers(0, len(values)))
    end = data.draw(st.integers(start, len(values)))
    array = pa.array(values, type_)
    expected = read(Texts.of(values[start:end]))
    assert read(Texts.of_arrow(array.slice(start, end - start))) == expected
    assert read(Texts.of_arrow(array)[start:end]) == read(Texts.of(values)[start:end]) == expected


def test_which_are_there_and_how_long():
    values = ["", None, "字字", "ab"]
    assert Texts.of(values).there().tolist() == [True, False, True, True]
    assert Texts.of(values).sizes().tolist() == [0, 0, 2, 2]
    assert Texts.of_arrow(pa.array(values))[1:].sizes().tolist() == [0, 6, 2]


def test_a_stretch_of_a_stretch():
    texts = Texts.of(list("abcdef"))[1:5]
    assert (len(texts), texts.span[1:], texts[1:3].span[1:], texts[9:].span[1:]) == (4, (1, 5), (2, 4), (5, 5))


def test_arrays_of_arrow_outlive_their_names():
    texts = Texts.of_arrow(pa.array([f"word{i}" for i in range(1000)]))
    assert list(Tokens().matrix(texts)[1]) == [f"word{i}" for i in range(1000)]


def test_a_stretch_has_no_gaps():
    with pytest.raises((ValueError, IndexError, TypeError)):
        Texts.of(list("abcd"))[::2].span  # noqa: B018
