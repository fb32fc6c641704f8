"""GaussianClassifier: its covariances, learning more and less, missing cells, answers, and what "auto" takes."""

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from likely import GaussianClassifier, merge

from .cases import Y, same_scores
from .gaussians import COVARIANCES, SETTLED, X, every_covariance, settled

# Covariances


def test_spherical_is_the_mean_variance_of_the_columns():
    model = GaussianClassifier("spherical", shrinkage=0).fit(X, Y)
    for k, label in enumerate(model.classes_):
        assert_allclose(model.covariances_[k], np.eye(3) * X[label == Y].var(axis=0).mean(), rtol=1e-12)


def test_shrinkage_goes_from_the_own_covariance_to_the_tied_one_and_to_the_diagonal():
    own = np.array([np.cov(X[k == Y].T, bias=True) for k in "abc"])  # of 20 rows each
    tied = own.mean(axis=0)
    blend = (0.75 * 20 * own + 0.25 * 60 * tied) / (0.75 * 20 + 0.25 * 60)
    expected = 0.6 * blend + 0.4 * blend * np.eye(3)
    assert_allclose(GaussianClassifier(shrinkage=(0.25, 0.4)).fit(X, Y).covariances_, expected, rtol=1e-12)
    expected = [0.7 * tied + 0.3 * tied * np.eye(3)] * 3
    assert_allclose(GaussianClassifier("tied", shrinkage=0.3).fit(X, Y).covariances_, expected, rtol=1e-12)


# Learning more and less


@settled
def test_partial_fit_in_parts_is_fit(covariance, shrinkage):
    parts = GaussianClassifier(covariance, shrinkage=shrinkage)
    for rows in (slice(0, 1), slice(1, 25), slice(25, 60)):
        assert parts.partial_fit(X[rows], Y[rows]) is parts
    same_scores(parts, GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y), X, rtol=1e-9)


@settled
def test_forget_is_the_inverse_of_partial_fit(covariance, shrinkage):
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y).forget(X[30:], Y[30:])
    same_scores(model, GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[:30], Y[:30]), X, rtol=1e-9)
    assert model.class_count_.tolist() == [10, 10, 10]


@settled
def test_merge_is_learning_all(covariance, shrinkage):
    parts = [GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[i::2], Y[i::2]) for i in range(2)]
    same_scores(merge(parts), GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y), X, rtol=1e-9)


@settled
def test_decay_is_a_smaller_weight(covariance, shrinkage):
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[:30], Y[:30]).decay(0.25)
    model.partial_fit(X[30:], Y[30:])
    weight = np.repeat([0.25, 1.0], 30)
    same_scores(model, GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y, weight), X, rtol=1e-9)


@pytest.mark.parametrize(("covariance", "shrinkage"), [*SETTLED, *product(COVARIANCES, ["auto"])])
def test_a_whole_weight_is_the_row_repeated(covariance, shrinkage, rng):
    weight = rng.integers(0, 4, 60)
    once = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y, sample_weight=weight)
    repeated = GaussianClassifier(covariance, shrinkage=shrinkage).fit(np.repeat(X, weight, 0), np.repeat(Y, weight))
    assert once.shrinkage_ == repeated.shrinkage_
    same_scores(once, repeated, X, rtol=1e-9)


def test_auto_is_chosen_by_the_first_rows_and_again_when_asked_for(rng):
    alike, apart = rng.normal(size=(60, 3)), rng.normal(size=(240, 3)) * 50.0 ** (np.arange(240) % 3)[:, None]
    model = GaussianClassifier("diagonal").fit(alike, Y)
    before = model.shrinkage_
    assert before[0] >= 0.6
    assert model.partial_fit(apart[:59], np.tile(Y, 4)[:59]).shrinkage_ == before
    assert model.partial_fit(apart[59:], np.tile(Y, 4)[59:]).shrinkage_ == before
    x, y = np.concatenate([alike, apart]), np.tile(Y, 5)
    assert model.retune(x, y).shrinkage_ != before
    same_scores(model, GaussianClassifier("diagonal").fit(x, y), x, rtol=1e-9)


@every_covariance
def test_classes_may_arrive_at_any_time(covariance):
    model = GaussianClassifier(covariance, shrinkage=0.2).partial_fit(X[Y == "b"], Y[Y == "b"], classes=["a", "b"])
    assert model.predict_proba(X).tolist() == [[0, 1]] * 60
    model.partial_fit(X[Y != "b"], Y[Y != "b"])
    same_scores(model, GaussianClassifier(covariance, shrinkage=0.2).fit(X, Y), X, rtol=1e-9)


# Missing cells


