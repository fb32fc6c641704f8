"""The columns of one family, counted together: blocks read, add, subtract and name what is wrong."""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse

from likely.data import Sample, read
from likely.families import BadCell, Bernoulli, Categorical, Gaussian, Missing, Multinomial, Plan, Poisson
from likely.families.block import naming
from likely.priors import Laplace, MaximumLikelihood
from likely.statistics import Frame, NeverLearned

ALL = slice(None)


def counted(x, y, family, classes=2, weight=None, columns=None):
    """A block of all columns of x, counted by the family."""
    table = read(x)
    columns = range(len(table.names)) if columns is None else columns
    plan = Plan(family, columns, Frame(tuple(table.names[j] for j in columns)))
    return plan.count(Sample(table, np.array(y, np.int32), np.arange(classes), weight))


# Reading


def test_a_plan_reads_its_columns_as_numbers():
    plan = Plan(Gaussian(), [0, 2], Frame((0, 2)))
    assert plan.read(read(np.arange(12.0).reshape(4, 3)), slice(1, 3)).tolist() == [[3, 5], [6, 8]]


def test_a_plan_reads_its_columns_as_categories():
    """The codes of its frame; a value that is not there has the one after the last."""
    table = read(pa.table({"a": [1, 2, 3, 4], "b": ["x", None, "y", "z"]}))
    plan = Plan(Categorical(), [1], Frame(("b",), cells=(np.array(["x", "y"], object),)))
    assert plan.read(table).tolist() == [[0], [-1], [1], [2]]


def test_a_plan_observes_classes_weights_and_which_columns_are_whole():
    table = read(pa.table({"whole": [1, 2, 3], "number": [1.0, 2.0, 3.0]}))
    sample = Sample(table, np.array([0, 1, 1], np.int32), np.array(["a", "b", "c"]), np.array([1.0, 2.0, 3.0]))
    seen = Plan(Gaussian(), [0, 1], Frame(("whole", "number"))).observe(sample, slice(1, 3))
    assert seen.cells.tolist() == [[2, 2], [3, 3]]
    assert (seen.y.tolist(), seen.classes, seen.weight.tolist()) == ([1, 1], 3, [2.0, 3.0])
    assert seen.whole.tolist() == [True, False]
    assert Plan(Missing(), [0], Frame(("whole missing",))).observe(sample).whole.tolist() == [False]


def test_a_plan_reads_sparse_columns_as_they_are():
    matrix = scipy.sparse.csr_array(np.eye(3))
    block = Plan(Multinomial(), range(3), Frame(range(3))).read(read(matrix), slice(1, 3))
    assert not isinstance(block, np.ndarray)
    assert block.shape == (2, 3)


def test_a_plan_reads_sparse_columns_densely_for_a_family_that_needs_it():
    matrix = scipy.sparse.csr_array(np.eye(3))
    block = Plan(Gaussian(), range(3), Frame(range(3))).read(read(matrix), slice(1, 3))
    assert block.tolist() == [[0, 1, 0], [0, 0, 1]]


# Counting


def test_categories_are_counted_in_ascending_order():
    block = counted([["z"], ["a"], ["z"], ["m"]], [0, 0, 1, 1], Categorical())
    assert block.frame.cells[0].tolist() == ["a", "m", "z"]
    assert block.statistics.table.tolist() == [[1, 0, 1], [0, 1, 1]]


def test_blocks_add_and_their_categories_unite():
    a = counted([["x"], ["z"]], [0, 1], Categorical())
    b = counted([["y"], ["x"]], [0, 1], Categorical())
    both = a + b
    assert both.frame.cells[0].tolist() == ["x", "y", "z"]
    assert both.statistics.table.tolist() == [[1, 1, 0], [1, 0, 1]]


def test_the_order_of_addition_does_not_matter():
    a = counted([["x"], ["z"]], [0, 1], Categorical())
    b = counted([["y"], ["x"]], [0, 1], Categorical())
    assert (a + b).frame.cells[0].tolist() == (b + a).frame.cells[0].tolist()
    assert np.array_equal((a + b).statistics.table, (b + a).statistics.table)


def test_a_block_without_what_was_added():
    a = counted([[1, 2], [3, 4]], [0, 1], Poisson())
    b = counted([[5, 0], [0, 7]], [1, 1], Poisson())
    left = (a + b) - b
    assert np.array_equal(left.statistics.total, a.statistics.total)
    assert np.array_equal(left.statistics.seen, a.statistics.seen)


def test_a_block_times_a_factor():
    half = counted([[4], [2]], [0, 1], Poisson()) * 0.5
    assert half.statistics.total.tolist() == [[2], [1]]
    assert half.statistics.seen.tolist() == [[0.5], [0.5]]


