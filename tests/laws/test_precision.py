"""Moments keep their digits at mean 1e8 and standard deviation 1, against exact rational arithmetic.

There a double has 8 digits left for the deviations: 1e8 is a multiple of 1.5e-8. What may be lost is stated with each
test; sums of squares that are not centred lose everything.
"""

import statistics
from fractions import Fraction

import numpy as np
import pytest

from likely import NaiveBayes
from likely.families import Gaussian
from likely.priors import MaximumLikelihood
from likely.statistics import Moments

from ..families.blocks import counted, loo_scored, observed, scored

ROWS = 3000
MEAN = 1.5e-8
"""One step between doubles at 1e8."""
SPREAD = 1e-9
"""Relative, of the sum of squares."""


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return 1e8 + np.random.default_rng(8).normal(size=(ROWS, 1))


def moments(x: np.ndarray, weight: np.ndarray | None = None) -> Moments:
    return counted(Gaussian(), observed(x, np.zeros(len(x)), 1, weight)).statistics


def assert_exact(found: Moments, x: np.ndarray, spread: float = SPREAD, step: float = MEAN) -> None:
    values = x.ravel().tolist()
    mean = statistics.mean(map(Fraction, values))
    m2 = sum((Fraction(value) - mean) ** 2 for value in values)
    assert found.n.item() == len(values)
    assert abs(Fraction(found.mean.item()) - mean) <= step
    assert abs(Fraction(found.m2.item()) / m2 - 1) <= spread


def test_the_data_would_undo_raw_sums_of_squares(x):
    """Sums of x and x² leave nothing of the spread: the tests below are not passed by chance."""
    raw = (x * x).sum() - x.sum() ** 2 / ROWS
    assert abs(raw / ((x - x.mean()) ** 2).sum() - 1) > 0.5


def test_counted_at_once(x):
    assert_exact(moments(x), x, spread=1e-11)


def test_counted_in_pieces_and_added(x):
    total = moments(x[:0])
    for piece in np.array_split(x, 17):
        total = total + moments(piece)
    assert_exact(total, x)


def test_counted_row_by_row_and_added(x):
    total = moments(x[:0])
    for row in x[:300]:
        total = total + moments(row[None])
    assert_exact(total, x[:300])


def test_added_as_a_tree(x):
    parts = [moments(piece) for piece in np.array_split(x, 64)]
    while len(parts) > 1:
        parts = [a + b for a, b in zip(parts[::2], parts[1::2], strict=True)]
    assert_exact(parts[0], x)


@pytest.mark.parametrize("fold", range(5))
def test_a_fold_removed(x, fold):
    folds = np.array_split(x, 5)
    rest = np.concatenate(folds[:fold] + folds[fold + 1 :])
    assert_exact(moments(x) - moments(folds[fold]), rest)


def test_all_but_three_rows_removed(x):
    """What is left of 1,000 rows inherits the rounding of their mean, 1000 / 3 times as large.

    Of the sum of squares, by n² / rest · 2 · |difference of the means| · step: 4e-5, on a sum of 0.1.
    """
    assert_exact(moments(x[:1000]) - moments(x[3:1000]), x[:3], spread=4e-4, step=MEAN * 1000 / 3)


def test_weights(x):
    weight = np.random.default_rng(1).integers(0, 4, ROWS).astype(np.float64)
    repeated = np.repeat(x, weight.astype(int), axis=0)
    assert_exact(moments(x, weight), repeated, spread=1e-11)


def test_scaled_by_a_common_factor(x):
    assert_exact(moments(x) * 0.5 + moments(x) * 0.5, x)


@pytest.mark.parametrize("prior", [MaximumLikelihood(), Gaussian().prior], ids=repr)
def test_leave_one_out_scores(x, prior):
    """Within 1e-7 of those from exact sums: the step between doubles, over the standard deviation, a few times."""
    x = x[:200]
    values = [Fraction(value) for value in x.ravel().tolist()]
    n, total, squares = len(values), sum(values), sum(value**2 for value in values)
    expected = []
    for value in values:
        mean = (total - value) / (n - 1)
        m2 = squares - value**2 - (n - 1) * mean**2
        # One row of the variance within the classes: with one class this is the variance of the class itself.
        variance = float(m2 / (n - 1))
        expected.append(-0.5 * np.log(2 * np.pi * variance) - float((value - mean) ** 2) / (2 * variance))
    seen = observed(x, np.zeros(n))
    out = loo_scored(counted(Gaussian(prior=prior), seen), seen)
    np.testing.assert_allclose(out[:, 0], expected, rtol=0, atol=1e-7)


def test_scores_far_from_nought(x):
    """A class at 1e8 and one at 1e8 + 1 are told apart as those at 0 and 1 are."""
    cells, probe = np.concatenate([x, x + 1]), 1e8 + np.linspace(-3, 4, 29)[:, None]
    y = np.repeat([0, 1], ROWS)
    far, near = (scored(counted(Gaussian(), observed(cells - at, y)), probe - at) for at in (0.0, 1e8))
    np.testing.assert_allclose(far, near, rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", range(100))
def test_rows_that_were_learned_are_never_refused(seed):
    """Whatever larger rows that are gone have left of their rounding: 1e-8 to 1e8, and 1e8 give or take 1."""
    rng = np.random.default_rng(seed)
    for x in (rng.lognormal(0, 6, (6, 1)), rng.normal(1e8, 1, (6, 1)), np.array([[1e6], [0.1], [0.2], [0.3]])):
        model = NaiveBayes("gaussian").partial_fit(x, np.zeros(len(x)))
        for row in rng.permutation(len(x)):
            model.forget(x[[row]], [0])
        assert model.class_count_.tolist() == [0]
