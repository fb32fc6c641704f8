"""Counts of words, and rows of a sparse matrix, as plain Python counts them."""

import gc
import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import NaiveBayes, _native
from likely.families import TextMultinomial
from likely.text import Tokens

from .kernels import bitmap, joined, numbered, reading

# What the answer is


def tokens_of(text, how, stop=()):
    lower, whole, characters, shortest, longest = how[:5]
    text = text.lower() if lower else text
    found = (
        re.sub("[\ud800-\udfff]", " ", text).split() if whole else re.findall(r"\w+" if characters else r"\w\w+", text)
    )
    words = [word for word in found if word not in stop]
    if characters:
        line = f" {' '.join(words)} " if words else ""
        return [line[i : i + n] for n in range(shortest, longest + 1) for i in range(len(line) - n + 1)]
    sizes = range(shortest, longest + 1)
    return [" ".join(words[i : i + n]) for i in range(len(words)) for n in sizes if i + n <= len(words)]


def counts_of(tokens, how):
    *_, binary, sublinear, root, _ = how
    counts = {
        token: 1.0 if binary else 1 + math.log(n) if sublinear else float(n) for token, n in Counter(tokens).items()
    }
    share = 1 / math.sqrt(sum(counts.values())) if root and counts else 1.0
    return {token: share * count for token, count in counts.items()}


def bucket_of(token, how):
    """That of a text with this token and no other."""
    _, _, columns, _ = _native.rows_of_texts(_native.Texts((token,)), 0, 1, reading(hashing=how[-1]), None, None)
    (bucket,) = columns
    return int(bucket)


def numbers_of(text, how, stop=(), known=None):
    """A text as the kernels see it: words, words that are known, or buckets."""
    if text is None:
        return []
    tokens = tokens_of(text, how, stop)
    if how[-1]:
        return [bucket_of(token, how) for token in tokens]
    return tokens if known is None else [token for token in tokens if token in known]


def plain_rows(texts, *how_stop_known):
    return [counts_of(numbers_of(text, *how_stop_known), how_stop_known[0]) for text in texts]


# What the kernels say


def labels(words, how, known=None):
    """What a number stands for."""
    if how[-1]:
        return range(how[-1])
    return known if known is not None else [words.word(at) for at in range(len(words))]


def table_of(words):
    return None if words is None else numbered(words)


def rows(texts, how, stop=None, known=None, part=None):
    start, end = part or (0, len(texts))
    words, starts, columns, counts = _native.rows_of_texts(texts, start, end, how, table_of(stop), table_of(known))
    named = labels(words, how, known)
    cells = [(named[column], count) for column, count in zip(columns, counts, strict=True)]
    found = [cells[a:b] for a, b in pairwise(starts)]
    assert all(len(dict(row)) == len(row) for row in found)
    assert (starts[0], starts[-1], len(starts)) == (0, len(cells), end - start + 1)
    return [dict(row) for row in found], named


# Texts that Python holds

READINGS = {
    "words": reading(),
    "as they are": reading(lower=False),
    "between white space": reading(whole=True),
    "between white space, pairs too": reading((1, 2), lower=False, whole=True),
    "characters between white space": reading((1, 3), whole=True, characters=True),
    "pairs too": reading((1, 2)),
    "two and three": reading((2, 3)),
    "no text has as many": reading((100, 100)),
    "characters": reading((1, 3), characters=True),
    "five characters": reading((5, 5), characters=True, lower=False),
    "once a text": reading((1, 2), binary=True),
    "sublinear": reading((1, 2), sublinear=True),
    "once, not sublinear": reading(binary=True, sublinear=True),
    "the root of a text": reading(sublinear=True, root=True),
    "the root of a text, pairs too": reading((1, 2), root=True),
    "buckets": reading((1, 1), hashing=5),
    "once a bucket": reading((1, 1), hashing=3, binary=True),
    "one bucket, sublinear": reading((1, 1), hashing=1, sublinear=True),
}
every_reading = pytest.mark.parametrize("how", READINGS.values(), ids=READINGS)
STOP = ["ab", "the", "éé", "nowhere", "x" * 20]
KNOWN = ["the", "ab", "ba ab", " a", "aa", "x" * 20]
# In a list, so that words come again: short, of more than sixteen bytes, lowered, of every kind of str.
some_words = st.sampled_from(
    ["ab", "AB", "ba", "the", "a", "éé", "字字", "😀", "𐐀𐐀", "ΑΣ", "İx", "x" * 20, "x" * 19 + "y", "_1", "\ud800", "\0"]
)
some_texts = st.none() | st.lists(some_words, max_size=12).map(" ".join) | st.text("abAΣé.\ud800", max_size=20)
lists_of_texts = st.lists(some_texts, max_size=8)


