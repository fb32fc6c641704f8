"""Number, mean and sum of squared deviations. What they keep of their digits is in tests/laws/test_precision.py."""

import statistics

import numpy as np
import pytest

from likely.families import Gaussian
from likely.families.family import Observations
from likely.statistics import Frame, Moments, NeverLearned

VALUES = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]
"""Mean 5, sum of squared deviations 32."""


def count(values: list[float], weight: list[float] | None = None) -> Moments:
    block, y = np.array(values, np.float64)[:, None], np.zeros(len(values), np.int32)
    weights = None if weight is None else np.array(weight)
    return Gaussian().count(Observations(block, y, 1, weights), Frame([0]))


def numbers(moments: Moments) -> tuple[float, float, float]:
    return moments.n.item(), moments.mean.item(), moments.m2.item()


def test_number_mean_and_sum_of_squared_deviations():
    assert numbers(count(VALUES)) == (8, 5, 32)


def test_of_nothing_all_are_nothing():
    assert numbers(count([])) == numbers(count([np.nan])) == (0, 0, 0)


def test_numbers_without_weights_are_integers():
    assert (count([1.0]).n.dtype, count([1.0], [1.0]).n.dtype) == (np.int64, np.float64)


def test_missing_cells_are_passed_over():
    assert numbers(count([np.nan, 2.0, np.nan, 4.0])) == (2, 3, 2)


def test_weights_are_rows():
    weighed, repeated = count([1.0, 2.0, 4.0], [3.0, 0.0, 2.0]), count([1.0, 1.0, 1.0, 4.0, 4.0])
    np.testing.assert_allclose(numbers(weighed), numbers(repeated))


@pytest.mark.parametrize("cut", range(9))
def test_adding_is_counting_all(cut):
    np.testing.assert_allclose(numbers(count(VALUES[:cut]) + count(VALUES[cut:])), (8, 5, 32))


@pytest.mark.parametrize("cut", range(8))
def test_subtracting_is_counting_the_rest(cut):
    rest = VALUES[cut:]
    mean = statistics.fmean(rest)
    expected = len(rest), mean, sum((value - mean) ** 2 for value in rest)
    np.testing.assert_allclose(numbers(count(VALUES) - count(VALUES[:cut])), expected, rtol=1e-13, atol=1e-13)


def test_subtracting_all_leaves_nothing():
    assert numbers(count(VALUES) - count(VALUES)) == (0, 0, 0)


def test_what_rounding_leaves_of_a_spread_is_nothing():
    """One value is left, three times: no sum of squares, not even of 1e-17."""
    assert (count([0.1, 0.1, 0.1, 0.7]) - count([0.7])).m2.item() == 0.0
    assert (count([0.1, 0.7]) - count([0.7])).m2.item() == 0.0


def test_a_small_spread_beside_a_large_one_is_kept():
    """0, 1e-5, 2e-5 and an outlier of 1: without it 2e-10 are left, of 0.75."""
    left = count([0.0, 1e-5, 2e-5, 1.0]) - count([1.0])
    assert left.m2.item() == pytest.approx(2e-10, rel=1e-5)


def test_an_empty_side_lets_the_other_through_to_the_bit():
    odd = count([0.1, 0.2, 0.4])
    assert numbers(odd + count([])) == numbers(count([]) + odd) == numbers(odd - count([])) == numbers(odd)


def test_more_rows_than_there_were_are_refused():
    with pytest.raises(NeverLearned):
        count([1.0]) - count([1.0, 1.0])


def test_more_spread_than_there_was_is_refused():
    """Three of these rows could be there by their number, but not by how far they are apart."""
    with pytest.raises(NeverLearned) as caught:
        count([1.0, 1.1, 1.2, 1.1]) - count([5.0, 9.0])
    assert (caught.value.of_class, caught.value.cell) == (0, 0)


@pytest.mark.parametrize(
    "values",
    [
        [1 / 3, 0.0, 0.0, 0.0],
        [1e6, 0.1, 0.1, 0.1],
        [1e8, 1.0, 2.0, 3.0],
        [1e9, 1e-3, 1e-3, 1e-3],
        [100000.5, 0.1, 0.2, 0.1, 0.3],
        [1e-9, 1e-12, 3e-12],
        list(np.random.default_rng(0).lognormal(0, 6, 40)),
        list(np.random.default_rng(0).normal(1e8, 1, 40)),
    ],
    ids=lambda values: f"{values[0]:.3g} and {len(values) - 1} more",
)
@pytest.mark.parametrize("order", [1, -1])
def test_what_was_learned_can_be_forgotten_row_by_row(values, order):
    """An outlier that has gone leaves its rounding in the mean of the others; that is no row never learned."""
    moments = count(values)
    for value in values[::order]:
        moments = moments - count([value])
    assert numbers(moments) == (0, 0, 0)


def test_what_rounding_leaves_of_weights_is_nothing():
    """0.1 + 0.1 + 0.1 is 0.30000000000000004, and that less 0.1 less 0.2 is 2.8e-17."""
    left = count([7.0, 7.0, 7.0], [0.1, 0.1, 0.1]) - count([7.0], [0.1]) - count([7.0, 7.0], [0.1, 0.1])
    assert numbers(left) == (0, 0, 0)


def test_scaling_keeps_the_mean_and_the_variance():
    n, mean, m2 = numbers(count(VALUES) * 0.25)
    assert (n, mean, m2) == (2, 5, 8)


def test_pooled_over_classes():
    """Within the classes 2 + 8, of all (1, 3, 6, 10) 46 about 5."""
    y = np.array([0, 0, 1, 1], np.int32)
    pooled = Gaussian().count(Observations(np.array([[1.0], [3.0], [6.0], [10.0]]), y, 3), Frame([0])).pooled()
    assert [values.item() for values in pooled] == [4, 5, 10, 46]


def test_pooled_of_nothing():
    assert [values.item() for values in count([]).pooled()] == [0, 0, 0, 0]


def test_present_is_the_number():
    moments = count(VALUES)
    assert moments.present is moments.n
