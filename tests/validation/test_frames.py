"""What of a frame is chosen by rows."""

import numpy as np
import pytest

from likely.data import encode_target, read
from likely.families import Categorical, Gaussian, Histogram, MultivariateGaussian, Text
from likely.models.naive_bayes import NaiveBayes
from likely.validation.frames import chosen_by_rows, without_own_categories

from .tables import FAMILIES, mixed

X, Y = mixed()
NUMBERS = np.random.default_rng(0).normal(size=(60, 6))


def learned(x, families="auto", **options):
    model = NaiveBayes(families, **options)
    model.learn(read(x), *encode_target(Y))
    return model


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (lambda: learned(X, FAMILIES), []),
        (lambda: learned(X, FAMILIES, missing="value"), []),
        (lambda: learned(X, FAMILIES, missing="auto"), ["the columns in which a missing cell tells something"]),
        (lambda: learned(X, {name: f for name, f in FAMILIES.items() if name != "count"}), ["the families of 'count'"]),
        (lambda: learned(X, FAMILIES | {"skewed": Histogram()}), ["the bins of 'skewed'"]),
        (lambda: learned(X, FAMILIES | {"skewed": Histogram(bins=4)}), ["the bins of 'skewed'"]),
        (lambda: learned(X, FAMILIES | {"skewed": Histogram(bins=(0, 1, 9))}), []),
        (lambda: learned(NUMBERS, Gaussian()), []),
        (lambda: learned(NUMBERS, MultivariateGaussian("tied", 0.1)), []),
        (
            lambda: learned(NUMBERS, MultivariateGaussian("tied")),
            ["the options of MultivariateGaussian for 0, 1, 2, 3 and 2 more columns"],
        ),
        (lambda: learned(["a b", "b c", "c"] * 20, Text("multinomial")), []),
        (lambda: learned(["a b", "b c", "c"] * 20), ["the options of Text for 0"]),
    ],
)
def test_what_was_chosen_by_rows(model, said):
    assert chosen_by_rows(model()) == said


def test_without_categories_of_one_row_nothing_changes():
    model = learned(X, FAMILIES)
    scores = np.zeros((60, 3))
    codes = encode_target(Y)[1]
    assert without_own_categories(model, read(X), codes, None, scores) == 0
    assert not scores.any()


def test_rows_with_a_category_of_their_own_are_counted_once():
    cells = np.array([["a", "b"]] * 58 + [["x", "y"], ["a", "z"]], object)
    model = learned(cells, Categorical())
    scores = np.zeros((60, 3))
    assert without_own_categories(model, read(cells), encode_target(Y)[1], None, scores) == 2
    assert np.flatnonzero(scores.any(axis=1)).tolist() == [58, 59]
