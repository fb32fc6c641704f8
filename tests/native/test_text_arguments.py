"""Texts: arguments that the kernels refuse."""

import subprocess
import sys

import numpy as np
import pytest

from likely import _native

from .kernels import call, good, reading


@pytest.mark.parametrize("wrong", [(1,), (b"ab",), ("ab", 2.5), (["ab"],), (float("nan"),)], ids=str)
def test_what_are_no_texts(wrong):
    with pytest.raises(ValueError, match=r"^a text is needed$"):
        _native.Texts(wrong)


BUFFERS = [np.arange(3), np.zeros(2, np.uint8), np.ones(1, np.uint8), 0]


@pytest.mark.parametrize(
    ("at", "wrong"),
    [
        *((0, wrong) for wrong in (np.arange(3.0), np.arange(3, dtype=np.uint64), np.arange(6)[::2], None, [0, 1, 2])),
        *((1, wrong) for wrong in ("ab", np.zeros(2, np.int8), np.zeros((2, 1), np.uint8), None)),
        *((2, wrong) for wrong in (np.ones(2, np.bool), np.ones((1, 1), np.uint8), "a")),
        *((3, wrong) for wrong in (-1, None, 0.5, 2**64)),
    ],
    ids=str,
)
def test_what_are_no_buffers(at, wrong):
    _native.Texts(*BUFFERS)
    with pytest.raises(TypeError):
        _native.Texts(*[*BUFFERS[:at], wrong, *BUFFERS[at + 1 :]])


@pytest.mark.parametrize("wrong", [["ab"], "ab", None, iter(())], ids=["list", "str", "None", "iterator"])
def test_texts_are_a_tuple(wrong):
    with pytest.raises(TypeError):
        _native.Texts(wrong)


# Where their reading is.
PLACE = {"tally_texts": 6, "rows_of_texts": 3, "score_texts": 3, "score_texts_left_out": 3}
of_texts = pytest.mark.parametrize("name", PLACE)


@of_texts
@pytest.mark.parametrize(("start", "end"), [(0, 3), (2, 1), (3, 3), (0, 2**64 - 1), (2**64 - 1, 2**64 - 1)])
def test_texts_that_are_not_there(name, start, end):
    arguments = good()[name]
    arguments[1:3] = start, end
    with pytest.raises(ValueError, match=r"^there are not as many texts$"):
        getattr(_native, name)(*arguments)


@of_texts
@pytest.mark.parametrize("ngrams", [(0, 0), (0, 1), (2, 1)], ids=str)
def test_ngrams_that_are_none(name, ngrams):
    with pytest.raises(ValueError, match=r"^n-grams are of 1 to 100 words$"):
        call(name, PLACE[name], reading(ngrams))


@of_texts
@pytest.mark.parametrize("buckets", [2**31, 2**64 - 1])
def test_too_many_buckets(name, buckets):
    with pytest.raises(ValueError, match=r"^there are too many buckets$"):
        call(name, PLACE[name], reading(hashing=buckets))


@of_texts
@pytest.mark.parametrize(
    "wrong",
    [
        None,
        (),
        reading()[:-1],
        (*reading(), 0),
        reading((-1, 1)),
        reading((1.5, 2)),
        reading(lower=1),
        reading(hashing=-1),
    ],
    ids=str,
)
def test_what_is_no_reading(name, wrong):
    with pytest.raises(TypeError):
        call(name, PLACE[name], wrong)


@of_texts
@pytest.mark.parametrize("wrong", [("ab",), "ab", None, 1], ids=str)
def test_what_is_no_corpus(name, wrong):
    with pytest.raises(TypeError):
        call(name, 0, wrong)


@of_texts
@pytest.mark.parametrize("wrong", [["ab"], "ab", 1], ids=str)
def test_what_are_no_words(name, wrong):
    for more in (1, 2):
        with pytest.raises(TypeError):
            call(name, PLACE[name] + more, wrong)


MOST = 2**64 - 1
WRAPS = {
    "bit": "_native.Texts(np.arange(3), np.zeros(2, np.uint8), np.zeros(1, np.uint8), most)",
    "words of an n-gram": f"_native.rows_of_texts(texts, 0, 1, {reading((MOST, MOST))}, None, None)",
    "characters": f"_native.rows_of_texts(texts, 0, 1, {reading((MOST, MOST), characters=True)}, None, None)",
    "longest": f"_native.rows_of_texts(texts, 0, 1, {reading((1, MOST), characters=True)}, None, None)",
    "classes": f"_native.tally_texts(texts, 0, 0, np.zeros(0, np.int32), None, most, {reading()}, None, None)",
}


@pytest.mark.parametrize("call_", WRAPS.values(), ids=WRAPS)
def test_a_number_so_large_that_a_sum_wraps(call_):
    """In an interpreter of its own, as a kernel that reads there takes it down, or never ends."""
    script = f"""
import numpy as np
from likely import _native
texts, most = _native.Texts(("ab cd ef",)), {MOST}
try:
    {call_}
except (ValueError, MemoryError):
    pass
print("still here")
"""
    try:
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=5, check=False)
    except subprocess.TimeoutExpired:
        pytest.fail("it does not end")
    assert done.stdout.split() == ["still", "here"], done.stderr[-2000:]
