"""Columns of text in Arrow, plain and as dictionaries."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data import read

from ..codes import dict_codes
from .columns import TEXT_TYPES, codes_of, column, objects

# Text


@pytest.mark.parametrize("type_", TEXT_TYPES, ids=str)
@pytest.mark.parametrize(("chunks", "lead"), [(1, 0), (3, 0), (1, 9), (4, 3)])
def test_text_and_its_holes(type_, chunks, lead):
    values = ["x", None, "", "x", "é", "x" * 16, "x" * 17, None, "y", "", "x" * 17, "日本語", "a\0b", "a"]
    table = column(values, type_, chunks, lead)
    assert read(table).kinds == ("category",)
    codes, labels = codes_of(table)
    assert [None if code < 0 else labels[code] for code in codes] == values
    assert len(set(labels)) == len(labels)
    codes, labels = codes_of(table, rows=slice(4, 11))
    assert [None if code < 0 else labels[code] for code in codes] == values[4:11]


words = st.one_of(
    st.sampled_from(["", "a", "\0", "a\0", "a\0b", "\0a", "é", "日本", "x" * 15, "x" * 16, "x" * 17, "x" * 16 + "\0"]),
    st.text(alphabet="ab\0é😀", max_size=24),
)
texts = st.one_of(st.none(), words)


@given(st.lists(texts, max_size=30), st.integers(1, 4), st.integers(0, 10), st.booleans())
def test_codes_of_text_are_those_of_a_dict(values, chunks, lead, large):
    table = column(values, pa.large_string() if large else pa.string(), chunks, lead)
    assert codes_of(table) == dict_codes(values)


@given(st.lists(texts, max_size=30), st.lists(words, unique=True), st.booleans())
def test_codes_of_text_among_known_are_those_of_a_dict(values, known, large):
    table = column(values, pa.large_string() if large else pa.string(), chunks=2)
    assert codes_of(table, objects(*known)) == dict_codes(values, known)


@given(st.lists(texts, max_size=30), st.sampled_from(["a", "", "?", "x" * 17, "é"]))
def test_a_sentinel_among_text(values, sentinel):
    cells = [None if value == sentinel else value for value in values]
    assert codes_of(column(values, pa.string()), missing=sentinel) == dict_codes(cells)


@given(
    st.lists(texts, max_size=30),
    st.sampled_from(["a", "", "?"]),
    st.lists(st.sampled_from(["b", "é", "a\0"]), unique=True),
)
def test_a_sentinel_among_text_with_known_labels(values, sentinel, known):
    cells = [None if value == sentinel else value for value in values]
    assert codes_of(column(values, pa.string()), objects(*known), sentinel) == dict_codes(cells, known)


def test_a_sentinel_of_numpys_text_type():
    assert codes_of(column(["x", "?"], pa.string()), missing=np.str_("?")) == ([0, -1], ["x"])


def test_many_texts():
    values = [f"category {i * i % 4001}" for i in range(10_000)]
    assert codes_of(column(values, pa.string(), chunks=3)) == dict_codes(values)


def test_text_in_a_buffer_that_ends_with_it():
    values = ["abc", "", "0123456789abcdef", "0123456789abcdefg", "z"]
    encoded = [value.encode() for value in values]
    offsets = np.concatenate([[0], np.cumsum([len(value) for value in encoded])]).astype(np.int32)
    array = pa.StringArray.from_buffers(5, pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"".join(encoded)))
    assert codes_of(pa.table({"a": array})) == dict_codes(values)


def test_empty_texts_only():
    assert codes_of(pa.table({"a": ["", "", None]})) == ([0, 0, -1], [""])


def test_text_where_numbers_were_learned():
    message = r"^column 'a' was learned as numbers, such as 3, and now holds text$"
    with pytest.raises(ValueError, match=message):
        codes_of(column(["x"], pa.string()), np.array([3, 4]))


def test_nulls_where_text_was_learned():
    assert codes_of(pa.table({"a": pa.nulls(2)}), objects("x", "y")) == ([-1, -1], ["x", "y"])


@pytest.mark.parametrize("type_", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_bytes_are_text(type_):
    assert codes_of(column([b"x", None, b"y", b"x"], type_)) == ([0, -1, 1, 0], ["x", "y"])


def test_bytes_that_are_no_text_are_named():
    with pytest.raises(ValueError, match=r"column 'a'"):
        read(column([b"x", b"\xff"], pa.binary()))


# Dictionaries


@pytest.mark.parametrize("index", [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint32()], ids=str)
def test_a_dictionary_with_every_kind_of_index(index):
    values = pa.array(["x", "y", None, "z"])
    array = pa.DictionaryArray.from_arrays(pa.array([3, None, 0, 2, 1, 0], index), values)
    codes, labels = codes_of(pa.table({"a": array}))
    assert [None if code < 0 else labels[code] for code in codes] == ["z", None, "x", None, "y", "x"]


def test_a_dictionary_as_large_as_its_index_allows():
    values = [f"v{i}" for i in range(128)]
    array = pa.DictionaryArray.from_arrays(pa.array([127, None, 0], pa.int8()), pa.array(values))
    codes, labels = codes_of(pa.table({"a": array}))
    assert [None if code < 0 else labels[code] for code in codes] == ["v127", None, "v0"]


def test_a_dictionary_with_a_value_twice():
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["x", "y", "x"]))
    codes, labels = codes_of(pa.table({"a": array}))
    assert [labels[code] for code in codes] == ["x", "y", "x"]
    assert codes[0] == codes[2]


def test_a_dictionary_lists_only_what_is_found():
    array = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2]), pa.array(["x", "never", "z"]))
    assert codes_of(pa.table({"a": array})) == ([0, 1, 0], ["z", "x"])


def test_chunks_with_dictionaries_of_their_own():
    chunks = [pa.array(["x", "y"]).dictionary_encode(), pa.array(["y", None, "z"]).dictionary_encode()]
    codes, labels = codes_of(pa.table({"a": pa.chunked_array(chunks)}))
    assert [None if code < 0 else labels[code] for code in codes] == ["x", "y", "y", None, "z"]


def test_a_slice_of_a_dictionary_array():
    array = pa.array(["x", None, "y", "z", "x", None, "y"]).dictionary_encode().slice(2, 4)
    codes, labels = codes_of(pa.table({"a": array}))
    assert [None if code < 0 else labels[code] for code in codes] == ["y", "z", "x", None]


@pytest.mark.parametrize("values", [[3, 1, None, 3], [2.5, None, 0.5], [True, False, True, None]])
def test_a_dictionary_of_numbers(values):
    array = pa.array(values).dictionary_encode()
    codes, labels = codes_of(pa.table({"a": array}))
    assert [None if code < 0 else labels[code] for code in codes] == values


def test_a_dictionary_among_known():
    array = pa.array(["x", "new", None, "y"]).dictionary_encode()
    assert codes_of(pa.table({"a": array}), objects("y", "x")) == ([1, 2, -1, 0], ["y", "x"])
    array = pa.array([1, 5, None, 2]).dictionary_encode()
    assert codes_of(pa.table({"a": array}), np.array([2, 1])) == ([1, 2, -1, 0], [2, 1])


def test_a_sentinel_in_a_dictionary():
    codes, labels = codes_of(pa.table({"a": pa.array(["x", "?", "y"]).dictionary_encode()}), missing="?")
    assert [None if code < 0 else labels[code] for code in codes] == ["x", None, "y"]
    codes, labels = codes_of(pa.table({"a": pa.array([1, -999, 2]).dictionary_encode()}), missing=-999)
    assert [None if code < 0 else labels[code] for code in codes] == [1, None, 2]


def test_a_dictionary_of_nothing():
    array = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
    assert codes_of(pa.table({"a": array})) == ([-1, -1], [])
    assert codes_of(pa.table({"a": array}), objects("x")) == ([-1, -1], ["x"])
