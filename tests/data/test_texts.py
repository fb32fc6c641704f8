"""Lists and columns of texts as tables, whatever they came in."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data import read
from likely.data.arrow import ArrowTable
from likely.data.texts import TextTable
from likely.text import Texts, Tokens

ALL = slice(None)
VALUES = ["Good day", None, "", "naïve 日本語 words", "good\0good 😀😀", None, "a day or two"]


def with_nan(texts):
    return [np.nan if text is None else text for text in texts]


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "numpy objects": lambda x: np.array(x, object),
    "numpy objects with NaN": lambda x: np.array(with_nan(x), object),
    "numpy strings with None": lambda x: np.array(x, np.dtypes.StringDType(na_object=None)),
    "numpy strings with NaN": lambda x: np.array(with_nan(x), np.dtypes.StringDType(na_object=np.nan)),
    "pandas": pd.Series,
    "pandas objects": lambda x: pd.Series(x, dtype=object),
    "pandas strings": lambda x: pd.Series(x, dtype="string"),
    "pandas categories": lambda x: pd.Series(x, dtype="category"),
    "pandas on pyarrow": lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": lambda x: pd.Index(x),
    "polars": pl.Series,
    "polars categories": lambda x: pl.Series(x, dtype=pl.Categorical),
    "pyarrow": pa.array,
    "pyarrow large": lambda x: pa.array(x, pa.large_string()),
    "pyarrow view": lambda x: pa.array(x, pa.string_view()),
    "pyarrow dictionary": lambda x: pa.array(x).dictionary_encode(),
    "pyarrow chunks": lambda x: pa.chunked_array([x[:2], x[2:]], pa.string()),
    "pyarrow slice": lambda x: pa.array(["before", None, *x, "after"])[2:-1],
}

each_container = pytest.mark.parametrize("container", CONTAINERS)


def content(texts):
    """All that can be seen of texts: which are there, and the words and characters of each."""
    matrices = [Tokens(lower=False).matrix(texts), Tokens(characters=True, lower=False).matrix(texts)]
    return texts.there().tolist(), [(matrix.toarray().tolist(), list(words)) for matrix, words in matrices]


# Lists and columns


@each_container
def test_texts_of_every_container_are_a_column_of_texts(container):
    table = read(CONTAINERS[container](VALUES))
    assert isinstance(table, TextTable)
    assert (table.rows, list(table.names), table.kinds) == (7, [0], ("text",))
    assert content(table.texts(0, ALL)) == content(Texts.of(VALUES))


@each_container
def test_a_missing_text_may_come_first(container):
    table = read(CONTAINERS[container]([None, None, "here"]))
    assert table.texts(0, ALL).there().tolist() == [False, False, True]


def test_an_array_of_numpys_own_text_type():
    table = read(np.array(["Good day", "", "naïve"]))
    assert isinstance(table, TextTable)
    assert content(table.texts(0, ALL)) == content(Texts.of(["Good day", "", "naïve"]))


@pytest.mark.parametrize("hole", [None, np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT], ids=range(6))
@pytest.mark.parametrize("place", [0, 1])
def test_whatever_says_missing_is_missing(hole, place):
    values = ["here", "there"]
    values.insert(place, hole)
    assert read(values).texts(0, ALL).there().tolist() == [i != place for i in range(3)]


@each_container
def test_the_sentinel_is_a_missing_text(container):
    table = read(CONTAINERS[container](["good", "?", None, "??", " ?"]), "?")
    assert content(table.texts(0, ALL)) == content(Texts.of(["good", None, None, "??", " ?"]))


def test_an_empty_text_is_missing_only_if_the_sentinel_says_so():
    assert read(["good", ""]).texts(0, ALL).there().tolist() == [True, True]
    assert read(["good", ""], "").texts(0, ALL).there().tolist() == [True, False]


@pytest.mark.parametrize("sentinel", [-999, np.nan, None, 0])
def test_a_sentinel_that_no_text_equals(sentinel):
    assert read(["-999", "nan", "None", "0"], sentinel).texts(0, ALL).there().all()


@pytest.mark.parametrize("wrong", [3, 2.5, True, b"bytes", ["list"], ("tuple",), {"set"}], ids=repr)
@pytest.mark.parametrize("before", [["good"], ["good", None, "day"]], ids=len)
def test_what_is_no_text_is_named_with_its_row(wrong, before):
    with pytest.raises(TypeError) as caught:
        read([*before, wrong, "more"])
    assert str(caught.value) == f"row {len(before)} has {wrong!r}, which is no text, as the others are"


def test_an_array_among_texts_is_named_with_its_row():
    with pytest.raises(TypeError, match=r"^row 1 has array\(\[1, 2\]\), which is no text, as the others are$"):
        read(["good", np.array([1, 2])])


@pytest.mark.parametrize("container", ["numpy objects", "pandas objects"])
def test_what_is_no_text_is_named_in_columns_too(container):
    with pytest.raises(TypeError, match=r"^row 2 has 7, which is no text, as the others are$"):
        read(CONTAINERS[container](["good", None, 7]))


def test_rows_that_are_arrays_are_still_rows():
    """Looking for texts, an array must not be asked whether it is true."""
    table = read([np.array([1.0, 2.0]), np.array([3.0, np.nan])])
    assert table.kinds == ("float", "float")
    np.testing.assert_array_equal(table.numbers([0, 1], ALL), [[1, 2], [3, np.nan]])


@pytest.mark.parametrize("rows", [[["good", "day"]], [("good", "day")], np.array([["good", "day"]])], ids=range(3))
def test_rows_of_strings_are_columns_and_not_texts(rows):
    assert read(rows).kinds == ("category", "category")


@pytest.mark.parametrize("numbers", [np.arange(3.0), pd.Series([1, 2]), pl.Series([1.5]), pa.array([1])], ids=range(4))
def test_a_single_column_of_numbers_is_still_refused(numbers):
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
        read(numbers)


def test_kinds_of_strings_are_texts():
    class Own(str):
        __slots__ = ()

    table = read([Own("good day"), np.str_("fine")])
    assert content(table.texts(0, ALL)) == content(Texts.of(["good day", "fine"]))


def test_a_table_of_texts_is_itself():
    table = read(["good", None])
    assert read(table) is table


@pytest.mark.parametrize("rows", [slice(0, 0), slice(1, 4), slice(2, None), slice(-3, -1), slice(0, 99)], ids=str)
def test_rows_of_texts(rows):
    assert content(read(VALUES).texts(0, rows)) == content(Texts.of(VALUES[rows]))


@given(st.lists(st.none() | st.sampled_from(["?", "", "aa bb", "cc"]), min_size=1), st.integers(1, 5))
def test_every_so_many_texts(values, step):
    """The sentinel stays missing."""
    table = read([*values, "a text"], "?")
    expected = [None if text == "?" else text for text in [*values, "a text"]][::step]
    part = table.every(step)
    assert isinstance(part, TextTable)
    assert part.rows == len(expected)
    assert content(part.texts(0, ALL)) == content(Texts.of(expected))


def test_texts_are_no_numbers_and_no_categories():
    table, message = read(["good"]), r"^texts are read as words: their family is Text, Multinomial, Bernoulli or Comple"
    with pytest.raises(ValueError, match=message):
        table.numbers([0], ALL)
    with pytest.raises(ValueError, match=message):
        table.categories([0], ALL, None)
    assert table.lowest([0]).tolist() == [np.inf]


def test_row_bytes_grow_with_the_texts():
    assert read(["x" * 1000, None]).row_bytes >= 500
    assert read(["", None, ""]).row_bytes >= 1


def test_the_list_may_change_afterwards():
    values = ["good day", "night"]
    table = read(values)
    values[0] = None
    assert content(table.texts(0, ALL)) == content(Texts.of(["good day", "night"]))


# Columns of Arrow tables

ARROW_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.int32(), pa.large_string()),
]

each_type = pytest.mark.parametrize("type_", ARROW_TYPES, ids=str)


def arrow(values, type_, cuts=(), lead=0):
    """A column in chunks that end at the cuts, each of them a slice with so many other cells before it."""
    edges = [0, *cuts, len(values)]
    parts = [values[a:b] for a, b in pairwise(edges)]
    before = [None if i % 3 else "not these" for i in range(lead)]
    if not pa.types.is_dictionary(type_):
        chunks = [pa.array([*before, *part, "nor this"], type_)[lead:-1] for part in parts]
    else:
        of = [pa.array([*before, *part, "nor this"]).dictionary_encode() for part in parts]
        chunks = [
            pa.DictionaryArray.from_arrays(
                array.indices.cast(type_.index_type), array.dictionary.cast(type_.value_type)
            )[lead:-1]
            for array in of
        ]
    return pa.chunked_array(chunks, type_)


@each_type
@pytest.mark.parametrize("lead", [0, 1, 7, 8, 13])
@pytest.mark.parametrize("cuts", [(), (3,), (1, 1, 5)], ids=len)
def test_texts_of_arrow_columns(type_, lead, cuts):
    table = ArrowTable(pa.table({"number": range(7), "text": arrow(VALUES, type_, cuts, lead)}))
    assert content(table.texts(1, ALL)) == content(Texts.of(VALUES))
    assert content(table.texts(1, slice(2, 6))) == content(Texts.of(VALUES[2:6]))


@given(
    st.lists(st.none() | st.text("ab é😀", max_size=6), max_size=25),
    st.sampled_from(ARROW_TYPES),
    st.integers(0, 20),
    st.data(),
)
def test_texts_of_arrow_columns_of_any_chunks_and_slices(values, type_, lead, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=3)))
    start = data.draw(st.integers(0, len(values)))
    table = read(pa.table({"text": arrow(values, type_, cuts, lead)}).slice(start))
    rows = slice(*sorted(data.draw(st.tuples(st.integers(0, table.rows), st.integers(0, table.rows)))))
    assert content(table.texts(0, rows)) == content(Texts.of(values[start:][rows]))


@each_type
def test_the_sentinel_is_missing_in_arrow_columns(type_):
    table = read(pa.table({"text": arrow(["aa", "?", None, "bb ?"], type_, (1,), 3)}), "?")
    assert content(table.texts(0, ALL)) == content(Texts.of(["aa", None, None, "bb ?"]))
    assert content(table.every(2).texts(0, ALL)) == content(Texts.of(["aa", None]))


def test_a_dictionary_with_a_null_among_its_values():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2, 0]), pa.array(["aa", None, "bb"]))
    assert content(read(pa.table({"t": column})).texts(0, ALL)) == content(Texts.of(["aa", None, None, "bb", "aa"]))


@pytest.mark.parametrize("step", [1, 2, 3, 9])
@each_type
def test_every_so_many_rows_of_arrow_columns(type_, step):
    table = read(pa.table({"text": arrow(VALUES, type_, (2, 5), 4)})).every(step)
    assert content(table.texts(0, ALL)) == content(Texts.of(VALUES[::step]))


@each_type
def test_no_rows_of_texts(type_):
    table = read(pa.table({"text": pa.chunked_array([], type_)}))
    assert len(table.texts(0, ALL)) == 0


@pytest.mark.parametrize("type_", [pa.int64(), pa.float64(), pa.bool_(), pa.timestamp("s")], ids=str)
def test_numbers_are_no_texts(type_):
    table = read(pa.table({"n": pa.array([0, None], pa.int64()).cast(type_)}))
    with pytest.raises(ValueError, match=r"^column 'n' holds numbers, and its family reads text$"):
        table.texts(0, ALL)


def test_nothing_but_nulls_are_missing_texts():
    """Of no type of their own, as a column of None comes from pandas; categories are read so too."""
    table = read(pa.table({"text": pa.nulls(3)}))
    assert table.texts(0, slice(1, 3)).there().tolist() == [False, False]


FRAMES = {
    "pandas": lambda x: pd.DataFrame({"t": x}),
    "pandas objects": lambda x: pd.DataFrame({"t": pd.Series(x, dtype=object)}),
    "pandas strings": lambda x: pd.DataFrame({"t": pd.Series(x, dtype="string")}),
    "pandas categories": lambda x: pd.DataFrame({"t": pd.Series(x, dtype="category")}),
    "polars": lambda x: pl.DataFrame({"t": x}),
    "polars categories": lambda x: pl.DataFrame({"t": pl.Series(x, dtype=pl.Categorical)}),
    "numpy objects": lambda x: np.array([x], object).T,
    "rows": lambda x: [[text] for text in x],
}


@pytest.mark.parametrize("frame", FRAMES)
def test_texts_of_frames(frame):
    assert content(read(FRAMES[frame](VALUES)).texts(0, ALL)) == content(Texts.of(VALUES))


def test_some_texts_in_an_order():
    table = read(["a", "?", None, "b"], "?").take(np.array([3, 1, 0, 3]))
    assert content(table.texts(0, ALL)) == content(Texts.of(["b", None, "a", "b"]))


@pytest.mark.parametrize(
    "container", [list, lambda texts: pa.table({"t": texts}), lambda texts: pd.DataFrame({"t": texts})]
)
def test_tables_travel_after_their_texts_were_read(container):
    table = read(container(["a fox", None, "a hound"]))
    sizes = table.texts(0, slice(None)).sizes().tolist()
    sent = pickle.loads(pickle.dumps(table))
    assert sent.texts(0, slice(None)).sizes().tolist() == sizes
    assert sent.texts(0, slice(None)).there().tolist() == [True, False, True]
