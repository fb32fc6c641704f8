"""Tables so large that they lie in pages of their own."""

from collections import Counter

import numpy as np
import pytest

from likely import _native

from .kernels import reading


@pytest.mark.parametrize("count", [1 << 17, (1 << 18) - 1, 1 << 18, 300_000])
def test_counts_of_as_many_words_as_fill_large_pages(count):
    words = [f"w{i}" for i in range(count)]
    texts = (*(" ".join(words[i::3]) for i in range(3)), " ".join(words[:1000]))
    y = np.array([0, 0, 1, 1], np.int32)
    table, starts, at, totals = _native.tally_texts(_native.Texts(texts), 0, 4, y, None, 2, reading(), None, None)
    found = {table.word(word): Counter() for word in range(len(table))}
    of = np.repeat(np.arange(len(table)), np.diff(starts))
    for word, k, total in zip(of.tolist(), at.tolist(), totals.tolist(), strict=True):
        found[table.word(word)][k] = total
    expected = {word: Counter() for word in words}
    for text, k in zip(texts, y.tolist(), strict=True):
        for word in text.split():
            expected[word][k] += 1
    assert found == expected
