"""What compilers and machines have of their own gives what plain code gives: products, stretches of bytes, clones."""

import re

import numpy as np
import pytest

from likely import _native

from .kernels import CLASSES, reading

BUCKETS = 1_000_003  # no power of two: all bits of a hash tell
WORDS = [
    "ab",
    "Abc",
    "ab_12345",
    "ab_123456",
    "word" * 4,
    "word" * 4 + "s",
    "x" * 100,
    "ÿÿ",
    "Straße",
    "字字字",
    "0" * 64,
]


def folded_product(a, b):
    """The two halves of all 128 bits."""
    return a * b % 2**64 ^ a * b >> 64


def hashed(word):
    """By eight bytes at a time, the last of them filled up with zeros."""
    found = 0x9E3779B97F4A7C15 ^ len(word)
    for at in range(0, len(word), 8):
        found = folded_product(found ^ int.from_bytes(word[at : at + 8], "little"), 0xD6E8FEB86659FD93)
    return found


@pytest.mark.parametrize("word", WORDS)
def test_buckets_are_the_same_on_every_machine(word):
    """A model that counts by them is read by another machine: all 128 bits of products are there, in either way."""
    _, _, columns, _ = _native.rows_of_texts(_native.Texts((word,)), 0, 1, reading(hashing=BUCKETS), None, None)
    assert columns.tolist() == [hashed(word.lower().encode()) % BUCKETS]


def test_buckets_of_many_words_are_the_same_on_every_machine():
    words = tuple(f"{i:0{2 + i % 30}d}" for i in range(10_000))
    _, _, columns, _ = _native.rows_of_texts(_native.Texts(words), 0, len(words), reading(hashing=BUCKETS), None, None)
    assert columns.tolist() == [hashed(word.encode()) % BUCKETS for word in words]


def split(text, lower, whole):
    how = reading(lower=lower, whole=whole)
    words, _, ids = _native.tokens_of_texts(_native.Texts((text,)), 0, 1, how, None)
    return [words.word(i) for i in ids.tolist()]


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("at", [0, 1, 15, 16, 31, 47, 62, 63, 64, 100])
def test_every_byte_at_every_place_of_a_stretch_is_what_python_says(at, whole, lower):
    """Sixty-four bytes are read at once, by sixteen where there is SSE2; the edges of what is compared are all here."""
    for code in range(0x100):
        text = "Ab" * 80
        text = text[:at] + chr(code) + text[at:]
        low = text.lower() if lower else text
        assert split(text, lower, whole) == (low.split() if whole else re.findall(r"\w\w+", low)), code


@pytest.mark.parametrize("classes", CLASSES)
def test_scores_by_four_classes_at_once_are_exact(classes):
    """Of whole numbers, which round nowhere, with FMA or without."""
    rng = np.random.default_rng(classes)
    x = rng.integers(-9, 9, (70, 5)).astype(float)
    mean, rate, constant = rng.integers(-9, 9, (3, classes, 5)).astype(float)
    out = np.zeros((70, classes))
    assert _native.score_gaussian(x, mean, rate, constant, out) == -1
    np.testing.assert_array_equal(out, (constant - ((x[:, None] - mean) * rate) ** 2).sum(axis=2))


@pytest.mark.parametrize("columns", [1, 3, 4, 5, 8, 13, 16, 33])
def test_products_of_clones_are_exact(columns):
    rng = np.random.default_rng(columns)
    x = rng.integers(-9, 9, (301, columns)).astype(float)
    table, weight = rng.integers(-9, 9, (columns, 4)).astype(float), rng.integers(0, 4, 301).astype(float)
    product = np.zeros((301, 4))
    assert _native.dense_product(x, None, table, product) == -1
    np.testing.assert_array_equal(product, x @ table)
    total, seen = np.zeros((2, 1, columns))
    assert _native.totals(x, np.zeros(301, np.int32), weight, _native.FINITE, total, seen) == -1
    np.testing.assert_array_equal(total[0], weight @ x)
    assert seen.tolist() == [[weight.sum()] * columns]
