"""Hashes of cells, added up by rows: vs. plain Python."""

import struct

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from .kernels import DTYPES, bitmap, block

ALL = (1 << 64) - 1


def spread(number):
    number = (number + 1) * 0x9E3779B97F4A7C15 & ALL
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = (number ^ number >> shift) * factor & ALL
    return number ^ number >> 31


def hash_of(text):
    data = text.encode()
    words = [(at, int.from_bytes(data[at : at + 8], "little")) for at in range(0, len(data), 8)]
    return sum(spread(word ^ spread(at)) for at, word in words) + len(data) & ALL


@given(
    st.integers(0, 2**32),
    st.sampled_from([0, 1, 9, 200]),
    st.sampled_from(DTYPES),
    st.booleans(),
    st.integers(0, ALL),
)
def test_numbers(seed, rows, dtype, holes, name):
    rng = np.random.default_rng(seed)
    values = block(seed, rows, 1, dtype)[:, 0].copy()
    there = rng.random(rows) < 0.7 if holes else None
    totals = rng.integers(0, ALL, rows, np.uint64, endpoint=True)
    wanted = [
        total + (spread(struct.unpack("<Q", struct.pack("<d", value))[0] ^ name) if value == value and known else 0)
        for total, value, known in zip(
            totals.tolist(), values.astype(float).tolist(), [True] * rows if there is None else there, strict=True
        )
    ]
    _native.add_number_hashes(values, there, name, totals)
    assert totals.tolist() == [total & ALL for total in wanted]


@given(st.lists(st.one_of(st.none(), st.text(max_size=30)), max_size=40), st.integers(0, ALL), st.integers(0, 9))
def test_texts(texts, name, before):
    array = pa.array(["x"] * before + texts, pa.large_string())
    _, offsets, data = array.buffers()
    totals = np.arange(len(texts), dtype=np.uint64)
    _native.add_text_hashes(
        np.frombuffer(offsets, np.int64)[before : before + len(texts) + 1],
        np.frombuffer(data or b"", np.uint8),
        bitmap(texts, before),
        before,
        name,
        totals,
    )
    cells = enumerate(texts)
    assert totals.tolist() == [row + (0 if text is None else spread(hash_of(text) ^ name)) & ALL for row, text in cells]


def test_zeros_of_either_sign_are_equal_and_nothing_is_added_for_nan():
    totals = np.zeros(3, np.uint64)
    _native.add_number_hashes(np.array([0.0, -0.0, np.nan]), None, 7, totals)
    assert totals[0] == totals[1] != 0
    assert totals[2] == 0


@pytest.mark.parametrize("there", [np.ones(1, np.bool), np.ones(3, np.bool)])
def test_marks_of_other_length_are_refused(there):
    with pytest.raises(ValueError, match="one mark per row is needed"):
        _native.add_number_hashes(np.ones(2), there, 0, np.zeros(2, np.uint64))
