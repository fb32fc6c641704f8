"""Texts read once: rows and tallies are those of the texts, whoever reads them."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely.engines import threads
from likely.text import Bags, Sequences, Texts, Tokens
from likely.text.bags import halves

TEXTS = ["aa bb aa cc", None, "cc bb aa", "", "dd", "bb aa bb aa bb", "a ee", "aa bb"]
Y = np.array([0, 1, 1, 0, 2, 2, 0, 1], np.int32)
READINGS = [
    Tokens(),
    Tokens(ngrams=(1, 2)),
    Tokens(sublinear=True, root=True),
    Tokens(ngrams=(1, 2), sublinear=True, root=True),
    Tokens(ngrams=(1, 2), binary=True, stop=frozenset({"aa"})),
]
every_reading = pytest.mark.parametrize("how", READINGS, ids=str)


def dense(rows):
    table = np.zeros((len(rows.starts) - 1, rows.size))
    table[np.repeat(np.arange(len(table)), np.diff(rows.starts)), rows.ids] = rows.counts
    return table


@pytest.fixture(params=[1, 2])
def cores(request, monkeypatch):
    monkeypatch.setattr(threads, "count", lambda: request.param)


@every_reading
@pytest.mark.usefixtures("cores")
def test_rows_of_sequences_count_as_the_matrix(how):
    """But for the order of the columns, as words and pairs have no names; and in their whole length."""
    rows = Sequences.of(Texts.of(TEXTS), replace(how, ngrams=(1, 1))).bags(how)
    matrix, _ = replace(how, root=False).matrix(TEXTS)
    found, expected = (table[:, np.lexsort(table)] for table in (dense(rows), matrix.toarray()))
    assert_allclose(found, expected, rtol=1e-15)
    assert_array_equal(rows.there, [text is not None for text in TEXTS])


@every_reading
@pytest.mark.usefixtures("cores")
def test_rows_of_known_words(how):
    _, words = how.matrix(TEXTS[:5])
    matrix, _ = replace(how, root=False).matrix(TEXTS, words)
    assert_allclose(dense(Bags.of(Texts.of(TEXTS), how, words)), matrix.toarray(), rtol=1e-15)


@pytest.mark.usefixtures("cores")
def test_rows_of_buckets():
    how = Tokens(hashing=3, sublinear=True)
    assert_allclose(dense(Bags.of(Texts.of(TEXTS), how, None)), how.matrix(TEXTS)[0].toarray(), rtol=1e-15)


@every_reading
@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.25, 1.0])], ids=["rows", "weights"])
def test_a_tally_of_rows_is_that_of_the_texts(how, weight):
    rows = Sequences.of(Texts.of(TEXTS), replace(how, ngrams=(1, 1))).bags(how)
    found, expected = rows.tally(how, Y, 3, weight), how.tally(TEXTS, Y, 3, weight)
    assert_array_equal(found.texts, expected.texts)
    assert_allclose(found.of_classes(), expected.of_classes(), rtol=1e-14)
    assert_allclose(np.sort(found.of_words()), np.sort(expected.of_words()), rtol=1e-14)
    assert not found.fixed


@pytest.mark.parametrize("sizes", [[], [0], [5], [0, 0], [1, 1], [9, 1], [1, 9], [3, 1, 1, 1, 3]], ids=str)
def test_two_halves_hold_all_rows(sizes):
    first, second = halves(np.array(sizes, np.int64))
    rows = list(range(len(sizes)))
    assert [*rows[first], *rows[second]] == rows
    assert abs(sum(sizes[first]) - sum(sizes[second])) <= max(sizes, default=0)
