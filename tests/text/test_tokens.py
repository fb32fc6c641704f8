"""Tokens of texts: beside scikit-learn's CountVectorizer, and as plain Python defines them."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from likely.engines import threads
from likely.statistics import Vocabulary
from likely.text import Texts, Tokens, tokenize
from likely.text import tokens as module

from ..threads import printed

TEXTS = [
    "The cat sat on the mat, and the cat was fat.",
    "A DOG; a dog's day: the dog's 2nd day_off!",
    "",
    "x y z",
    "naïve Ångström ΌΔΥΣΣΕΥΣ İstanbul STRASSE straße 東京都 ٣٤ ½",
    "the the the the the",
    "on the " * 100 + "mat",
    "\ud800lone \udfffsurrogates 😀 \0 end",
]
Y = np.array([0, 1, 2, 0, 1, 1, 3, 0], np.int32)
CLASSES = 5
STOP = frozenset({"the", "on", "day_off", "nowhere"})
OPTIONS = {
    "words": Tokens(),
    "words and pairs": Tokens(ngrams=(1, 2)),
    "two and three": Tokens(ngrams=(2, 3)),
    "without stop words": Tokens(ngrams=(1, 2), stop=STOP),
    "once a text": Tokens(ngrams=(1, 2), binary=True),
    "as they are": Tokens(lower=False),
}
MORE_OPTIONS = OPTIONS | {
    "sublinear": Tokens(sublinear=True),
    "the root of a text": Tokens(ngrams=(1, 2), root=True),
    "the root of a text, sublinear": Tokens(sublinear=True, root=True),
    "between white space": Tokens(whole=True),
    "characters": Tokens(ngrams=(1, 4), characters=True),
    "buckets": Tokens(hashing=16),
    "once a bucket": Tokens(hashing=16, binary=True),
}
each_option = pytest.mark.parametrize("tokens", OPTIONS.values(), ids=OPTIONS)
every_option = pytest.mark.parametrize("tokens", MORE_OPTIONS.values(), ids=MORE_OPTIONS)
any_texts = st.lists(st.text("abAΣσéİ _.'\ud800", max_size=25), max_size=6)


def vectorizer(tokens):
    return CountVectorizer(
        ngram_range=tokens.ngrams,
        lowercase=tokens.lower,
        stop_words=None if tokens.stop is None else sorted(tokens.stop),
        binary=tokens.binary,
    )


def by_name(matrix, names):
    """Its rows, as dictionaries."""
    names = list(names)
    assert matrix.shape[1] == len(names)
    return [
        {names[j]: value for j, value in zip(matrix.indices[a:b], matrix.data[a:b], strict=True)}
        for a, b in pairwise(matrix.indptr)
    ]


def cells(tallies):
    """{(token, class): total}, and the texts of each class."""
    named = range(len(tallies.starts) - 1) if tallies.words is None else tallies.words
    places = [(word, at) for word, (a, b) in zip(named, pairwise(tallies.starts), strict=True) for at in range(a, b)]
    return {(word, int(tallies.at[at])): tallies.totals[at] for word, at in places}, tallies.texts.tolist()


def names_of(words, tokens):
    return range(tokens.hashing) if tokens.hashing else words


# Beside scikit-learn


@each_option
@given(more=any_texts)
def test_matrix_is_that_of_scikit_learn(tokens, more):
    texts = [*TEXTS, *more]
    peer = vectorizer(tokens)
    expected = by_name(peer.fit_transform(texts), peer.get_feature_names_out())
    matrix, words = tokens.matrix(texts)
    assert by_name(matrix, words) == expected
    assert set(words) == set(peer.vocabulary_)


@each_option
def test_of_are_the_tokens_of_scikit_learn(tokens):
    analyse = vectorizer(tokens).build_analyzer()
    for text in TEXTS:
        found = tokens.of(text)
        assert sorted(found) == sorted(set(analyse(text)))
        firsts = [found.index(token) for token in dict.fromkeys(analyse(text)) if " " not in token]
        assert firsts == sorted(firsts)


@each_option
def test_a_vocabulary_given_is_that_of_scikit_learn(tokens):
    peer = vectorizer(tokens).fit(TEXTS[:2])
    known = Vocabulary.of(peer.get_feature_names_out())
    matrix, words = tokens.matrix(TEXTS, known)
    assert words is known
    np.testing.assert_array_equal(matrix.toarray(), peer.transform(TEXTS).toarray())


# As defined


@given(st.text() | st.text("abAΣσéİ _.'\ud800"))
def test_tokenize(text):
    assert tokenize(text) == re.findall(r"\w\w+", text.lower())
    assert tokenize(text, lower=False) == re.findall(r"\w\w+", text)


@given(any_texts, st.integers(1, 4), st.integers(0, 3))
def test_characters(texts, shortest, more):
    tokens = Tokens(ngrams=(shortest, shortest + more), characters=True)
    matrix, words = tokens.matrix(texts)
    for text, row in zip(texts, by_name(matrix, words), strict=True):
        line = " ".join(["", *re.findall(r"\w+", text.lower()), ""]) if re.search(r"\w", text) else ""
        runs = [line[i : i + n] for n in range(shortest, shortest + more + 1) for i in range(len(line) - n + 1)]
        assert row == {run: runs.count(run) for run in runs}
        assert tokens.of(text) == list(dict.fromkeys(runs))


def test_characters_of_one_word():
    assert Tokens(ngrams=(3, 3), characters=True).of("Été!") == [" ét", "été", "té "]
    assert Tokens(ngrams=(2, 2), characters=True).of("a-b") == [" a", "a ", " b", "b "]


def test_numbers_are_in_the_order_in_which_tokens_come():
    assert Tokens(ngrams=(1, 2)).of("the cat the dog the cat") == [
        "the",
        "the cat",
        "cat",
        "cat the",
        "the dog",
        "dog",
        "dog the",
    ]
    assert list(Tokens().matrix(["bb aa", "cc aa"])[1]) == ["bb", "aa", "cc"]


def test_stop_words_are_passed_over_before_neighbours_are_paired():
    assert Tokens(ngrams=(2, 2), stop={"of", "the"}).of("End of the world") == ["end world"]


def test_sublinear_is_one_and_the_logarithm():
    matrix, words = Tokens(sublinear=True).matrix(["ab ab ab cd"])
    assert by_name(matrix, words) == [{"ab": pytest.approx(1 + np.log(3), rel=1e-15), "cd": 1}]
    tallies = Tokens(sublinear=True).tally(["ab ab ab cd", "ab"], np.zeros(2, np.int32), 1, np.array([2.0, 1.0]))
    assert cells(tallies)[0] == {("ab", 0): pytest.approx(3 + 2 * np.log(3), rel=1e-15), ("cd", 0): 2}


@pytest.mark.parametrize("sublinear", [False, True])
@pytest.mark.parametrize("whole", [False, True])
@given(texts=st.lists(st.none() | st.text("abAé .'", max_size=25), max_size=6))
def test_a_text_of_n_tokens_counts_as_the_root_of_n(sublinear, whole, texts):
    """Of n as they are counted, each token alike."""
    matrix, words = Tokens(root=True, sublinear=sublinear, whole=whole).matrix(texts)
    for text, row in zip(texts, by_name(matrix, words), strict=True):
        found = (text or "").lower().split() if whole else re.findall(r"\w\w+", (text or "").lower())
        counts = {word: 1 + np.log(found.count(word)) if sublinear else found.count(word) for word in found}
        length = np.sqrt(sum(counts.values()))
        assert row == pytest.approx({word: count / length for word, count in counts.items()}, rel=1e-14)
        assert sum(row.values()) == pytest.approx(length, rel=1e-14)


def test_a_text_has_the_length_of_the_words_that_are_counted():
    tokens = Tokens(root=True, stop={"the"})
    assert by_name(*tokens.matrix(["the ab ab cd the ef"])) == [
        {"ab": pytest.approx(2 / 2), "cd": pytest.approx(1 / 2), "ef": pytest.approx(1 / 2)}
    ]
    known = Vocabulary.of(["cd", "zz"])
    assert by_name(*tokens.matrix(["the ab ab cd the ef"], known)) == [{"cd": 1}]


@pytest.mark.parametrize("minimum", [1, 1.5, 2, 3, 100])
@pytest.mark.parametrize("tokens", [Tokens(), Tokens(binary=True), Tokens(root=True)], ids=["counts", "once", "roots"])
@given(more=any_texts)
def test_a_matrix_is_of_words_that_count_the_minimum_in_all(tokens, minimum, more):
    """With the columns in the order of the first occurrence, and no text left out."""
    texts = [*TEXTS, *more, None]
    all_, words = tokens.matrix(texts)
    often = np.asarray(all_.sum(axis=0)) >= (minimum if minimum > 1 else 0)
    matrix, left = replace(tokens, minimum=minimum).matrix(texts)
    assert list(left) == [word for word, kept in zip(words, often, strict=True) if kept]
    np.testing.assert_array_equal(matrix.toarray(), all_.toarray()[:, often])
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32


def test_words_given_and_buckets_have_no_minimum():
    known = Vocabulary.of(["ab", "cd"])
    matrix, words = Tokens(minimum=5).matrix(["ab"], known)
    assert (matrix.toarray().tolist(), words) == ([[1, 0]], known)
    assert Tokens(minimum=5, hashing=4).matrix(["ab"])[0].sum() == 1


def test_a_tally_is_of_all_words():
    """Those that count less than the minimum may count more one day."""
    tallies = Tokens(minimum=2).tally(["ab cd", "ab"], np.zeros(2, np.int32), 1)
    assert cells(tallies)[0] == {("ab", 0): 2, ("cd", 0): 1}


@pytest.mark.parametrize("binary", [False, True])
def test_hashing_is_counting_by_bucket(binary):
    tokens = Tokens(hashing=11, binary=binary)
    matrix, words = tokens.matrix(TEXTS)
    assert (matrix.shape, len(words)) == ((len(TEXTS), 11), 0)
    bucket = {word: int(Tokens(hashing=11).matrix([word])[0].indices[0]) for text in TEXTS for word in tokenize(text)}
    for text, row in zip(TEXTS, by_name(matrix, range(11)), strict=True):
        buckets = [bucket[word] for word in tokenize(text)]
        assert row == {at: 1 if binary else buckets.count(at) for at in buckets}


def test_of_has_no_buckets():
    assert Tokens(hashing=3).of("Some words") == ["some", "words"]


# Tallies


@every_option
@pytest.mark.parametrize(
    "weight", [None, np.array([1.0, 0.0, 2.0, 1.0, 0.5, 0.25, 1.0, 3.0])], ids=["plain", "weighed"]
)
@pytest.mark.parametrize("known", [None, ["the", "nowhere", "cat", " t", "the cat"]], ids=["all", "known"])
def test_tally_is_the_matrix_summed_by_class(tokens, weight, known):
    vocabulary = None if known is None or tokens.hashing else Vocabulary.of(known)
    tallies = tokens.tally(TEXTS, Y, CLASSES, weight, vocabulary)
    matrix, words = tokens.matrix(TEXTS, vocabulary)
    w = np.ones(len(TEXTS)) if weight is None else weight
    sums = np.stack([(w * (k == Y)) @ matrix.toarray() for k in range(CLASSES)])
    names = list(names_of(words, tokens))
    found, texts = cells(tallies)
    assert found == pytest.approx({(names[j], k): sums[k, j] for k, j in np.argwhere(sums)}, rel=1e-14)
    assert texts == [[w[k == Y].sum()] for k in range(CLASSES)]
    assert (tallies.words is None) == (tokens.hashing is not None)
    assert tallies.fixed == (known is not None or tokens.hashing is not None)
    if vocabulary is not None:
        assert tallies.words is vocabulary


def test_texts_that_are_none():
    texts = [None, "ab cd", None, "", "cd"]
    matrix, words = Tokens().matrix(texts)
    assert matrix.toarray().tolist() == [[0, 0], [1, 1], [0, 0], [0, 0], [0, 1]]
    tallies = Tokens().tally(texts, np.array([0, 0, 1, 2, 2], np.int32), 3)
    assert cells(tallies) == ({("ab", 0): 1, ("cd", 0): 1, ("cd", 2): 1}, [[1], [0], [2]])
    assert list(words) == ["ab", "cd"]


@every_option
@pytest.mark.parametrize("texts", [[], [None], [None, None], [""], ["", None, "!"]], ids=str)
def test_texts_without_tokens(tokens, texts):
    texts = [text and text.replace("!", " \t\u2003") for text in texts] if tokens.whole else texts
    matrix, words = tokens.matrix(texts)
    assert (matrix.shape, matrix.nnz, len(words)) == ((len(texts), tokens.hashing or 0), 0, 0)
    assert cells(tokens.tally(texts, np.zeros(len(texts), np.int32), 2))[0] == {}


# Pieces


@pytest.mark.parametrize("size", [1, 7, 40, 200])
@pytest.mark.parametrize("count", [1, 2])
@every_option
def test_pieces_and_threads_make_no_difference(tokens, count, size, monkeypatch):
    """But for the order of the words of a tally."""
    texts, y = [*TEXTS, None, *TEXTS[::-1]], np.concatenate([Y, [0], Y[::-1]]).astype(np.int32)
    weight = np.arange(len(y)) / 4
    whole, words = tokens.matrix(texts)
    tallies = tokens.tally(texts, y, CLASSES, weight)
    monkeypatch.setattr(module, "TEXT_PIECE", size)
    monkeypatch.setattr(threads, "count", lambda: count)
    assert len(module._pieces(Texts.of(texts))) > 1
    parted, parted_words = tokens.matrix(texts)
    assert parted_words == words
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(parted, name), getattr(whole, name))
    found, texts_of = cells(tokens.tally(texts, y, CLASSES, weight))
    assert (found, texts_of) == (pytest.approx(cells(tallies)[0], rel=1e-14), cells(tallies)[1])


@given(st.lists(st.none() | st.integers(0, 50).map("x".__mul__), max_size=40), st.integers(1, 60))
def test_pieces_cover_every_text_once_and_in_order(texts, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TEXT_PIECE", size)
        parts = module._pieces(Texts.of(texts))
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(len(texts)))
    large = [sum(len(text or "") for text in texts[part]) for part in parts]
    longest = max((len(text or "") for text in texts), default=0)
    assert all(length < size + longest + 1 for length in large)


def test_the_environment_makes_no_difference():
    script = """
import numpy as np
from likely.text import Tokens, tokens
tokens.TEXT_PIECE = 50
texts = [f"some words w{i % 7} of{i % 11} {i}" for i in range(200)]
tallies = Tokens(sublinear=True).tally(texts, np.arange(200, dtype=np.int32) % 3, 3, np.arange(200) / 7)
print(list(tallies.words), tallies.starts.tolist(), tallies.at.tolist(), tallies.totals.tolist())
"""
    found = printed(script)
    assert found[0]
    assert found[0] == found[1] == found[2]
