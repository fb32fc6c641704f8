"""p(y), with all rows counted and with each left out."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.limits import Within
from likely.models.class_prior import class_probabilities, loo_log_prior
from likely.priors import Beta, Dirichlet, Laplace, MEstimate

CLASSES, COUNTS = np.array(["a", "b", "c"], object), np.array([6, 3, 1])


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("frequencies", [0.6, 0.3, 0.1]),
        ("uniform", [1 / 3, 1 / 3, 1 / 3]),
        ((0.2, 0.3, 0.5), [0.2, 0.3, 0.5]),
        ([0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
        (np.array([0.0, 0.5, 0.5]), [0.0, 0.5, 0.5]),
        ({"c": 0.5, "a": 0.2, "b": 0.3}, [0.2, 0.3, 0.5]),
        (Dirichlet(1.0), [7 / 13, 4 / 13, 2 / 13]),
        (Dirichlet((2.0, 0.0, 1.0)), [8 / 13, 3 / 13, 2 / 13]),
        (Dirichlet(2.0, estimate="mode"), [7 / 13, 4 / 13, 2 / 13]),
        (Laplace(2.0), [8 / 16, 5 / 16, 3 / 16]),
        (MEstimate(2, (0.5, 0.25, 0.25)), [7 / 12, 3.5 / 12, 1.5 / 12]),
        (Within(0.2, 0.5), [0.5, 0.3, 0.2]),
        (Within({"c": 0.3}), [0.7 * 6 / 9, 0.7 * 3 / 9, 0.3]),
        (Within(high={"a": 0.4}, prior=Laplace()), [0.4, 0.6 * 4 / 6, 0.6 * 2 / 6]),
    ],
    ids=repr,
)
def test_class_prior(prior, expected):
    assert_allclose(class_probabilities(prior, CLASSES, COUNTS), expected, rtol=1e-15)


def test_class_prior_as_a_dict_of_numbers():
    assert class_probabilities({1: 0.25, 0: 0.75}, np.array([0, 1]), np.array([1, 1])).tolist() == [0.75, 0.25]


@pytest.mark.parametrize(
    ("prior", "sentence"),
    [
        ("often", "class_prior is 'frequencies', 'uniform', a Dirichlet or numbers, not 'often'"),
        ((0.5, 0.5), "class_prior has 2 numbers for 3 classes"),
        ((0.5, 0.4, 0.3), "class_prior must be probabilities that sum to 1, not [0.5, 0.4, 0.3]"),
        ((1.5, -0.5, 0.0), "class_prior must be probabilities that sum to 1, not [1.5, -0.5, 0.0]"),
        ((float("nan"), 0.5, 0.5), "class_prior must be probabilities that sum to 1, not [nan, 0.5, 0.5]"),
        ({"a": 0.5, "b": 0.5}, "class_prior has no number for class 'c'"),
    ],
)
def test_a_class_prior_that_is_none(prior, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        class_probabilities(prior, CLASSES, COUNTS)


def test_a_class_prior_for_other_numbers_of_values():
    with pytest.raises(ValueError, match=r"^Beta is a prior for two values, but there are 3"):
        class_probabilities(Beta(), CLASSES, COUNTS)


@pytest.mark.parametrize("prior", ["frequencies", "uniform", Dirichlet(1.5), (0.2, 0.3, 0.5)], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_left_out_class_prior_is_that_of_the_other_rows(prior, weighted):
    y = np.array([0, 0, 1, 2, 1, 0, 2], np.int32)
    weight = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 0.0, 2.0]) if weighted else None
    rows = np.bincount(y, weight, 3)
    left_out = loo_log_prior(prior, CLASSES, rows, y, weight)
    for i in range(len(y)):
        others = np.delete(y, i)
        counts = np.bincount(others, None if weight is None else np.delete(weight, i), 3)
        assert_allclose(np.exp(left_out[i]), class_probabilities(prior, CLASSES, counts), rtol=1e-12)


def test_the_left_out_class_prior_of_a_class_with_one_row_is_zero():
    left_out = loo_log_prior("frequencies", CLASSES, np.array([2, 1, 0]), np.array([0, 0, 1], np.int32), None)
    assert left_out[2].tolist() == [0.0, -np.inf, -np.inf]


def test_the_left_out_class_prior_of_the_only_row_is_no_nan():
    left_out = loo_log_prior("frequencies", np.array(["a"]), np.array([1]), np.zeros(1, np.int32), None)
    assert not np.isnan(left_out).any()


def test_limits_of_classes_that_cannot_be_kept():
    said = "class_prior: the limits allow a sum from 1.2 to 3, but probabilities sum to 1"
    with pytest.raises(ValueError, match=re.escape(said)):
        class_probabilities(Within(0.4), CLASSES, COUNTS)