@pytest.mark.parametrize(("more", "column"), [([["x", "q"]], 1), ([["z", "p"]], 0), ([["x", "p"], ["x", "p"]], 0)])
def test_subtracting_what_was_never_counted_names_the_column(more, column):
    known = counted([["x", "p"], ["y", "q"]], [0, 1], Categorical())
    with pytest.raises(NeverLearned) as caught:
        known - counted(more, [0] * len(more), Categorical())
    assert caught.value.column == column


def test_blocks_of_different_families_do_not_add():
    a, b = counted([[1]], [0], Poisson()), counted([[1]], [0], Poisson(prior=Laplace()))
    sentence = (
        "columns (0,) are read as Poisson() here and as Poisson(prior=Laplace()) there; "
        "give both models the same families"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        a + b


def test_text_and_numbers_do_not_add():
    a, b = counted([["x"]], [0], Categorical()), counted([[1]], [0], Categorical())
    with pytest.raises(ValueError, match=r"^column 0: text and numbers do not mix: 'x' and 1$"):
        a + b


def test_the_columns_of_which_nothing_was_seen():
    x = np.array([[1.0, np.nan, np.nan], [2.0, np.nan, 3.0]])
    assert counted(x, [0, 1], Gaussian()).seen().tolist() == [2, 0, 1]
    assert counted(np.array([["x", None], ["y", None]], object), [0, 1], Categorical()).seen().tolist() == [2, 0]
    assert counted(np.array([[0.0, 1.0]]), [0], Bernoulli()).seen().tolist() == [1, 1]


def test_a_column_whose_only_values_weigh_nothing_was_not_seen():
    x = np.array([[1.0, np.nan], [2.0, 3.0]])
    assert counted(x, [0, 1], Gaussian(), weight=np.array([1.0, 0.0])).seen().tolist() == [1, 0]


def test_a_sparse_block_misses_nothing():
    block = counted(scipy.sparse.csr_array(np.array([[1, 0], [2, 0]])), [0, 1], Multinomial())
    assert block.seen().tolist() == [2, 2]


def test_scores_of_a_block_are_added():
    block = counted(np.array([[1.0], [0.0]]), [0, 1], Bernoulli())
    out = np.full((1, 2), 10.0)
    block.score(read(np.array([[1.0]])), ALL, out)
    assert np.allclose(out, 10 + np.log([[2 / 3, 1 / 3]]), rtol=0, atol=1e-14)


# Naming


def test_a_bad_cell_is_named_by_its_column_and_its_row_in_the_table():
    plan = Plan(Poisson(), [1], Frame(("visits",)))
    table = read(pa.table({"a": [0] * 5, "visits": [1.0, 2.0, 3.0, -1.5, 4.0]}))
    sentence = "Poisson needs whole numbers of 0 or more; column 'visits', row 3, has -1.5"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        plan.count(Sample(table, np.zeros(5, np.int32), np.arange(1)), slice(2, 5))


def test_a_bad_cell_is_named_in_scores():
    block = counted(np.array([[1.0], [0.0]]), [0, 1], Bernoulli())
    with pytest.raises(ValueError, match=r"^Bernoulli needs 0 or 1; column 0, row 1, has 2\.0$"):
        block.score(read(np.array([[1.0], [2.0]])), ALL, np.zeros((2, 2)))


def test_a_bad_cell_in_one_row_of_so_many():
    with pytest.raises(ValueError, match=r"^needs; column 'b', row 37, has 5$"), naming(Frame(("a", "b")), 7, 10):
        raise BadCell("needs", 3, 1, 5, in_block=True)


def test_other_errors_pass():
    with pytest.raises(KeyError), naming(Frame(("a",)), 0):
        raise KeyError("x")


def test_parameters_that_do_not_exist_are_named():
    block = counted(pa.table({"age": [1.0, 2.0, 3.0]}), [0, 0, 1], Gaussian(MaximumLikelihood()))
    sentence = "Gaussian has no variance for column 'age' in class 'lion'; give it a prior, or leave the column out"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        block.check_parameters(["hyena", "lion"])


# Some of the columns


def test_some_columns_of_a_block_are_counted_as_if_they_were_alone():
    x = np.array([["x", "p"], ["y", "q"], ["z", "p"]], object)
    block, alone = counted(x, [0, 1, 1], Categorical()), counted(x, [0, 1, 1], Categorical(), columns=[1])
    kept = replace(block, column_weights=np.array([0.5, 2.0])).of(np.array([False, True]))
    assert (kept.columns, list(kept.frame.columns), kept.column_weights.tolist()) == ([1], [1], [2.0])
    assert kept.frame.cells[0].tolist() == ["p", "q"]
    np.testing.assert_array_equal(kept.statistics.table, alone.statistics.table)


def test_categories_of_which_nothing_is_left_are_gone():
    both = counted([["x"], ["y"]], [0, 1], Categorical())
    left = both - counted([["y"]], [1], Categorical())
    assert left.frame.cells[0].tolist() == ["x"]
    assert left.statistics.table.tolist() == [[1], [0]]
