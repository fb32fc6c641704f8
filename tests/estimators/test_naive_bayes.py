"""NaiveBayes: its answers, and the model behind them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB

from likely import NaiveBayes
from likely.families import Bernoulli, Categorical, Gaussian, Multinomial, Poisson
from likely.models.describe import Description, LinearForm
from likely.models.explain import Explanation
from likely.priors import Beta, MaximumLikelihood

from .cases import COUNTS, SAID, X, Y, mixed

# Answers


def test_answers_agree_with_each_other():
    nb = NaiveBayes().fit(X, Y)
    joint = nb.predict_joint_log_proba(X)
    assert joint.shape == (60, 3)
    assert_allclose(nb.predict_proba(X), np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), rtol=1e-12)
    assert_allclose(nb.predict_log_proba(X), np.log(nb.predict_proba(X)), rtol=1e-12)
    assert nb.predict(X).tolist() == nb.classes_[joint.argmax(axis=1)].tolist()
    assert nb.score(X, Y) == np.mean(nb.predict(X) == Y)


def test_the_likelihood_of_a_data_set_is_the_sum_of_its_scores(rng):
    nb = NaiveBayes().fit(X, Y)
    own = nb.predict_joint_log_proba(X)[np.arange(60), np.arange(60) % 3]
    weight = rng.integers(0, 3, 60)
    assert_allclose(nb.log_likelihood(X, Y), own.sum(), rtol=1e-13)
    assert_allclose(nb.log_likelihood(X, Y, sample_weight=weight), own @ weight, rtol=1e-13)


def test_the_likelihood_of_an_impossible_row_that_weighs_nothing():
    nb = NaiveBayes(Categorical(MaximumLikelihood())).fit([["x"], ["y"]], [0, 1])
    assert nb.log_likelihood([["x"], ["z"]], [0, 1], sample_weight=[1, 0]) == np.log(0.5)
    assert nb.log_likelihood([["x"], ["z"]], [0, 1]) == -np.inf


def test_impossible_rows_get_the_prior():
    nb = NaiveBayes(Categorical(MaximumLikelihood())).fit([["x"], ["y"], ["y"]], ["a", "b", "b"])
    assert nb.predict_joint_log_proba([["z"]]).tolist() == [[-np.inf, -np.inf]]
    assert_allclose(nb.predict_proba([["z"]]), [[1 / 3, 2 / 3]], rtol=1e-12)
    assert nb.predict([["z"]]).tolist() == ["b"]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (NaiveBayes(Gaussian(MaximumLikelihood())), GaussianNB(var_smoothing=0)),
        (NaiveBayes(Bernoulli(threshold=1.5)), BernoulliNB(binarize=1.5)),
        (NaiveBayes(Multinomial()), MultinomialNB()),
    ],
    ids=lambda nb: type(nb).__name__,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_agreement_with_scikit_learn(mine, theirs, weighted, rng):
    weight = rng.uniform(0.5, 2, 60) if weighted else None
    mine.fit(COUNTS, Y, sample_weight=weight)
    theirs.fit(COUNTS, Y, sample_weight=weight)
    assert_allclose(mine.predict_joint_log_proba(COUNTS), theirs.predict_joint_log_proba(COUNTS), rtol=1e-10)
    assert mine.classes_.tolist() == theirs.classes_.tolist()
    assert_allclose(mine.class_count_, theirs.class_count_, rtol=1e-15)


def test_a_mixed_table_is_the_product_of_its_columns():
    frame, y = mixed(), Y
    nb = NaiveBayes(SAID).fit(frame, y)
    prior = np.log(nb.class_count_ / 60)
    total = prior + sum(
        NaiveBayes(family).fit(frame[[name]], y).predict_joint_log_proba(frame[[name]]) - prior
        for name, family in nb.families_.items()
    )
    assert_allclose(nb.predict_joint_log_proba(frame), total, rtol=1e-12)
    assert nb.families_ == {"word": Categorical(), "number": Gaussian(), "count": Poisson(), "flag": Bernoulli()}


def test_an_unseen_category_gets_the_mass_kept_for_it():
    nb = NaiveBayes().fit([["x"], ["x"], ["y"]], [0, 0, 1])
    expected = np.log([2 / 3, 1 / 3]) + np.log([1 / 5, 1 / 4])
    assert_allclose(nb.predict_joint_log_proba([["never"]]), [expected], rtol=1e-14)


@pytest.mark.parametrize(("sentinel", "cell"), [("?", "?"), (-999, -999), (None, None)])
def test_a_sentinel_is_a_missing_cell(sentinel, cell):
    kind = "categorical" if sentinel == "?" else "gaussian"
    good = [["x"], ["y"], ["y"]] if kind == "categorical" else [[1.0], [2.0], [3.0]]
    nb = NaiveBayes(kind, missing_values=sentinel).fit([*good, [cell]], ["a", "b", "b", "b"])
    alone = NaiveBayes(kind, class_prior=[0.25, 0.75]).fit(good, ["a", "b", "b"])
    assert_allclose(nb.predict_joint_log_proba(good), alone.predict_joint_log_proba(good), rtol=1e-12)
    assert_allclose(nb.predict_proba([[cell], *good])[0], [0.25, 0.75], rtol=1e-12)


def test_a_row_of_holes_alone_gets_the_class_prior():
    nb = NaiveBayes(SAID).fit(mixed(), Y)
    row = pd.DataFrame({"word": [None], "number": [None], "count": [None], "flag": [None]})
    assert_allclose(nb.predict_proba(row), [[1 / 3, 1 / 3, 1 / 3]], rtol=1e-12)


# The model itself


def test_the_faces_of_the_model():
    nb = NaiveBayes("bernoulli").fit(COUNTS > 2, Y)
    assert isinstance(nb.describe(), Description)
    assert isinstance(nb.linear(), LinearForm)
    assert isinstance(nb.explain(COUNTS > 2), Explanation)
    bits = (COUNTS > 2).astype(float)
    assert_allclose(bits @ nb.linear().weights.T + nb.linear().bias, nb.predict_joint_log_proba(COUNTS > 2), rtol=1e-12)
    assert_allclose(nb.explain(COUNTS > 2)[0].scores, nb.predict_joint_log_proba(COUNTS > 2)[0], rtol=1e-12)


def test_the_posterior_of_a_bit():
    nb = NaiveBayes(Bernoulli(Beta(2.0, 3.0))).fit(pd.DataFrame({"fur": [1, 1, 0, 0]}), ["l", "l", "l", "z"])
    belief = nb.parameter_posterior("fur")
    assert belief.a.tolist() == [4, 2]
    assert belief.b.tolist() == [4, 4]
    assert_allclose(belief.mean, [0.5, 1 / 3], rtol=1e-15)
    low, high = belief.interval(0.9)
    assert (low < belief.mean).all()
    assert (belief.mean < high).all()


def test_a_sample_of_a_model_of_an_array_is_an_array():
    rows, y = NaiveBayes("poisson").fit(COUNTS, Y).sample(50, random_state=0)
    assert isinstance(rows, np.ndarray)
    assert rows.shape == (50, 3)
    assert (rows == np.floor(rows)).all()
    assert rows.min() >= 0
    assert set(y) <= {"a", "b", "c"}


def test_a_sample_of_a_model_of_a_frame_is_a_table_that_it_can_read():
    nb = NaiveBayes(SAID).fit(mixed(), Y)
    table, y = nb.sample(50, random_state=0)
    assert isinstance(table, pa.Table)
    assert table.column_names == ["word", "number", "count", "flag"]
    assert table.num_rows == len(y) == 50
    assert set(table["word"].to_pylist()) <= {"x", "y", "z"}
    assert np.isfinite(nb.predict_joint_log_proba(table)).all()
    nb.partial_fit(table, y)
    assert nb.class_count_.sum() == 110


@pytest.mark.parametrize("seed", [3, np.random.RandomState, np.random.default_rng])
def test_a_sample_is_the_same_for_the_same_state(seed):
    nb = NaiveBayes().fit(X, Y)
    (one, y), (other, z) = (nb.sample(20, seed(3) if callable(seed) else seed) for _ in range(2))
    assert np.array_equal(one, other)
    assert np.array_equal(y, z)
    different, _ = nb.sample(20, 4)
    assert not np.array_equal(one, different)


def test_fitting_a_sample_finds_the_parameters():
    nb = NaiveBayes("gaussian").fit(X, Y)
    twin = NaiveBayes("gaussian").fit(*nb.sample(200_000, random_state=0))
    for (_, _, mine), (_, _, theirs) in zip(nb.describe().lines, twin.describe().lines, strict=True):
        assert_allclose(theirs, mine, rtol=0, atol=0.02)  # five standard errors
