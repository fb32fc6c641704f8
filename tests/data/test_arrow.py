"""Arrow columns of every type, chunked, sliced and with holes, against plain Python loops."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from likely.data import read
from likely.data.arrow import ArrowTable

from ..codes import dict_codes
from .columns import ALL, FLOAT_TYPES, NUMBER_TYPES, TEXT_TYPES, codes_of, column, numbers

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
        (pa.duration("s"), [timedelta(minutes=1), None], [60, None]),
    ],
    ids=str,
)
def test_times_are_whole_numbers(type_, values, expected):
    table = column(values, type_)
    assert read(table).kinds == ("int",)
    assert numbers(table) == expected


@pytest.mark.parametrize("type_", [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")], ids=str)
def test_a_time_of_day_comes_round_after_a_day(type_):
    table = read(column([time(18, 0), None], type_))
    assert table.kinds == ("float",)
    assert table.numbers([0], slice(0, 1)).item() == 0.75 * table.periods[0]


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
    assert table.kinds == ("category", "category", "int", "bool", "empty")
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


@pytest.mark.parametrize("rows", [[], [0], [1, 1, 4, 9], [0, 3, 4, 5, 6, 10], [10, 0, 4, 4, 2], range(11)])
@pytest.mark.parametrize(("chunks", "lead"), [(1, 0), (4, 3)])
@pytest.mark.parametrize("type_", [pa.float64(), pa.bool_(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_rows_that_are_taken_of_any_chunks(type_, chunks, lead, rows):
    values = [True, None, False, True, None, True, False, None, True, False, True]
    if pa.types.is_dictionary(type_):
        values = [None if value is None else str(value) for value in values]
    part = read(column(values, type_, chunks, lead)).take(np.array(rows, np.intp))
    codes, (labels,) = part.categories([0], ALL, None)
    assert part.rows == len(rows)
    assert [None if code < 0 else labels[code] for code in codes[:, 0]] == [values[row] for row in rows]


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
