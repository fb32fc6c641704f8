"""Texts keep the laws of every family: learned in any order, in parts, merged, forgotten, they count alike."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from likely import NaiveBayes, merge
from likely.engines import threads
from likely.families import Text, TextComplement, TextMultinomial
from likely.priors import Laplace
from likely.text import Tokens

from .texts import FULL, NEW, WEIGHT, X, Y, at, each_variant, fitted, same

pytestmark = pytest.mark.usefixtures("untuned")


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
    found = model.loo_scores(X, Y)
    monkeypatch.undo()
    assert_allclose(found, expected.loo_scores(X, Y), rtol=1e-10)


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
    [
        TextComplement(),
        Text(),
        TextMultinomial(tokens=Tokens(binary=True)),
        TextMultinomial(prior=Laplace(2)),
        TextMultinomial(vocabulary=("good",)),
    ],
    ids=repr,
)
def test_texts_that_are_read_differently_do_not_merge(other):
    with pytest.raises(ValueError, match=r"are read as TextMultinomial\(\) here and as Text\w*\(.*\) there; give b"):
        fitted(TextMultinomial()).merge(fitted(other))


@pytest.mark.parametrize(("text", "label"), [("dd", 0), ("zz", 0), ("aa aa", 0), ("", 2), ("aa bb cc zz", 0)], ids=repr)
def test_what_was_never_learned_is_not_forgotten(text, label):
    model = fitted(TextMultinomial(), ["aa bb cc", "aa dd", "dd ee ff"], [0, 0, 1])
    before = model.predict_joint_log_proba(NEW)
    with pytest.raises(ValueError, match=r"^some of these rows were never learned: .*nothing was forgotten$"):
        model.forget([text, "aa bb"][: 1 + (label == 0)], [label] * (1 + (label == 0)))
    assert_array_equal(model.predict_joint_log_proba(NEW), before)


def test_the_column_of_what_was_never_learned_is_named():
    x = pd.DataFrame({"head": ["aa bb cc", "dd"], "body": ["ee ff gg", "hh ii"]})
    model = fitted(TextMultinomial(), x, [0, 1])
    with pytest.raises(ValueError, match=r"never learned: column 'body', class 0 would be left with less than nothing"):
        model.forget(pd.DataFrame({"head": ["aa bb cc"], "body": ["ii"]}), [0])
