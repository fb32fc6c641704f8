"""Labels of every kind as codes of the distinct ones in ascending order."""

import re
from datetime import date, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data import encode_target
from likely.data.target import as_vector


def as_objects(*labels):
    y = np.empty(len(labels), object)
    y[:] = labels
    return y


def check(y, expected):
    """Labels are the distinct ones in ascending order, and codes give back the rows."""
    labels, codes = encode_target(y)
    assert labels.tolist() == sorted(set(expected))
    assert labels[codes].tolist() == expected
    assert codes.dtype == np.int32
    return labels


TEXT = {
    "list": list,
    "tuple": tuple,
    "fixed width": np.array,
    "objects": lambda y: np.array(y, object),
    "variable width": lambda y: np.array(y, np.dtypes.StringDType()),
    "pandas": pd.Series,
    "pandas object": lambda y: pd.Series(y, dtype=object),
    "pandas string": lambda y: pd.Series(y, dtype="string"),
    "pandas category": lambda y: pd.Series(y, dtype="category"),
    "pandas categorical": pd.Categorical,
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars category": lambda y: pl.Series(y, dtype=pl.Categorical),
    "polars enum": lambda y: pl.Series(y, dtype=pl.Enum(["z", "b", "é", "a long label of more than sixteen bytes"])),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda y: pa.chunked_array([y[:1], y[1:]]),
    "pyarrow large": lambda y: pa.array(y, pa.large_string()),
    "pyarrow view": lambda y: pa.array(y, pa.string_view()),
    "pyarrow dictionary": lambda y: pa.array(y).dictionary_encode(),
    "pyarrow dictionary chunks": lambda y: pa.chunked_array([pa.array(y).dictionary_encode()]),
    "column of a pandas frame": lambda y: pd.DataFrame({"y": y}, index=range(9, 9 + len(y)))["y"],
    "column of a polars frame": lambda y: pl.DataFrame({"y": y})["y"],
    "column of an Arrow table": lambda y: pa.table({"y": y})["y"],
}


@pytest.mark.parametrize("container", TEXT)
def test_text(container):
    y = ["z", "b", "z", "a long label of more than sixteen bytes", "é", "b"]
    check(TEXT[container](y), y)