@every_reading
@given(lists_of_texts, st.sampled_from([None, STOP]), st.sampled_from([None, KNOWN, []]))
def test_rows_are_counters(how, texts, stop, known):
    found, named = rows(_native.Texts(tuple(texts)), how, stop, known)
    expected = plain_rows(texts, how, stop or (), known)
    assert [dict(row) for row in found] == [pytest.approx(row, rel=1e-15) for row in expected]
    assert [list(row) for row in found] == [list(row) for row in expected]  # as they first come
    if known is None and not how[-1]:
        assert named == list(dict.fromkeys(token for row in expected for token in row))


@every_reading
def test_long_texts(how):
    """Tokens are taken many at a time, and the tables grow between."""
    text = " ".join(f"word{i * 7919 % 3001} the" for i in range(4000))
    found, _ = rows(_native.Texts((text, None, "the end")), how, STOP)
    assert found == [pytest.approx(row, rel=1e-14) for row in plain_rows([text, None, "the end"], how, STOP)]


@pytest.mark.parametrize("tokens", [63, 64, 65, 127, 128, 129])
def test_as_many_tokens_as_are_taken_at_a_time(tokens):
    text = " ".join(f"w{i}" for i in range(tokens))
    found, named = rows(_native.Texts((text, text)), reading())
    assert named == text.split()
    assert found == [dict.fromkeys(named, 1.0)] * 2


@given(lists_of_texts, st.data())
def test_a_part_of_the_texts(texts, data):
    start = data.draw(st.integers(0, len(texts)))
    end = data.draw(st.integers(start, len(texts)))
    found, _ = rows(_native.Texts(tuple(texts)), reading((1, 2)), part=(start, end))
    assert found == plain_rows(texts[start:end], reading((1, 2)))


@pytest.mark.parametrize("buckets", [1, 2, 1000, 2**31 - 1])
def test_buckets_are_within_their_number(buckets):
    texts = _native.Texts(tuple(f"word{i}" for i in range(500)))
    words, _, columns, _ = _native.rows_of_texts(texts, 0, 500, reading(hashing=min(buckets, 2**20)), None, None)
    assert len(words) == 0
    assert columns.min() >= 0
    assert columns.max() < buckets


def test_buckets_are_filled_alike():
    """5000 words of one form in 100 buckets: 50 in each, give or take five standard deviations."""
    texts = _native.Texts((" ".join(f"word{i}" for i in range(5000)),))
    *_, counts = _native.rows_of_texts(texts, 0, 1, reading(hashing=100), None, None)
    assert counts.sum() == 5000
    assert np.abs(counts - 50).max() < 36


def test_how_many_and_how_long_and_which_are_there():
    for texts in (_native.Texts(()), _native.Texts(("", None, "ab", "字字字"))):
        assert len(texts) == len(texts.sizes()) == len(texts.there())
    assert texts.sizes().tolist() == [0, 0, 2, 3]
    assert texts.there().tolist() == [1, 0, 1, 1]


# Texts that Arrow holds


def arrow(values, offset_type=np.int64, bit=0):
    """A text that is missing has bytes all the same."""
    offsets, bytes_ = joined(["hidden" if value is None else value for value in values], offset_type)
    return _native.Texts(offsets, bytes_, bitmap(values, bit), bit)


def utf8(*texts):
    ends = np.cumsum([0] + [len(text) for text in texts])
    return _native.Texts(ends, np.frombuffer(b"".join(texts), np.uint8), None, 0)


arrow_texts = lists_of_texts.map(lambda texts: [text and text.replace("\ud800", "-") for text in texts])


@every_reading
@given(arrow_texts, st.integers(0, 17), st.sampled_from([np.int32, np.int64]))
def test_texts_of_arrow_are_those_of_python(how, texts, bit, offset_type):
    assert rows(arrow(texts, offset_type, bit), how, STOP) == rows(_native.Texts(tuple(texts)), how, STOP)


@given(arrow_texts, st.data())
def test_a_slice_of_texts_of_arrow(texts, data):
    start = data.draw(st.integers(0, len(texts)))
    offsets, bytes_ = joined(texts, np.int32)
    found, _ = rows(_native.Texts(offsets[start:], bytes_, None, 0), reading())
    assert found == plain_rows([text or "" for text in texts[start:]], reading())


@pytest.mark.parametrize("context", ["?", "??", "A?Σ1", "AΣ?1"])
def test_every_character_in_utf8(context):
    text = "\n".join(context.replace("?", chr(code)) for code in range(0x20000) if not 0xD800 <= code < 0xE000)
    (found,), _ = rows(utf8(text.encode()), reading())
    assert found == Counter(re.findall(r"\w\w+", text.lower()))


