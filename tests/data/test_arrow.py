"""Arrow columns of every type, chunked, sliced and with holes, against plain Python loops."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data import read
from likely.data.arrow import ArrowTable

from ..codes import dict_codes

ALL = slice(None)
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
NUMBER_TYPES = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOAT_TYPES = [pa.float16(), pa.float32(), pa.float64()]


def column(values, type_=None, chunks=1, lead=0):
    """A table with one column "a", in so many chunks, each the slice of a longer array that `lead` values precede."""
    parts = np.array_split(np.arange(len(values)), chunks)
    arrays = []
    for part in parts:
        own = [values[i] for i in part]
        padding = [next((v for v in values if v is not None), None)] * lead
        arrays.append(pa.array(padding + own + padding, type_).slice(lead, len(own)))
    return pa.table([pa.chunked_array(arrays, type_)], names=["a"])


def numbers(table, missing=None, rows=ALL):
    """The only column, missing cells as None."""
    cells = read(table, missing).numbers([0], rows)[:, 0].tolist()
    return [None if cell != cell else cell for cell in cells]


def codes_of(table, known=None, missing=None, rows=ALL):
    codes, (labels,) = read(table, missing).categories([0], rows, None if known is None else [known])
    return codes[:, 0].tolist(), labels.tolist()


def objects(*labels):
    return np.array(labels, object)


# Numbers


@pytest.mark.parametrize("type_", [*NUMBER_TYPES, *FLOAT_TYPES], ids=str)
@pytest.mark.parametrize(("chunks", "lead"), [(1, 0), (3, 0), (1, 5), (4, 3)])
def test_numbers_and_their_holes(type_, chunks, lead):
    values = [3, None, 0, 127, None, 1, 3, None, 2, 100, 5]
    table = column(values, type_, chunks, lead)
    assert read(table).kinds == ("float" if type_ in FLOAT_TYPES else "int",)
    assert numbers(table) == values
    assert numbers(table, rows=slice(2, 7)) == values[2:7]
    assert codes_of(table) == dict_codes(values)
    assert codes_of(table, rows=slice(2, 9)) == dict_codes(values[2:9])


@pytest.mark.parametrize(("chunks", "lead"), [(1, 0), (3, 0), (1, 9), (5, 3)])
def test_bools_and_their_holes(chunks, lead):
    values = [True, None, False, True, True, None, False, False, True, None, True, False, True]
    table = column(values, pa.bool_(), chunks, lead)
    assert read(table).kinds == ("bool",)
    assert numbers(table) == values
    assert numbers(table, rows=slice(3, 12)) == values[3:12]
    assert codes_of(table) == dict_codes(values)


def test_nan_in_arrow_is_missing_too():
    assert numbers(column([1.5, float("nan"), None], pa.float64())) == [1.5, None, None]


def test_a_column_of_nulls_only():
    table = pa.table({"a": pa.nulls(3)})
    assert numbers(table) == [None] * 3
    assert codes_of(table)[0] == [-1] * 3


@pytest.mark.parametrize("type_", [*NUMBER_TYPES, *FLOAT_TYPES, pa.bool_(), pa.decimal128(9, 2), pa.date32()], ids=str)
def test_a_typed_column_of_nulls_only(type_):
    assert numbers(column([None, None], type_)) == [None, None]


@pytest.mark.parametrize("type_", [pa.decimal128(12, 2), pa.decimal256(40, 3)], ids=str)
def test_decimals_are_floats(type_):
    values = [Decimal("1.25"), None, Decimal("-3.50")]
    table = column(values, type_, chunks=2)
    assert read(table).kinds == ("float",)
    assert numbers(table) == [1.25, None, -3.5]


@pytest.mark.parametrize(
    ("type_", "values", "expected"),
    [
        (pa.date32(), [date(1970, 1, 2), None, date(2020, 1, 1)], [1, None, 18262]),
        (pa.date64(), [date(1970, 1, 2), None], [86_400_000, None]),
        (pa.timestamp("s"), [datetime(1970, 1, 1, 0, 1), None], [60, None]),
        (pa.timestamp("us"), [datetime(2020, 1, 1), None], [1_577_836_800_000_000, None]),
        (pa.timestamp("ms", "UTC"), [datetime(1970, 1, 1, 0, 1), None], [60_000, None]),
        (pa.time32("s"), [time(0, 2), None], [120, None]),
        (pa.time64("us"), [time(0, 0, 2), None], [2_000_000, None]),
        (pa.duration("s"), [timedelta(minutes=1), None], [60, None]),
    ],
    ids=str,
)
def test_times_are_whole_numbers(type_, values, expected):
    table = column(values, type_)
    assert read(table).kinds == ("int",)
    assert numbers(table) == expected


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_times_of_pandas_with_a_hole(unit):
    frame = pd.DataFrame({"a": pd.Series(["2020-01-01", None], dtype=f"datetime64[{unit}]")})
    assert numbers(frame) == [1_577_836_800 * {"s": 1, "ms": 1000, "us": 1_000_000}[unit], None]


def test_large_whole_numbers_are_kept_apart():
    values = [2**60, 2**60 + 1, 2**60, -(2**60) - 1]
    assert codes_of(column(values, pa.int64())) == dict_codes(values)


def test_large_whole_numbers_among_known():
    assert codes_of(column([2**60, 2**60 + 1], pa.int64()), np.array([2**60 + 1, 5]))[0] == [2, 0]


def test_uint64_beyond_int64():
    values = [2**64 - 1, 1, 2**63]
    assert codes_of(column(values, pa.uint64())) == dict_codes(values)


def test_large_whole_numbers_beside_holes():
    values = [2**60 + 1, None, 2**60, 2**53 + 1]
    assert codes_of(column(values, pa.int64())) == dict_codes(values)
    assert numbers(column(values, pa.int64())) == [None if value is None else float(value) for value in values]


def test_what_stands_under_a_hole_does_not_matter():
    cells = pa.py_buffer(np.array([5, 2**60, 7], np.int64).tobytes())
    array = pa.Array.from_buffers(pa.int64(), 3, [pa.py_buffer(b"\x05"), cells])
    assert numbers(pa.table({"a": array})) == [5, None, 7]
    assert codes_of(pa.table({"a": array})) == ([0, -1, 1], [5, 7])


def test_numbers_of_text():
    with pytest.raises(ValueError, match=r"^column 'a' is text, and its family reads numbers$"):
        numbers(column(["x"], pa.string()))


@pytest.mark.parametrize("sentinel", [-999, -999.0, np.int64(-999), np.float64(-999)])
@pytest.mark.parametrize("type_", [pa.int16(), pa.int64(), pa.float32()], ids=str)
def test_a_sentinel_among_numbers(type_, sentinel):
    table = column([1, -999, None, 2], type_, chunks=2)
    assert numbers(table, sentinel) == [1, None, None, 2]
    assert codes_of(table, missing=sentinel) == ([0, -1, -1, 1], [1, 2])


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


# pandas and polars


def test_categoricals_of_pandas():
    frame = pd.DataFrame({"a": pd.Categorical(["y", None, "x", "y"], categories=["x", "y", "z"])})
    codes, labels = codes_of(frame)
    assert [None if code < 0 else labels[code] for code in codes] == ["y", None, "x", "y"]


@pytest.mark.parametrize("dtype", ["object", "string", "str"])
def test_text_of_pandas(dtype):
    assert codes_of(pd.DataFrame({"a": pd.Series(["y", None, "x", "y"], dtype=dtype)})) == ([0, -1, 1, 0], ["y", "x"])


@pytest.mark.parametrize("hole", [None, np.nan, pd.NA])
def test_holes_in_an_object_column_of_pandas(hole):
    assert codes_of(pd.DataFrame({"a": pd.Series(["y", hole, "x"], dtype=object)})) == ([0, -1, 1], ["y", "x"])
    assert numbers(pd.DataFrame({"a": pd.Series([1.5, hole, 2], dtype=object)})) == [1.5, None, 2]


@pytest.mark.parametrize(
    ("dtype", "kind"), [("Int64", "int"), ("UInt8", "int"), ("Float32", "float"), ("boolean", "bool")]
)
def test_nullable_numbers_of_pandas(dtype, kind):
    frame = pd.DataFrame({"a": pd.Series([1, None, 0], dtype=dtype)})
    assert read(frame).kinds == (kind,)
    assert numbers(frame) == [1, None, 0]


def test_the_index_of_pandas_is_no_column():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}, index=[7, 7])
    table = read(frame)
    assert list(table.names) == ["a", "b"]
    assert table.numbers([0], ALL).tolist() == [[1.0], [2.0]]


def test_column_names_of_pandas_that_are_no_text():
    assert list(read(pd.DataFrame({3: [1], ("x", 1): [2]})).names) == [3, ("x", 1)]


def test_polars():
    frame = pl.DataFrame(
        {
            "text": ["y", None, "x"],
            "category": pl.Series(["q", "p", None], dtype=pl.Categorical),
            "number": [1, None, 3],
            "flag": [None, True, False],
            "nothing": [None, None, None],
        }
    )
    table = read(frame)
    assert table.kinds == ("category", "category", "int", "bool", "float")
    codes, (text, category) = table.categories([0, 1], ALL, None)
    assert [None if code < 0 else text[code] for code in codes[:, 0]] == ["y", None, "x"]
    assert [None if code < 0 else category[code] for code in codes[:, 1]] == ["q", "p", None]
    expected = [[1, np.nan, np.nan], [np.nan, 1, np.nan], [3, 0, np.nan]]
    assert np.array_equal(table.numbers([2, 3, 4], ALL), expected, equal_nan=True)


def test_an_enum_of_polars():
    frame = pl.DataFrame({"a": pl.Series(["y", None, "x"], dtype=pl.Enum(["x", "y", "z"]))})
    codes, labels = codes_of(frame)
    assert [None if code < 0 else labels[code] for code in codes] == ["y", None, "x"]


# Tables


@pytest.mark.parametrize("type_", [pa.int64(), pa.float32(), pa.bool_(), *TEXT_TYPES], ids=str)
@pytest.mark.parametrize("chunks", [[], [[]], [[], []]])
def test_no_rows(type_, chunks):
    table = read(pa.table([pa.chunked_array([pa.array(c, type_) for c in chunks], type_)], names=["a"]))
    codes, (labels,) = table.categories([0], ALL, None)
    assert codes.shape == (0, 1)
    assert labels.tolist() == []


def test_an_empty_chunk_among_others():
    chunks = [pa.array(["x"]), pa.array([], pa.string()), pa.array(["y", "x"])]
    assert codes_of(pa.table({"a": pa.chunked_array(chunks)})) == ([0, 1, 0], ["x", "y"])


@pytest.mark.parametrize(
    "type_", [pa.list_(pa.int64()), pa.struct([("x", pa.int64())]), pa.map_(pa.string(), pa.int64())], ids=str
)
def test_a_type_that_is_neither_number_nor_text(type_):
    with pytest.raises(TypeError, match=r"^column 'a' is of Arrow type .*, which is neither a number nor text$"):
        read(pa.table({"a": pa.nulls(2, type_)}))


def test_an_interval_is_named():
    with pytest.raises((TypeError, ValueError), match=r"column 'a'"):
        read(pa.table({"a": pa.array([(1, 2, 3)], pa.month_day_nano_interval())}))


def test_every_so_many_rows():
    table = read(pa.table({"a": list(range(7)), "b": list("xyzxyzx")}), missing="z").every(2)
    assert isinstance(table, ArrowTable)
    assert list(table.names) == ["a", "b"]
    assert table.numbers([0], ALL)[:, 0].tolist() == [0, 2, 4, 6]
    codes, (labels,) = table.categories([1], ALL, None)
    assert [None if code < 0 else labels[code] for code in codes[:, 0]] == ["x", None, "y", "x"]


def test_names_given_beside_the_table():
    table = ArrowTable(pa.table({"0": [1], "1": ["x"]}), names=[("a", 1), ("b", 2)])
    assert table.names == (("a", 1), ("b", 2))


def test_some_rows_in_an_order():
    """What is missing stays so, texts are those of the rows, and a column that holds nothing is still of no kind."""
    whole = pa.table({"a": list(range(4)), "b": list("xyzx"), "c": pa.nulls(4)})
    table = read(whole, missing="z").take(np.array([2, 0, 0]))
    assert table.numbers([0], ALL)[:, 0].tolist() == [2, 0, 0]
    codes, (labels,) = table.categories([1], ALL, None)
    assert [None if code < 0 else labels[code] for code in codes[:, 0]] == [None, "x", "x"]
    assert table.texts(1, ALL).there().tolist() == [False, True, True]
    assert list(table.untyped) == [2]