@every_covariance
def test_a_missing_cell_is_left_out_of_the_vector(covariance):
    model = GaussianClassifier(covariance).fit(X, Y)
    for there in product((False, True), repeat=3):
        rows, there = X.copy(), np.array(there)
        rows[:, ~there] = np.nan
        expected = np.full((60, 3), np.log(1 / 3))
        if there.any():
            for k, (mean, matrix) in enumerate(zip(model.means_, model.covariances_, strict=True)):
                expected[:, k] += multivariate_normal(mean[there], matrix[np.ix_(there, there)]).logpdf(X[:, there])
        assert_allclose(model.predict_joint_log_proba(rows), expected, rtol=1e-10)


@pytest.mark.parametrize(("covariance", "shrinkage"), [s for s in SETTLED if s[0] != "spherical"])
def test_a_model_of_some_columns_is_the_whole_one_of_rows_without_the_others(covariance, shrinkage):
    whole = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y)
    part = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X[:, [0, 2]], Y)
    rows = np.where([True, False, True], X, np.nan)
    assert_allclose(whole.predict_joint_log_proba(rows), part.predict_joint_log_proba(X[:, [0, 2]]), rtol=1e-10)


def test_a_covariance_is_learned_from_rows_without_holes():
    holes = X.copy()
    holes[:15, 1] = np.nan
    model = GaussianClassifier(shrinkage=0).fit(holes, Y)
    assert_allclose(model.covariances_, GaussianClassifier(shrinkage=0).fit(X[15:], Y[15:]).covariances_, rtol=1e-12)
    assert model.class_count_.tolist() == [20, 20, 20]


@every_covariance
def test_a_class_without_a_whole_row_is_like_all_together(covariance):
    holes = np.where((Y == "a")[:, None] & [True, False, False], np.nan, X)
    model = GaussianClassifier(covariance).fit(holes, Y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.means_).all()


def test_a_sentinel_is_a_missing_cell():
    holes, marked = X.copy(), X.copy()
    holes[::7, 1], marked[::7, 1] = np.nan, -999
    reference = GaussianClassifier().fit(holes, Y)
    model = GaussianClassifier(missing_values=-999).fit(marked, Y)
    assert_allclose(model.predict_proba(marked), reference.predict_proba(holes), rtol=1e-12)


# Answers


@pytest.mark.parametrize(("covariance", "shrinkage"), [*SETTLED, *product(COVARIANCES, ["auto"])])
def test_answers_agree_with_each_other(covariance, shrinkage, rng):
    rows = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    model = GaussianClassifier(covariance, shrinkage=shrinkage).fit(X, Y)
    joint = model.predict_joint_log_proba(rows)
    assert_allclose(model.predict_proba(rows).sum(axis=1), 1, rtol=1e-12)
    assert_allclose(model.predict_proba(rows), np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), rtol=1e-10)
    assert model.predict(rows).tolist() == model.classes_[joint.argmax(axis=1)].tolist()
    assert_allclose([reasons.scores for reasons in model.explain(rows)], joint, rtol=1e-10)


# The generative model


@every_covariance
def test_fitting_a_sample_finds_the_parameters(covariance):
    model = GaussianClassifier(covariance, shrinkage=0.1).fit(X, Y)
    rows, y = model.sample(200_000, random_state=0)
    assert rows.shape == (200_000, 3)
    twin = GaussianClassifier("full", shrinkage=0).fit(rows, y)
    assert_allclose(twin.means_, model.means_, rtol=0, atol=0.05)
    assert_allclose(twin.covariances_, model.covariances_, rtol=0, atol=0.15)
    assert_allclose(twin.class_count_, 200_000 / 3, rtol=0.02)


def test_a_sample_of_a_model_of_a_frame_is_a_table():
    model = GaussianClassifier().fit(pd.DataFrame({"size": X[:, 0], "legs": np.rint(X[:, 1]).astype(int)}), Y)
    table, y = model.sample(30, random_state=1)
    assert table.column_names == ["size", "legs"]
    assert table["legs"].type == pa.int64()
    assert model.partial_fit(table, y).class_count_.sum() == 90


# What "auto" takes


def test_auto_finds_what_made_the_rows(rng):
    y, base = np.arange(200) % 2, rng.normal(size=(200, 4))
    mixing = np.eye(4) + np.diag([0.9] * 3, k=1)
    apart = np.where(y[:, None] == 0, base @ mixing, base @ mixing.T * 3)
    assert max(GaussianClassifier().fit(apart, y).shrinkage_) <= 0.03
    tied, diagonal = GaussianClassifier().fit(base @ mixing + y[:, None], y).shrinkage_
    assert tied >= 0.3
    assert diagonal <= 0.03
    assert GaussianClassifier().fit(base * [1, 5, 9, 1] + y[:, None], y).shrinkage_[1] >= 0.6


@pytest.mark.parametrize(("covariance", "fixed"), [("tied", (1.0, None)), ("diagonal", (None, 1.0))])
def test_auto_stays_within_the_covariance(covariance, fixed):
    pair = GaussianClassifier(covariance).fit(X, Y).shrinkage_
    assert [a for a, b in zip(pair, fixed, strict=True) if b is not None] == [1.0]