NO_UTF8 = {
    "a lone byte": b"ab\xffcd",
    "a lone continuation": b"ab\x80cd",
    "cut at the end": b"abc\xe5\xad",
    "cut at the end of four": b"abc\xf0\x90\x90",
    "cut before a letter": b"ab\xe5\xadcd",
    "a lead and a lead": b"ab\xc3\xc3\xa9cd",
    "a surrogate": b"ab\xed\xa0\x80cd",
    "beyond the last character": b"ab\xf4\x90\x80\x80cd",
    "too long for its letter": b"ab\xc1\x81cd",
    "too long, in three": b"ab\xe0\x81\x81cd",
    "too long, in four": b"ab\xf0\x80\x81\x81cd",
    "a lead of five": b"ab\xf8\x81\x81\x81cd",
    "a lead of 255": b"ab\xff\x81\x81\x81cd",
    "before a sigma": b"A\x80\xce\xa31",
    "behind a sigma": b"A\xce\xa3\x801",
    "many before a sigma": b"A" + b"\x80" * 9 + b"\xce\xa31",
}


@pytest.mark.parametrize("raw", NO_UTF8.values(), ids=NO_UTF8)
def test_bytes_that_are_no_utf8_are_in_no_word(raw):
    (found,), _ = rows(utf8(raw), reading())
    assert found == plain_rows([raw.decode("utf-8", "replace")], reading())[0]


@settings(max_examples=300)
@given(st.lists(st.binary(max_size=3) | st.sampled_from(["a", "1", "Σ", "字", " ", "'"]).map(str.encode)).map(b"".join))
def test_any_bytes_give_words_that_decode(raw):
    for how in (reading((1, 2)), reading((1, 3), characters=True)):
        (found,), _ = rows(utf8(raw), how)
        assert all(count > 0 for count in found.values())


def test_words_end_with_their_text():
    found, _ = rows(utf8(b"ab", b"cd\xe5", b"\xad\x97ef", b"\xce", b"\xa3gh"), reading())
    assert found == [{"ab": 1}, {"cd": 1}, {"ef": 1}, {}, {"gh": 1}]


def test_what_texts_lie_in_is_kept():
    values = [f"word{i} " * 50 for i in range(50)]
    kept = [_native.Texts(tuple("".join(value) for value in values)), arrow(["".join(value) for value in values])]
    gc.collect()
    noise = [np.full(20_000, 255, np.uint8) for _ in range(50)]
    for texts in kept:
        assert rows(texts, reading())[0] == plain_rows(values, reading())
    del noise


OFFSETS = [[0, 2, 1], [0, 1, 4], [0, 4, 3], [-1, 1, 3], [0, -1, 3], [3, 1, 0], [0, 1, 2**31 - 1], [-(2**31), 0]]


@pytest.mark.parametrize("type_", [np.int32, np.int64])
@pytest.mark.parametrize("offsets", OFFSETS, ids=str)
def test_offsets_that_do_not_fit(type_, offsets):
    with pytest.raises(ValueError, match=r"^the offsets do not fit the bytes$"):
        _native.Texts(np.array(offsets, type_), np.zeros(3, np.uint8), None, 0)


@pytest.mark.parametrize(("bits", "bit"), [(0, 0), (1, 7), (1, 8), (2, 15), (1, 2**32)])
def test_validity_bits_that_are_too_few(bits, bit):
    with pytest.raises(ValueError, match=r"^the validity bits do not fit$"):
        _native.Texts(np.arange(3), np.zeros(2, np.uint8), np.zeros(bits, np.uint8), bit)


@pytest.mark.parametrize("offsets", [[], [0], [3]], ids=str)
def test_offsets_of_no_text(offsets):
    assert len(_native.Texts(np.array(offsets, np.int64), np.zeros(3, np.uint8), None, 0)) == 0


def test_buckets_are_the_same_on_every_machine():
    """Products of 128 bits, by Python's numbers: a model of hashed tokens is read wherever it was written."""

    def folded(a: int, b: int) -> int:
        product = a * b
        return (product ^ (product >> 64)) & (2**64 - 1)

    def bucket(word: bytes, buckets: int) -> int:
        h, at = 0x9E3779B97F4A7C15 ^ len(word), 0
        while at + 8 < len(word):
            h, at = folded(h ^ int.from_bytes(word[at : at + 8], "little"), 0xD6E8FEB86659FD93), at + 8
        return folded(h ^ int.from_bytes(word[at:], "little"), 0xD6E8FEB86659FD93) % buckets

    words = ["to", "be", "question", "questions", "sea of troubles".replace(" ", ""), "x" * 100]
    model = NaiveBayes(TextMultinomial(Tokens(hashing=1000))).fit([*words, "to"], [0] * 7)
    tally = model.model_.blocks[0].statistics
    counted = np.diff(tally.starts).nonzero()[0].tolist()
    assert counted == sorted({bucket(word.encode(), 1000) for word in words})