WHOLE = {
    "list": list,
    **{name: (lambda y, n=name: np.array(y, n)) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")},
    **{name: (lambda y, n=name: np.array(y, n)) for name in (">i4", ">u8", ">f8")},
    **{name: (lambda y, n=name: np.array(y, n)) for name in ("f2", "f4", "f8", "longdouble")},
    "objects": lambda y: np.array(y, object),
    "strided": lambda y: np.repeat(np.array(y), 2)[::2],
    "field": lambda y: np.array([(0, v) for v in y], [("a", "i1"), ("y", "i8")])["y"],
    "pandas": pd.Series,
    "pandas nullable": lambda y: pd.Series(y, dtype="Int64"),
    "pandas category": lambda y: pd.Series(y, dtype="category"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow chunks": lambda y: pa.chunked_array([y[:2], y[2:]]),
}


@pytest.mark.parametrize("container", WHOLE)
def test_whole_numbers(container):
    y = [3, 0, 3, 100, 0, 1]
    check(WHOLE[container](y), y)


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u8", "f4", "f8", "?"])
def test_numbers_keep_their_type(dtype):
    assert encode_target(np.array([1, 0], dtype))[0].dtype == np.dtype(dtype)


def test_text_of_fixed_width_keeps_its_type():
    assert encode_target(np.array(["b", "ab"]))[0].dtype == np.dtype("U2")


@pytest.mark.parametrize(
    "container",
    [
        list,
        np.array,
        lambda y: np.array(y, object),
        pd.Series,
        lambda y: pd.Series(y, dtype="boolean"),
        pl.Series,
        pa.array,
        lambda y: pa.chunked_array([y]),
    ],
)
def test_bools(container):
    labels = check(container([True, False, True]), [True, False, True])
    assert labels.dtype == np.bool


def test_large_whole_numbers():
    check(np.array([2**64 - 1, 0, 2**63], np.uint64), [2**64 - 1, 0, 2**63])
    check(np.array([-(2**63), 2**60 + 1, 2**60]), [-(2**63), 2**60 + 1, 2**60])


def test_floats_that_differ_are_labels_that_differ():
    check(np.array([0.5, -1.0, 0.5]), [0.5, -1.0, 0.5])


def test_zero_has_one_label_whatever_its_sign():
    assert encode_target(np.array([0.0, -0.0]))[0].tolist() == [0.0]


def test_bytes():
    labels, codes = encode_target(np.array([b"y", b"x", b"y"]))
    assert [label if isinstance(label, str) else label.decode() for label in labels] == ["x", "y"]
    assert codes.tolist() == [1, 0, 1]


def test_objects_of_numpy():
    check(as_objects(np.str_("b"), "a"), ["b", "a"])
    check(as_objects(np.int64(3), 1), [3, 1])


@given(st.lists(st.text(alphabet="ab\0é😀 ", max_size=20), min_size=1))
def test_any_text(y):
    check(np.array(y, object), y)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_any_whole_numbers(y):
    check(np.array(y, np.int64), y)


def test_no_labels():
    labels, codes = encode_target(np.array([], object))
    assert labels.shape == codes.shape == (0,)
    labels, codes = encode_target(np.array([], "U3"))
    assert labels.shape == codes.shape == (0,)


# Refused


MISSING = {
    "None": (lambda: as_objects("a", None, "b"), "labels must be present and finite; row 1 of y has None"),
    "NaN": (lambda: as_objects("a", "b", float("nan")), "labels must be present and finite; row 2 of y has nan"),
    "NA": (lambda: as_objects("a", pd.NA), "labels must be present and finite; row 1 of y has <NA>"),
    "NaT": (lambda: as_objects("a", pd.NaT), "labels must be present and finite; row 1 of y has NaT"),
    "float": (lambda: np.array([1.0, np.nan]), "labels must be present and finite; row 1 of y has nan"),
    "polars": (lambda: pl.Series(["a", None]), "labels must be present and finite; row 1 of y has None"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_labels(kind):
    make, sentence = MISSING[kind]
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        encode_target(make())


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(["a", "b", None]),
        pd.Series(["a", "b", None], dtype="string"),
        pd.Series(["a", "b", None], dtype="category"),
        pd.Series([1, 2, None], dtype="Int64"),
        pd.Series([True, False, None], dtype="boolean"),
        pl.Series([1, 2, None]),
        pl.Series([True, False, None]),
        pl.Series(["a", "b", None], dtype=pl.Categorical),
        pa.array(["a", "b", None]),
        pa.array([1, 2, None]),
        pa.array([True, False, None]),
        pa.chunked_array([["a", "b", None]]),
        pa.chunked_array([[1, 2, None]]),
        np.array(["a", "b", None], np.dtypes.StringDType(na_object=None)),
        [1, 2, None],
    ],
    ids=lambda y: f"{type(y).__module__}-{getattr(y, 'dtype', getattr(y, 'type', 'list'))}",
)
def test_a_missing_label_in_every_container(y):
    with pytest.raises(ValueError, match=r"\brow 2 of y has\b"):
        encode_target(y)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_labels(value):
    with pytest.raises(ValueError, match=rf"^labels must be present and finite; row 1 of y has {value}$"):
        encode_target([1.0, value])


def test_text_and_numbers():
    sentence = "labels must be all text or all numbers: column 'y' mixes types: it has 'a', and in row 2 3"
    with pytest.raises(TypeError, match=f"^{re.escape(sentence)}$"):
        encode_target(as_objects("a", "b", 3))


@pytest.mark.parametrize(
    ("y", "dtype"), [(np.array(["2020-01-01"], "M8[D]"), "datetime64[D]"), (np.array([1j]), "complex128")]
)
def test_labels_of_another_kind(y, dtype):
    with pytest.raises(TypeError, match=f"^{re.escape(f'labels must be text or numbers, not {dtype}')}$"):
        encode_target(y)


@pytest.mark.parametrize("container", [pd.Series, pl.Series, pa.array, lambda y: pa.chunked_array([y])])
@pytest.mark.parametrize("label", [date(2020, 1, 1), timedelta(1)], ids=repr)
def test_times_are_no_labels(container, label):
    """Or else a prediction would be a number of days."""
    with pytest.raises(TypeError, match=r"^labels must be text or numbers, not "):
        encode_target(container([label, label]))


@pytest.mark.parametrize("label", [(1, 2), [1, 2], {"a": 1}, date(2020, 1, 1), 2**70, 1j])
def test_objects_that_are_neither_text_nor_numbers(label):
    with pytest.raises((TypeError, ValueError), match=r"^labels? "):
        encode_target(as_objects(label, label))


@pytest.mark.parametrize("shape", [(), (3, 2), (2, 1, 1)])
def test_shapes_other_than_one_label_per_row(shape):
    sentence = f"y should be a 1d array, got an array of shape {shape} instead."
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        as_vector(np.zeros(shape))


def test_no_target():
    with pytest.raises(ValueError, match=r"^y is needed: one label per row, but the target y is None$"):
        as_vector(None)


def test_the_name_of_a_column_is_no_target():
    with pytest.raises(TypeError, match=r"^y is 'animal', and a table in memory needs the labels themselves, such as"):
        as_vector("animal")
