"""Codes for numbers and texts, as a dictionary would give them."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from ..codes import dict_codes
from .kernels import bitmap, block, call, good, joined, problems


@given(problems)
def test_encode_numbers(problem):
    seed, rows, columns, dtype, layout, _, halves = problem
    x = block(seed, rows, columns, dtype, layout)
    if halves and dtype[0] == "f":
        x = x / 2
    codes = np.empty((columns, rows), np.int32)
    found = _native.encode_numbers(x, None, None, codes)
    for j in range(columns):
        assert (codes[j].tolist(), found[j].tolist()) == dict_codes(x[:, j].tolist())
        assert found[j].dtype == (np.float64 if dtype[0] == "f" else np.uint64 if dtype == "u8" else np.int64)


@given(problems)
def test_encode_numbers_among_known(problem):
    seed, rows, columns, dtype, layout, _, _ = problem
    x = block(seed, rows, columns, dtype, layout)
    label = np.float64 if dtype[0] == "f" else np.uint64 if dtype == "u8" else np.int64
    values = np.arange(0 if dtype == "u8" else -10, 300, 3)
    known = [np.random.default_rng(seed + j).permutation(values).astype(label) for j in range(columns)]
    codes = np.empty((columns, rows), np.int32)
    assert _native.encode_numbers(x, None, known, codes) == []
    for j in range(columns):
        assert codes[j].tolist() == dict_codes(x[:, j].tolist(), known[j].tolist())[0]


@given(problems)
def test_encode_numbers_that_are_there(problem):
    seed, rows, columns, dtype, layout, _, transposed = problem
    x = block(seed, rows, columns, dtype, layout)
    valid = np.random.default_rng(seed).random((columns, rows)).T < 0.7
    valid = valid if transposed else np.ascontiguousarray(valid)
    codes = np.empty((columns, rows), np.int32)
    found = _native.encode_numbers(x, valid, None, codes)
    for j in range(columns):
        cells = [cell if there else None for cell, there in zip(x[:, j].tolist(), valid[:, j], strict=True)]
        assert (codes[j].tolist(), found[j].tolist()) == dict_codes(cells)


def test_encode_numbers_beyond_int64():
    codes = np.empty((1, 3), np.int32)
    (found,) = _native.encode_numbers(np.array([[2**64 - 1], [1], [2**63]], np.uint64), None, None, codes)
    assert found.tolist() == [2**64 - 1, 1, 2**63]


@given(st.lists(st.floats(), max_size=40))
def test_encode_any_floats(values):
    codes = np.empty((1, len(values)), np.int32)
    (found,) = _native.encode_numbers(np.array(values, np.float64)[:, None], None, None, codes)
    assert (codes[0].tolist(), found.tolist()) == dict_codes(values)


def parted(offsets, data):
    return [data[a:b].tobytes().decode() for a, b in pairwise(offsets)]


words = st.one_of(
    st.sampled_from(
        ["", "\0", "\0\0", "a", "a\0", "é", "x" * 7, "x" * 8, "x" * 9, "x" * 15, "x" * 16, "x" * 17, "x" * 33]
    ),
    st.text(alphabet="ab\0é😀", max_size=40),
)


texts = st.one_of(st.none(), words)


@given(st.lists(texts, max_size=40), st.integers(0, 17), st.sampled_from([np.int32, np.int64]))
def test_encode_text(values, bit, offset_type):
    codes = np.empty(len(values), np.int32)
    found = _native.encode_text(*joined(values, offset_type), bitmap(values, bit), bit, None, codes)
    assert (codes.tolist(), parted(*found)) == dict_codes(values)


@given(st.lists(texts, max_size=40), st.lists(words, unique=True))
def test_encode_text_among_known(values, known):
    codes = np.empty(len(values), np.int32)
    _native.encode_text(*joined(values), bitmap(values, 0), 0, joined(known), codes)
    assert codes.tolist() == dict_codes(values, known)[0]


@given(st.lists(words, min_size=3, max_size=20), st.data())
def test_encode_a_slice_of_text(values, data):
    first = data.draw(st.integers(0, len(values)))
    last = data.draw(st.integers(first, len(values)))
    offsets, bytes_ = joined(values, np.int32)
    codes = np.empty(last - first, np.int32)
    found = _native.encode_text(offsets[first : last + 1], bytes_, None, 0, None, codes)
    assert (codes.tolist(), parted(*found)) == dict_codes(values[first:last])


def test_encode_many_texts_that_differ():
    values = [f"{i * 7919 % 5003}" * (1 + i % 3) for i in range(6000)]
    codes = np.empty(len(values), np.int32)
    found = _native.encode_text(*joined(values), None, 0, None, codes)
    assert (codes.tolist(), parted(*found)) == dict_codes(values)


OFFSETS = [[0, 2, 1], [0, 1, 4], [0, 4, 3], [-1, 1, 3], [0, -1, 3], [3, 1, 0], [0, 1, 2**31 - 1], [0, 3], [0], []]


@pytest.mark.parametrize("type_", [np.int32, np.int64])
@pytest.mark.parametrize("offsets", OFFSETS, ids=str)
def test_offsets_that_do_not_fit(type_, offsets):
    with pytest.raises(ValueError, match=r"^(the offsets do not fit the bytes|one offset per text and the end)"):
        call("encode_text", 0, np.array(offsets, type_))


def test_offsets_are_not_cut():
    with pytest.raises((ValueError, TypeError)):
        call("encode_text", 0, np.array([0, 1, 2**64 - 2**32 + 3], np.uint64))


@pytest.mark.parametrize("offsets", [[0, 2], [-1, 1], [1, 0], []], ids=str)
def test_offsets_of_known_labels_that_do_not_fit(offsets):
    with pytest.raises(ValueError, match=r"^the offsets do not fit the bytes$"):
        call("encode_text", 4, (np.array(offsets, np.int64), np.zeros(1, np.uint8)))


def test_known_labels_that_are_not_distinct():
    with pytest.raises(ValueError, match=r"^the labels are not distinct$"):
        call("encode_text", 4, joined(["a", "b", "a"]))
    with pytest.raises(ValueError, match=r"^the labels are not distinct$"):
        call("encode_numbers", 2, [np.array([1.0, 2.0, 1.0])] * 3)


@pytest.mark.parametrize(("bits", "bit"), [(0, 0), (1, 7), (1, 8), (2, 15), (1, 2**32)])
def test_a_bitmap_that_is_too_short(bits, bit):
    arguments = good()["encode_text"]
    arguments[2:4] = np.zeros(bits, np.uint8), bit
    with pytest.raises(ValueError, match=r"^the bitmap is too short$"):
        _native.encode_text(*arguments)


def test_a_bit_before_the_bitmap():
    with pytest.raises(TypeError):
        call("encode_text", 3, -1)


def test_a_bit_so_large_that_a_sum_wraps():
    """In an interpreter of its own, as a kernel that reads there takes it down."""
    script = """
import numpy as np
from likely import _native
offsets, texts, bitmap, codes = np.arange(3), np.zeros(2, np.uint8), np.zeros(1, np.uint8), np.zeros(2, np.int32)
for bit in (2**64 - 1, 2**64 - 2, 2**63):
    try:
        _native.encode_text(offsets, texts, bitmap, bit, None, codes)
    except (ValueError, TypeError):
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["refused"] * 3, done.stderr[-2000:]


@pytest.mark.parametrize("known", [[], [np.ones(1)] * 2, [np.ones(1)] * 4])
def test_labels_of_other_columns(known):
    with pytest.raises(ValueError, match=r"^one array of labels per column is needed$"):
        call("encode_numbers", 2, known)


@pytest.mark.parametrize("label", ["text", None, np.ones((1, 1)), np.array(["a"])])
def test_labels_that_are_no_numbers(label):
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        call("encode_numbers", 2, [label] * 3)
