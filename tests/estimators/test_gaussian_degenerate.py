"""GaussianClassifier on data whose covariances do not exist, and in any units."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely import GaussianClassifier
from likely.priors import InverseWishart, Normal

from .cases import Y
from .gaussians import X, every_covariance


def degenerate():
    """Tables on which a covariance of its own does not exist for some class."""
    rng = np.random.default_rng(1)

    def spread(sizes, columns, apart=2.0):
        y = np.repeat(np.arange(len(sizes)), sizes)
        return rng.normal(size=(len(y), columns)) + apart * y[:, None], y

    x, y = spread([20, 20], 2)
    line, cloud = np.arange(5)[:, None] + np.full((5, 4), 10.0), rng.normal(size=(60, 4))
    point = np.tile([1.0, 2, 3, 4], (9, 1))
    apart = np.where(y == 0, 3.0, rng.normal(3, 1, 40))
    bits = rng.integers(0, 2, (40, 8)).astype(float)
    bits[:, 0] = y
    return {
        "fewer rows than columns in one class": spread([3, 40, 40], 6),
        "fewer rows than columns in every class": spread([4, 5, 4], 8),
        "more columns than rows": spread([6, 6], 30, 1.0),
        "many more columns than rows": spread([2, 2, 2], 60, 10.0),
        "one row in a class": spread([1, 30, 30], 3, 3.0),
        "one row in a class of few": (np.array([[1.0], [2.0], [3.0], [9.0]]), np.array([0, 0, 0, 1])),
        "one row in every class": (np.array([[0.0, 0, 1], [5, 5, 2], [9, 0, 3]]), np.arange(3)),
        "one row in every class, one column": (np.array([[0.0], [1.0]]), np.arange(2)),
        "two rows in every class": (np.array([[0.0, 0], [0, 1], [5, 5], [5, 6]]), np.array([0, 0, 1, 1])),
        "a class on a line": (np.concatenate([line, cloud]), np.repeat([0, 1], [5, 60])),
        "a class at one point": (np.concatenate([point, cloud]), np.repeat([0, 1], [9, 60])),
        "every class at a point": (np.repeat([[1.0, 2], [3, 5], [4, 4]], 6, axis=0), np.repeat(np.arange(3), 6)),
        "a column twice": (np.column_stack([x, x]), y),
        "a column that is a sum": (np.column_stack([x, x.sum(axis=1)]), y),
        "a constant column": (np.column_stack([x, np.full(40, 7.3)]), y),
        "a column constant within classes": (np.column_stack([x, y]), y),
        "a column constant within one class": (np.column_stack([x, apart]), y),
        "bits": (bits, y),
    }


DEGENERATE = degenerate()
BELIEFS = {
    "default": {},
    "a covariance": {"prior": InverseWishart(1.0, 5.0)},
    "a covariance alone": {"prior": InverseWishart(1.0, 5.0), "shrinkage": 0},
    "a mean": {"mean_prior": Normal(0.0, 100.0)},
    "both": {"prior": InverseWishart(1.0, 5.0, estimate="mode"), "mean_prior": Normal(0.0, 100.0)},
}


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("data", DEGENERATE)
@every_covariance
def test_no_class_of_degenerate_data_is_wrong_throughout(covariance, data, belief):
    """As all members of a class were in scikit-learn's issue 14997."""
    x, y = DEGENERATE[data]
    model = GaussianClassifier(covariance, **BELIEFS[belief]).fit(x, y)
    probe = np.concatenate([x, x + 0.5, np.where(np.arange(x.shape[1]) == 0, np.nan, x)])
    answers = model.predict_proba(probe)
    assert np.isfinite(answers).all()
    assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)
    assert np.isfinite(model.predict_joint_log_proba(probe)).all()
    right = model.predict(x) == y
    assert all(right[y == k].any() for k in model.classes_)
    assert right.mean() >= 0.75


@pytest.mark.parametrize("data", DEGENERATE)
@every_covariance
def test_every_question_about_degenerate_data_has_an_answer(covariance, data):
    x, y = DEGENERATE[data]
    model = GaussianClassifier(covariance).fit(x, y)
    assert np.isfinite(model.mahalanobis(x)).all()
    assert ((model.outlier(x) >= 0) & (model.outlier(x) <= 1)).all()
    assert "nan" not in f"{model.describe()} {model.explain(x[:2])}"
    assert all(
        np.isfinite(numbers).all() for numbers in (*model.quadratic()[1:], model.parameter_posterior().mean.mean)
    )
    assert np.isfinite(model.sample(5, random_state=0)[0]).all()


@pytest.mark.parametrize("seed", range(12))
@every_covariance
def test_small_tables_can_always_be_learned(covariance, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), rng.choice([1, 2, 3, 8], 3))
    x = rng.normal(size=(len(y), rng.integers(1, 5))) + y[:, None]
    x = np.rint(x) if seed % 2 else x
    answers = GaussianClassifier(covariance).fit(x, y).predict_proba(x)
    assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)


@every_covariance
def test_columns_that_are_all_constant_tell_nothing(covariance):
    model = GaussianClassifier(covariance).fit(np.full((6, 2), 5.0), ["a", "a", "b", "b", "b", "b"])
    assert_allclose(model.predict_proba([[5.0, 5.0], [1.0, 9.0]]), [[1 / 3, 2 / 3]] * 2, rtol=1e-12)
    assert model.outlier([[9.0, 9.0]]).tolist() == [1]


@every_covariance
def test_one_row_of_one_class(covariance):
    model = GaussianClassifier(covariance).fit([[1.5, 2.5]], ["only"])
    assert model.predict_proba([[1.5, 2.5], [9.0, np.nan]]).tolist() == [[1], [1]]


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1.0, 1e12, 1e100])
@every_covariance
def test_units_do_not_matter(covariance, scale):
    model, reference = GaussianClassifier(covariance).fit(X * scale, Y), GaussianClassifier(covariance).fit(X, Y)
    assert model.shrinkage_ == reference.shrinkage_
    assert_allclose(model.predict_proba(X * scale), reference.predict_proba(X), rtol=1e-8)


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal"])
def test_units_of_each_column_do_not_matter(covariance):
    units = np.array([1e-9, 1.0, 1e9])
    model, reference = GaussianClassifier(covariance).fit(X * units, Y), GaussianClassifier(covariance).fit(X, Y)
    assert model.shrinkage_ == reference.shrinkage_
    assert_allclose(model.predict_proba(X * units), reference.predict_proba(X), rtol=1e-8)


@every_covariance
def test_where_the_origin_is_does_not_matter(covariance):
    model, reference = GaussianClassifier(covariance).fit(X + 1e6, Y), GaussianClassifier(covariance).fit(X, Y)
    assert model.shrinkage_ == reference.shrinkage_
    assert_allclose(model.predict_proba(X + 1e6), reference.predict_proba(X), rtol=1e-6)


@every_covariance
def test_rows_far_from_all_that_was_learned(covariance):
    answers = GaussianClassifier(covariance).fit(X, Y).predict_proba([[1e149, 0, 0], [-1e149, 1e149, 1e149]])
    assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)
