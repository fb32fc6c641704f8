"""Scores of texts, as sums in plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from .kernels import call, reading
from .test_text import KNOWN, STOP, every_reading, labels, lists_of_texts, plain_rows, table_of


@every_reading
@given(lists_of_texts, st.booleans(), st.booleans(), st.booleans(), st.integers(1, 4), st.integers(0, 2**32))
def test_scores_are_sums(how, texts, strict, shared, by_length, classes, seed):
    """Of whole numbers, which round nowhere."""
    rng = np.random.default_rng(seed)
    named = list(labels(None, how, KNOWN))
    seen = rng.random((len(named), classes)) < 0.6
    starts, at = np.concatenate([[0], np.cumsum(seen.sum(axis=1))]), np.nonzero(seen)[1].astype(np.int32)
    extra, constant, each, common, prior = (
        rng.integers(-9, 9, n).astype(float) for n in (len(at), classes, classes, len(named), classes)
    )
    out = np.ones((len(texts), classes))
    _native.score_texts(
        *(_native.Texts(tuple(texts)), 0, len(texts), how, table_of(STOP), table_of(KNOWN)),
        *(
            starts,
            at,
            extra,
            constant,
            each,
            common if shared else None,
            prior if by_length else None,
            None,
            strict,
            out,
        ),
    )
    weights = np.zeros((len(named), classes))
    weights[seen] = extra
    weights += each + (common[:, None] if shared else 0)
    if strict:
        weights[~seen] = -np.inf
    for text, row, scores in zip(texts, plain_rows(texts, how, STOP, KNOWN), out, strict=True):
        terms = [count * weights[named.index(token)] for token, count in row.items()]
        expected = np.ones(classes)
        if text is not None and (row or not by_length):
            expected += constant + sum(terms, np.zeros(classes))
        if by_length and row:
            expected += prior / sum(row.values())
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)


@given(lists_of_texts, st.integers(1, 4), st.integers(0, 2**32))
def test_with_idf_scores_are_sums_over_a_vector_of_length_1(texts, classes, seed):
    rng, how = np.random.default_rng(seed), reading(sublinear=True, root=True)
    named = list(labels(None, how, KNOWN))
    seen = rng.random((len(named), classes)) < 0.6
    starts, at = np.concatenate([[0], np.cumsum(seen.sum(axis=1))]), np.nonzero(seen)[1].astype(np.int32)
    extra, constant, each, common, prior = (
        rng.normal(size=n) for n in (len(at), classes, classes, len(named), classes)
    )
    idf, out = rng.uniform(1, 5, len(named)), np.ones((len(texts), classes))
    _native.score_texts(
        *(_native.Texts(tuple(texts)), 0, len(texts), how, table_of(STOP), table_of(KNOWN)),
        *(starts, at, extra, constant, each, common, prior, idf, False, out),
    )
    weights = np.zeros((len(named), classes))
    weights[seen] = extra
    weights += each + common[:, None]
    for row, scores in zip(plain_rows(texts, reading(sublinear=True), STOP, KNOWN), out, strict=True):
        z = np.zeros(len(named))
        for token, count in row.items():
            z[named.index(token)] = count * idf[named.index(token)]
        length = np.sqrt(z @ z)
        expected = np.ones(classes) + (constant + (z @ weights + prior) / length if row else 0.0)
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)


def test_idf_that_does_not_fit():
    for idf in (np.ones(1), np.ones(3)):
        with pytest.raises(ValueError, match=r"^idf does not fit the words$"):
            call("score_texts", 13, idf)


@pytest.mark.parametrize(
    "starts", [[0, 2, 1], [0, -1, 2], [-1, 1, 2], [0, 1, 3], [0, 3, 2], [1, 1, 1], [0, 1], []], ids=str
)
def test_a_table_of_scores_that_does_not_fit(starts):
    with pytest.raises(ValueError, match=r"^the table (does not fit|is not in order)"):
        call("score_texts", 6, np.array(starts, np.int64))


@pytest.mark.parametrize("code", [-1, 2, 2**31 - 1])
def test_scores_of_classes_that_are_not_there(code):
    with pytest.raises(ValueError, match=r"^a class code is out of range$"):
        call("score_texts", 7, np.array([0, code], np.int32))


def test_scores_need_words_or_buckets():
    with pytest.raises(ValueError, match=r"^words or buckets are needed$"):
        call("score_texts", 5, None)
