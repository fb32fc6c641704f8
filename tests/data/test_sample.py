"""Samples: rows with their classes and weights, of which every selection is another sample."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.data import Sample, read

CLASSES = np.array(["ash", "elm", "oak"])
Y = np.array([0, 2, 2, 0, 2, 0, 2], np.int32)
WEIGHT = np.array([1.0, 2.0, 0.5, 0.0, 1.5, 3.0, 1.0])
X = np.column_stack([np.arange(7.0), -np.arange(7.0)])
WEIGHTED, PLAIN = Sample(read(X), Y, CLASSES, WEIGHT), Sample(read(X), Y, CLASSES)

both = pytest.mark.parametrize("sample", [PLAIN, WEIGHTED], ids=["rows", "weights"])


def assert_rows(found, rows):
    """That these are the rows of the samples above, in this order, with all that belongs to them."""
    assert len(found) == found.table.rows == len(rows)
    assert found.table.numbers([0], slice(None))[:, 0].tolist() == list(rows)
    assert found.y.tolist() == Y[rows].tolist()
    assert found.weight is None or found.weight.tolist() == WEIGHT[rows].tolist()
    for array in (found.y, found.weights):  # which the kernels read
        assert array.flags.c_contiguous
        assert len(array) == len(rows)


def test_without_weights_each_row_counts_once():
    assert PLAIN.weight is None
    assert PLAIN.weights.tolist() == [1] * 7
    assert WEIGHTED.weights is WEIGHT


def test_the_weight_of_a_class_is_that_of_its_rows():
    assert PLAIN.class_weights.tolist() == [3, 0, 4]
    assert_allclose(WEIGHTED.class_weights, [4.0, 0.0, 5.0])


@both
@pytest.mark.parametrize("step", [1, 2, 3, 6, 7, 100])
def test_one_row_in_so_many(sample, step):
    assert_rows(sample.every(step), np.arange(0, 7, step))


@both
@pytest.mark.parametrize("step", [1, 0, -2])
def test_every_row_is_the_sample_itself(sample, step):
    assert sample.every(step) is sample


@both
@pytest.mark.parametrize(
    ("most", "rows"), [(1, [0]), (2, [0, 4]), (3, [0, 3, 6]), (4, [0, 2, 4, 6]), (6, [0, 2, 4, 6])]
)
def test_at_most_so_many_rows_are_evenly_spaced(sample, most, rows):
    assert_rows(sample.at_most(most), np.array(rows))


@both
@pytest.mark.parametrize("most", [7, 8, 1000])
def test_at_most_more_than_there_are_is_the_sample_itself(sample, most):
    assert sample.at_most(most) is sample


@both
@pytest.mark.parametrize("rows", [[], [3], [6, 0, 2], [1, 1, 1], [6, 5, 4, 3, 2, 1, 0]])
def test_rows_are_taken_in_the_order_that_is_given(sample, rows):
    assert_rows(sample.take(np.array(rows, np.intp)), np.array(rows, np.intp))


@both
def test_all_rows_in_their_order_are_the_sample_itself(sample):
    assert sample.take(np.arange(7)) is sample
    assert sample.without(np.zeros(0, np.intp)) is sample


@both
def test_all_rows_but_some(sample):
    assert_rows(sample.without(np.array([4, 0])), np.array([1, 2, 3, 5, 6]))
    assert_rows(sample.without(np.arange(7)), np.zeros(0, np.intp))


def test_other_weights():
    weighing = PLAIN.weighing(WEIGHT)
    assert weighing.weight is WEIGHT
    assert weighing.table is PLAIN.table
    assert weighing.weighing(None).weight is None
    assert PLAIN.weight is None


@both
def test_among_more_classes_each_row_keeps_its_own(sample):
    more = np.array(["alder", "ash", "birch", "elm", "oak", "yew"])
    found = sample.among(more)
    assert found.y.dtype == np.int32
    assert more[found.y].tolist() == CLASSES[Y].tolist()
    assert found.classes is more
    assert found.weight is sample.weight
    assert sample.among(CLASSES) is sample


@both
def test_a_class_without_a_row_is_not_known(sample):
    found = sample.known()
    assert found.classes.tolist() == ["ash", "oak"]
    assert found.classes[found.y].tolist() == CLASSES[Y].tolist()
    assert found.y.dtype == np.int32
    assert found.known().classes.tolist() == ["ash", "oak"]


def test_a_class_whose_rows_weigh_nothing_is_known_all_the_same():
    sample = Sample(read(X[:2]), np.array([0, 1], np.int32), CLASSES[:2], np.array([1.0, 0.0]))
    assert sample.known().classes.tolist() == ["ash", "elm"]


def test_a_selection_leaves_the_sample_as_it_was():
    before = WEIGHTED.y.tolist(), WEIGHTED.weight.tolist()
    WEIGHTED.every(2), WEIGHTED.take(np.array([3, 1])), WEIGHTED.among(np.array(["ash", "elm", "oak", "yew"]))
    assert (WEIGHTED.y.tolist(), WEIGHTED.weight.tolist()) == before
    with pytest.raises(AttributeError):
        WEIGHTED.weight = None


def test_samples_are_joined_with_the_classes_of_both():
    one = Sample(read(X[:2]), np.array([0, 1], np.int32), np.array(["ash", "oak"]))
    other = Sample(read(X[:3]), np.array([1, 0, 1], np.int32), np.array(["elm", "oak"]), np.array([1.0, 2.0, 3.0]))
    both = one.joined([other])
    assert both.classes[both.y].tolist() == ["ash", "oak", "oak", "elm", "oak"]
    assert both.weight.tolist() == [1, 1, 1, 2, 3]
    assert both.table.rows == 5
    assert one.joined([]) is one
