"""What of a frame is chosen by rows."""

import numpy as np
import pytest

from likely.families import Gaussian, Histogram, MultivariateGaussian, TextMultinomial
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation.frames import chosen_by_rows, optimism

from ..samples import sample_of
from .tables import FAMILIES, mixed

X, Y = mixed()
NUMBERS = np.random.default_rng(0).normal(size=(60, 6))


def learned(x, families="auto", **options):
    return NaiveBayesModel(families, **options).learn(sample_of(x, Y))


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (lambda: learned(X, FAMILIES), []),
        (lambda: learned(X, FAMILIES, missing="value"), []),
        (lambda: learned(X, FAMILIES, missing="auto"), ["the columns in which a missing cell is informative"]),
        (lambda: learned(X, {name: f for name, f in FAMILIES.items() if name != "count"}), ["the families of 'count'"]),
        (lambda: learned(X, FAMILIES | {"skewed": Histogram()}), ["the bins of 'skewed'"]),
        (lambda: learned(X, FAMILIES | {"skewed": Histogram(bins=4)}), ["the bins of 'skewed'"]),
        (lambda: learned(X, FAMILIES | {"skewed": Histogram(bins=(0, 1, 9))}), []),
        (lambda: learned(NUMBERS, Gaussian()), []),
        (lambda: learned(NUMBERS, MultivariateGaussian("tied", 0.1)), []),
        (
            lambda: learned(NUMBERS, MultivariateGaussian("tied")),
            ["the options of MultivariateGaussian for 0, 1, 2, 3 and 2 more"],
        ),
        (lambda: learned(["a b", "b c", "c"] * 20, TextMultinomial()), []),
        (lambda: learned(["a b", "b c", "c"] * 20), ["the options of Text for 0"]),
    ],
)
def test_what_was_chosen_by_rows(model, said):
    assert chosen_by_rows(model()) == said


def test_a_model_that_chose_by_rows_says_how_much_that_flatters():
    assert optimism(learned(X, FAMILIES)) == ()
    (said,) = optimism(learned(X, FAMILIES | {"skewed": Histogram()}))
    assert "0.1 ± 0.2 points below that on new rows" in said
