"""Texts, against scikit-learn, the families of counts, numbers worked by hand, and the laws that every family keeps."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from likely import NaiveBayes, merge
from likely.data import read
from likely.engines import threads
from likely.families import Bernoulli, Categorical, Complement, Gaussian, Multinomial, Text
from likely.priors import Dirichlet, Gamma, Laplace, MaximumLikelihood, MEstimate
from likely.statistics import Frame, Vocabulary
from likely.text import Texts, Tokens

FRAME = Frame(range(1))
PEERS = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "complement": ComplementNB}
OF_COUNTS = {"multinomial": Multinomial, "bernoulli": Bernoulli, "complement": Complement}
WORDS = [
    "the",
    "Good",
    "good",
    "day",
    "night",
    "RAIN",
    "sun",
    "über",
    "ΣΟΦΟΣ",
    "дом",
    "日本",
    "x1",
    "_a",
    "🙂🙂",
    "it's",
]

each_event = pytest.mark.parametrize("event", PEERS)
frames = pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])


def texts_of(rng, rows, holes=True):
    """Texts of 0 to 8 words; every fifth has a word that is in no other; some are missing, some have no word."""
    found = [" ".join(rng.choice(WORDS, rng.integers(0, 9))) for _ in range(rows)]
    found = [f"{text} only{i} only{i}" if i % 5 == 0 else text for i, text in enumerate(found)]
    if holes:
        found[1], found[2], found[3] = None, "", "a ! -"
    return found


RNG = np.random.default_rng(11)
X = texts_of(RNG, 40)
FULL = texts_of(RNG, 40, holes=False)
Y = np.concatenate([[0, 1, 2], RNG.integers(0, 3, 37)])
WEIGHT = np.concatenate([[0.5, 2.0, 3.0, 0.0], RNG.choice([0.25, 1.0, 1.5, 3.0], 36)])
NEW = [*texts_of(RNG, 10), "never seen", "good good zebra", "ONLY0 only1 only5"]

VARIANTS = {
    "multinomial": Text(),
    "bernoulli": Text("bernoulli"),
    "complement": Text("complement"),
    "maximum likelihood": Text(prior=MaximumLikelihood()),
    "little imagined": Text(prior=Laplace(1e-3)),
    "bernoulli with more imagined": Text("bernoulli", prior=Dirichlet(2.5)),
    "binary": Text(tokens=Tokens(binary=True)),
    "sublinear": Text(tokens=Tokens(sublinear=True)),
    "complement of pairs, sublinear": Text("complement", Tokens(ngrams=(1, 2), sublinear=True), Laplace(0.3)),
    "pairs": Text(tokens=Tokens(ngrams=(1, 2))),
    "bernoulli of pairs": Text("bernoulli", Tokens(ngrams=(2, 2))),
    "characters": Text(tokens=Tokens(ngrams=(2, 3), characters=True)),
    "cased, without some": Text(tokens=Tokens(lower=False, stop=frozenset(["the", "day"]))),
    "hashing": Text(tokens=Tokens(hashing=16)),
    "bernoulli hashing": Text("bernoulli", Tokens(hashing=8)),
    "complement hashing": Text("complement", Tokens(hashing=16)),
    "vocabulary": Text(vocabulary=("good", "day", "nowhere", "only5")),
    "bernoulli vocabulary": Text("bernoulli", vocabulary=("good", "day", "nowhere", "only5")),
    "complement vocabulary": Text("complement", vocabulary=("good", "day", "nowhere", "only5")),
}

each_variant = pytest.mark.parametrize("family", [pytest.param(family, id=name) for name, family in VARIANTS.items()])


def fitted(family, x=X, y=Y, weight=None, **options):
    return NaiveBayes(family, **options).fit(x, y, sample_weight=weight)


def same(one, other, rtol=1e-10):
    """The two have learned the same, as far as any text can tell."""
    assert_array_equal(one.classes_, other.classes_)
    for x in (X, NEW):
        found = one.predict_joint_log_proba(x)
        assert not np.isnan(found).any()
        assert_allclose(found, other.predict_joint_log_proba(x), rtol=rtol, atol=rtol)


def at(x, rows):
    return [x[i] for i in np.arange(len(x))[rows]]


# Beside scikit-learn

READINGS = {
    "words": Tokens(),
    "pairs": Tokens(ngrams=(1, 2)),
    "characters": Tokens(ngrams=(3, 4), characters=True),
    "binary": Tokens(binary=True),
    "cased, without some": Tokens(lower=False, stop=frozenset(["the", "day"])),
}


def spaced(text):
    """What runs of characters are taken over: scikit-learn would take what stands between the words too."""
    return " ".join(["", *re.findall(r"\w+", text.lower()), ""])


def against_peer(event, alpha, tokens, x, y, weight, new):
    vectorizer = CountVectorizer(
        lowercase=tokens.lower,
        preprocessor=spaced if tokens.characters else None,
        ngram_range=tokens.ngrams,
        analyzer="char" if tokens.characters else "word",
        binary=tokens.binary,
        stop_words=None if tokens.stop is None else sorted(tokens.stop),
    )
    counts = vectorizer.fit_transform(x)
    peer = PEERS[event](alpha=alpha, fit_prior=event == "complement").fit(counts, y, sample_weight=weight)
    model = fitted(Text(event, tokens, Laplace(alpha)), x, y, weight, class_prior="uniform")
    prior = np.log(len(peer.classes_)) if event == "complement" else 0.0  # of which it takes no notice
    expected = peer.predict_joint_log_proba(vectorizer.transform(new))
    assert_allclose(model.predict_joint_log_proba(new) + prior, expected, rtol=1e-10, atol=1e-10)


@each_event
@pytest.mark.parametrize("alpha", [1e-3, 0.5, 1.0, 7.0])
@pytest.mark.parametrize("tokens", [pytest.param(tokens, id=name) for name, tokens in READINGS.items()])
@pytest.mark.parametrize("weight", [None, WEIGHT + 0.25], ids=["rows", "weights"])
def test_scores_are_those_of_scikit_learn(event, alpha, tokens, weight):
    against_peer(event, alpha, tokens, FULL, Y, weight, [text for text in [*FULL, *NEW] if text is not None])


@each_event
def test_scores_of_fifty_classes_are_those_of_scikit_learn(event):
    x, y = texts_of(np.random.default_rng(5), 400, holes=False), np.arange(400) % 50
    against_peer(event, 1.0, Tokens(ngrams=(1, 2)), x, y, None, x[:60])


@each_event
@given(st.lists(st.text(max_size=30), min_size=1, max_size=8), st.lists(st.text(max_size=30), min_size=1, max_size=3))
def test_scores_of_any_unicode_are_those_of_scikit_learn(event, x, new):
    x = ["one word", *x]
    against_peer(event, 1.0, Tokens(), x, np.arange(len(x)) % 2, None, [*x, *new])


@pytest.mark.parametrize(
    ("event", "prior"),
    [
        *((event, prior) for event in PEERS for prior in (Laplace(), Laplace(0.2))),
        ("multinomial", MaximumLikelihood()),
        ("complement", MaximumLikelihood()),
    ],
    ids=str,
)
@pytest.mark.parametrize("y", [Y, np.array([2 if text else 0 for text in X])], ids=["mixed", "a class without words"])
def test_scores_are_those_of_the_family_of_counts_on_the_matrix_of_the_words(event, prior, y):
    """Of sublinear counts and buckets too, which scikit-learn reads otherwise."""
    for tokens in (Tokens(), Tokens(sublinear=True, ngrams=(1, 2)), Tokens(hashing=32)):
        x = [text or "" for text in X]
        counts, words = tokens.matrix(x)
        new, _ = tokens.matrix([text or "" for text in NEW], words)
        if event == "bernoulli":
            counts, new = (counts > 0).astype(float), (new > 0).astype(float)
        expected = fitted(OF_COUNTS[event](prior=prior), counts.toarray(), y).predict_joint_log_proba(new.toarray())
        found = fitted(Text(event, tokens, prior), x, y).predict_joint_log_proba([text or "" for text in NEW])
        assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


@each_event
def test_a_family_of_tokens_is_on_texts_that_of_their_words(event):
    for families in (event, OF_COUNTS[event], OF_COUNTS[event](prior=Laplace(0.3)), {0: event}):
        model = fitted(families)
        prior = Laplace(0.3) if isinstance(families, OF_COUNTS[event]) else OF_COUNTS[event]().prior
        assert model.families_ == {0: Text(event, prior=prior)}
        same(model, fitted(Text(event, prior=prior)))


def test_texts_are_read_as_text_unless_something_is_said():
    same(fitted("auto"), fitted(Text()))
    assert fitted("auto", smoothing=Laplace(0.1)).families_ == {0: Text(prior=Laplace(0.1))}


def test_the_normalised_weights_of_complement_are_not_passed_over_in_silence():
    """Refused, or as those of the matrix of the words."""
    x, y = ["good day", "bad bad night", "day night sun"], [0, 1, 2]
    counts, _ = Tokens().matrix(x)
    expected = fitted(Complement(normalise=True), counts.toarray(), y).predict_joint_log_proba(counts.toarray())
    try:
        model = fitted(Complement(normalise=True), x, y)
    except (TypeError, ValueError):
        return
    assert_allclose(model.predict_joint_log_proba(x), expected)


# The laws


@each_variant
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["rows", "weights"])
def test_learned_in_parts_is_learned_at_once(family, weight):
    """Words and classes come late: the third part alone has class 2."""
    order = np.argsort(Y == 2, kind="stable")
    model = NaiveBayes(family)
    for rows in np.array_split(order, 4):
        model.partial_fit(at(X, rows), Y[rows], sample_weight=None if weight is None else weight[rows] + 1)
    same(model, fitted(family, weight=None if weight is None else weight + 1))


@each_variant
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["rows", "weights"])
def test_forgotten_is_never_learned(family, weight):
    """Words that are in no other text go with the text."""
    kept = np.arange(40) % 3 != 0
    model = fitted(family, weight=weight)
    model.forget(at(X, ~kept), Y[~kept], None if weight is None else weight[~kept])
    same(model, fitted(family, at(X, kept), Y[kept], None if weight is None else weight[kept]), 1e-9)


@each_variant
def test_merged_is_learned_together(family):
    """Though each has words, and one a class, that the other has not."""
    first = np.arange(40) < 15
    first[Y == 2] = False
    models = [fitted(family, at(X, part), Y[part]) for part in (first, ~first)]
    assert len(models[0].classes_) == 2
    same(merge(models), fitted(family))
    same(merge(models[::-1]), fitted(family))


@each_variant
def test_decayed_is_learned_with_less_weight(family):
    model = fitted(family, at(X, slice(20)), Y[:20]).decay(0.5).partial_fit(at(X, slice(20, None)), Y[20:])
    same(model, fitted(family, weight=np.where(np.arange(40) < 20, 0.5, 1.0)))


@each_variant
def test_a_weight_is_a_row_so_many_times(family):
    """None at all where it is zero, and then its words are not known."""
    times = np.arange(40) % 4
    rows = np.repeat(np.arange(40), times)
    same(fitted(family, weight=times), fitted(family, at(X, rows), Y[rows]))


@each_variant
def test_the_order_of_rows_does_not_matter(family):
    order = np.random.default_rng(3).permutation(40)
    same(fitted(family, at(X, order), Y[order]), fitted(family))


@each_variant
def test_pieces_of_the_table_do_not_matter(family, monkeypatch):
    expected = fitted(family)
    monkeypatch.setattr(threads, "pieces", lambda rows, *_: [slice(i, min(i + 7, rows)) for i in range(0, rows, 7)])
    model = fitted(family)
    same(model, expected)
    codes = Y.astype(np.int32)
    found = model.model_.score_left_out(read(X), codes)
    monkeypatch.undo()
    assert_allclose(found, expected.model_.score_left_out(read(X), codes), rtol=1e-10)


@each_variant
def test_a_pickled_model_answers_and_learns_on(family):
    model = pickle.loads(pickle.dumps(fitted(family)))
    same(model, fitted(family))
    same(model.partial_fit(FULL, Y), fitted(family).partial_fit(FULL, Y))


@each_variant
def test_a_clone_reads_alike(family):
    model = fitted(family)
    copy = clone(model)
    assert copy.families == family
    same(copy.fit(X, Y), model)


@pytest.mark.parametrize(
    "other",
    [Text("complement"), Text(tokens=Tokens(binary=True)), Text(prior=Laplace(2)), Text(vocabulary=("good",))],
    ids=repr,
)
def test_texts_that_are_read_differently_do_not_merge(other):
    with pytest.raises(ValueError, match=r"are read as Text\(\) here and as Text\(.+\) there; give both models the sa"):
        fitted(Text()).merge(fitted(other))


@pytest.mark.parametrize(("text", "label"), [("dd", 0), ("zz", 0), ("aa aa", 0), ("", 2), ("aa bb cc zz", 0)], ids=repr)
def test_what_was_never_learned_is_not_forgotten(text, label):
    model = fitted(Text(), ["aa bb cc", "aa dd", "dd ee ff"], [0, 0, 1])
    before = model.predict_joint_log_proba(NEW)
    with pytest.raises(ValueError, match=r"^some of these rows were never learned: .*nothing was forgotten$"):
        model.forget([text, "aa bb"][: 1 + (label == 0)], [label] * (1 + (label == 0)))
    assert_array_equal(model.predict_joint_log_proba(NEW), before)


def test_the_column_of_what_was_never_learned_is_named():
    x = pd.DataFrame({"head": ["aa bb cc", "dd"], "body": ["ee ff gg", "hh ii"]})
    model = fitted(Text(), x, [0, 1])
    with pytest.raises(ValueError, match=r"never learned: column 'body', class 0 would be left with less than nothing"):
        model.forget(pd.DataFrame({"head": ["aa bb cc"], "body": ["ii"]}), [0])


# Left out


def recounted(family, x, y, weight, classes):
    """The scores of each text under the parameters of all others."""
    scores = np.zeros((len(x), classes))
    for i in range(len(x)):
        others = np.arange(len(x)) != i
        part = None if weight is None else weight[others]
        tallies = family.count(Texts.of(at(x, others)), y[others], classes, part, FRAME)
        family.score(family.estimate(tallies, FRAME), Texts.of([x[i]]), scores[i : i + 1])
    return scores


def left_out(family, x, y, weight, classes, start=0.0):
    out = np.full((len(x), classes), start)
    tallies = family.count(Texts.of(x), y, classes, weight, FRAME)
    family.score_left_out(tallies, Texts.of(x), y, weight, FRAME, out)
    return out


@each_variant
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["rows", "weights"])
def test_left_out_is_a_recount_without_the_text(family, weight):
    codes = Y.astype(np.int32)
    expected = recounted(family, X, codes, weight, 4)
    found = left_out(family, X, codes, weight, 4)
    assert not np.isnan(found).any()
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert_allclose(left_out(family, X, codes, weight, 4, -1.5) + 1.5, expected, rtol=1e-9, atol=1e-9)


some_texts = st.lists(
    st.tuples(
        st.none() | st.lists(st.sampled_from(["aa", "bb", "cc", "AA", "good", "x"]), max_size=6).map(" ".join),
        st.integers(0, 2),
        st.sampled_from([0.0, 0.1, 0.2, 0.7, 1.0, 3.0]),
    ),
    min_size=2,
    max_size=7,
)


@each_variant
@settings(max_examples=15)
@given(rows=some_texts, weighted=st.booleans())
def test_left_out_of_few_texts_is_a_recount(family, rows, weighted):
    x, y, weight = [text for text, _, _ in rows], np.array([k for _, k, _ in rows], np.int32), [w for *_, w in rows]
    weight = np.array(weight) if weighted else None
    expected = recounted(family, x, y, weight, 3)
    assert not np.isnan(expected).any()
    assert_allclose(left_out(family, x, y, weight, 3), expected, rtol=1e-9, atol=1e-9)


@each_variant
def test_left_out_of_the_model_is_a_fit_without_the_row(family):
    """The class prior changes too."""
    found = fitted(family, weight=WEIGHT + 1).model_.score_left_out(read(X), Y.astype(np.int32), WEIGHT + 1)
    for i in range(0, 40, 3):
        others = np.arange(40) != i
        model = fitted(family, at(X, others), Y[others], WEIGHT[others] + 1)
        expected = model.predict_joint_log_proba([X[i], "more"])[0]
        assert_allclose(found[i], expected, rtol=1e-9, atol=1e-9)


@each_variant
def test_left_out_of_the_own_class_is_one_cell_of_a_text(family):
    codes = Y.astype(np.int32)
    for weight in (None, WEIGHT):
        cells = family.left_out(family.count(Texts.of(X), codes, 3, weight, FRAME), Texts.of(X), codes, weight, FRAME)
        assert cells.shape == (40, 1)
        assert cells[1, 0] == 0
        assert_allclose(cells[:, 0], left_out(family, X, codes, weight, 3)[np.arange(40), Y], rtol=1e-12)


@each_variant
def test_the_left_out_total_counts_a_weight_as_so_many_rows(family):
    times = np.arange(40) % 4
    rows, whole = np.repeat(np.arange(40), times), np.zeros(1, np.bool)
    x, y, codes = at(X, rows), Y[rows].astype(np.int32), Y.astype(np.int32)
    weight = times.astype(np.float64)
    tallies = family.count(Texts.of(X), codes, 3, weight, FRAME)
    found = family.left_out_total(tallies, Texts.of(X), codes, weight, FRAME, whole)
    assert_allclose(found, left_out(family, x, y, None, 3)[np.arange(len(y)), y].sum(), rtol=1e-9)


@each_event
def test_left_out_with_a_fixed_vocabulary_is_that_of_the_family_of_counts(event):
    words, codes = ("good", "day", "nowhere", "only5"), Y.astype(np.int32)
    x = [text or "" for text in X]
    counts = Tokens(binary=event == "bernoulli").matrix(x, Vocabulary.of(words))[0].toarray()
    family, frame, expected = OF_COUNTS[event](prior=Laplace(0.4)), Frame(range(4)), np.zeros((40, 3))
    family.score_left_out(family.count(counts, codes, 3, WEIGHT, frame), counts, codes, WEIGHT, frame, expected)
    found = left_out(Text(event, prior=Laplace(0.4), vocabulary=words), x, codes, WEIGHT, 3)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_word_of_no_other_text_tells_nothing_once_it_is_left_out():
    """Without the first text V is 2: good and day, of which class 0 has one each."""
    found = left_out(Text(), ["good alone alone", "good day", "day"], np.array([0, 0, 1], np.int32), None, 2)
    assert_allclose(found[0], np.log([(1 + 1) / (2 + 2), (0 + 1) / (1 + 2)]))


@settings(max_examples=40)
@given(rows=some_texts, weighted=st.booleans(), given_words=st.booleans())
def test_left_out_of_complement_by_maximum_likelihood_is_a_recount(rows, weighted, given_words):
    """What no other class ever had speaks for a class without bounds."""
    family = Text("complement", prior=MaximumLikelihood(), vocabulary=("aa", "bb", "nowhere") if given_words else None)
    x, y, weight = [text for text, _, _ in rows], np.array([k for _, k, _ in rows], np.int32), [w for *_, w in rows]
    weight = np.array(weight) if weighted else None
    found = left_out(family, x, y, weight, 3)
    assert not np.isnan(found).any()
    assert_allclose(found, recounted(family, x, y, weight, 3), rtol=1e-9, atol=1e-9)


# What is told of the scores


@each_variant
def test_reasons_sum_to_the_scores(family):
    model = fitted(family, weight=WEIGHT)
    for reasons, scores in zip(model.explain(NEW), model.predict_joint_log_proba(NEW), strict=True):
        assert_allclose(reasons.scores, scores, rtol=1e-12)
        assert "nan" not in str(reasons)


def test_reasons_are_words_with_their_counts_and_then_what_is_not_known():
    model = fitted(Text(), ["good day", "bad night"], ["ham", "spam"])
    (row,) = model.explain(["Night zebra good yak night zebra"])
    assert [(reason.column, reason.value) for reason in row.reasons] == [
        ("night", 2),
        ("good", 1),
        ("not known", "zebra, yak"),
    ]
    assert_allclose(row.reasons[0].contributions, 2 * np.log([1 / 6, 2 / 6]))
    assert_allclose(row.reasons[1].contributions, np.log([2 / 6, 1 / 6]))
    assert row.reasons[2].contributions.tolist() == [0, 0]


def test_of_words_that_are_not_in_a_text_bernoulli_has_one_reason():
    row = fitted(Text("bernoulli"), ["good good day", "bad day"], [0, 1]).explain(["good good"])[0]
    assert [reason.column for reason in row.reasons] == ["good", "all that is absent"]
    assert_allclose(row.reasons[0].contributions, np.log([(2 / 3) / (1 / 3), (1 / 3) / (2 / 3)]))
    assert_allclose(row.reasons[1].contributions, np.log([2 / 27, 2 / 27]))


def test_a_missing_text_has_no_reasons():
    for event in PEERS:
        assert fitted(Text(event)).explain(["good", None])[1].reasons == []


def test_reasons_of_several_columns_name_them():
    x = pd.DataFrame({"head": ["good", "bad"], "body": ["good day", "bad night"], "n": [1.0, 2.5]})
    model = fitted({"head": Text(), "body": Text(), "n": Gaussian(prior=Laplace())}, x, [0, 1])
    named = [reason.column for reason in model.explain(x)[0].reasons]
    assert sorted(named) == ["body: day", "body: good", "head: good", "n"]


@each_variant
def test_weights_and_bias_give_the_scores(family):
    model = fitted(family, weight=WEIGHT)
    if family.tokens.hashing:
        with pytest.raises(ValueError, match="the boundary is not linear: column 0 is Text"):
            model.linear()
        return
    if isinstance(family.prior, MaximumLikelihood):
        with pytest.raises(ValueError, match="some weights are infinite"):
            model.linear()
        return
    line, new = model.linear(), [text or "" for text in NEW]
    words = Vocabulary.of([word for column, word in line.features if column == 0])
    tokens = replace(family.tokens, binary=True) if family.event == "bernoulli" else family.tokens
    counts, _ = tokens.matrix(new, words)
    assert_allclose(counts @ line.weights.T + line.bias, model.predict_joint_log_proba(new), rtol=1e-10)


@each_event
def test_texts_without_a_single_word_leave_the_class_prior(event):
    model = fitted(Text(event), ["a", "", None, "!"], [0, 1, 1, 1])
    assert_allclose(model.predict_proba(["a", "zebra", None, ""]), [[1 / 4, 3 / 4]] * 4)
    assert model.describe().free_parameters == 1
    assert model.explain(["zebra"])[0].reasons[0].value == "zebra"
    line = model.linear()
    assert (line.weights.shape, line.features) == ((2, 0), [])
    assert_allclose(line.bias, np.log([1 / 4, 3 / 4]))


def test_description_by_hand():
    """The words by which the classes differ most come first."""
    x = ["spam spam spam day", "day ham", "ham ham"]
    description = fitted(Text(), x, ["a", "b", "b"]).describe()
    assert description.free_parameters == 1 + 2 * 2
    assert description.joint_parameters is None
    lines = {name: values for _, name, values in description.lines}
    assert list(lines)[-1] == "weight of 'day'"
    assert lines["texts"].tolist() == [1, 2]
    assert lines["tokens"].tolist() == [4, 4]
    assert_allclose(lines["weight of 'spam'"], np.log([4 / 7, 1 / 7]))
    assert_allclose(lines["weight of 'ham'"], np.log([1 / 7, 4 / 7]))


@each_variant
def test_a_description_lists_ten_words_at_the_most(family):
    lines = fitted(family).describe().lines
    words = [name for _, name, _ in lines if name.startswith("weight of ")]
    assert [name for _, name, _ in lines[:2]] == ["texts", "tokens"]
    assert len(words) == len(lines) - 2 == (0 if family.tokens.hashing else 4 if family.vocabulary else 10)


def test_drawn_texts_are_of_the_words_and_the_length_of_those_learned():
    """Within 5 standard errors."""
    drawn, y = fitted(Text(), ["good good day", "day night", "night"], [0, 1, 1]).sample(3000, random_state=1)
    assert drawn.shape == (3000, 1)
    words = [text.split() for text in drawn[y == 0, 0]]
    lengths = np.array([len(text) for text in words])
    assert abs(lengths.mean() - 3) < 5 * np.sqrt(3 / len(lengths))
    every = [word for text in words for word in text]
    for word, share in (("good", 3 / 6), ("day", 2 / 6), ("night", 1 / 6)):
        assert abs(every.count(word) / len(every) - share) < 5 * np.sqrt(share * (1 - share) / len(every))


def test_texts_are_drawn_where_a_class_has_no_words():
    for prior in (Laplace(), MaximumLikelihood()):
        drawn, y = fitted(Text(prior=prior), ["good day", ""], [0, 1]).sample(50, random_state=0)
        assert set(drawn[y == 1, 0]) == {""}
        assert set(" ".join(drawn[y == 0, 0]).split()) == {"good", "day"}
    drawn, _ = fitted(Text(), ["a", ""], [0, 1]).sample(5, random_state=0)
    assert drawn[:, 0].tolist() == [""] * 5


@pytest.mark.parametrize("name", ["bernoulli", "complement", "pairs", "characters", "hashing"])
def test_only_single_words_can_be_drawn(name):
    with pytest.raises(TypeError, match="only a multinomial text of single words can be drawn"):
        fitted(VARIANTS[name]).sample(2, random_state=0)


def test_drawn_tables_have_their_texts():
    x = pd.DataFrame({"t": ["good day", None, "bad night"], "n": [1.0, 2.0, 4.0]})
    drawn, _ = fitted({"t": Text()}, x, [0, 1, 1], missing="value").sample(200, random_state=0)
    texts = drawn["t"].to_pylist()
    assert None in texts
    assert set(" ".join(text for text in texts if text).split()) == {"good", "day", "bad", "night"}


def test_the_posterior_of_shares_by_hand():
    belief = fitted(Text(prior=Laplace(0.5)), ["good good day", "day night"], [0, 1]).posterior(0)
    assert_allclose(belief.alpha, [[2.5, 1.5, 0.5], [0.5, 1.5, 1.5]])


@pytest.mark.parametrize("event", ["bernoulli", "complement"])
def test_only_shares_have_a_posterior(event):
    with pytest.raises(TypeError, match=f"where the event is 'multinomial', not '{event}'"):
        fitted(Text(event)).posterior(0)


# What tells nothing


@each_variant
def test_a_missing_text_gets_the_class_prior(family):
    model = fitted(family, weight=WEIGHT)
    prior = np.bincount(Y, WEIGHT) / WEIGHT.sum()
    assert_allclose(model.predict_proba([None, "good", np.nan])[[0, 2]], [prior, prior])


def test_nothing_but_missing_texts_get_the_class_prior():
    """A batch may have no text at all."""
    assert_allclose(fitted(Text(), ["good", "bad", "bad"], [0, 1, 1]).predict_proba([None]), [[1 / 3, 2 / 3]])


@frames
def test_a_column_of_nothing_but_missing_texts_gets_the_class_prior(make):
    model = fitted({"t": Text()}, make({"t": ["good", "bad", "bad"]}), [0, 1, 1])
    assert_allclose(model.predict_proba(make({"t": [None, None]})), [[1 / 3, 2 / 3]] * 2)


@pytest.mark.parametrize("name", [name for name in VARIANTS if "hashing" not in name and name != "characters"])
def test_words_never_seen_tell_nothing(name):
    """Parts of a word may be known, and so may its bucket."""
    family = VARIANTS[name]
    found = fitted(family).predict_joint_log_proba(["good", "zebra zebra", "zebra good yak", ""])
    if family.tokens.ngrams != (2, 2):
        assert not np.allclose(found[0], found[3])
    assert_array_equal(found[1], found[3])
    assert_array_equal(found[2], found[0])


@each_event
def test_a_class_that_is_yet_to_come_has_scores_without_nan(event):
    model = NaiveBayes(Text(event), class_prior="uniform").partial_fit(["good day", "night"], [0, 1], classes=[0, 1, 2])
    found = model.predict_joint_log_proba(["good night", "", "zebra"])
    assert np.isfinite(found).all()
    same(model.partial_fit(["new words"], [2]), fitted(Text(event), ["good day", "night", "new words"], [0, 1, 2]))


@pytest.mark.parametrize("event", ["multinomial", "complement"])
@pytest.mark.parametrize("vocabulary", [None, ("good", "nowhere")], ids=["words found", "words given"])
@pytest.mark.parametrize(
    "x",
    [["good day", "bad day", "good"], ["good day", "", None], ["good", "good", "good"], ["", "", "good"]],
    ids=["words", "a class without words", "one word", "one text"],
)
def test_maximum_likelihood_gives_infinities_and_never_nan(event, vocabulary, x):
    family, y = Text(event, prior=MaximumLikelihood(), vocabulary=vocabulary), [0, 1, 1]
    model = fitted(family, x, y, class_prior="uniform")
    new = ["good", "bad", "good bad day", "nowhere", "nowhere good", "", None, "zebra"]
    assert not np.isnan(model.predict_joint_log_proba(new)).any()
    probabilities = model.predict_proba(new)
    assert_allclose(probabilities.sum(axis=1), 1)
    assert_allclose(probabilities[-3:], 0.5)
    assert not np.isnan(model.model_.score_left_out(read(x), np.array(y, np.int32))).any()
    assert "nan" not in str(model.explain(new))
    assert "nan" not in str(model.describe())


def test_a_word_that_a_class_never_had_is_impossible_by_maximum_likelihood():
    model = fitted(Text(prior=MaximumLikelihood()), ["good day", "bad day"], [0, 1])
    with np.errstate(divide="ignore"):
        expected = np.log([[0.25, 0], [0, 0.25], [0.25, 0.25], [0, 0], [0.5, 0.5]])
    assert_allclose(model.predict_joint_log_proba(["good", "bad", "day zebra", "good bad", "zebra"]), expected)


@pytest.mark.parametrize(
    "x", ["ab\ud800cd", "x\0yz ab", "\U0010ffff ab", "ａｂ é e\u0301e", "İİ ﬀﬀ", "١٢٣ Ⅻx"], ids=ascii
)
def test_strange_texts_are_learned_pickled_and_told(x):
    model = pickle.loads(pickle.dumps(fitted(Text(), [x, "other words"], [0, 1])))
    found = [word for _, word in model.linear().features]
    assert sorted(found) == sorted({*re.findall(r"\w\w+", x.lower()), "other", "words"})
    assert model.predict([x]).tolist() == [0]
    assert [reason.column for reason in model.explain([x])[0].reasons] == list(
        dict.fromkeys(re.findall(r"\w\w+", x.lower()))
    )


# Tables with columns of text

LONG = [f"{' '.join(words)} and some more of number{i}" for i, words in enumerate(RNG.choice(WORDS, (40, 5)))]
TABLE = {
    "head": LONG,
    "body": [None if text is None else f"{text} {other}" for text, other in zip(X, LONG[::-1], strict=True)],
    "colour": RNG.choice(["red", "green", "blue"], 40).tolist(),
    "number": RNG.normal(size=40).tolist(),
    "flag": (RNG.random(40) < 0.5).tolist(),
}


@frames
@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_columns_of_a_mixed_table_add_their_scores(make, missing):
    """Two texts are two bags of words, which a model of one column has by itself."""
    model = fitted("auto", make(TABLE), missing=missing)
    chosen = model.families_
    assert [chosen["head"], chosen["body"], chosen["colour"]] == [Text(), Text(), Categorical()]
    prior = np.log(np.bincount(Y) / 40)
    expected = np.tile(prior, (40, 1))
    for name in TABLE:
        column = make({name: TABLE[name]})
        expected += fitted({name: chosen[name]}, column, missing=missing).predict_joint_log_proba(column) - prior
    assert_allclose(model.predict_joint_log_proba(make(TABLE)), expected, rtol=1e-10)
    for reasons, scores in zip(model.explain(make(TABLE)), expected, strict=True):
        assert_allclose(reasons.scores, scores, rtol=1e-10)


@frames
def test_a_column_of_texts_is_scored_as_a_list_of_them(make):
    column = make({"t": X})
    for family in (Text(), Text("bernoulli"), Text("complement", Tokens(ngrams=(1, 2)))):
        found = fitted({"t": family}, column).predict_joint_log_proba(column)
        assert_allclose(found, fitted(family).predict_joint_log_proba(X), rtol=1e-12)


def test_one_family_for_several_texts_reads_each_by_itself():
    x = pd.DataFrame({name: TABLE[name] for name in ("head", "body")})
    expected = fitted({"head": Text(), "body": Text()}, x).predict_joint_log_proba(x)
    for families in (Text(), "text", {("head", "body"): Text()}):
        model = fitted(families, x)
        assert len(model.model_.known.blocks) == 2
        assert_allclose(model.predict_joint_log_proba(x), expected, rtol=1e-12)


@frames
def test_a_table_with_texts_keeps_the_laws(make):
    def part(rows):
        return make({name: at(values, rows) for name, values in TABLE.items()})

    families = {"head": Text(), "body": Text("bernoulli"), "number": Gaussian(), "flag": "bernoulli"}
    first = np.arange(40) < 20
    whole, x = fitted(families, make(TABLE)), make(TABLE)
    expected = whole.predict_joint_log_proba(x)
    halves = [fitted(families, part(half), Y[half]) for half in (first, ~first)]
    assert_allclose(merge(halves).predict_joint_log_proba(x), expected, rtol=1e-9)
    learned_on = halves[0].partial_fit(part(~first), Y[~first])
    assert_allclose(learned_on.predict_joint_log_proba(x), expected, rtol=1e-9)
    left = whole.forget(part(~first), Y[~first]).predict_joint_log_proba(x)
    assert_allclose(left, fitted(families, part(first), Y[first]).predict_joint_log_proba(x), rtol=1e-9)


def worded(count, word="word"):
    """Twenty different texts of so many words."""
    return [" ".join([f"{i:02d}", *[word] * (count - 1)]) for i in range(20)]


COLUMNS = {
    "long and different": (worded(4), Text),
    "long and different, with holes": ([*worded(4)[:10], *[None] * 30], Text),
    "a word shorter": (worded(3), Categorical),
    "long, but half of them alike": (worded(8)[:10] * 2, Categorical),
    "long, and more than half of them different": (worded(8)[:11] + worded(8)[:9], Text),
    "long on average": (["word " * 60, *(f"{i:02d}" for i in range(13))], Text),
    "long names": ([name.replace(" ", "_") for name in worded(8)], Categorical),
    "in other letters": (worded(4, "слово"), Text),
}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dictionary", "rows"])
def test_strings_are_text_where_they_are_long_and_mostly_different(column, kind):
    """Four words on average of those that are there."""
    values, expected = COLUMNS[column]
    table = {
        "pandas": lambda: pd.DataFrame({"t": values}),
        "polars": lambda: pl.DataFrame({"t": values}),
        "pyarrow": lambda: pa.table({"t": pa.array(values, pa.string_view())}),
        "dictionary": lambda: pa.table({"t": pa.array(values).dictionary_encode()}),
        "rows": lambda: [[value] for value in values],
    }[kind]()
    (family,) = fitted("auto", table, np.arange(len(values)) % 2).families_.values()
    assert type(family) is expected


def test_a_sentinel_is_no_text_in_choosing():
    values = [*worded(4), *["?"] * 15]
    assert fitted("auto", pd.DataFrame({"t": values}), np.arange(35) % 2, missing_values="?").families_ == {"t": Text()}


@pytest.mark.parametrize("missing", ["value", "auto"])
def test_that_a_text_is_missing_may_tell(missing):
    x = ["good", "day", "good day", "night"] * 5 + [None] * 10
    y = [0] * 20 + [1] * 9 + [0]
    x[0], y[0] = "night", 1
    found = fitted("auto", x, y, missing=missing).predict_proba([None, "good"])
    assert found[0, 1] > 0.7
    assert found[1, 0] > 0.7
    x = pd.DataFrame({"t": pd.Series(x, dtype=object)})
    assert_allclose(fitted({"t": Text()}, x, y, missing=missing).predict_proba(x.iloc[[-1, 4]]), found)


# As scikit-learn asks

LISTS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "numpy objects": lambda x: np.array(x, object),
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow": pa.array,
}


@pytest.mark.parametrize("container", LISTS)
def test_texts_in_every_container_are_learned_alike(container):
    x, new = LISTS[container](FULL), LISTS[container](["good day", "night of rain"])
    model = NaiveBayes().fit(x, Y)
    expected = fitted(Text(), FULL).predict_joint_log_proba(["good day", "night of rain"])
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-12)
    assert_allclose(NaiveBayes().partial_fit(x, Y).predict_joint_log_proba(new), expected, rtol=1e-12)


@pytest.mark.parametrize("container", LISTS)
def test_texts_are_one_feature(container):
    assert NaiveBayes().fit(LISTS[container](FULL), Y).n_features_in_ == 1


@pytest.mark.parametrize("container", ["list", "numpy", "pandas"])
def test_options_of_text_can_be_searched(container):
    """Only pairs tell these classes apart."""
    x, y = ["not good", "good not"] * 12, ["a", "b"] * 12
    options = [Text(), Text("bernoulli"), Text(tokens=Tokens(ngrams=(1, 2))), Text("complement")]
    search = GridSearchCV(NaiveBayes(), {"families": options}, cv=3, error_score="raise").fit(LISTS[container](x), y)
    assert search.best_params_ == {"families": options[2]}
    assert search.best_score_ == 1


def test_a_family_of_text_is_a_value():
    assert Text(vocabulary=["good", "day"]) == Text(vocabulary=("good", "day"))
    assert len({Text(), Text("multinomial", Tokens(), Laplace()), Text("bernoulli")}) == 2
    family = Text(vocabulary=("good",))
    fitted(family)
    assert pickle.loads(pickle.dumps(family)) == family
    assert repr(Text("bernoulli", prior=Laplace(2))) == "Text(event='bernoulli', prior=Laplace(strength=2))"


def test_of_more_texts_than_are_looked_at_in_choosing_all_are_learned():
    """10,000 are looked at, evenly spaced."""
    model = NaiveBayes(missing="auto").fit(X * 600, np.tile(Y, 600))
    assert model.families_ == {0: Text()}
    assert model.class_count_.sum() == 24_000
    expected = fitted(Text(), weight=np.full(40, 600.0))
    assert_allclose(model.predict_joint_log_proba(FULL)[:, 0], expected.predict_joint_log_proba(FULL)[:, 0], atol=0.1)


# Errors


@pytest.mark.parametrize("event", ["Multinomial", "gaussian", None])
def test_an_event_there_is_not(event):
    message = f"the event is 'multinomial', 'bernoulli' or 'complement', not {event!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Text(event)


@pytest.mark.parametrize("prior", [MEstimate(2), Gamma(1, 1), Dirichlet((1.0, 2.0))], ids=["m", "gamma", "numbers"])
def test_a_prior_that_is_none_for_words_is_refused(prior):
    model = NaiveBayes(Text(prior=prior))
    with pytest.raises(TypeError, match=r" is no prior for the words of a text; MaximumLikelihood and Laplace are$"):
        model.fit(["good", "bad"], [0, 1])
    assert not hasattr(model, "model_")


@pytest.mark.parametrize("prior", [MaximumLikelihood(), Dirichlet(1.0, estimate="mode")], ids=repr)
def test_bernoulli_needs_a_prior(prior):
    with pytest.raises(ValueError, match=r"^without a prior, a word that is in every text .* event='bernoulli' a Lap"):
        fitted(Text("bernoulli", prior=prior))


def test_numbers_where_texts_were_learned():
    with pytest.raises(ValueError, match=r"^column 0 holds numbers, and its family reads text$"):
        fitted(Text()).predict([[1.0]])
    model = fitted({"t": Text()}, pa.table({"t": X}))
    with pytest.raises(ValueError, match=r"^column 't' holds numbers, and its family reads text$"):
        model.partial_fit(pa.table({"t": [1, 2]}), [0, 1])
    with pytest.raises(ValueError, match=r"^column 'n' holds numbers, and its family reads text$"):
        fitted("text", pa.table({"n": [1.5, 2.5]}), [0, 1])


@pytest.mark.parametrize("families", ["gaussian", "categorical", "poisson", "histogram"])
def test_texts_where_a_family_reads_numbers_or_categories(families):
    with pytest.raises(ValueError, match=r"^texts are read as words: their family is Text, Multinomial, Bernoulli or "):
        fitted(families)


def test_texts_where_numbers_were_learned():
    with pytest.raises(ValueError, match=r"^texts are read as words"):
        NaiveBayes("gaussian").fit([[1.0], [2.0], [3.0], [5.0]], [0, 0, 1, 1]).predict(["good"])


def test_what_is_no_text_changes_nothing():
    model = fitted(Text())
    before = model.predict_joint_log_proba(NEW)
    with pytest.raises(TypeError, match=r"^row 1 has 7, which is no text, as the others are$"):
        model.partial_fit(["good", 7], [0, 1])
    assert_array_equal(model.predict_joint_log_proba(NEW), before)


def test_a_word_that_is_twice_in_a_vocabulary():
    with pytest.raises(ValueError, match=r"^the words of a vocabulary must differ, but 'day' is there twice$"):
        fitted(Text(vocabulary=("day", "good", "day")))


def test_a_vocabulary_is_no_single_string():
    """As with stop words: its letters are hardly what was meant."""
    with pytest.raises((TypeError, ValueError)):
        fitted(Text(vocabulary="day"))


def test_a_string_column_without_a_single_text():
    with pytest.raises(ValueError, match=r"^column 't' has no value present; leave it out$"):
        fitted(Text(), pa.table({"t": pa.nulls(2, pa.string())}), [0, 1])
