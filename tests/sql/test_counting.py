"""The statistics of plans; that they are those of one machine is in test_push_down.py."""

import numpy as np
import pyarrow as pa
import pytest

from likely.data import Sample, encode_target, read
from likely.families import Categorical, Gaussian, Plan
from likely.sql.counting import SqlCounting
from likely.sql.rows import QueryRows
from likely.statistics import Frame

from ..databases import put

TABLE = pa.table({"x": [1.0, None, 3.0, None], "c": ["q", "p", None, "q"], "y": ["a", "a", "b", "b"]})


@pytest.fixture
def counting(connection):
    put(connection, TABLE)
    classes, codes = encode_target(TABLE["y"])
    sample = Sample(read(TABLE.drop_columns("y")), codes, classes)
    return SqlCounting(QueryRows(connection, "SELECT * FROM rows", "y"), sample)


def test_moments(counting):
    statistics = counting.block(Plan(Gaussian(), [0], Frame(["x"]))).statistics
    assert statistics.n.tolist() == [[1], [1]]
    assert statistics.mean.tolist() == [[1.0], [3.0]]
    assert statistics.m2.tolist() == [[0.0], [0.0]]


def test_categories_in_order(counting):
    block = counting.block(Plan(Categorical(), [1], Frame(["c"])))
    assert block.frame.cells[0].tolist() == ["p", "q"]
    assert block.statistics.table.tolist() == [[1, 1], [0, 1]]


def test_a_column_whose_values_the_sample_does_not_have(counting):
    few = counting.sample.take(np.array([1, 3]))
    emptied = SqlCounting(counting.rows, Sample(few.table.emptied({0}), few.y, few.classes))
    with pytest.raises(ValueError, match="column 'x' has 2 values in 4 rows, and none in the sample of 2"):
        emptied.check_empty()
    counting.check_empty()
