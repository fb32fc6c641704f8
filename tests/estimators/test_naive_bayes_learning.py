"""NaiveBayes learns more and less: partial_fit, forget, merge and decay."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import NaiveBayes, merge
from likely.families import FAMILIES, Histogram, MultivariateGaussian

from ..samples import readable
from .cases import COUNTS, OF_CELLS, SAID, X, Y, mixed, same_scores

SETTLED = [Histogram(bins=(0, 1, 2, 9)), MultivariateGaussian(shrinkage=0.2)]
"""Of the families that choose something by rows, two that have nothing left to choose."""


@pytest.mark.parametrize(
    "family", [*(name for name in OF_CELLS if FAMILIES[name]() not in (Histogram(), MultivariateGaussian())), *SETTLED]
)
def test_partial_fit_in_parts_is_fit(family):
    x = (COUNTS > 2).astype(int) if family == "bernoulli" else readable(family, COUNTS)
    parts = NaiveBayes(family)
    for rows in (slice(0, 1), slice(1, 20), slice(20, 60)):
        assert parts.partial_fit(x[rows], Y[rows]) is parts
    same_scores(parts, NaiveBayes(family).fit(x, Y), x, rtol=1e-9)
    assert parts.class_count_.tolist() == [20, 20, 20]


def test_what_the_first_rows_chose_stays_until_it_is_retuned():
    x = X * np.where(np.arange(60) < 9, 1, 50.0 ** (np.arange(60) % 3))[:, None]  # classes of other spread, but later
    parts = NaiveBayes("multivariate_gaussian").partial_fit(x[:9], Y[:9])
    first = parts.families_[0].amounts
    assert parts.partial_fit(x[9:], Y[9:]).families_[0].amounts == first
    whole = NaiveBayes("multivariate_gaussian").fit(x, Y)
    assert whole.families_[0].amounts != first
    assert parts.retune(x, Y) is parts
    same_scores(parts, whole, x, rtol=1e-9)


def test_a_prior_that_is_chosen_is_that_of_all_rows_once_it_is_retuned():
    frame, y = mixed(600)[["flag"]], np.tile(Y, 10)
    frame.loc[:9, "flag"] = y[:10] == "a"  # at first the flag tells the class, later it tells nothing
    parts = NaiveBayes(smoothing="auto").partial_fit(frame[:10], y[:10]).partial_fit(frame[10:], y[10:])
    whole = NaiveBayes(smoothing="auto").fit(frame, y)
    assert repr(parts.families_) != repr(whole.families_)
    assert repr(parts.retune(frame, y).families_) == repr(whole.families_)
    same_scores(parts, whole, frame, rtol=1e-9)


def test_retuning_leaves_the_counts_and_the_families_alone():
    frame = mixed()
    nb = NaiveBayes(SAID, column_weights=True, smoothing="auto").fit(frame, Y)
    before = {block.frame.columns: block for block in nb.model_.blocks}
    nb.retune(frame[:20], Y[:20])
    assert {block.frame.columns for block in nb.model_.blocks} == before.keys()
    for block in nb.model_.blocks:
        assert type(block.family) is type(before[block.frame.columns].family)
        assert block.statistics is before[block.frame.columns].statistics
    assert nb.class_count_.tolist() == [20, 20, 20]


def test_retuning_by_a_class_that_was_never_learned():
    nb = NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match=r"^class 'd' of y was never learned$"):
        nb.retune(X[:2], ["a", "d"])


def test_partial_fit_may_begin_with_one_class():
    nb = NaiveBayes("gaussian").partial_fit([[0.0], [1.0]], ["b", "b"])
    assert nb.predict_proba([[0.5]]).tolist() == [[1]]
    nb.partial_fit([[9.0], [10.0]], ["a", "a"])
    assert nb.classes_.tolist() == ["a", "b"]
    assert nb.predict([[0.5], [9.5]]).tolist() == ["b", "a"]


def test_partial_fit_may_name_classes_to_come():
    nb = NaiveBayes("gaussian").partial_fit([[0.0], [1.0]], [1, 1], classes=[2, 0, 1])
    assert nb.classes_.tolist() == [0, 1, 2]
    assert nb.class_count_.tolist() == [0, 2, 0]
    assert nb.predict([[0.5]]).tolist() == [1]
    assert nb.predict_proba([[0.5]]).tolist() == [[0, 1, 0]]


def test_partial_fit_takes_new_categories():
    nb = NaiveBayes().partial_fit([["x"], ["y"]], [0, 1]).partial_fit([["z"], [None]], [0, 1])
    same_scores(nb, NaiveBayes().fit([["x"], ["y"], ["z"], [None]], [0, 1, 0, 1]), [["x"], ["z"], ["w"]])


def test_partial_fit_of_text_that_is_missing_throughout():
    nb = NaiveBayes().partial_fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    nb.partial_fit(pd.DataFrame({"a": [None, None]}), [0, 1])
    assert nb.class_count_.tolist() == [2, 2]
    assert_allclose(nb.predict_proba(pd.DataFrame({"a": ["x"]})), [[2 / 3, 1 / 3]], rtol=1e-12)


def test_partial_fit_of_numbers_after_nothing_but_holes():
    nb = NaiveBayes("categorical").partial_fit(np.array([[None], [None]], object), [0, 1])
    nb.partial_fit([[1], [2]], [0, 1])
    assert_allclose(nb.predict_proba([[1], [2]]), [[2 / 3, 1 / 3], [1 / 3, 2 / 3]], rtol=1e-12)


def test_fit_forgets_what_was_there():
    nb = NaiveBayes("gaussian").fit(X, Y).fit(X[:, :2], np.arange(60) % 2)
    assert nb.n_features_in_ == 2
    assert nb.classes_.tolist() == [0, 1]
    same_scores(nb, NaiveBayes("gaussian").fit(X[:, :2], np.arange(60) % 2), X[:, :2], rtol=0)


def test_forget_is_the_inverse_of_partial_fit():
    frame = mixed()
    nb = NaiveBayes(SAID).fit(frame, Y)
    assert nb.forget(frame[20:], Y[20:]) is nb
    reference = NaiveBayes(SAID).fit(frame[:20], Y[:20])
    same_scores(nb, reference, frame, rtol=1e-9)
    assert nb.class_count_.tolist() == reference.class_count_.tolist()


def test_forget_takes_weights(rng):
    weight = rng.uniform(0.5, 2, 60)
    nb = NaiveBayes("gaussian").fit(X, Y, weight).forget(X[20:], Y[20:], weight[20:])
    same_scores(nb, NaiveBayes("gaussian").fit(X[:20], Y[:20], weight[:20]), X, rtol=1e-9)


def test_forgetting_a_category_takes_its_mass_back():
    rows, y = [["x"], ["y"], ["x"]], [0, 1, 1]
    nb = NaiveBayes().fit(rows, y).partial_fit([["z"]], [0]).forget([["z"]], [0])
    same_scores(nb, NaiveBayes().fit(rows, y), rows)


def test_forgetting_a_class():
    nb = NaiveBayes("gaussian").fit(X, Y).forget(X[Y == "a"], Y[Y == "a"])
    assert nb.class_count_.tolist() == [0, 20, 20]
    reference = NaiveBayes("gaussian").fit(X[Y != "a"], Y[Y != "a"])
    assert_allclose(nb.predict_proba(X)[:, 1:], reference.predict_proba(X), rtol=1e-9, atol=1e-15)
    assert "a" not in nb.predict(X)


@pytest.mark.parametrize("family", ["gaussian", "poisson", "bernoulli", "categorical", "multinomial", "histogram"])
def test_forgetting_everything_leaves_no_nan(family):
    x = (COUNTS > 2).astype(int)
    nb = NaiveBayes(family).fit(x, Y).forget(x, Y)
    assert nb.class_count_.tolist() == [0, 0, 0]
    try:
        assert not np.isnan(nb.predict_proba(x)).any()
    except ValueError as error:
        assert "learned" in str(error)  # noqa: PT017 - a sentence is as good as the even prior


def test_merge_is_learning_both():
    frame = mixed()
    one, other = NaiveBayes(SAID).fit(frame[:25], Y[:25]), NaiveBayes(SAID).fit(frame[25:], Y[25:])
    before = other.predict_joint_log_proba(frame)
    assert one.merge(other) is one
    same_scores(one, NaiveBayes(SAID).fit(frame, Y), frame, rtol=1e-9)
    assert np.array_equal(other.predict_joint_log_proba(frame), before)


def test_merge_takes_new_classes_and_categories():
    one = NaiveBayes().fit([["x"], ["y"]], ["b", "b"]).merge(NaiveBayes().fit([["w"], ["z"]], ["a", "c"]))
    reference = NaiveBayes().fit([["x"], ["y"], ["w"], ["z"]], ["b", "b", "a", "c"])
    same_scores(one, reference, [["x"], ["w"], ["q"]])


def test_merge_of_many_leaves_them_as_they_were():
    parts = [NaiveBayes("gaussian").fit(X[i::3], Y[i::3]) for i in range(3)]
    before = [part.predict_joint_log_proba(X) for part in parts]
    merged = merge(part for part in parts)
    same_scores(merged, NaiveBayes("gaussian").fit(X, Y), X, rtol=1e-9)
    for part, scores in zip(parts, before, strict=True):
        assert np.array_equal(part.predict_joint_log_proba(X), scores)


def test_merge_of_one_is_a_copy():
    nb = NaiveBayes("gaussian").fit(X, Y)
    merged = merge([nb])
    assert merged is not nb
    merged.forget(X[:5], Y[:5])
    assert nb.class_count_.tolist() == [20, 20, 20]


def test_decay_lets_old_rows_fade():
    nb = NaiveBayes("poisson").fit(COUNTS, Y)
    assert nb.decay(0.5) is nb
    assert nb.class_count_.tolist() == [10, 10, 10]
    same_scores(nb, NaiveBayes("poisson").fit(COUNTS, Y, sample_weight=0.5), COUNTS)


def test_decay_by_one_changes_nothing():
    nb, reference = NaiveBayes(SAID).fit(mixed(), Y).decay(1), NaiveBayes(SAID).fit(mixed(), Y)
    same_scores(nb, reference, mixed(), rtol=0)


def test_decay_then_learning_weighs_the_new_rows_more():
    nb = NaiveBayes("gaussian").fit(X[:30], Y[:30]).decay(0.25).partial_fit(X[30:], Y[30:])
    weight = np.repeat([0.25, 1.0], 30)
    same_scores(nb, NaiveBayes("gaussian").fit(X, Y, weight), X, rtol=1e-9)
