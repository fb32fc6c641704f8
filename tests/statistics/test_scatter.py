"""Number, mean vector and scatter matrix, against numpy and exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from likely.families import MultivariateGaussian
from likely.families.family import Observations
from likely.statistics import Frame, NeverLearned, Scatter
from likely.statistics.labels import Placement

X = np.random.default_rng(1).normal(size=(40, 3)) @ np.array([[2.0, 1.0, -1.0], [0.0, 1.0, 0.5], [0.0, 0.0, 0.3]])
Y = np.random.default_rng(2).integers(3, size=40)


def count(x: object, y: object = None, weight: object = None, classes: int = 1) -> Scatter:
    block = np.array(x, np.float64)
    codes = np.zeros(len(block), np.int32) if y is None else np.array(y, np.int32)
    weight = None if weight is None else np.array(weight, np.float64)
    seen = Observations(block, codes, classes, weight)
    return MultivariateGaussian().count(seen, Frame(range(block.shape[1])))


def assert_close(found: Scatter, expected: Scatter, rtol: float = 1e-12) -> None:
    """Zeros of the expected products are zeros of those found, to the rounding of what cancelled."""
    np.testing.assert_array_equal(found.n, expected.n)
    np.testing.assert_allclose(found.mean, expected.mean, rtol=rtol, atol=1e-14)
    np.testing.assert_allclose(found.products, expected.products, rtol=rtol, atol=1e-12)


def products(x: np.ndarray) -> np.ndarray:
    """Sums of products of deviations without any rounding but the last."""
    rows = [[Fraction(value) for value in row] for row in x.tolist()]
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    away = [[value - m for value, m in zip(row, mean, strict=True)] for row in rows]
    columns = range(x.shape[1])
    return np.array([[float(sum(row[i] * row[j] for row in away)) for j in columns] for i in columns])


# What is counted


def test_by_class_they_are_numpys():
    found = count(X, Y, classes=3)
    for k in range(3):
        mine = X[k == Y]
        assert found.n[k, 0] == len(mine)
        np.testing.assert_allclose(found.mean[k], mine.mean(axis=0))
        np.testing.assert_allclose(found.products[k] / len(mine), np.cov(mine.T, ddof=0), rtol=1e-12)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 11, 12, 13, 16, 17, 25])
@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 130])
def test_however_many_rows_and_columns_the_kernels_tiles_cover_them(rows, columns):
    x = np.random.default_rng(3).normal(5.0, 1.0, (rows, columns))
    away = x - x.mean(axis=0)
    found = count(x).products[0]
    np.testing.assert_allclose(found, away.T @ away, rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(found, found.T)


def test_a_row_with_a_missing_cell_is_not_counted():
    holes = X.copy()
    holes[[3, 8, 8], [0, 1, 2]] = np.nan
    found, expected = count(holes, Y, classes=3), count(np.delete(X, [3, 8], 0), np.delete(Y, [3, 8]), classes=3)
    assert_close(found, expected)


def test_weights_are_rows():
    times = np.arange(40) % 4
    assert_close(count(X, Y, times, 3), count(X.repeat(times, 0), Y.repeat(times), classes=3))


def test_numbers_without_weights_are_integers():
    assert (count(X).n.dtype, count(X, weight=np.ones(40)).n.dtype) == (np.int64, np.float64)


def test_a_class_without_rows_is_nothing():
    found = count(X, np.where(Y == 1, 0, Y), classes=4)
    for k in (1, 3):
        assert [found.n[k].any(), found.mean[k].any(), found.products[k].any()] == [False] * 3
    assert not count(X[:0], classes=2).products.any()


def test_present_is_the_number_and_the_moments_are_the_diagonal():
    found = count(X, Y, classes=3)
    assert found.present is found.n
    np.testing.assert_array_equal(found.moments.m2, np.diagonal(found.products, axis1=1, axis2=2))
    np.testing.assert_array_equal(found.moments.n, found.n.repeat(3, axis=1))


@pytest.mark.parametrize("value", [0.0, 0.1, -1 / 3, 1e8 + 0.1])
def test_a_flat_column_has_no_product_with_another(value):
    """Not even of 1e-17: also when pieces were added, and some of them taken away again."""
    x = np.c_[X[:, 0], np.full(40, value), X[:, 1]]
    added = count(x[:7]) + count(x[7:20]) + count(x[20:])
    for found in (count(x), added, added - count(x[7:20])):
        assert not found.products[0, 1].any()
        assert not found.products[0, :, 1].any()
        assert found.products[0, 0, 2] != 0


# Adding, subtracting and scaling


@pytest.mark.parametrize("cut", [0, 1, 20, 39, 40])
def test_adding_is_counting_all(cut):
    found = count(X[:cut], Y[:cut], classes=3) + count(X[cut:], Y[cut:], classes=3)
    assert_close(found, count(X, Y, classes=3))


@pytest.mark.parametrize("cut", [0, 1, 20, 38, 39, 40])
def test_subtracting_is_counting_the_rest(cut):
    found = count(X, Y, classes=3) - count(X[:cut], Y[:cut], classes=3)
    assert_close(found, count(X[cut:], Y[cut:], classes=3))


def test_an_empty_side_lets_the_other_through_to_the_bit():
    odd, nothing = count(X / 3), count(X[:0])
    for found in (odd + nothing, nothing + odd, odd - nothing):
        for name, array in odd.arrays().items():
            np.testing.assert_array_equal(found.arrays()[name], array, err_msg=name)


def test_subtracting_the_only_row_that_differed_leaves_no_products():
    """What is left of the second column is one value, whatever rounding left of its products with the first."""
    x = np.c_[X[:5, 0], [0.1, 0.1, 0.7, 0.1, 0.1]]
    left = count(x) - count(x[[2]])
    assert left.products[0, 1].tolist() == left.products[0, :, 1].tolist() == [0, 0]
    np.testing.assert_allclose(left.products[0, 0, 0], products(np.delete(x, 2, 0))[0, 0])


def test_what_was_learned_can_be_forgotten_row_by_row():
    left = count(X, Y, classes=3)
    for row, code in zip(X, Y, strict=True):
        left = left - count([row], [code], classes=3)
    assert [left.n.any(), left.mean.any(), left.products.any()] == [False] * 3


def test_what_is_left_is_as_symmetric_as_what_was_counted():
    """A covariance that is not symmetric to the bit is factored differently from either side."""
    for found in (count(X[:9]) + count(X[9:]), count(X) - count(X[:9]), count(X) * 0.3):
        np.testing.assert_array_equal(found.products, np.swapaxes(found.products, 1, 2))


def test_scaling_keeps_the_mean_and_the_covariance():
    whole = count(X, Y, classes=3)
    found = whole * 0.25
    np.testing.assert_array_equal(found.n, whole.n * 0.25)
    np.testing.assert_array_equal(found.mean, whole.mean)
    np.testing.assert_array_equal(found.products, whole.products * 0.25)


def test_operations_alter_neither_side():
    one, other = count(X), count(X[:9])
    before = [array.copy() for side in (one, other) for array in side.arrays().values()]
    _ = one + other, one - other, one * 3
    after = [array for side in (one, other) for array in side.arrays().values()]
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)


def test_more_rows_than_there_were_are_refused():
    with pytest.raises(NeverLearned):
        count(X[:5]) - count(X[:6])


def test_more_spread_than_there_was_is_refused_by_class_and_column():
    x = np.array([[1.0, 1.0], [2.0, 1.1], [3.0, 1.2], [4.0, 1.1]])
    with pytest.raises(NeverLearned) as caught:
        count(x, [1] * 4, classes=2) - count([[1.5, 5.0], [2.5, 9.0]], [1, 1], classes=2)
    assert (caught.value.of_class, caught.value.cell) == (1, 1)


def test_other_rows_than_there_were_are_refused():
    """As many as there were, and none of them."""
    with pytest.raises(NeverLearned):
        count(X[:5]) - count(X[5:10])


# In a larger frame


def test_placed_among_new_classes():
    whole = count(X, Y, classes=3)
    found = whole.placed(Placement(5, np.array([0, 2, 4])), None)
    for name, array in found.arrays().items():
        np.testing.assert_array_equal(array[[0, 2, 4]], whole.arrays()[name], err_msg=name)
        assert not array[[1, 3]].any(), name
    assert found.classes == 5
    assert found.n.dtype == np.int64


def test_new_classes_are_added_to_and_taken_from():
    whole = count(X, Y, classes=3)
    there = Placement(3, np.array([0, 2]))
    few = np.flatnonzero(Y != 1)
    part = count(X[few], np.where(Y[few] == 2, 1, 0), classes=2).placed(there, None)
    assert_close(whole - part, count(X[Y == 1], Y[Y == 1], classes=3))
    assert_close(part + (whole - part), whole)


# Digits at mean 1e8, where a double is a multiple of 1.5e-8


FAR = 1e8 + np.random.default_rng(8).normal(size=(600, 3)) @ np.array([[1, 0.9, -0.4], [0, 0.5, 0], [0, 0, 0.8]])


def error(found: Scatter, x: np.ndarray) -> float:
    """Of a product relative to the deviations of its columns."""
    exact = products(x)
    scale = np.sqrt(np.diag(exact))
    return float(np.abs((found.products[0] - exact) / np.outer(scale, scale)).max())


def test_far_from_nought_raw_sums_of_products_would_leave_nothing():
    """The tests below are not passed by chance."""
    raw = FAR.T @ FAR - np.outer(FAR.sum(axis=0), FAR.mean(axis=0))
    assert np.abs(raw / products(FAR) - 1).max() > 0.1


def test_far_from_nought_products_keep_their_digits():
    assert error(count(FAR), FAR) < 1e-12
    assert error(count(FAR, weight=np.full(600, 1.0)), FAR) < 1e-12


def test_far_from_nought_pieces_add():
    total = count(FAR[:0])
    for piece in np.array_split(FAR, 17):
        total = total + count(piece)
    assert error(total, FAR) < 1e-8


@pytest.mark.parametrize("fold", range(5))
def test_far_from_nought_a_fold_is_removed(fold):
    folds = np.array_split(FAR, 5)
    rest = np.concatenate(folds[:fold] + folds[fold + 1 :])
    assert error(count(FAR) - count(folds[fold]), rest) < 1e-8


def test_far_from_nought_all_folds_but_one_are_removed():
    """Each leaves its rounding in the mean, 1.5e-8 at most."""
    folds = np.array_split(FAR, 5)
    left = count(FAR)
    for fold in folds[:4]:
        left = left - count(fold)
    assert error(left, folds[4]) < 1e-6
